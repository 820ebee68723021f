"""The server that receives randomized reports and keeps what it needs to estimate: counts.

Files: `settings` (the server document), `counter` (how reports of a collection are read and what totals mean), `store/`
(totals and batch ids on disk), `writer` (many requests, few transactions), `access` (tokens and rates), `door` and
`guard` (connections and what they may take), `app` (the routes), `pages` (the live page), `health`, `metrics`,
`described` (OpenAPI), `command` (`sfumato serve`).
"""

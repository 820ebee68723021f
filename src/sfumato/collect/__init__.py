"""The server that receives randomized reports and keeps what it needs to estimate: counts.

Files: `settings` (the server document), `counter` (how reports of a collection are read and what totals mean), `store/`
(totals and batch ids on disk), `writer` (many requests, few transactions), `app` (the routes), `server` (what stands
behind them), `snapshot` (what the live page draws), `metrics`, `openapi`, `static/` (the live page), `command` (the commands that
serve).

Connections, tokens, limits and refusals are those of every server: `web`.
"""

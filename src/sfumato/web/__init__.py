"""What servers share: connections, limits, tokens, headers, refusals; nothing about what is served.

Files: `settings` (tables of a server document), `access` (tokens and rates), `password` (how they are kept), `tries`
(who must wait), `door` and `guard` (connections and what they may take), `policy` (headers of every answer), `refusal`
(what is not answered with 200), `static` (files that ship with a server), `health`, `metrics`, `postgresql` (a
durable connection), `reached` and `options` (where a server may listen), `remote` (one request to another), `serve` (run an application
behind all of this), `pages/` (what pages share).
"""

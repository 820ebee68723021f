"""What the pages of all servers share: style and scripts, the template around them, language, cookies, sessions, who may come.

A server whose package has `templates/` and `words/` says `render.page("sfumato.NAME", language, template, …)`; its templates
extend `web/base.html`. Files: `gate` (cookies, origins, sizes, headers), `sessions` (who has signed in), `language`,
`render`, `events` (work that goes on), `shelf` (style and scripts), `upload`.
"""

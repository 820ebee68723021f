"""Style and scripts that all pages have, and those that a server has beside them."""

from __future__ import annotations

from sfumato.web.static import StaticFiles

SHARED = StaticFiles(
    "sfumato.web.pages",
    {
        "pages.css": "text/css",
        "pages.js": "text/javascript",
        "htmx.min.js": "text/javascript",
        "icon.svg": "image/svg+xml",
    },
)

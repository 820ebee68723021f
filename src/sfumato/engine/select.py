"""Whether a query of a source is a SELECT or the name of a table."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from sfumato.errors import SourceError

_SELECT = re.compile(r"\s*(\(|select\b|with\b|values\b|from\b)", re.IGNORECASE)


def is_select(query: str) -> bool:
    """Whether a text is a SELECT.

    Example:
        >>> is_select("select 1"), is_select("WITH a AS (SELECT 1) FROM a"), is_select("selection")
        (True, True, False)
    """
    return _SELECT.match(query) is not None


def refuse_password(url: str) -> None:
    """Stop where a URL holds a password.

    Raises:
        SourceError: it does. Remedy: take it out.
    """
    parts = urlsplit(url.removeprefix("jdbc:"))
    keys = parse_qs(parts.query.replace(";", "&"), keep_blank_values=True)
    if parts.password is not None or any(key.lower().endswith("password") for key in keys):
        raise SourceError(
            "The url of a database holds no password; this one does.",
            "take it out and let the database's client look it up (PGPASSWORD, a password file, a service file).",
        )

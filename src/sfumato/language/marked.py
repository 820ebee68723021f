"""Sentences as HTML: names of keys, which stand between backticks, as code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

_KEY = re.compile(r"`([^`\s][^`\n]*)`")


def marked(text: str) -> Markup:
    """A sentence, escaped, in which what stands between backticks is code.

    Example:
        >>> marked("Of `k`, if k < 5."), marked("`<b>`"), marked("a ` alone")
        (Markup('Of <code>k</code>, if k &lt; 5.'), Markup('<code>&lt;b&gt;</code>'), Markup('a ` alone'))
    """
    from markupsafe import Markup, escape

    return Markup(_KEY.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before

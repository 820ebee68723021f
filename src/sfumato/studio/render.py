"""The studio's pages as HTML."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sfumato.web.pages import render

if TYPE_CHECKING:
    from collections.abc import Callable

page: Callable[..., str] = partial(render.page, "sfumato.studio")
"""A template in a language with what it shows."""

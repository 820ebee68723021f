"""The studio's sentences in two languages. English is written in the pages; `words/fr.po` has the French of each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sfumato.web.pages import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.language.words import Words

words: Callable[[str], Words] = partial(render.words, "sfumato.studio")
"""The sentences of a language that the studio says."""

"""Texts that persons read on their phones: there in every language in which they are asked, and never empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.loading import under
from sfumato.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def check_spoken(texts: Mapping[str, str], languages: Sequence[str], *, needed: bool) -> None:
    """A text stands in every language in which persons are asked, and in no other.

    Args:
        texts: by language.
        languages: in which persons are asked.
        needed: whether there must be one.

    Raises:
        PlanError: a language is absent or too many, or a text is empty. Remedy: write it.

    Example:
        >>> check_spoken({"en": "Where do you live?"}, ["en"], needed=True)
    """
    if (needed or texts) and set(texts) != set(languages):
        raise PlanError(
            "A text must be there in each of the `languages`, {languages}; it is in {given}.",
            "write the others, or correct `languages`.",
            languages=", ".join(languages) or "–",
            given=", ".join(texts) or "–",
        )
    if any(not text.strip() for text in texts.values()):
        raise PlanError("A text that persons read must say something; one is empty.", "write it.")


def check_labels(labels: Mapping[str, Sequence[str]], languages: Sequence[str], n: int) -> None:
    """What persons read for each answer, in every language.

    Args:
        labels: by language; none at all: the answers themselves.
        languages: in which persons are asked.
        n: answers.

    Raises:
        PlanError: a language is absent or too many, or there are not n labels. Remedy: say them in the order of the answers.

    Example:
        >>> check_labels({"en": ["With parents", "Alone"]}, ["en"], 2)
    """
    with under("labels"):
        if labels:
            check_spoken(dict.fromkeys(labels, "x"), languages, needed=True)
        if any(len(row) != n for row in labels.values()):
            raise PlanError("There must be a label for each of the {n} answers.", "say them in the order of the answers.", n=n)  # fmt: skip

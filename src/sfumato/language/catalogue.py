"""Catalogues of gettext (`.po`), read as they are: no step compiles them and no package is needed."""

from __future__ import annotations

import ast
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def entries(text: str) -> dict[str, str]:
    r"""What a catalogue translates: English → translation. A plural form is an entry of its own; empty ones are left out.

    Args:
        text: of a `.po` file whose entries have no context.

    Example:
        >>> entries('# a comment\nmsgid "Run"\nmsgstr ""\n"Lan"\n"cer"\n')
        {'Run': 'Lancer'}
        >>> entries('msgid "row"\nmsgid_plural "rows"\nmsgstr[0] "ligne"\nmsgstr[1] "lignes"\n')
        {'row': 'ligne', 'rows': 'lignes'}
    """
    found: dict[str, str] = {}
    said: dict[str, str] = {}
    for key, value in (*_strings(text), ("msgid", "")):
        if key == "msgid":
            found |= _of_entry(said)
            said = {}
        said[key] = value
    return found


def _strings(text: str) -> Iterator[tuple[str, str]]:
    """Keywords with their strings, whose lines are joined."""
    key, parts = "", list[str]()
    for line in text.splitlines():
        word, _, rest = line.partition(" ") if line.startswith("msg") else ("", "", line)
        if word:
            if key:
                yield key, "".join(parts)
            key, parts = word, []
        if rest.startswith('"'):
            parts.append(ast.literal_eval(rest))
    if key:
        yield key, "".join(parts)


def _of_entry(said: dict[str, str]) -> dict[str, str]:
    pairs = [
        (said.get("msgid", ""), said.get("msgstr") or said.get("msgstr[0]", "")),
        (said.get("msgid_plural", ""), said.get("msgstr[1]", "")),
    ]
    return {english: other for english, other in pairs if english and other}


def catalogue(package: str, *path: str) -> dict[str, str]:
    """The entries of a file, or of all `.po` files of a folder, of a package.

    Example:
        >>> catalogue("sfumato.language", "fr", "report.po")["Nothing"]
        'Rien'
    """
    place = files(package).joinpath(*path)
    if place.is_file():
        return entries(place.read_text("utf-8"))
    found: dict[str, str] = {}
    for one in sorted(place.iterdir(), key=lambda file: file.name):
        if one.name.endswith(".po"):
            found |= entries(one.read_text("utf-8"))
    return found

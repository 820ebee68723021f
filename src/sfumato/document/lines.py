"""The line of every key of a TOML document, so that an error can point to it.

Read after the TOML reader has accepted the text: what is no TOML is not looked for again.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.table.values import Path

_BLANK = " \t\r\n"
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\", "e": "\x1b"}


def line_of(text: str, path: Path) -> int | None:
    r"""The line of the key at a path, counted from 1; of the innermost table above it where the key is absent.

    Args:
        text: a document in TOML.
        path: keys, and places in lists from 0.

    Example:
        >>> line_of("a = 1\n[b]\nc.d = [1,\n 2]\n", ("b", "c", "d", 1)), line_of("a = 1\n[b]\n", ("b", "e"))
        (4, 2)
    """
    lines = _Scan(text).lines
    return next((lines[path[:n]] for n in range(len(path), 0, -1) if path[:n] in lines), None)


class _Scan:
    """One pass over the text; `lines` has every path that it met."""

    def __init__(self, text: str) -> None:
        self.text = text + "\n"
        self.here = 0
        self.starts = [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]
        self.lines: dict[Path, int] = {}
        self.last: dict[Path, int] = {}
        base: Path = ()
        while self._skip(_BLANK):
            if self.text[self.here] == "[":
                base = self._header()
            else:
                self._pair(base)

    def _skip(self, blank: str) -> bool:
        """Over blanks and comments; whether anything is left."""
        while self.here < len(self.text) and self.text[self.here] in blank + "#":
            self.here = self.text.index("\n", self.here) if self.text[self.here] == "#" else self.here + 1
        return self.here < len(self.text)

    def _note(self, path: Path) -> None:
        """The line at which a path is met first."""
        self.lines.setdefault(path, bisect_right(self.starts, self.here))

    def _header(self) -> Path:
        """[table] or [[table]]: the path below which its keys are."""
        is_list = self.text.startswith("[[", self.here)
        start, self.here = self.here, self.here + 1 + is_list
        keys = self._keys()
        self.here, after = start, self.text.index("\n", self.here)
        path: Path = ()
        for i, key in enumerate(keys):
            path = (*path, key)
            if is_list and i == len(keys) - 1:
                self.last[path] = self.last.get(path, -1) + 1
            self._note(path)
            path = (*path, self.last[path]) if path in self.last else path
        self._note(path)
        self.lines[path] = bisect_right(self.starts, self.here)
        self.here = after
        return path

    def _pair(self, base: Path) -> None:
        """Key and value."""
        start = self.here
        keys = self._keys()
        after, self.here = self.here, start
        for n in range(1, len(keys) + 1):
            self._note((*base, *keys[:n]))
        self.here = after + 1  # the sign =
        self._value((*base, *keys))

    def _keys(self) -> list[str]:
        """The parts of a key, up to what follows it."""
        keys: list[str] = []
        while True:
            self._skip(" \t")
            sign = self.text[self.here]
            if sign in "\"'":
                keys.append(self._string())
            else:
                end = next(i for i in range(self.here, len(self.text)) if self.text[i] in " \t.=]")
                keys.append(self.text[self.here : end])
                self.here = end
            self._skip(" \t")
            if self.text[self.here] != ".":
                return keys
            self.here += 1

    def _value(self, path: Path) -> None:
        """One value, with all that is inside."""
        self._skip(" \t")
        sign = self.text[self.here]
        if sign in "\"'":
            self._string()
        elif sign == "[":
            self._list(path)
        elif sign == "{":
            self._inline(path)
        else:
            while self.text[self.here] not in ",]}#\n":
                self.here += 1

    def _list(self, path: Path) -> None:
        """[…]: each element has a place."""
        self.here += 1
        place = 0
        while self._skip(_BLANK + ",") and self.text[self.here] != "]":
            self._note((*path, place))
            self._value((*path, place))
            place += 1
        self.here += 1

    def _inline(self, path: Path) -> None:
        self.here += 1
        while self._skip(_BLANK + ",") and self.text[self.here] != "}":
            self._pair(path)
        self.here += 1

    def _string(self) -> str:
        """A text in any of the four forms of quotes; what it says."""
        quote = self.text[self.here]
        mark = quote * 3 if self.text.startswith(quote * 3, self.here) else quote
        self.here += len(mark)
        start = self.here
        while not self.text.startswith(mark, self.here):
            self.here += 2 if quote == '"' and self.text[self.here] == "\\" else 1
        said = self.text[start : self.here]
        self.here += len(mark)
        while len(mark) == 3 and self.text.startswith(quote, self.here):  # one or two quotes before the mark
            self.here += 1
        return _unescaped(said) if quote == '"' and "\\" in said else said


def _unescaped(said: str) -> str:
    """A text of which the escapes are read."""
    out, rest = "", said
    while rest:
        before, slash, rest = rest.partition("\\")
        out += before
        if slash and rest[0] in "uUx":
            digits = {"x": 2, "u": 4, "U": 8}[rest[0]]
            out, rest = out + chr(int(rest[1 : 1 + digits], 16)), rest[1 + digits :]
        elif slash:
            out, rest = out + _ESCAPES.get(rest[0], ""), rest[1:]
    return out

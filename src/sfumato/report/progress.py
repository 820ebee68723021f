"""What long work shows: one line, rewritten, on a terminal; elsewhere a plain line now and then."""

from __future__ import annotations

import sys
import time

_REWRITTEN = 0.2
"""Least seconds between two looks of the line on a terminal."""
_PLAIN = 10.0
"""Least seconds between two lines in a log."""


class Line:
    """A progress callback that writes to standard error: work of less than ten seconds leaves a log empty."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._width = 0

    def __call__(self, done: int, total: int | None, message: str) -> None:
        """Show `done` of `total` and a short text."""
        now, watched = time.monotonic(), sys.stderr.isatty()
        if now - self._last < (_REWRITTEN if watched else _PLAIN):
            return
        self._last = now
        share = f" {done:,}" if total is None else f" {done:,} of {total:,}"
        text = f"{message}:{share}"[:100]
        sys.stderr.write("\r" + text.ljust(self._width) if watched else text + "\n")
        sys.stderr.flush()
        self._width = len(text) if watched else 0

    def clear(self) -> None:
        """Leave an empty line behind."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0

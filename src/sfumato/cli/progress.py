"""What does long work show on a terminal? One line, rewritten; nothing when nobody watches."""

from __future__ import annotations

import sys
import time


class Line:
    """A progress callback that rewrites one line of standard error, five times a second at most."""

    def __init__(self) -> None:
        self._last = 0.0
        self._width = 0

    def __call__(self, done: int, total: int | None, message: str) -> None:
        """Show `done` of `total` and a short text."""
        now = time.monotonic()
        if now - self._last < 0.2 or not sys.stderr.isatty():
            return
        self._last = now
        share = f" {done:,}" if total is None else f" {done:,} of {total:,}"
        text = f"{message}:{share}"[:100]
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def clear(self) -> None:
        """Leave an empty line behind."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0

"""`sfumato …` in this process: the same entry point, output and exit codes."""

import contextlib
import io
import json
import sys
from dataclasses import dataclass

import pytest

from sfumato.cli.main import main


@dataclass(frozen=True)
class Ran:
    """What a command printed."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """Standard output as JSON."""
        return json.loads(self.out)


def ran(*arguments, cwd):
    """A command in a folder."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    code = 0
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.setattr(sys, "argv", ["sfumato", *map(str, arguments)])
        try:
            main()
        except SystemExit as done:
            code = done.code or 0
    return Ran(code, *(stream.buffer.getvalue().decode("utf-8") for stream in (out, err)))

"""Spaces of all French sentences: none at which a line could break stands before a sign that belongs to its word."""

import re
from pathlib import Path

import sfumato

BREAKS = re.compile(r"(\w|») [:;?!»]|« ")


def test_no_line_of_french_begins_with_a_sign():
    """Of every catalogue: `no-break space ;` and `« no-break space`."""
    lines = [
        (path.name, line)
        for path in Path(sfumato.__file__).parent.rglob("*.po")
        for line in path.read_text("utf-8").splitlines()
        if line.startswith(('msgstr "', '"'))
    ]
    assert len(lines) > 3000
    assert [(name, line) for name, line in lines if BREAKS.search(line)] == []

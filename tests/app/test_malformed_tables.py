"""Malformed tables are read, or refused in words: no traceback, no defect, always a remedy."""

import os
import random

import pytest
from tests.app.tables import damaged, declared

DAMAGED = 60
"""Files with changed bytes that are tried."""
_COMMANDS = (
    ("draft", "TABLE", "-o", "drafted.toml", "--force"),
    ("risk", "TABLE", "--quasi-identifier", "age"),
    ("hierarchy", "TABLE", "age"),
)


def wrong(sfumato, name, commands=_COMMANDS):
    """What is wrong with how commands take a table; "" if nothing is."""
    for command in commands:
        ran = sfumato(*(name if word == "TABLE" else word for word in command))
        if ran.code == 70 or (ran.code and not ("Remedy: " in ran.err or "Usage: " in ran.err)):
            return f"{command[0]} {name}: {ran.code} {ran.err}"
    return ""


def test_tables_that_are_wrong_in_a_known_way(sfumato, tmp_path):
    """Numbers, dates and names that are none, cut and foreign files."""
    for name, data in declared():
        (tmp_path / name).write_bytes(data)
        assert not wrong(sfumato, name, _COMMANDS[:1])


@pytest.mark.parametrize("part", range(3))
def test_tables_with_changed_bytes(sfumato, tmp_path, part):
    rng = random.Random(f"tables {part}")  # noqa: S311
    for _ in range(DAMAGED // 3):
        name, data = damaged(rng)
        (tmp_path / name).write_bytes(data)
        assert not wrong(sfumato, name, _COMMANDS[part : part + 1])


@pytest.mark.parametrize("name", ["pipe.csv", "loop.csv", "folder.csv", "dangling.csv", "/dev/zero"])
def test_what_is_no_file_is_neither_read_nor_waited_for(sfumato, tmp_path, name):
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    (tmp_path / "dangling.csv").symlink_to("nowhere")
    (tmp_path / "folder.csv").mkdir()
    ran = sfumato("draft", name, "-o", "drafted.toml")
    assert (4, True) == (ran.code, "must be a" in ran.err)


def test_a_memory_limit_and_an_encoding_that_are_none_are_refused_with_a_remedy(sfumato, six):
    """What a user mistypes."""
    for value in ("abc", "-1", "", "4XB", "nan"):
        assert not wrong(sfumato, six.name, (("run", "TABLE", "--memory-limit", value),))
        assert 0 != sfumato("run", six, "--memory-limit", value).code
    assert not wrong(sfumato, "six.csv", (("draft", "TABLE", "--encoding", "undefined", "--force"),))
    assert not wrong(sfumato, "six.csv", (("draft", "TABLE", "--encoding", "hex", "--force"),))

"""Every command explains itself, and long work tells a log how far it is."""

import io

import click
import pytest

from sfumato.cli.main import commands
from sfumato.report import progress


def paths(command, words=()):
    """The words of a command and of all below it."""
    yield words
    for name in command.list_commands(None) if isinstance(command, click.Group) else ():
        yield from paths(command.get_command(None, name), (*words, name))


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("words", list(paths(commands)), ids=" ".join)
def test_every_command_has_help(sfumato, words, option):
    ran = sfumato(*words, option)
    assert ran.code == 0, ran.err
    assert ran.out.startswith(f"Usage: {' '.join(('sfumato', *words))} ")
    assert "Show this message and exit." in ran.out


class Stream(io.StringIO):
    def __init__(self, *, watched):
        super().__init__()
        self.watched = watched

    def isatty(self):
        return self.watched


@pytest.fixture
def told(monkeypatch):
    """What work of a minute, asked each tenth of a second, writes to a stream."""

    def run(*, watched):
        stream, clock = Stream(watched=watched), iter(i / 10 for i in range(10_000))
        monkeypatch.setattr(progress.sys, "stderr", stream)
        monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
        line = progress.Line()
        for i in range(600):
            line(i, 600, "counting")
        return stream.getvalue()

    return run


def test_a_log_gets_a_plain_line_every_ten_seconds(told):
    text = told(watched=False)
    assert "\r" not in text
    assert 5 <= len(text.splitlines()) <= 6
    assert text.splitlines()[0].startswith("counting: ")


def test_a_terminal_gets_one_line_that_is_rewritten(told):
    text = told(watched=True)
    assert "\n" not in text
    assert text.count("\r") > 100


def test_the_list_of_commands_is_whole():
    assert {"run", "serve", "collect", "attack"} <= set(commands.list_commands(None))
    assert {"collect", "places", "friends", "token", "arena", "together"} == set(
        commands.get_command(None, "serve").list_commands(None)
    )

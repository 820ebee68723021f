"""The guide to a contest is followed word for word: each command runs, and prints what the page shows."""

import os
import re
import shlex
from pathlib import Path

from click.testing import CliRunner
from tests.app.serve_processes import running

from sfumato.cli.main import commands

PAGE = Path(__file__).parents[2] / "docs/how-to/run-a-contest.md"
BLOCK = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def spoken():
    """Commands of the page, each with the lines that it shows."""
    found = []
    for block in BLOCK.findall(PAGE.read_text("utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif block.startswith("$ "):
                found[-1][1].append(line)
    return found


def follow(steps, environment):
    """Run each command; the server runs beside the rest."""
    for place, (line, shown) in enumerate(steps):
        words = shlex.split(line)
        if words[0] == "cd":
            os.chdir(words[1])
        elif words[0] == "export":
            name, _, value = words[1].partition("=")
            environment.setdefault(name, value)
            if name == "SFUMATO_ARENA_TOKEN":
                environment[name] = value
        elif words[:2] == ["sfumato", "serve"]:
            with running(Path.cwd(), *words[2:]) as (_, address):
                environment["SFUMATO_ARENA"] = address
                follow(steps[place + 1 :], environment)
            return
        else:
            run(words, shown, environment)


def run(words, shown, environment):
    """One command of the page."""
    words, target = (words[:-2], words[-1]) if ">" in words else (words, None)
    result = CliRunner().invoke(commands, words[1:], env=environment)
    assert (words[0], result.exit_code) == ("sfumato", 0), (words, result.output, result.exception)
    printed = {line.rstrip() for line in result.output.splitlines()}
    assert [line for line in shown if line.rstrip() not in printed] == [], (words, result.output)
    if target is not None:
        Path(target).write_text(result.output, "utf-8")


def test_an_afternoon_goes_as_the_guide_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    steps = spoken()
    assert len(steps) > 25
    follow(steps, {})
    assert "Contest An afternoon" in (tmp_path / "spring/contest.html").read_text("utf-8")
    assert (tmp_path / "spring/bundle.zip").stat().st_size > 1000

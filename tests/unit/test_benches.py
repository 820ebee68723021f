"""What every bench says of itself."""

import ast
import json
from pathlib import Path

import click
import pytest

BENCH = Path(__file__).parents[2] / "bench"


def _writes(path):
    """The calls of `write` of `timing`."""
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    imported = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "write"]
    return imported + [call for call in calls if ast.unparse(call.func) == "timing.write"]


@pytest.mark.parametrize("path", sorted(BENCH.glob("*.py")), ids=lambda path: path.stem)
def test_a_bench_says_how_often_it_ran_and_which_peers_were_recorded_elsewhere(path):
    text = path.read_text("utf-8")
    for call in _writes(path):
        said = {keyword.arg for keyword in call.keywords}
        assert "runs" in said
        assert "recorded" in said or "recorded elsewhere" not in text


def test_a_result_holds_machine_load_runs_and_where_the_peers_ran(tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(BENCH)
    import timing

    monkeypatch.setattr(timing, "RESULTS", tmp_path)
    timing.write("tried", [{"seconds": 1.23456}], ("numpy", "no such package"), runs=3, recorded=("ARX",))
    assert capsys.readouterr().out == "seconds 1.235\n"
    told = json.loads((tmp_path / "tried.json").read_text("utf-8"))
    assert told["peers"] == {"same run": ["numpy"], "recorded elsewhere": ["ARX"]}
    assert told["runs"] == 3
    assert {"at_start", "at_end"} == set(told["load"])
    assert {"system", "machine", "cpus"} <= set(told["machine"])


@pytest.fixture
def growth(monkeypatch):
    """The lines of the bench of growth."""
    monkeypatch.syspath_prepend(BENCH)
    import growth_lines

    return growth_lines


def _commands(group, before=()):
    """Every command that can be typed."""
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        yield from (
            _commands(command, (*before, name)) if isinstance(command, click.Group) else [" ".join((*before, name))]
        )


def test_the_growth_of_every_command_is_measured_or_it_is_said_why_it_has_none(growth):
    """A new command needs a line in bench/growth_lines.py; a command that hands on its words has one for all below it."""
    from sfumato.cli.main import commands

    of_name = {name: commands.get_command(None, name) for name in commands.list_commands(None)}
    handed_on = {name for name, command in of_name.items() if "arguments" in {p.name for p in command.params}}
    known = {name for name in _commands(commands) if name not in handed_on}
    known |= handed_on
    measured = {line.command for line in growth.LINES}
    assert measured | set(growth.UNMEASURED) == known
    assert not measured & set(growth.UNMEASURED)


def test_the_growth_of_every_method_is_measured(growth):
    from sfumato.release.method.registry import METHODS

    run = {line.grows.rpartition(", ")[2] for line in growth.LINES if line.command == "run"}
    assert set(METHODS) <= run


def test_every_line_grows_from_a_start_over_two_sizes_more(growth):
    names = [(line.command, line.grows) for line in growth.LINES]
    assert len(names) == len(set(names))
    for line in growth.LINES:
        assert len(line.sizes) >= 3
        assert list(line.sizes) == sorted(set(line.sizes))


@pytest.mark.parametrize(
    ("costs", "slope"), [((1, 2, 5), 1.0), ((1, 2, 17), 2.0), ((1, 1.01, 1.1), None), ((1, 2, 2), 0.0)]
)
def test_the_slope_is_that_beyond_a_start(growth, costs, slope):
    """Between the largest sizes 1 and 4, the cost of size 0 taken off both."""
    import growth as bench

    found = bench.slope([{"n": n, "cpu_s": cost} for n, cost in zip((0, 1, 4), costs, strict=True)], "cpu_s")
    assert found == (None if slope is None else pytest.approx(slope))


@pytest.mark.parametrize(
    ("slopes", "stopped", "reason", "verdict"),
    [
        ((None, None), None, "", "flat"),
        ((1.2, None), None, "", "good"),
        ((1.3, None), None, "", "steep"),
        ((0.9, 2.0), None, "pairs are asked for", "reason"),
        ((1.0, 1.0), "4000: killed", "pairs are asked for", "stopped"),
    ],
)
def test_a_steep_line_needs_a_reason_and_a_stopped_one_has_none(growth, slopes, stopped, reason, verdict):
    import growth as bench

    assert bench.verdict_of(dict(zip(("cpu_s", "peak_mib"), slopes, strict=True)), stopped, reason) == verdict

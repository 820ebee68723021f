"""What every bench says of itself."""

import ast
import json
from pathlib import Path

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

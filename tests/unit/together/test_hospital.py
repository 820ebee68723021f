"""Hospitals and a publisher in one process: the release is that of the plain plan on all rows, and nobody's row is seen."""

import csv
import importlib.util
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from sfumato.front.run import run
from sfumato.table.source import FileSink, FileSource

_SPEC = importlib.util.spec_from_file_location("parties", Path(__file__).with_name("parties.py"))
parties = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(parties)


def rows_of(path):
    """Rows of a file, in no order."""
    with path.open(encoding="utf-8", newline="") as file:
        return Counter(tuple(sorted(row.items())) for row in csv.DictReader(file))


@pytest.mark.parametrize(
    "method",
    [
        {"name": "mondrian"},
        {"name": "full-domain", "suppression_limit": 0.2},
        {"name": "local-recoding"},
    ],
    ids=lambda method: method["name"],
)
def test_the_release_is_that_of_the_plain_plan_on_all_rows(method, tmp_path):
    """Class by class and row by row, for each method without chance."""
    zips = {"zip": {"role": "quasi-identifying", "hierarchy": {"mask": "right"}}}
    plan, files = parties.plan(tmp_path, method=method, **zips), parties.patients(tmp_path)
    ended = parties.carried_out(*parties.publication(parties.terms(plan), files))
    assert {one.rows for one in ended.values()} <= set(range(31))
    plain = replace(
        plan,
        source=FileSource(tmp_path / "all.csv"),
        output=replace(plan.output, sink=FileSink(tmp_path / "plain.csv")),
    )
    run(plain)
    assert rows_of(tmp_path / "release.csv") == rows_of(tmp_path / "plain.csv")

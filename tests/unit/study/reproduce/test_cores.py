"""The error of private core numbers run again: every row at its true price, on the built-in graph and on a file."""

import gzip

import pytest
from tests.unit.summary.test_cores import read

from sfumato.study.catalog import reproduce
from sfumato.study.reproduce.cores import EMAIL, karate_club


def ran(name, data=None, runs=2):
    return reproduce(name, data, runs=runs, quick=True, seed=1, progress=lambda *_: None)[1]


def test_the_built_in_graph_is_the_file(shared):
    assert karate_club().edges.tolist() == read(shared / "data" / "graphs" / "karate_edges.csv").edges.tolist()


def test_all_rows_of_an_epsilon_have_one_true_price():
    rows = ran("cores").rows
    assert len(rows) == 2 * 9
    assert [row["epsilon"] for row in rows] == pytest.approx([1.0] * 9 + [4.0] * 9)
    stated = {row["algorithm"]: row["stated"] for row in rows if row["epsilon"] == pytest.approx(4) and row["stated"]}
    assert stated["naive Montresor, as published"] == pytest.approx(4 / 34)
    assert stated["noisy Montresor, as published, Z = 4"] == 2
    assert all(0 <= row["mae"] <= 33 for row in rows)


def test_it_reads_a_list_of_edges(shared, tmp_path):
    """The first lines of the file: fewer vertices, and the same columns under another name."""
    lines = gzip.decompress((shared / "data" / EMAIL.files[0]).read_bytes()).decode().splitlines()[1:300]
    file = tmp_path / "email.csv"
    file.write_text("\n".join(["from,to", *lines]) + "\n")
    found = ran("cores-email", file, runs=1)
    assert len(found.rows) == 18
    assert found.rows[0]["mae_error"] is None

"""RAPPOR's evaluations run, are the same for the same seed, and find what can be found."""

import pytest

from sfumato.study.catalog import reproduce


def run(name, seed=1, runs=2):
    """Rows of a quick run."""
    _, document = reproduce(name, None, runs=runs, quick=True, seed=seed, progress=lambda *_: None)
    return document


def test_more_reports_find_more_of_a_normal_distribution():
    rows = [row for row in run("rappor-normal").rows if row["correction"] == "adaptive"]
    assert [row["reports"] for row in rows] == [10**4, 10**5, 10**6]
    found = [row["found"] for row in rows]
    assert found[0] < 15 < found[1] < found[2]
    assert rows[2]["above_1_percent"] == 1
    assert rows[2]["error"] < rows[1]["error"] / 2 < rows[0]["error"] / 4


def test_the_exponential_setting_finds_the_large_strings():
    document = run("rappor-exponential")
    assert document == run("rappor-exponential")
    for row in document.rows:
        assert 29 <= row["found"] <= 65
        assert row["above_1_percent"] > 0.85
        assert 0.9 < row["coverage"] <= 1


@pytest.mark.parametrize(("name", "least"), [("rappor-processes", 6), ("rappor-home-pages", 10)])
def test_the_two_real_settings_find_the_frequent_strings(name, least):
    rows = run(name, runs=1).rows
    assert all(row["found"] >= least for row in rows)
    assert all(row["published"] for row in rows)

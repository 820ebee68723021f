"""Cells that a spreadsheet would run: said, and quoted where asked."""

import csv

import pytest

import sfumato
from sfumato.engine.duckdb.write_csv import Unquoted
from sfumato.errors import PlanError

TOWNS = ["=1+1", "@sum", "-5", "-x", "+33 6", "\tTours", "'=y", "O'Neil"]
QUOTED = ["'=1+1", "'@sum", "-5", "'-x", "'+33 6", "'\tTours", "''=y", "O'Neil"]
RUN = 5
"""Of the eight towns, those that a spreadsheet runs."""


def plan(folder, method="full-domain", path="out.csv", ills=("=HYPERLINK()", "flu"), **output):
    """Every town twice, each with both illnesses; `-` is a code for missing."""
    with (folder / "t.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [("town", "ill", "note"), *((town, ill, "-") for town in TOWNS for ill in ills)]
        )
    promise = {"model": "l-diversity", "kind": "frequency", "column": "ill", "l": 2}
    return sfumato.plan_from(
        {
            "sfumato": 1,
            "source": {"path": "t.csv", "missing": ["-"], "dialect": {"delimiter": ","}},
            "columns": {
                "town": {"role": "quasi-identifying"},
                "ill": {"role": "sensitive"},
                "note": {"role": "insensitive"},
            },
            "promise": [promise if method == "anatomy" else {"model": "k-anonymity", "k": 2}],
            "method": {"name": method},
            "output": {"path": path, **output},
        },
        folder=folder,
    )


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


def test_cells_are_kept_by_default_and_the_report_says_how_many_a_spreadsheet_runs(tmp_path):
    """Ten cells of towns and eight of illnesses; numbers, missing codes and apostrophes are none."""
    release = sfumato.run(plan(tmp_path))
    assert [row[0] for row in rows(release.path)] == [town for town in TOWNS for _ in range(2)]
    (note,) = [note for note in release.result.to_dict()["notes"] if "formulas" in note]
    assert note.startswith(f"{2 * RUN + 8} cells of 'town', 'ill' begin with = + - @ or a tab;")
    assert 'formulas = "quoted"' in note


def test_quoted_cells_are_told_and_read_back(tmp_path):
    """The promise is checked on the file, with every cell as what it stands for."""
    release = sfumato.run(plan(tmp_path, formulas="quoted"))
    read = rows(release.path)
    assert [row[0] for row in read] == [town for town in QUOTED for _ in range(2)]
    assert [row[1:] for row in read] == [["'=HYPERLINK()", "-"], ["flu", "-"]] * 8
    assert release.result.to_dict()["promise"][0]["holds"]
    assert Unquoted().texts([row[0] for row in read]) == [town for town in TOWNS for _ in range(2)]
    (note,) = [note for note in release.result.to_dict()["notes"] if "apostrophe" in note]
    assert note.startswith("18 cells")


def test_both_tables_are_quoted(tmp_path):
    release = sfumato.run(plan(tmp_path, "anatomy", formulas="quoted"))
    assert {row[1] for row in rows(release.path)} == set(QUOTED)
    assert {row[1] for row in rows(release.values_path)} == {"'=HYPERLINK()", "flu"}


def test_a_release_without_such_cells_says_nothing(tmp_path):
    asked = plan(tmp_path, ills=("gout", "flu"))
    text = (tmp_path / "t.csv").read_text("utf-8")
    for town in TOWNS:
        text = text.replace(town, "Blois")
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    assert not [note for note in sfumato.run(asked).result.to_dict()["notes"] if "spreadsheet" in note]


@pytest.mark.parametrize("changes", [{"formulas": "run"}, {"formulas": "quoted", "path": "out.parquet"}])
def test_another_word_or_another_kind_of_file_is_refused(tmp_path, changes):
    with pytest.raises(PlanError):
        sfumato.run(plan(tmp_path, **changes))
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]


def test_values_that_a_plan_lists_are_told_to_be_in_result_and_report(tmp_path):
    from dataclasses import replace

    asked = plan(tmp_path)
    assert not [note for note in sfumato.run(asked).result.to_dict()["notes"] if "lists values" in note]
    document = {**asked.document, "columns": dict(asked.document["columns"])}
    document["columns"]["town"] = {"role": "quasi-identifying", "hierarchy": {"tree": {"all": sorted(TOWNS)}}}
    listed = replace(sfumato.plan_from(document, folder=tmp_path), file=None)
    assert "The plan lists values of 'town'" in " ".join(sfumato.run(listed).result.to_dict()["notes"])

"""How suppressed rows leave the house, in every kind of file and in memory."""

import pandas as pd
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import sfumato
from sfumato.recipe.recipe import Suppressed
from sfumato.release.reread import mark_of
from sfumato.summary.published import SuppressedMark

READ = {
    "csv": lambda path: pd.read_csv(path, dtype=str, keep_default_na=False).replace("", None),
    "parquet": lambda path: pq.read_table(path).to_pandas(),
    "arrow": lambda path: feather.read_table(path).to_pandas(),
    "xlsx": lambda path: pd.read_excel(path, dtype=str, keep_default_na=False, engine="openpyxl").replace("", None),
}
PEOPLE = {
    "age": ["30"] * 4 + ["40"] * 4 + ["50", "60"],
    "sex": ["f"] * 4 + ["m"] * 4 + ["f", "m"],
    "illness": ["flu", "gout"] * 5,
}


def document(suppressed, path, **source):
    return {
        "sfumato": 1,
        "source": {"path": "t.csv", **source},
        "columns": {
            "age": {"role": "quasi-identifying"},
            "sex": {"role": "quasi-identifying"},
            "illness": {"role": "sensitive"},
        },
        "promise": [{"model": "k-anonymity", "k": 4}],
        "method": {"name": "fixed", "levels": {"age": 0, "sex": 0}, "suppression_limit": 0.3},
        "output": {"path": path, "suppressed": suppressed},
    }


def plan(folder, *arguments, **source):
    return sfumato.plan_from(document(*arguments, **source), folder=folder)


@pytest.mark.parametrize("missing", [[], ["", "NA"], ["NA"]], ids=str)
@pytest.mark.parametrize("kind", READ)
@pytest.mark.parametrize("suppressed", ["star", "null", "drop"])
def test_two_suppressed_rows_are_told_apart_in_every_kind_of_file(tmp_path, suppressed, kind, missing):
    pd.DataFrame(PEOPLE).to_csv(tmp_path / "t.csv", index=False)
    release = sfumato.run(plan(tmp_path, suppressed, f"out.{kind}", missing=missing))
    assert release.result.to_dict()["done"]["suppressed"]["rows"] == 2
    assert release.result.to_dict()["promise"][0]["holds"]
    table = READ[kind](release.path)
    if suppressed == "drop":
        assert len(table) == 8
        return
    gone = table.iloc[-2:]
    if suppressed == "star":
        assert (gone[["age", "sex"]] == "*").all(axis=None)
    else:
        assert gone[["age", "sex"]].isna().all(axis=None)
        assert [str(cell).lower() for cell in table["suppressed"]] == ["false"] * 8 + ["true"] * 2
    assert list(gone["illness"]) == ["flu", "gout"]


def test_a_row_without_any_value_is_no_suppressed_one(tmp_path):
    """A class whose cells are all empty is kept and two rows are suppressed: the file cannot tell, the run can."""
    changed = {**PEOPLE, "age": [""] * 4 + PEOPLE["age"][4:], "sex": [""] * 4 + PEOPLE["sex"][4:]}
    pd.DataFrame(changed).to_csv(tmp_path / "t.csv", index=False)
    for missing in ([], [""]):
        release = sfumato.run(plan(tmp_path, "null", "out.csv", missing=missing))
        assert release.result.to_dict()["done"]["suppressed"]["rows"] == 2


def test_a_release_with_nulls_is_compared_without_its_suppressed_rows(tmp_path):
    pd.DataFrame(PEOPLE).to_csv(tmp_path / "t.csv", index=False)
    asked = plan(tmp_path, "null", "out.csv")
    release = sfumato.run(asked)
    found = sfumato.compare(str(tmp_path / "t.csv"), str(release.path), plan=asked)
    after = {figure.name: figure.value for figure in found.risk.after}
    assert after["prosecutor_highest"] == 0.25


@pytest.mark.parametrize(
    ("suppressed", "mark"),
    [("star", SuppressedMark.STAR), ("null", SuppressedMark.NULL), ("drop", SuppressedMark.NONE)],
)
def test_rows_that_are_left_out_are_not_looked_for(tmp_path, suppressed, mark):
    """A class that is `*` throughout beside dropped rows is a class."""
    asked = plan(tmp_path, suppressed, "out.csv")
    assert asked.output.suppressed is Suppressed(suppressed)
    assert (mark_of(asked, 2), mark_of(asked, 0)) == (mark, SuppressedMark.NONE)

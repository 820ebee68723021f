"""`sfumato reproduce quantile-bounds`: measured errors lie under the proven ones, in table and picture."""

import csv
import json
from xml.dom.minidom import parseString


def test_measured_errors_lie_under_the_proven_ones_in_table_and_picture(sfumato, tmp_path):
    """The bounds are far from tight: of 2 runs none comes near (each passes one with a chance of at most 5 %, and
    in truth of far less)."""
    ran = sfumato("reproduce", "quantile-bounds", "--quick", "--runs", 2, "-o", "out")
    assert ran.code == 0, ran.err
    with (tmp_path / "out" / "quantile-bounds.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 3 * 3
    bound = [row for row in rows if row["proven"]]
    assert {(row["law"], row["method"]) for row in bound} == {(row["law"], row["method"]) for row in rows}
    assert all(float(row["mean_error"]) <= float(row["error_95"]) < float(row["proven"]) for row in bound)
    assert all(float(row["proven"]) <= float(row["printed"]) for row in bound if row["printed"])
    assert [row["proven"] for row in rows if row["n"] == "1000"] == [""] * 6  # vacuous
    assert json.loads((tmp_path / "out" / "quantile-bounds.json").read_text("utf-8"))["settings"]["runs"] == 2

    for name in ("quantile-bounds", "quantile-bounds-normal"):
        text = (tmp_path / "out" / f"{name}.svg").read_text("utf-8")
        assert "seventh decile" in parseString(text).documentElement.getAttribute("aria-label")
        assert text.count("proven (hollow): ") >= 4

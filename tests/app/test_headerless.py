"""A release without header is read again as what was written, whatever its first row looks like."""

import pytest

import sfumato
from sfumato.errors import SchemaError

ROLES = ("identifying", "quasi-identifying", "sensitive")


def plan(folder, *, roles=ROLES, source="t.csv", path="out.csv", **dialect):
    columns = {f"column {i + 1}": {"role": role} for i, role in enumerate(roles)}
    document = {
        "sfumato": 1, "source": {"path": source} | ({"dialect": dialect} if dialect else {}), "columns": columns,
        "promise": [{"model": "k-anonymity", "k": 3}], "method": {"name": "full-domain"}, "output": {"path": path},
        "measure": {"queries": 0, "guesses": 0},
    }  # fmt: skip
    return sfumato.plan_from(document, folder=folder)


@pytest.mark.parametrize("first", ["canary,north,1", "canary,north,x"])
def test_a_release_without_header_is_verified_with_the_names_of_its_columns(tmp_path, first):
    """With one column left out the others would be named by other positions."""
    rows = [first, *(f"p{i},{'north' if i % 2 else 'south'},{i % 3}" for i in range(40))]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    release = sfumato.run(plan(tmp_path, header=False))
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 41
    assert [promise["holds"] for promise in release.result.to_dict()["promise"]] == [True]


def test_what_looks_like_a_header_in_a_release_is_a_row(tmp_path):
    """Texts above numbers: sniffed, the first row would be lost."""
    rows = ["a,north,9", *("a,5,9" for _ in range(3)), *("b,7,8" for _ in range(3)), *("c,north,7" for _ in range(4))]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    sfumato.run(plan(tmp_path, header=False))
    assert (tmp_path / "out.csv").read_text().splitlines()[0] == "north,9"


def test_no_cell_is_told_where_a_first_row_was_taken_for_names(tmp_path):
    (tmp_path / "t.csv").write_text("canary,north,x\n" + "".join(f"p{i},5,7\n" for i in range(9)))
    with pytest.raises(SchemaError) as caught:
        sfumato.run(plan(tmp_path, header=True))
    assert "canary" not in str(caught.value)
    with pytest.raises(SchemaError) as caught:
        sfumato.assess_risk(tmp_path / "t.csv", quasi_identifiers=("column 1",))
    assert "canary" not in str(caught.value)

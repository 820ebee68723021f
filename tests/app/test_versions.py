"""`sfumato versions` on six persons."""

import pytest

from sfumato import versions
from sfumato.errors import PlanError

PEOPLE = "age,illness\n1,a\n2,b\n3,a\n4,c\n5,b\n6,a\n"
ONE = 'age,illness\n"[1, 3]",a\n"[1, 3]",b\n"[1, 3]",a\n"[4, 6]",c\n"[4, 6]",b\n"[4, 6]",a\n'
TWO = 'age,illness\n"[1, 2]",a\n"[1, 2]",b\n"[3, 4]",a\n"[3, 4]",c\n"[5, 6]",b\n"[5, 6]",a\n'
PLAN = """
sfumato = 1
[columns.age]
role = "quasi-identifying"
kind = "integer"
[columns.illness]
role = "sensitive"
[[promise]]
model = "k-anonymity"
k = 2
[method]
name = "mondrian"
"""


@pytest.fixture
def folder(tmp_path):
    for name, text in (("people.csv", PEOPLE), ("one.csv", ONE), ("two.csv", TWO), ("plan.toml", PLAN)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_two_releases_together_are_told_beside_each_alone(sfumato, folder):
    ran = sfumato("versions", "people.csv", "one.csv", "two.csv", "--plan", "plan.toml")
    assert ran.code == 0, ran.err
    shown = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "illness one.csv two.csv together" in shown
    assert "persons whose value is certain 0.0 % 0.0 % 16.7 %" in shown
    assert "m-invariance: none; the possible values change for 66.7 % of the persons." in shown
    document = sfumato("versions", "people.csv", "one.csv", "two.csv", "--plan", "plan.toml", "--json").json
    assert document["format"] == "sfumato.versions/1"
    assert document["secrets"][0]["together"]["determined"] == pytest.approx(1 / 6)
    assert [one["rows"] for one in document["releases"]] == [6, 6]


def test_one_release_is_no_series(folder):
    with pytest.raises(PlanError, match="two or more"):
        versions(folder / "people.csv", [folder / "one.csv"], quasi_identifiers=["age"], sensitive=["illness"])


def test_there_must_be_a_secret(folder):
    with pytest.raises(PlanError, match="a sensitive column"):
        versions(folder / "people.csv", [folder / "one.csv", folder / "two.csv"], quasi_identifiers=["age"])

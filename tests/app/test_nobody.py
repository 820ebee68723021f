"""A table that publishes nobody: there is nothing to judge, which is not the same as little to fear."""

import pytest

ORIGINAL = "age,town,ill\n34,a,flu\n35,b,gout\n36,c,flu\n"
TABLES = {"empty": "age,town,ill\n", "suppressed": "age,town,ill\n*,*,flu\n*,*,gout\n*,*,flu\n"}
WORDS = ("--quasi-identifier", "age", "--quasi-identifier", "town", "--sensitive", "ill")


@pytest.fixture(params=TABLES)
def nobody(request, tmp_path):
    """A file without a published person."""
    (tmp_path / "nobody.csv").write_text(TABLES[request.param], encoding="utf-8")
    (tmp_path / "original.csv").write_text(ORIGINAL, encoding="utf-8")
    return request.param


def test_the_risk_of_nobody_is_not_applicable(sfumato, nobody):
    found = sfumato("risk", "nobody.csv", *WORDS, "--json").json
    assert {figure["value"] for figure in found["risk"]} == {None}
    assert {answer["verdict"] for answer in found["wp216"]} == {"not applicable"}
    assert {answer["value"] for answer in found["wp216"]} == {None}
    assert found["subsets"] == []
    assert "publishes nobody" in sfumato("risk", "nobody.csv", *WORDS).out


def test_attacks_on_nobody_are_not_applicable(sfumato, nobody):
    ran = sfumato("attack", "original.csv", "nobody.csv", *WORDS, "--json")
    assert ran.code == 0, ran.err
    assert {one["verdict"] for one in ran.json["attacks"]} == {"not applicable"}
    assert {one["main"] for one in ran.json["attacks"]} == {None}

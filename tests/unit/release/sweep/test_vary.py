"""Values of a sweep, and the plans that they make."""

import pytest

from sfumato.errors import ParameterError, PlanError
from sfumato.release.sweep.vary import grid, is_thinned, values_of, varied

PLAN = {
    "columns": {"age": {"role": "quasi-identifying", "perturb": {"method": "noise", "deviation": 2}}, "zip": {"role": "x"}},
    "promise": [{"model": "k-anonymity", "k": 5}, {"model": "l-diversity", "l": 2}],
    "method": {"name": "full-domain"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2,5,10", [2, 5, 10]),
        ("2..26", list(range(2, 27))),
        ("2..50..16", [2, 18, 34, 50]),
        ("0..0.3..0.1", [0.0, 0.1, 0.2, 0.3]),
        ("2,4..6,5", [2, 4, 5, 6]),
        ("true,1e-3,a-b,nan", [True, 1e-3, "a-b", "nan"]),
        ("7..7", [7]),
    ],
)
def test_values(text, values):
    found = values_of(text)
    assert found == values
    assert [type(value) for value in found] == [type(value) for value in values]


@pytest.mark.parametrize("text", ["2..50", "1..10000", "0..100", "-5..60", "0.1..10", "0.25..0.5"])
def test_long_ranges_keep_their_ends_and_about_a_dozen_values(text):
    low, high = (float(end) for end in text.split(".."))
    values = values_of(text)
    assert (values[0], values[-1]) == (low, high)
    assert values == sorted(values)
    assert 9 <= len(values) <= 12
    assert is_thinned(text)


@pytest.mark.parametrize("text", ["", "2,,3", "5..2", "1..2..0", "0..0.5", "1..1000..1"])
def test_values_that_are_none(text):
    with pytest.raises(ParameterError):
        values_of(text)


def test_the_number_of_runs_is_bounded():
    assert len(grid({"k": range(1, 21), "l": range(1, 21)})) == 400
    with pytest.raises(ParameterError, match="401"):
        grid({"k": range(401)})
    with pytest.raises(ParameterError, match="needs a value"):
        grid({"k": []})
    with pytest.raises(ParameterError, match="must vary"):
        grid({})


@pytest.mark.parametrize(
    ("key", "where"),
    [
        ("k", ("promise", 0, "k")),
        ("l", ("promise", 1, "l")),
        ("promise.1.l", ("promise", 1, "l")),
        ("deviation", ("columns", "age", "perturb", "deviation")),
        ("columns.zip.weight", ("columns", "zip", "weight")),
        ("method", ("method", "name")),
        ("suppression_limit", ("method", "suppression_limit")),
    ],
)
def test_one_key_is_changed_in_a_copy(key, where):
    found = varied(PLAN, {key: 9})
    for step in where:
        found = found[step]
    assert found == 9
    assert PLAN["promise"][0]["k"] == 5
    assert "suppression_limit" not in PLAN["method"]


@pytest.mark.parametrize(
    "key", ["t", "role", "model", "promise.2.k", "promise.k.k", "columns.sex.weight", "sfumato.a.b"]
)
def test_a_key_must_stand_in_one_place(key):
    with pytest.raises(PlanError):
        varied({**PLAN, "sfumato": 1}, {key: 9})

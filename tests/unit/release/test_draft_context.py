"""A column of which nothing is known is read beside the others."""

import numpy as np
import pandas as pd

import sfumato
from sfumato.table.schema import Role


def roles(frame, **more):
    return {guess.column.name: guess.column.role for guess in sfumato.draft(frame, **more).guesses}


def drawn(**columns):
    """A table of 400 rows of independent draws."""
    draw = np.random.default_rng(7)
    return pd.DataFrame({name: draw.choice(values, 400) for name, values in columns.items()})


def test_an_unknown_column_of_a_medical_table_is_sensitive():
    frame = drawn(age=list(range(20, 60)), glucose=list(range(70, 140)), bmi=list(range(18, 40)), foo=[1, 2, 3])
    assert roles(frame)["foo"] is Role.SENSITIVE


def test_an_unknown_column_among_what_others_know_is_quasi_identifying():
    frame = drawn(age=list(range(20, 60)), sex=["f", "m"], income=list(range(99)), foo=[1, 2, 3])
    assert roles(frame)["foo"] is Role.QUASI_IDENTIFYING


def test_what_tells_a_secret_is_a_secret():
    frame = drawn(sex=["f", "m"], age=list(range(20, 60)), salary=list(range(40)))
    frame["echelon"] = [f"e{value // 10}" for value in frame["salary"]]
    assert roles(frame)["echelon"] is Role.SENSITIVE


def test_questions_with_the_same_answers_are_alike():
    answers = ["fits", "hardly fits", "not at all"]
    frame = drawn(
        sex=["f", "m"], age=list(range(20, 60)), trust_police=answers, happy_home=answers, foo=answers, sport=["y", "n"]
    )
    assert roles(frame)["foo"] is Role.SENSITIVE


def test_all_repeats_of_a_quasi_identifier_but_the_first_are_left_out():
    frame = drawn(sex=["f", "m"], age=list(range(20, 60)))
    frame["gender"] = frame["sex"].map({"f": "female", "m": "male"})
    frame["male"] = (frame["sex"] == "m").astype(int)
    found = roles(frame)
    assert [found[name] for name in ("sex", "gender", "male")] == [
        Role.QUASI_IDENTIFYING,
        Role.IDENTIFYING,
        Role.IDENTIFYING,
    ]


def test_two_measurements_that_tell_each_other_are_both_kept():
    draw = np.random.default_rng(7).integers(0, 30, 400)
    frame = pd.DataFrame({"lat": 45 + draw / 1000.0 + 0.0001, "lon": 4 + draw / 500.0 + 0.0001})
    assert set(roles(frame).values()) == {Role.QUASI_IDENTIFYING}


def test_the_first_unnamed_column_of_dated_events_says_whose_they_are(tmp_path):
    path = tmp_path / "events.csv"
    path.write_text("".join(f"{100 + i % 30},2024-01-{1 + i % 28:02d},{i % 7}\n" for i in range(300)))
    assert roles(path)["column 1"] is Role.IDENTIFYING


def test_words_of_the_user_are_asked_first():
    words = '[subject.pay]\nrole = "sensitive"\nnames = ["echelon*"]'
    frame = drawn(sex=["f", "m"], echelons=list(range(9)))
    assert roles(frame)["echelons"] is Role.QUASI_IDENTIFYING
    assert roles(frame, words=words)["echelons"] is Role.SENSITIVE


def test_drafted_groups_never_nest_and_bands_stay_in_order():
    frame = drawn(
        town=[f"t{i}" for i in range(30)] + ["t0"] * 60, age=[f"[{low}-{low + 10})" for low in range(0, 120, 10)]
    )
    columns = {guess.column.name: guess.column for guess in sfumato.draft(frame).guesses}
    town, ages = columns["town"].hierarchy.members, columns["age"].hierarchy.members
    assert [getattr(member, "label", member) for member in town] == ["t0", "Other"]
    assert all(isinstance(member, str) for member in town[1].members)
    assert [group.label for group in ages] == ["[0-10) to [30-40)", "[40-50) to [70-80)", "[80-90) to [110-120)"]

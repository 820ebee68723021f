"""What is wrong with a plan as a whole is told with the line of the key or table that it is about."""

import pytest

import sfumato
from sfumato.errors import SfumatoError

PLAN = """
format = "sfumato.plan/1"
[source]
path = "t.csv"
[columns.id]
role = "identifying"
[columns.age]
role = "quasi-identifying"
kind = "integer"
hierarchy = { width = 5, then = [10] }
[columns.sex]
role = "quasi-identifying"
[columns.illness]
role = "sensitive"
[[promise]]
model = "k-anonymity"
k = 3
[[promise]]
model = "l-diversity"
kind = "distinct"
column = "illness"
l = 2
[method]
name = "full-domain"
[output]
path = "out.csv"
"""
PRIVATE = """[[promise]]
model = "differential-privacy"
kind = "safepub"
epsilon = 1
delta = "1/100"
search_epsilon = "1/10"
"""


def promises(text):
    """What replaces both promises."""
    return PLAN[PLAN.index("[[promise]]") : PLAN.index("[method]")], text


T_CLOSE = (
    '[[promise]]\nmodel = "t-closeness"\ncolumn = "illness"\nreference = "released"\nt = 0.2\ndistance = "ordered"\n'
)
BUCKETS = '[method]\nname = "anatomy"\n'
CASES = {
    "no quasi-identifier": ([("quasi-identifying", "insensitive")], "[columns.id]"),
    "a promise of an unknown column": ([('column = "illness"', 'column = "ilness"')], 'column = "ilness"'),
    "a promise of a column that is not sensitive": ([('"sensitive"', '"insensitive"')], 'role = "insensitive"'),
    "an order that is not there": ([promises(T_CLOSE)], 'distance = "ordered"'),
    "judged and perturbed": (
        [('role = "sensitive"', 'role = "sensitive"\nperturb = { method = "pram", values = ["a", "b"], keep = 0.8 }')],
        "perturb =",
    ),
    "no promise": ([promises(""), ("[source]", "promise = []\n[source]")], "promise = []"),
    "a promise that the method does not keep": ([promises(PRIVATE)], 'model = "differential-privacy"'),
    "a promise of buckets": ([promises('[[promise]]\nmodel = "bucket-size"\nk = 3\n')], 'model = "bucket-size"'),
    "sampled twice": (
        [("[output]", '[sample]\nprobability = 0.5\n[population]\nsubset = "id"\n[output]')],
        "[sample]",
    ),
    "no probability": ([("[output]", "[sample]\nprobability = 1.5\n[output]")], "probability = 1.5"),
    "a subset that is not declared": ([("[output]", '[population]\nsubset = "sub"\n[output]')], 'subset = "sub"'),
    "a target that is not declared": ([("[output]", '[measure]\ntarget = "goal"\n[output]')], 'target = "goal"'),
    "a private plan that keeps rows": (
        [promises(PRIVATE), ('"full-domain"', '"safepub"'), ('role = "sensitive"', 'role = "insensitive"')],
        'role = "insensitive"',
    ),
    "a private plan in table order": (
        [promises(PRIVATE), ('"full-domain"', '"safepub"'), ('role = "sensitive"', 'role = "identifying"'),
         ('path = "out.csv"', 'path = "out.csv"\nsuppressed = "drop"\nrow_order = "kept"')],
        'row_order = "kept"',
    ),
    "two tables and a promise of crowds": ([('[method]\nname = "full-domain"\n', BUCKETS)], "[[promise]]"),
    "two tables in table order": (
        [('[[promise]]\nmodel = "k-anonymity"\nk = 3\n', ""), ('[method]\nname = "full-domain"\n', BUCKETS),
         ('path = "out.csv"', 'path = "out.csv"\nrow_order = "kept"')],
        'row_order = "kept"',
    ),
    "an option of the method": ([('"full-domain"', '"full-domain"\nsuppression_limit = 2')], "[method]"),
    "formulas in a file without": ([('"out.csv"', '"out.parquet"\nformulas = "quoted"')], 'formulas = "quoted"'),
    "a release over its source": ([('path = "out.csv"', 'path = "t.csv"')], "[output]"),
    "an account for nothing": (
        [("[output]", '[account]\nledger = "sqlite:///l.db"\ndataset = "d"\nrequest = "r"\nbudget = { epsilon = 1 }\n[output]')],
        "[account]",
    ),
    "a column that the table lacks": ([("[columns.sex]", "[columns.gender]")], "[columns.id]"),
    "a declared column too many": ([("[columns.sex]", '[columns.more]\nrole = "insensitive"\n[columns.sex]')], "[columns.more]"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_of_the_whole_plan_has_a_line(tmp_path, case):
    changes, expected = CASES[case]
    text = PLAN
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    rows = "".join(f"{i},{20 + i % 30},{'fm'[i % 2]},{('flu', 'gout')[i % 2]}\n" for i in range(40))
    (tmp_path / "t.csv").write_text(f"id,age,sex,illness\n{rows}", encoding="utf-8")
    with pytest.raises(SfumatoError) as caught:
        sfumato.run(tmp_path / "plan.toml")
    line = next(i for i, one in enumerate(text.split("\n"), 1) if expected in one)
    assert caught.value.place == f"line {line} of 'plan.toml'", caught.value
    assert str(caught.value).endswith(f"See line {line} of 'plan.toml'.")


def test_what_is_wrong_with_the_data_has_no_line(tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    (tmp_path / "t.csv").write_text("id,age,sex,illness\n1,x,f,flu\n2,y,m,gout\n", encoding="utf-8")
    with pytest.raises(SfumatoError) as caught:
        sfumato.run(tmp_path / "plan.toml")
    assert caught.value.place == ""


def test_a_plan_in_memory_has_no_lines(tmp_path):
    with pytest.raises(SfumatoError) as caught:
        sfumato.plan_from({"format": "sfumato.plan/1", "columns": {}, "method": {"name": "none"}}, folder=tmp_path)
    assert (caught.value.place, caught.value.path) == ("", ("columns",))

"""DARC: errors beside slow twins, rules, attacks, and files of guesses."""

import csv
import gzip
import io
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.contest import twins

from sfumato.contest.darc.game import DARC
from sfumato.contest.darc.table import read_table, written_table
from sfumato.contest.game import Case
from sfumato.engine.duckdb.lines import read_lines
from sfumato.table.lines import Labels, Lines
from sfumato.testing.seeded_bits import SeededBits

GAME = DARC()


def random_lines(rng, n=300, customers=12, items=40):
    """Purchases of a year."""
    return Lines(
        {
            "id_user": Labels(tuple(f"{i:02}" for i in range(customers)), rng.integers(0, customers, n)),
            "date": 14_944 + rng.integers(0, 365, n),
            "hours": Labels(("12:00",), np.zeros(n, int)),
            "id_item": Labels(tuple(f"i{i:02}" for i in range(items)), np.sort(rng.integers(0, items, n))),
            "price": rng.integers(0, 20, n) / 4,
            "qty": rng.integers(-2, 9, n),
        },
        n,
        2,
    )


@pytest.fixture(scope="module")
def purchases(shared, tmp_path_factory):
    """The 81,776 lines of PWS Cup 2018, which are those of DARC without hours."""
    raw = gzip.decompress((shared / "data/contest_pwscup/2018/T.csv.gz").read_bytes()).decode()
    rows = [line.split(",") for line in raw.splitlines()]
    path = tmp_path_factory.mktemp("darc") / "T.csv"
    lines = (",".join([who, day, "12:00", *rest]) for who, day, *rest in rows)
    path.write_text("id_user,date,hours,id_item,price,qty\n" + "\n".join(lines) + "\n")
    found, faults = read_lines(path, GAME.shape)
    assert faults == ()
    return found


@pytest.mark.parametrize("version", ["fixed", "compat"])
@pytest.mark.parametrize("seed", range(3))
def test_errors_equal_slow_twins_on_random_lines(seed, version):
    rng = np.random.default_rng(seed)
    original = random_lines(rng)
    made = GAME.defences["sampled"].protect(original, GAME.rules, SeededBits(seed))
    made = Lines({**made.columns, "price": np.maximum(made.numbers("price"), 0.25)}, made.rows, 2)
    case = Case(original, made, replace(GAME.rules, version=version))
    found = {name: 1 - metric.value(case) for name, metric in GAME.metrics.items()}
    assert found == pytest.approx(twins.darc(case), abs=1e-12)


def test_errors_equal_slow_twins_on_purchases(purchases):
    """On some 6,000 lines of the contest's table (all lines of 300 items)."""
    codes = purchases.labels("id_item").codes
    those = codes < 300
    columns = {
        name: Labels(one.names, one.codes[those]) if isinstance(one, Labels) else one[those]
        for name, one in purchases.columns.items()
    }
    columns["id_item"] = Labels(columns["id_item"].names[:300], columns["id_item"].codes)
    original = Lines(columns, int(those.sum()), 2)
    case = Case(original, GAME.defences["coarser"].protect(original, GAME.rules, SeededBits(1)), GAME.rules)
    found = {name: 1 - metric.value(case) for name, metric in GAME.metrics.items()}
    assert found == pytest.approx(twins.darc(case), abs=1e-9)


@pytest.mark.parametrize(("version", "attacks"), [("fixed", ("s1", "s4", "s7")), ("compat", ("s4",))])
def test_a_copy_loses_nothing_and_is_found(purchases, version, attacks):
    case = Case(purchases, purchases, replace(GAME.rules, version=version))
    assert {name: metric.value(case) for name, metric in GAME.metrics.items()} == pytest.approx(
        dict.fromkeys(GAME.metrics, 1.0)
    )
    seen, key = GAME.seen(case, SeededBits(1))
    for name in attacks:
        found, faults = GAME.found(case, key, GAME.attacks[name].guess(purchases, seen, case.rules))
        assert (found > 0.85, faults) == (True, ()), name


def test_a_price_of_nothing_had_no_error_at_all():
    lines = random_lines(np.random.default_rng(3))
    assert (lines.numbers("price") == 0).any()
    worth = {
        v: GAME.metrics["e5"].value(Case(lines, lines, replace(GAME.rules, version=v))) for v in ("fixed", "compat")
    }
    assert worth == {"fixed": 1.0, "compat": 0.0}
    assert not GAME.metrics["e5"].identity


def broken(lines, column, row, value):
    """Lines with one cell changed."""
    columns = dict(lines.columns)
    if isinstance(columns[column], Labels):
        codes = columns[column].codes.copy()
        codes[row] = len(columns[column].names)
        columns[column] = Labels((*columns[column].names, value), codes)
    else:
        columns[column] = columns[column].copy()
        columns[column][row] = value
    return Lines(columns, lines.rows, lines.first)


WRONG = {
    ("date", 14_943): "must stay in its month.",
    ("id_item", "none"): "must be an item of the original.",
    ("price", -1.0): "must not be less than 0.",
    ("id_user", "a:b"): "must not hold a colon.",
}


@pytest.mark.parametrize("change", WRONG)
def test_rules_are_told_by_line(change):
    lines = random_lines(np.random.default_rng(2), 300, 300)
    faults = GAME.refused(Case(lines, broken(lines, change[0], 5, change[1]), GAME.rules))
    assert faults[0].sentence == f"Line 7, {change[0]}: {WRONG[change]}"


def test_a_second_pseudonym_is_refused_now():
    """The contest compared the original with itself, and never saw one."""
    lines = random_lines(np.random.default_rng(2), 300, 2)
    made = broken(lines, "id_user", 150, "other")
    assert [one.column for one in GAME.refused(Case(lines, made, GAME.rules))] == ["id_user"]
    assert GAME.refused(Case(lines, made, replace(GAME.rules, version="compat"))) == ()


def test_the_same_month_of_another_year_is_another_month():
    lines = random_lines(np.random.default_rng(2), 300, 300)
    made = broken(lines, "date", 5, int(lines.whole("date")[5]) + 365)
    assert GAME.refused(Case(lines, made, GAME.rules))[0].sentence == "Line 7, date: must stay in its month."


def test_the_ground_truth_of_the_contest_is_read(shared):
    text = gzip.decompress((shared / "data/contest_insanonym_darc/darc_F_ground_truth.csv.gz").read_bytes())
    periods = tuple(f"{2010 + (i + 11) // 12}-{(i + 11) % 12 + 1}" for i in range(13))
    guesses, faults = read_table(text, periods, 3)
    assert (len(guesses), faults) == (4034, ())
    assert guesses["12347"]["2010-12"] == ("L12347DE",)
    assert written_table(guesses, tuple(guesses), periods) == text.replace(b"\r\n", b"\n")


BAD = {
    b"": "Line 1: must name the columns",
    b"id_user,0\n1,a\n1,b\n": "Line 3, id_user: must name each customer once.",
    b"id_user,0\n1\n": "Line 2: must have as many cells",
    b"id_user,0\n1,a:b:c:d\n": "Line 2, 0: must have no more guesses",
    b"\xff\xfe": "The file: must be a CSV file in UTF-8.",
    b'id_user,0\n"1,a\n': "The file: must be a CSV file in UTF-8.",
}


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_files_of_guesses_are_read_strictly(text):
    guesses, faults = read_table(text, ("2010-12",), 3)
    assert guesses == {}
    assert faults[0].sentence.startswith(BAD[text])


def test_guesses_are_compared_whole_and_in_every_month():
    """The contest looked for a pseudonym inside a guess, and left the last month out."""
    lines = random_lines(np.random.default_rng(4), 300, 3)
    made = GAME.defences["renamed"].protect(lines, GAME.rules, SeededBits(4))
    _, key = GAME.seen(Case(lines, made, GAME.rules), SeededBits(1))
    right = {who: {p: (name,) for p, name in said.items()} for who, said in key.by_name().items()}
    longer = {who: {p: (f"{names[0]}x",) for p, names in said.items()} for who, said in right.items()}
    for guesses, worth in ((right, (1.0, 1.0)), (longer, (0.0, 1.0))):
        text = written_table(guesses, key.who, key.periods)
        found = [
            GAME.found(Case(lines, made, replace(GAME.rules, version=v)), key, text)[0] for v in ("fixed", "compat")
        ]
        assert tuple(found) == worth
    rows = list(csv.reader(io.StringIO(written_table(right, key.who, key.periods).decode())))
    rows = [rows[0], *([*row[:-1], "DEL"] for row in rows[1:])]  # nothing said of the last month
    text = "\n".join(",".join(row) for row in rows).encode()
    found = [GAME.found(Case(lines, made, replace(GAME.rules, version=v)), key, text)[0] for v in ("fixed", "compat")]
    assert found[0] < found[1] == 1.0

"""INSAnonym: metrics beside slow twins, on random lines and on the contest's files; rules, attacks, and what is found."""

import gzip
import json
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.contest import twins

from sfumato.contest.game import Case, Rules
from sfumato.contest.insanonym.game import INSAnonym
from sfumato.contest.key import Key, key_from, worth_of
from sfumato.engine.duckdb.lines import read_lines
from sfumato.table.lines import NO_TIME, Labels, Lines
from sfumato.testing.seeded_bits import SeededBits

GAME = INSAnonym()
WEEK = 7 * 86_400


@pytest.fixture(scope="module")
def files(shared, tmp_path_factory):
    """The contest's three files as lines."""
    folder, found = tmp_path_factory.mktemp("insanonym"), {}
    for name in ("input", "submission_nano3", "submission_plus"):
        path = folder / name
        path.write_bytes(
            gzip.decompress((shared / f"data/contest_insanonym_darc/insanonym_{name}.tsv.gz").read_bytes())
        )
        found[name], faults = read_lines(path, GAME.shape)
        assert faults == ()
    return found


def random_lines(rng, n=400, persons=4):
    """Fixes of some persons in a few cells over three weeks; one in ten on the edge of a cell."""
    ids = Labels(tuple("abcdefgh"[:persons]), np.sort(rng.integers(0, persons, n)))
    start = 14_242 * 86_400  # a Monday
    time = start + rng.integers(0, 3 * WEEK, n)
    places = [np.where(rng.random(n) < 0.1, rng.integers(0, 9, n) / 200, rng.normal(0, 0.03, n)) for _ in range(2)]
    return Lines({"id": ids, "date": time, "latitude": 40 + places[0], "longitude": places[1]}, n)


def changed(rng, lines):
    """Other names, times within the week, places nearby; a tenth of the lines deleted."""
    names = Labels(
        ("DEL", *(f"p{i}" for i in range(8))), np.where(rng.random(lines.rows) < 0.1, 0, lines.labels("id").codes + 1)
    )
    time = lines.whole("date")
    first = (time // 86_400 + 3) // 7 * WEEK - 3 * 86_400
    moved = first + (time - first + rng.integers(0, WEEK, lines.rows) * (rng.random(lines.rows) < 0.5)) % WEEK
    places = {one: lines.numbers(one) + rng.normal(0, 0.01, lines.rows) for one in ("latitude", "longitude")}
    return Lines({"id": names, "date": moved, **places}, lines.rows)


def told(case):
    """All metrics by twins."""
    return {
        **twins.by_line(case),
        **twins.cells(case),
        "poi": twins.poi(case, weekly=False),
        "poi-week": twins.poi(case, weekly=True),
    }


@pytest.mark.parametrize("version", ["fixed", "compat"])
@pytest.mark.parametrize("seed", range(4))
def test_metrics_equal_slow_twins_on_random_lines(version, seed):
    rng = np.random.default_rng(seed)
    original = random_lines(rng)
    case = Case(original, changed(rng, original), replace(GAME.rules, version=version))
    assert {name: metric.value(case) for name, metric in GAME.metrics.items()} == pytest.approx(told(case), rel=1e-12)


@pytest.mark.parametrize("version", ["fixed", "compat"])
def test_metrics_equal_slow_twins_on_the_files_of_the_contest(files, version):
    case = Case(files["input"], files["submission_nano3"], replace(GAME.rules, version=version))
    found = {name: metric.value(case) for name, metric in GAME.metrics.items()}
    assert found == pytest.approx(told(case), rel=1e-9)
    if version == "fixed":
        assert found["hour"] == pytest.approx(0.960567, abs=5e-7)
        assert GAME.refused(case) == ()


@pytest.mark.parametrize("version", ["fixed", "compat"])
def test_a_copy_of_the_original_loses_nothing(files, version):
    """Always in `fixed`; in `compat` unless a metric says otherwise."""
    case = Case(files["input"], files["input"], replace(GAME.rules, version=version))
    for name, metric in GAME.metrics.items():
        if version == "fixed" or metric.identity:
            assert metric.value(case) == 1.0, name


def test_six_hours_were_worth_more_than_one(files):
    """The platform took the table's value from 1: +6 h had the full score. Mended, it has none."""
    columns = files["input"].columns
    later = {h: Lines({**columns, "date": columns["date"] + h * 3600}, files["input"].rows) for h in (1, 6)}
    hour = GAME.metrics["hour"].value
    worth = {v: [hour(Case(files["input"], later[h], Rules(v))) for h in (1, 6)] for v in ("compat", "fixed")}
    assert worth["compat"] == pytest.approx([0.1, 1.0])
    assert worth["fixed"] == pytest.approx([0.9, 0.0])


def test_a_submission_off_the_earth_is_refused_with_its_line(files):
    faults = GAME.refused(Case(files["input"], files["submission_plus"], GAME.rules))
    assert faults[0].sentence == "Line 1, latitude: must be a place on Earth, within 90 degrees."
    assert GAME.refused(Case(files["input"], files["submission_plus"], Rules("compat"))) == ()


def test_rules_are_told_by_line():
    lines = random_lines(np.random.default_rng(1), 60, 2)
    codes = lines.labels("id").codes
    late, second = lines.whole("date").copy(), codes.copy()
    late[7] += WEEK
    made = Lines({**lines.columns, "date": late}, 60)
    assert [one.sentence for one in GAME.refused(Case(lines, made, GAME.rules))] == [
        "Line 8, date: must stay in its ISO week."
    ]
    second[1:] = np.where(codes[1:] == 0, 2, codes[1:])  # all but the first line of the first person
    made = Lines({**lines.columns, "id": Labels(("a", "b", "c"), second)}, 60)
    faults = GAME.refused(Case(lines, made, GAME.rules))
    assert {one.column for one in faults} == {"id"}
    assert faults[0].must == "must be the pseudonym that this person has on earlier lines of the period."
    gone = Lines({**lines.columns, "id": Labels(("DEL",), np.zeros(60, int))}, 60)
    assert GAME.refused(Case(lines, gone, replace(GAME.rules, most_deleted=0.5)))[0].line == 0


def test_deleted_lines_need_no_other_cells(tmp_path):
    path = tmp_path / "made.tsv"
    path.write_text("x\t2015-03-04 00:35:54\t1\t2\nDEL\t\t\t\n")
    lines, faults = read_lines(path, GAME.shape)
    assert faults == ()
    assert lines.whole("date")[1] == NO_TIME
    assert np.isnan(lines.numbers("latitude")[1])


def test_attacks_find_a_copy_and_guess_without_knowing():
    """Renamed traces are found by all attacks; without places, heat maps find them by chance only."""
    lines = random_lines(np.random.default_rng(5), 600, 8)
    made = GAME.defences["renamed"].protect(lines, GAME.rules, SeededBits(1))
    seen, key = GAME.seen(Case(lines, made, GAME.rules), SeededBits(2))
    assert key.cells == 24
    case = Case(lines, made, GAME.rules)
    for name, attack in GAME.attacks.items():
        found, faults = GAME.found(case, key, attack.guess(lines, seen, GAME.rules))
        assert (found >= (0.4 if name == "counts" else 0.8), faults) == (True, ()), (
            name
        )  # weeks with equal counts share
    same = Lines(
        {**made.columns, "latitude": made.numbers("latitude") * 0, "longitude": made.numbers("longitude") * 0},
        made.rows,
    )
    heat, _ = GAME.found(case, key, GAME.attacks["heat-map"].guess(lines, same, GAME.rules))
    assert heat < 0.8


def test_what_is_published_is_the_same_lines_in_another_order(files):
    case = Case(files["input"], files["submission_nano3"], GAME.rules)
    text = b"".join(b"%d\t2008-10-23 02:53:04\t1\t2\n" % i for i in range(1000)) + b"DEL\t\t\t\n"
    published, key = GAME.publish(case, text, SeededBits(3))
    assert sorted(published.splitlines()) == sorted(text.splitlines()[:-1])
    assert published.splitlines() != text.splitlines()[:-1]
    assert key_from(json.loads(json.dumps(key.written()))).by_name() == key.by_name()


BAD = {
    b"[]": "must be an object of persons",
    b'{"a": 1}': "must be an object of persons",
    b'{"a": {"2015-9": "x"}}': "must be an object of persons",
    b'{"a": {}, "a": {}}': "must name each person",
    b'{"z": {}}': "must name persons of the original only",
    b'{"a": {"1": []}}': "must name periods of the original only",
    b'{"a": {"2015-9": ["x", "y", "x", "y"]}}': "must have no more guesses",
    b"\xff": "must be JSON in UTF-8",
    b"{": "must be JSON",
    b"[" * 100_000: "must be JSON",
}


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:20].decode("latin-1"))
def test_attack_files_are_read_strictly(text):
    case = Case(random_lines(np.random.default_rng(1), 9, 1), None, GAME.rules)
    key = Key(("a",), ("2015-9",), ("x", "y"), np.array([[1]]))
    found, faults = GAME.found(case, key, text)
    assert found == 0
    assert faults[0].must.startswith(BAD[text])


def test_a_guess_among_several_is_worth_its_share():
    key = Key(("a", "b"), ("1", "2"), ("x", "y"), np.array([[0, 1], [-1, -2]]))
    assert key.cells == 2
    guesses = {"a": {"1": ("y", "x"), "2": ("y", "y")}, "b": {"1": ("x",)}}
    assert worth_of(guesses, key, credit="share", most=3) == (1 / 2 + 1) / 2
    assert worth_of(guesses, key, credit="rank", most=3) == pytest.approx((2 / 3 + 1) / 2)
    assert worth_of({}, key, credit="share", most=3) == 0

"""PWS Cup 2019: recorded figures, the official sample end to end, rules, and real submissions."""

import csv
import gzip
import math

import numpy as np
import pytest

from sfumato.contest.game import Case
from sfumato.contest.key import Key
from sfumato.contest.pwscup.attacks import likelihood
from sfumato.contest.pwscup.game import PUBLISHED, SHAPE, SUBMITTED, PWSCup
from sfumato.contest.pwscup.regions import Grid, meanings
from sfumato.contest.pwscup.worth import traced, worth_of_labels
from sfumato.contest.registry import grid_of
from sfumato.contest.writing import written_lines
from sfumato.engine.duckdb.lines import read_lines
from sfumato.table.lines import Labels, Lines
from sfumato.testing.seeded_bits import SeededBits

SMALL = Grid(np.repeat([35.0, 35.01], 3), np.tile([139.0, 139.01, 139.02], 2), np.array([1.0, 10, 1, 1, 1, 1]), 3)


@pytest.fixture(scope="module")
def official(shared, tmp_path_factory):
    """A function that gives a file of the official sample, unpacked."""
    folder = tmp_path_factory.mktemp("pwscup")

    def plain(name):
        path = folder / name.replace("/", "_")
        path.write_bytes(gzip.decompress((shared / f"data/contest_pwscup/2019/{name}.csv.gz").read_bytes()))
        return path

    return plain


def lines_of(path, shape):
    """Lines without fault."""
    lines, faults = read_lines(path, shape)
    assert faults == ()
    return lines


@pytest.fixture(scope="module")
def osaka(official):
    """The grid, the original and the reference of Osaka."""
    grid = grid_of(official("official/info_region"))
    tables = [lines_of(official(f"official/{one}traces_team001_data01_IDP"), SHAPE) for one in ("org", "ref")]
    return grid, *tables


def test_the_recorded_worth_of_planar_laplace_is_met(osaka):
    """The organisers' own sample program at l = 4, r = 1, with NumPy's seed 1: .7545833409951082 is recorded."""
    scipy = pytest.importorskip("scipy.special")
    grid, original, _ = osaka
    chance, region, out = np.random.RandomState(1), original.whole("reg_id"), []
    width = [np.ptp(one) / 31 for one in (grid.latitude, grid.longitude)]
    corner = [one.min() - wide / 2 for one, wide in zip((grid.latitude, grid.longitude), width, strict=True)]
    for one in region.tolist():
        angle, share = chance.rand() * 2 * math.pi, chance.rand()
        far = -(scipy.lambertw((share - 1) / math.e, -1).real + 1) / 4
        north = grid.latitude[one - 1] + far * math.sin(angle) / 111
        east = grid.longitude[one - 1] + far * math.cos(angle) / 91
        row, column = (
            min(max(int((at - low) / wide), 0), 31) for at, low, wide in zip((north, east), corner, width, strict=True)
        )
        out.append(row * 32 + column)
    labels = Labels(tuple(str(i) for i in range(1, 1025)), np.array(out))
    assert worth_of_labels(grid, region, labels) == pytest.approx(0.7545833409951082, rel=1e-12)


def test_the_official_sample_end_to_end(osaka, official):
    """Original, reference, anonymised and published tables, the true pseudonyms, and two attack files, as they came."""
    grid, original, reference = osaka
    submission = lines_of(official("official/anotraces_team001_data01_IDP"), SUBMITTED)
    published = lines_of(official("official/pubtraces_team001_data01_IDP"), PUBLISHED)
    case = Case(original, submission, PWSCup(grid).rules)
    identity, trace = PWSCup(grid), PWSCup(grid, "trace")
    assert identity.refused(case) == ()
    assert identity.metrics["near"].value(case) == pytest.approx(0.32555195, abs=1e-8)
    with official("official/ptable_team001_data01_IDP").open() as file:
        pairs = sorted((int(row["pse_id"]), row["user_id"]) for row in csv.DictReader(file))
    who = original.labels("user_id").names
    truth = np.empty((len(who), 1), np.int64)
    for place, (_, name) in enumerate(pairs):
        truth[who.index(name)] = place
    key = Key(who, ("all",), tuple(str(one) for one, _ in pairs), truth)
    table = official("official/etable_team020-001_data01_IDP").read_bytes()
    assert identity.found(case, key, table) == (0.001, ())
    found, faults = trace.found(case, key, official("official/etraces_team020-001_data01_IDP").read_bytes())
    assert (round(found, 6), faults) == (0.033386, ())
    scores = {
        n: identity.found(case, key, a.guess(reference, published, case.rules)) for n, a in identity.attacks.items()
    }
    assert {name: score for name, (score, _) in scores.items()} == {
        "visits": 0.035,
        "home": 0.0235,
        "visits-matched": 0.0425,
    }


def test_recorded_shares_of_persons_found_in_plain_traces(osaka):
    """misc.md: visits 8.1 %, home 11.15 % where nothing but the names changed. From two half hours of few days many persons
    are equally likely: what is recorded lies between naming the right one of them always and never."""
    grid, original, reference = osaka
    game = PWSCup(grid)
    case = Case(original, game.defences["as-it-is"].protect(original, game.rules, SeededBits(1)), game.rules)
    seen, key = game.seen(case, SeededBits(2))
    found = [
        game.found(case, key, game.attacks[one].guess(reference, seen, game.rules))[0] for one in ("visits", "home")
    ]
    assert found == [0.081, 0.1105]
    names, persons = seen.labels("pse_id").names, reference.labels("user_id").names
    called = [names.index(key.pseudonyms[place]) for place in key.truth[:, 0].tolist()]
    log = likelihood(reference, seen, grid.n, at_home=True)[called]
    true, best = log[np.arange(len(log)), [persons.index(who) for who in key.who]], log.max(axis=1)
    alone = (log == best[:, None]).sum(axis=1) == 1
    assert ((true == best) & alone).mean() < min(found[1], 0.1115)
    assert max(found[1], 0.1115) < (true == best).mean()
    assert game.metrics["near"].value(case) == 1.0


@pytest.mark.parametrize("team", ["002", "003", "008", "010", "016"])
def test_real_submissions_are_checked_and_attacked(osaka, official, team):
    """Of the Tokyo round, without original or pseudonyms: a person is named for each of 2,000 pseudonyms."""
    grid = osaka[0]
    published = lines_of(official(f"submissions/pubtraces_team{team}_data01_IDP"), PUBLISHED)
    reference = lines_of(official(f"submissions/reftraces_team{team}_data01_IDP"), SHAPE)
    assert meanings(published.labels("reg_id"), grid.n).is_label.all()
    table = PWSCup(grid).attacks["visits"].guess(reference, published, PWSCup(grid).rules).split()
    assert table[0] == b"user_id"
    assert len(table) == 2001
    assert set(table[1:]) <= {name.encode() for name in reference.labels("user_id").names}


def slow_near(grid, region, label):
    """How near a label is to a region, by its definition."""
    if label == "*":
        return 0
    apart = []
    for other in map(int, label.split()):
        north = (grid.latitude[region - 1] - grid.latitude[other - 1]) * 111
        east = (grid.longitude[region - 1] - grid.longitude[other - 1]) * 91
        apart.append(max(0, 1 - math.sqrt(north**2 + east**2) / 2))
    return sum(apart) / len(apart)


def test_nearness_equals_its_slow_twin():
    rng = np.random.default_rng(1)
    names = ("*", "1", "1 2", "3 4 6", "5")
    region, codes = rng.integers(1, 7, 50), rng.integers(0, 5, 50)
    twin = [slow_near(SMALL, one, names[code]) for one, code in zip(region.tolist(), codes.tolist(), strict=True)]
    assert worth_of_labels(SMALL, region, Labels(names, codes)) == pytest.approx(np.mean(twin), rel=1e-12)
    weights = SMALL.weighs[region - 1]
    said = rng.integers(1, 7, 50)
    twin = [slow_near(SMALL, one, str(other)) for one, other in zip(region.tolist(), said.tolist(), strict=True)]
    assert traced(SMALL, region, said) == pytest.approx(np.average(twin, weights=weights), rel=1e-12)


def tiny(persons=3, times=4):
    """An original on the small grid."""
    n = persons * times
    who = Labels(tuple(str(i + 1) for i in range(persons)), np.repeat(np.arange(persons), times))
    return Lines(
        {"user_id": who, "time_id": np.tile(np.arange(1, times + 1), persons), "reg_id": np.arange(n) % 6 + 1}, n, 2
    )


@pytest.mark.parametrize("text", ["7", "0", "1 1", "1  2", " 1", "-1", "²", "1;2", "9" * 5000])
def test_labels_that_are_no_regions_are_refused(text):
    original, game = tiny(), PWSCup(SMALL)
    labels = Labels(("1", text), np.array([0] * 4 + [1] + [0] * 7))
    faults = game.refused(Case(original, Lines({"reg_id": labels}, 12, 2), game.rules))
    assert [one.line for one in faults] == [6]


def test_a_right_table_finds_everything_and_a_wrong_one_nothing():
    """With pseudonyms of one digit and of two: their order is that of numbers."""
    original, game = tiny(9), PWSCup(SMALL)
    case = Case(original, game.defences["as-it-is"].protect(original, game.rules, SeededBits(1)), game.rules)
    text, key = game.publish(case, b"", SeededBits(2))
    assert text.splitlines()[:2] == [b"pse_id,time_id,reg_id", text.splitlines()[1]]
    assert text.splitlines()[1].startswith(b"10,1,")
    by_pseudonym = {said["all"]: who for who, said in key.by_name().items()}
    rows = [by_pseudonym[name] for name in sorted(by_pseudonym, key=int)]
    right = "\n".join(["user_id", *rows]).encode()
    assert game.found(case, key, right) == (1.0, ())
    assert game.found(case, key, "\n".join(["user_id", *rows[1:], rows[0]]).encode()) == (0.0, ())
    truth = "\n".join(["reg_id", *map(str, original.whole("reg_id").tolist())]).encode()
    assert PWSCup(SMALL, "trace").found(case, key, truth) == (1.0, ())


@pytest.mark.parametrize(
    "text", [b"", b"user\n1\n", b"user_id\n1\n2\n", b"user_id\n1\nx\n3\n", b"user_id\n1\n2\n9999999999\n"]
)
def test_tables_of_guesses_are_read_strictly(text):
    original, game = tiny(), PWSCup(SMALL)
    case = Case(original, game.defences["as-it-is"].protect(original, game.rules, SeededBits(1)), game.rules)
    _, key = game.publish(case, b"", SeededBits(2))
    found, faults = game.found(case, key, text)
    assert (found, len(faults)) == (0.0, 1)


def test_an_original_must_fit_the_grid():
    game, good = PWSCup(SMALL), tiny()
    assert game.unfit(good) == ()
    wrong = (
        {"reg_id": np.full(12, 7)},
        {"time_id": np.arange(12)},
        {"user_id": Labels(("a",), np.zeros(12, int))},
    )
    for columns in wrong:
        assert len(game.unfit(Lines({**good.columns, **columns}, 12, 2))) == 1


def test_defences_keep_the_rules(tmp_path):
    game, original = PWSCup(SMALL), tiny()
    for name, defence in game.defences.items():
        made = defence.protect(original, game.rules, SeededBits(3))
        path = tmp_path / name
        path.write_bytes(written_lines(made, SUBMITTED))
        again, faults = read_lines(path, SUBMITTED)
        assert faults == ()
        assert game.refused(Case(original, again, game.rules)) == ()
        assert game.metrics["near"].value(Case(original, again, game.rules)) == game.metrics["near"].value(
            Case(original, made, game.rules)
        )

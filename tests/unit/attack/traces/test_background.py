"""Known visits: the toy table of scikit-mobility, and a slow twin that looks at everybody."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pyarrow.csv as pc
import pytest

from sfumato import TraceColumns, read_traces
from sfumato.attack.traces.background import Visits, home_and_work, risks, visits_of
from sfumato.attack.traces.unicity import KnownPoints, points_of, unicity
from sfumato.errors import ParameterError

THIRD = 1 / 3
HOW_OFTEN = ("frequencies", "probabilities", "proportions")
DAY = 86_400_000


@pytest.fixture(scope="module")
def toy(shared):
    path = shared / "data" / "mobility_geolife" / "privacy_toy.csv"
    columns = TraceColumns("uid", "datetime", "lat", "lng", zone="UTC", written="utc")
    traces, found = read_traces(path, columns)
    assert found.kept == 23
    order = np.argsort([int(name) for name in traces.persons])
    assert order.tolist() == list(range(7))
    _, place = np.unique(np.stack([traces.latitude, traces.longitude]), axis=1, return_inverse=True)
    return visits_of(traces, place.ravel(), DAY)


@pytest.mark.parametrize(
    ("knows", "k", "expected"),
    [
        ("places", 2, [THIRD, 0.5, THIRD, THIRD, 0.25, 0.25, 0.5]),
        ("places", 3, [0.5, 1, 0.5, THIRD, THIRD, 0.25, 1]),
        ("sequence", 2, [0.5, 0.5, 1, 0.5, 1, THIRD, 0.5]),
        ("times", 2, [1, 1, 1, 1, 1, 0.5, 1]),
        ("distinct places", 2, [THIRD, 0.25, THIRD, THIRD, 0.25, 0.25, 0.25]),
        ("frequencies", 2, [THIRD, 1, THIRD, THIRD, THIRD, THIRD, 1]),
    ],
)
def test_the_toy_table_has_the_recorded_risks(toy, knows, k, expected):
    """Recorded from scikit-mobility (misc.md A3); times to the day."""
    assert risks(toy, knows, k).tolist() == expected


@pytest.mark.parametrize(
    ("knows", "k", "tolerance", "expected"),
    [
        ("probabilities", 2, 0.0, [0.5, 1, 0.5, 1, 1, 1, 1]),
        ("probabilities", 2, 0.5, [THIRD, 0.5, THIRD, THIRD, 0.25, 1, 1]),
        ("probabilities", 3, 0.5, [0.5, 1, 0.5, THIRD, THIRD, 1, 1]),
        ("proportions", 2, 0.0, [THIRD, 1, THIRD, THIRD, THIRD, THIRD, 1]),
        ("proportions", 2, 0.5, [THIRD, 0.25, THIRD, THIRD, THIRD, THIRD, 0.25]),
        ("proportions", 3, 0.5, [0.5, THIRD, 0.5, THIRD, THIRD, THIRD, 0.25]),
    ],
)
def test_the_toy_table_has_the_risks_of_the_documentation_of_scikit_mobility(toy, knows, k, tolerance, expected):
    """Its docstrings, at 0ce806bd; there the tolerance is a share of the other person's number."""
    assert risks(toy, knows, k, tolerance=tolerance, compat=True).tolist() == expected


def test_home_and_work_of_the_toy_table(toy):
    """The code of scikit-mobility takes the two least visited places; the rule says the two most visited."""
    assert home_and_work(toy, compat=True).tolist() == [0.25, 0.25, 0.25, 0.25, 1, 1, 1]
    assert home_and_work(toy).tolist() == [THIRD, 0.5, THIRD, THIRD, 1, 0.5, 1]


def contains(knows, own, other, tolerance, whole, compat):
    """Whether another person's visits have these, as the definition says."""
    if knows == "sequence":
        rest = iter(place for place, _ in other)
        return all(place in rest for place, _ in own)
    if knows in ("places", "times"):
        key = (lambda v: v[0]) if knows == "places" else (lambda v: v)
        mine, theirs = [key(v) for v in own], [key(v) for v in other]
        return all(theirs.count(v) >= mine.count(v) for v in mine)
    theirs = [place for place, _ in other]
    if knows == "distinct places":
        return all(place in theirs for place in own)
    if not all(place in theirs for place, _ in own):
        return False
    mine, others = [n for _, n in own], [theirs.count(place) for place, _ in own]
    if knows == "probabilities":
        mine, others = [Fraction(n, whole) for n in mine], [Fraction(n, len(other)) for n in others]
    if knows == "proportions":
        mine, others = [Fraction(n, max(mine)) for n in mine], [Fraction(n, max(others)) for n in others]
    slack = Fraction(tolerance)
    return all(abs(b - a) <= slack * (b if compat else a) for a, b in zip(mine, others, strict=True))


def slow_risks(people, knows, k, tolerance=0.0, compat=False):
    out = []
    for own in people:
        places = [place for place, _ in own]
        known = own if knows in ("places", "times", "sequence") else sorted(set(places))
        if knows in ("frequencies", "probabilities", "proportions"):
            known = [(place, places.count(place)) for place in known]
        choices = combinations(known, min(k, len(known)))
        out.append(
            max(1 / sum(contains(knows, c, other, tolerance, len(own), compat) for other in people) for c in choices)
        )
    return out


@pytest.mark.parametrize("knows", ["places", "sequence", "times", "distinct places", *HOW_OFTEN])
def test_risks_are_those_of_the_definition(knows):
    for seed, k in product(range(6), [1, 2, 3, 20]):
        rng = np.random.default_rng(seed)
        sizes = rng.integers(1, 8, 9)
        people = [[(int(rng.integers(4)), int(t) // 2) for t in range(n)] for n in sizes]
        visits = Visits(np.repeat(np.arange(9), sizes), *np.array([v for own in people for v in own]).T)
        slack, compat = (0.5 if seed % 2 else 0.0), seed % 4 == 3
        found = risks(visits, knows, k, tolerance=slack, compat=compat)
        assert (seed, k, found.tolist()) == (seed, k, slow_risks(people, knows, k, slack, compat))


def test_an_hour_is_an_hour():
    """Two visits of one day at other hours are two times."""
    visits = Visits(np.array([0, 1]), np.zeros(2, int), np.array([8, 9]))
    assert risks(visits, "times", 1).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("knows", "k", "tolerance"), [("places", 0, 0.0), ("nothing", 1, 0.0), ("frequencies", 1, 1.0)]
)
def test_no_intruder_is_refused(knows, k, tolerance):
    with pytest.raises(ParameterError):
        risks(Visits(np.array([0]), np.array([0]), np.array([0])), knows, k, tolerance=tolerance)


def test_too_many_choices_are_refused():
    with pytest.raises(ParameterError, match="too many choices of 5"):
        risks(Visits(np.zeros(300, int), np.arange(300), np.arange(300)), "places", 5)


# Unicity


@pytest.fixture(scope="module")
def osaka(shared):
    folder = shared / "data" / "contest_pwscup" / "2019" / "official"
    both = [pc.read_csv(folder / f"{kind}traces_team001_data01_IDP.csv.gz") for kind in ("ref", "org")]
    return [np.concatenate([np.array(t[c].to_pylist()) for t in both]) for c in ("user_id", "time_id", "reg_id")]


@pytest.mark.parametrize(
    ("width", "slots", "shares"),
    [
        (1, 1, [0.07, 0.958, 0.999, 0.9995, 1]),
        (2, 2, [0.006, 0.595, 0.963, 0.993, 0.9995]),
        (4, 5, [5e-4, 0.033, 0.36, 0.73, 0.89]),
    ],
)
def test_the_recorded_unicity_of_osaka(osaka, width, slots, shares):
    """Both were drawn 2000 times: 5.5 deviations of a difference are 5.5 √(2 p (1 - p) / 2000), and a few trials where p
    is 0 or 1; false-alarm rate below 10⁻⁶ for all fifteen."""
    user, time, region = osaka
    row, column = np.divmod(region - 1, 32)
    point = ((row // width) * 32 + column // width) * 100 + (time - 1) // slots
    for p, recorded in enumerate(shares, start=1):
        found = unicity(user, point, p, trials=2000, rng=np.random.default_rng(p))
        assert abs(found.share - recorded) <= 5.5 * np.sqrt(2 * recorded * (1 - recorded) / 2000) + 0.006
        assert found.low <= found.share <= found.high


@pytest.mark.parametrize("p", [1, 2, 3])
def test_unicity_is_the_share_over_all_choices(p):
    """Every choice of every person looked at; 20,000 trials: 6 deviations, false-alarm rate below 10⁻⁸."""
    rng = np.random.default_rng(5)
    people = [sorted(set(rng.integers(0, 9, 6).tolist())) for _ in range(12)]
    able = [own for own in people if len(own) >= p]
    shares = [np.mean([sum(set(c) <= set(o) for o in people) == 1 for c in combinations(own, p)]) for own in able]
    who = np.repeat(np.arange(12), [len(own) for own in people])
    found = unicity(who, np.concatenate(people), p, trials=20_000, rng=rng)
    exact = float(np.mean(shares))
    assert abs(found.share - exact) <= 6 * np.sqrt(exact * (1 - exact) / 20_000) + 1e-12


def test_points_nobody_has_are_refused():
    with pytest.raises(ParameterError, match="Nobody has 3"):
        unicity(np.array([0, 0]), np.array([1, 2]), 3, trials=1, rng=np.random.default_rng(1))


@pytest.mark.parametrize("seed", range(4))
def test_who_has_the_known_points_is_named(seed):
    """One of those who have all; everybody of them now and then."""
    rng = np.random.default_rng(seed)
    person, cell, hour = np.sort(rng.integers(0, 6, 60)), rng.integers(0, 4, 60), rng.integers(0, 3, 60)
    view = points_of(person, cell, hour)
    assert set(zip(person.tolist(), cell.tolist(), hour.tolist(), strict=True)) == set(
        zip(view.person.tolist(), view.cell.tolist(), view.hour.tolist(), strict=True)
    )
    known = np.stack([rng.integers(0, 5, (9, 2)), rng.integers(0, 3, (9, 2))], axis=2)
    points = [{(c, h) for p, c, h in zip(person, cell, hour, strict=True) if p == one} for one in range(6)]
    able = [{one for one in range(6) if all(tuple(k) in points[one] for k in ks)} or {-1} for ks in known]
    said = np.stack([KnownPoints().guess(view, known, rng) for _ in range(200)])
    assert [set(column.tolist()) for column in said.T] == able

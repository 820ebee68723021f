"""All figures together: of a release that is the original, of one that is empty, and their intervals."""

import numpy as np
import pytest
from tests.unit.utility.traces.drawn import REGION, drawn

from sfumato.errors import ParameterError
from sfumato.summary.interval import ranks_around, upper_tail
from sfumato.utility.traces.keys import joined
from sfumato.utility.traces.measure import Lens, measure

LENS = Lens(REGION)


def test_the_original_beside_itself_loses_nothing():
    one = drawn(1, persons=5, fixes=200)
    found = measure(one, one, LENS, rng=np.random.default_rng(1))
    assert len({m.figure.name for m in found}) == len(found) == 32
    for m in found:
        assert m.figure.value == pytest.approx(m.before, abs=1e-6), m.figure.name


def test_every_figure_of_other_traces_is_on_its_bad_side():
    found = measure(
        drawn(102, persons=5, fixes=200), drawn(2, persons=5, fixes=200), LENS, rng=np.random.default_rng(1)
    )
    for m in found:
        if m.figure.value is None:
            assert m.figure.definition.startswith("Infinite")
        elif m.figure.name not in {"traces_fixes", "traces_places_top"}:
            worse = m.figure.value > m.before if m.figure.better == "lower" else m.figure.value <= m.before
            assert worse, m.figure.name


def test_an_empty_release_has_figures_and_says_why_others_are_none():
    one = drawn(3)
    found = {
        m.figure.name: m.figure
        for m in measure(one.kept(np.zeros(len(one), bool)), one, LENS, rng=np.random.default_rng(1))
    }
    assert found["traces_cells_f1"].value == found["traces_persons"].value == 0
    assert found["traces_box_median"].value == found["traces_flows_error"].value == 1
    assert all("Not computed" in f.definition for f in found.values() if f.value is None)


def test_a_sample_of_fixes_has_an_interval_that_all_of_them_are_in():
    """An interval fails with probability 5 % over seeds; seed and fixes are stated, so that the test always ends alike."""
    one, other = drawn(4, persons=5, fixes=2000), drawn(104, persons=5, fixes=2000)
    few, every = (
        {m.figure.name: m.figure for m in measure(other, one, Lens(REGION, sample=n), rng=np.random.default_rng(5))}
        for n in (400, 10**6)
    )
    name = "traces_then_distance_median"
    assert "Drawn at random" not in every[name].definition
    low, high = (float(x) for x in few[name].definition.split("lies between ")[1].split(" with")[0].split(" and "))
    assert low <= every[name].value <= high


@pytest.mark.parametrize(("n", "share"), [(100, 0.5), (400, 0.95), (30, 0.2)])
def test_ranks_fail_with_the_stated_probability_and_no_narrower_ones_do(n, share):
    low, high = ranks_around(n, share, 0.95)
    assert 1 - upper_tail(low, n, share) <= 0.025 < 1 - upper_tail(low + 1, n, share)
    assert upper_tail(high, n, share) <= 0.025 < upper_tail(high - 1, n, share)


def test_wide_columns_are_joined_without_overflow():
    rng = np.random.default_rng(6)
    columns = [rng.choice([-(2**60), 5, 2**60], 200) for _ in range(3)]
    found = joined(*columns)
    rows = list(zip(*(one.tolist() for one in columns), strict=True))
    assert [rows[i] for i in np.argsort(found.key, kind="stable")] == sorted(rows)
    assert found.first(found.key).tolist() == columns[0].tolist()


def test_numbers_outside_their_ranges_are_refused():
    with pytest.raises(ParameterError, match="gap"):
        Lens(REGION, gap=0)
    with pytest.raises(ParameterError, match="coarse"):
        Lens(REGION, coarse=0)

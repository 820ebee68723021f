"""Running totals within segments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.raw_tables import few

from sfumato.mechanism.recode.partition import scan
from sfumato.mechanism.recode.partition.scan import first_per_segment, running, running_sum, segment_starts

segments = st.lists(st.lists(st.integers(0, 99), min_size=1, max_size=9), min_size=1, max_size=6)


def laid_out(lists):
    """Values, place of each in its segment, segment of each."""
    values = np.array([v for part in lists for v in part], np.int64)
    place = np.concatenate([np.arange(len(part)) for part in lists])
    return values, place, np.repeat(np.arange(len(lists)), [len(part) for part in lists])


@few
@given(segments)
def test_running_joins_every_earlier_value_of_the_segment(lists):
    values, place, _ = laid_out(lists)
    largest = [max(part[: i + 1]) for part in lists for i in range(len(part))]
    union = [int(np.bitwise_or.reduce(part[: i + 1])) for part in lists for i in range(len(part))]
    assert running(np.maximum, values[None], place)[0].tolist() == largest
    assert running(np.maximum, values[None] - 2**62, place)[0].tolist() == [
        v - 2**62 for v in largest
    ]  # none is lifted
    for most in (0, 1000):  # by doubling, and side by side
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scan, "MOST_PADDED", most)
            assert running(np.bitwise_or, values[None], place)[0].tolist() == union


@few
@given(segments)
def test_running_sums_start_anew_in_every_segment(lists):
    values, _, segment = laid_out(lists)
    starts, lengths = segment_starts(segment)
    assert lengths.tolist() == [len(part) for part in lists]
    assert running_sum(values, starts, lengths).tolist() == [sum(p[: i + 1]) for p in lists for i in range(len(p))]


@few
@given(segments)
def test_first_good_entry_of_each_segment(lists):
    values, _, segment = laid_out(lists)
    found = first_per_segment(segment, values > 50)
    slow = [next((i for i in np.flatnonzero(segment == s) if values[i] > 50), None) for s in range(len(lists))]
    assert found.tolist() == [i for i in slow if i is not None]

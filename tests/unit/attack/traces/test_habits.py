"""Night and work by the clock of the place, beside a walk minute by minute."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from sfumato.attack.traces.habits import HomeAndWork, Presence, found_near, presence_at
from sfumato.errors import ParameterError
from sfumato.table.hours import NIGHT, WORK, Hours
from sfumato.table.traces import Traces

MINUTE = 60_000
START = datetime(1970, 1, 1, tzinfo=UTC)


def slow_minutes(hours, begin, end):
    """Minutes within, looked at one by one."""
    n = 0
    for minute in range(begin, end):
        now = START + timedelta(minutes=minute)
        for back in (0, 1):
            day = now - timedelta(days=back)
            first = day.replace(hour=hours.first, minute=0)
            length = (hours.until - hours.first) % 24 or 24
            if day.weekday() in hours.days and first <= now < first + timedelta(hours=length):
                n += 1
                break
    return n


@pytest.mark.parametrize(
    "hours", [NIGHT, WORK, Hours(20, 4, (6,)), Hours(0, 24, (2,)), Hours(5, 5, (0, 6)), Hours(22, 6, (4, 5))]
)
@pytest.mark.parametrize("seed", range(3))
def test_seconds_within_are_those_counted_by_the_minute(hours, seed):
    rng = np.random.default_rng(seed)
    begin = rng.integers(0, 20_000, 4)
    end = begin + rng.integers(0, 9_000, 4)
    expected = [60 * slow_minutes(hours, b, e) for b, e in zip(begin.tolist(), end.tolist(), strict=True)]
    assert hours.within(begin * MINUTE, end * MINUTE).tolist() == pytest.approx(expected)
    assert hours.inside(begin * MINUTE).tolist() == [slow_minutes(hours, b, b + 1) == 1 for b in begin.tolist()]


def test_night_is_that_of_the_declared_zone():
    """Noon of UTC is 21 and 22 o'clock in Tokyo and in Vladivostok."""
    noon = 12 * 60 * MINUTE
    for zone, weight in (("Asia/Tokyo", 0.0), ("Asia/Vladivostok", 1.0)):
        one = Traces(zone, ("a",), np.zeros(1, int), np.array([noon]), np.array([43.1]), np.array([131.9]))
        at = presence_at(one, (np.zeros(1, int), np.zeros(1, int)), np.zeros(1, int), np.zeros((1, 2)), (NIGHT, WORK))
        assert at.night.tolist() == [weight]


def test_work_is_not_at_home_and_who_is_nowhere_has_neither():
    point = np.array([[0.0], [5.0], [9.0]])
    view = Presence(
        3, np.array([0, 0, 0, 1]), np.array([0, 1, 1, 2]), np.array([9.0, 0, 1, 0]), np.array([9.0, 2, 3, 4]), point
    )
    said = HomeAndWork().guess(view, None, np.random.default_rng(1))
    assert said[0, :, 0].tolist() == pytest.approx([0, np.nan, np.nan], nan_ok=True)
    assert said[1, :, 0].tolist() == pytest.approx([5, 9, np.nan], nan_ok=True)
    assert not found_near(said[0], np.full((3, 1), np.nan), 1e9).any()


@pytest.mark.parametrize("wrong", [(24, 6, (0,)), (1, 0, (0,)), (1, 2, ()), (1, 2, (7,))])
def test_hours_that_are_none_are_refused(wrong):
    with pytest.raises(ParameterError, match="Hours"):
        Hours(*wrong)

"""Reports of memoised protocols survive their trip, and others are refused."""

import numpy as np
import pytest

from sfumato.errors import ReportError
from sfumato.mechanism.local.longitudinal.d_bit_flip import DBitFlip
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import l_osue, l_sue
from sfumato.mechanism.local.longitudinal.loloha import LOLOHA
from sfumato.mechanism.local.longitudinal.memory import collect, start
from sfumato.mechanism.local.longitudinal.wire import from_bytes, to_bytes
from sfumato.testing.seeded_bits import SeededBits

PROTOCOLS = [LGRR(5, 1.0, 2.0), l_sue(5, 1.0, 2.0), l_osue(5, 1.0, 2.0), DBitFlip(5, 5, 3, 2.0), LOLOHA(5, 1.0, 2.0, 3)]
BITS = [3, 5, 5, 3 * 3 + 3, 2 * 31 + 2]


def sent(protocol, n):
    memory = start(protocol, n, bits=SeededBits(1))
    reports, _ = collect(protocol, memory, np.arange(n) % 5, bits=SeededBits(2))
    return reports, memory.traits


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda p: p.label.decode())
@pytest.mark.parametrize("n", [0, 1, 7, 100])
def test_a_round_trip_changes_nothing(protocol, n):
    reports, traits = sent(protocol, n)
    back, again = from_bytes(protocol, to_bytes(protocol, reports, traits))
    assert back.dtype == reports.dtype
    assert np.array_equal(back, reports)
    assert np.array_equal(again, traits)
    assert np.array_equal(protocol.count_support(back, again), protocol.count_support(reports, traits))


@pytest.mark.parametrize("at", range(5))
def test_a_report_takes_the_bits_of_its_numbers(at):
    protocol, bits = PROTOCOLS[at], BITS[at]
    small, large = (len(to_bytes(protocol, *sent(protocol, n))) for n in (128, 1024))
    assert large - small == (1024 - 128) * bits // 8


def test_bytes_of_other_parameters_are_refused():
    data = to_bytes(PROTOCOLS[0], *sent(PROTOCOLS[0], 3))
    for other in (LGRR(5, 1.0, 2.5), LGRR(6, 1.0, 2.0), PROTOCOLS[1]):
        with pytest.raises(ReportError, match="Remedy"):
            from_bytes(other, data)


@pytest.mark.parametrize("damage", [lambda d: d[:-1], lambda d: d + b"x", lambda d: b"", lambda d: d[:-1] + b"\xff"])
def test_damaged_bytes_are_refused(damage):
    data = to_bytes(PROTOCOLS[0], *sent(PROTOCOLS[0], 3))
    with pytest.raises(ReportError, match="Remedy"):
        from_bytes(PROTOCOLS[0], damage(data))


def test_numbers_out_of_range_are_neither_sent_nor_counted():
    with pytest.raises(ReportError, match="from 0 to 4"):
        to_bytes(PROTOCOLS[0], np.array([5]), np.empty((1, 0), np.int64))
    with pytest.raises(ReportError, match="needs its traits"):
        to_bytes(PROTOCOLS[0], np.array([1, 2]), np.empty((1, 0), np.int64))
    hashed, flips = PROTOCOLS[4], PROTOCOLS[3]
    with pytest.raises(ReportError, match="hash function"):
        hashed.count_support(np.array([0]), np.array([[2**31, 0]]))
    with pytest.raises(ReportError, match="ascending"):
        flips.count_support(np.ones((1, 3), bool), np.array([[1, 1, 1]]))
    with pytest.raises(ReportError, match="ascending"):
        flips.count_support(np.ones((1, 3), bool), np.array([[1, 2, 5]]))


def test_equal_parameters_have_one_label():
    """Whole numbers and floats of one value: the remembered answers must not be drawn anew."""
    assert LGRR(5, 1, 2).label == LGRR(5, 1.0, 2.0).label
    assert DBitFlip(5, 5, 3, 2).label == DBitFlip(5, 5, 3, 2.0).label

"""Bytes of reports."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ReportError
from sfumato.mechanism.local import wire
from sfumato.mechanism.local.grr import GRR
from sfumato.testing.seeded_bits import SeededBits


@given(st.integers(1, 63), st.data())
def test_packed_integers_come_back(width, data):
    values = np.array(data.draw(st.lists(st.integers(0, 2**width - 1), max_size=30)), np.int64)
    packed = wire.pack_integers(values, width)
    assert len(packed) == -(-len(values) * width // 8)
    assert wire.unpack_integers(packed, len(values), width).tolist() == values.tolist()


def test_packing_beyond_one_chunk_is_seamless():
    values = np.arange(200_003) % 1000
    assert np.array_equal(wire.unpack_integers(wire.pack_integers(values, 10), len(values), 10), values)


def test_the_layout_is_what_the_module_says():
    oracle = GRR(700.0, 16)
    data = oracle.to_bytes(oracle.randomize(np.array([3, 10]), bits=SeededBits(0)))
    assert data[:5] == b"\x01\x03GRR"
    assert data[13:21] == (2).to_bytes(8, "little")
    assert data[21:] == bytes([3 | 10 << 4])


def test_bits_beyond_the_last_report_are_refused():
    with pytest.raises(ReportError):
        wire.unpack_integers(b"\xff", 1, 4)


def test_codes_beyond_the_domain_are_refused_though_they_fit_the_bits():
    oracle = GRR(1.0, 9)
    data = oracle.to_bytes(np.array([8]))
    with pytest.raises(ReportError):
        oracle.from_bytes(data[:-1] + b"\x0f")


def test_a_count_that_promises_too_many_reports_is_refused():
    oracle = GRR(1.0, 9)
    data = bytearray(oracle.to_bytes(np.array([8])))
    data[19] = 255
    with pytest.raises(ReportError):
        oracle.from_bytes(bytes(data))


def test_the_digest_knows_the_last_bit_of_a_probability():
    assert wire.digest("x", 0.1) != wire.digest("x", np.nextafter(0.1, 1))

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


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("n", [0, 1, 2, 7, 8, 9, 100])
def test_integers_equal_the_slow_twin(width, n):
    """Bit by bit, lowest first; widths that divide a byte are read byte by byte."""
    values = [(7 * i + i // 3) % 2**width for i in range(n)]
    packed = wire.pack_integers(np.array(values, np.int64), width)
    bits = [packed[i // 8] >> (i % 8) & 1 for i in range(n * width)]
    assert wire.unpack_integers(packed, n, width).tolist() == [
        sum(bits[i * width + j] << j for j in range(width)) for i in range(n)
    ]


def test_packing_beyond_one_chunk_is_seamless():
    values = np.arange(200_003) % 1000
    assert np.array_equal(wire.unpack_integers(wire.pack_integers(values, 10), len(values), 10), values)


def test_the_layout_is_what_the_module_says():
    oracle = GRR(700.0, 16)
    data = oracle.to_bytes(oracle.randomize(np.array([3, 10]), bits=SeededBits(0)))
    assert data[:5] == b"\x01\x03GRR"
    assert data[13:14] == b"\x02"
    assert data[14:] == bytes([3 | 10 << 4])


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
    head, code = oracle.to_bytes(np.array([8]))[:-2], b"\x08"
    assert oracle.from_bytes(head + b"\x01" + code).tolist() == [8]
    for count in (b"\x03", b"\xff" * 8 + b"\x7f", b"\xff" * 20, b"\x81\x00", b"\x81"):
        with pytest.raises(ReportError):
            oracle.from_bytes(head + count + code)


@pytest.mark.parametrize("n", [0, 1, 127, 128, 129, 16_383, 16_384, 100_000])
def test_any_number_of_reports_is_written_and_read(n):
    oracle = GRR(1.0, 2)
    assert len(oracle.from_bytes(oracle.to_bytes(np.zeros(n, np.int64)))) == n


def test_the_digest_knows_the_last_bit_of_a_probability():
    assert wire.digest("x", 0.1) != wire.digest("x", np.nextafter(0.1, 1))

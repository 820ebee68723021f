"""A whole survey on the wire: what was packed comes back, and nothing that is damaged is counted."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import ReportError
from sfumato.mechanism.local.grr import GRR
from sfumato.mechanism.local.oue import OUE
from sfumato.mechanism.local.survey.randomizer import Choice
from sfumato.mechanism.local.survey.several_answers import EveryBit, OneBit
from sfumato.mechanism.local.survey.wire import Filled, Shape, from_bytes, to_bytes
from sfumato.testing.seeded_bits import SeededBits

QUESTIONS = (Choice(GRR(1.0, 5)), Choice(OUE(1.0, 9)), EveryBit(1.0, 3, 2), OneBit(1.0, 3, 3))
ANSWERS = (lambda n: np.arange(n) % 5, lambda n: np.arange(n) % 9, lambda n: np.eye(3, dtype=int)[np.arange(n) % 3],
           lambda n: np.ones((n, 3), int))  # fmt: skip


def filled(shape, n, seed):
    """Reports of n phones, drawn."""
    rng, bits = np.random.default_rng(seed), SeededBits(seed)
    asked = np.zeros((n, len(QUESTIONS)), bool)
    for row in asked:
        row[rng.permutation(len(QUESTIONS))[: shape.asks]] = True
    empty = Filled(rng.integers(0, shape.times, n), rng.integers(0, shape.groups, n), asked, ())
    reports = []
    for i, (question, answers) in enumerate(zip(QUESTIONS, ANSWERS, strict=True)):
        rows = int(empty.senders(shape, i).sum())
        reports.append(question.randomize(answers(rows), bits=bits))
    return Filled(empty.time, empty.group, asked, tuple(reports))


@settings(max_examples=30)
@given(
    n=st.integers(0, 9),
    times=st.integers(1, 3),
    groups=st.integers(1, 3),
    asks=st.integers(1, 4),
    seed=st.integers(0, 99),
)
def test_what_is_packed_comes_back(n, times, groups, asks, seed):
    due = (tuple(range(times)), (0,), tuple(range(times)), (times - 1,))
    shape = Shape(bytes(range(8)), QUESTIONS, due, times, groups, asks)
    sent = filled(shape, n, seed)
    back = from_bytes(shape, to_bytes(shape, sent))
    assert np.array_equal(back.time, sent.time)
    assert np.array_equal(back.group, sent.group)
    assert np.array_equal(back.asked, sent.asked)
    for one, other in zip(back.reports, sent.reports, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda wire: wire[:-1],
        lambda wire: wire + b"\0",
        lambda wire: b"\2" + wire[1:],
        lambda wire: wire[:9] + bytes([wire[9] ^ 1]) + wire[10:],
        lambda wire: wire[:17] + (10**18).to_bytes(8, "little") + wire[25:],
        lambda wire: wire[:25] + b"\3" + wire[26:],
        lambda wire: wire[:-2] + b"\xff" + wire[-1:],
        lambda _wire: b"",
    ],
    ids=["cut", "longer", "version", "survey", "phones", "group", "questions", "nothing"],
)
def test_damaged_reports_are_refused(spoil):
    shape = Shape(bytes(range(8)), QUESTIONS[:2], ((0,), (0,)), 1, 3, 1)
    asked = np.array([[True, False]])
    wire = to_bytes(shape, Filled(np.array([0]), np.array([2]), asked, (np.array([4]), QUESTIONS[1].unpack(b"", 0))))
    assert len(from_bytes(shape, wire).time) == 1
    with pytest.raises(ReportError):
        from_bytes(shape, spoil(wire))

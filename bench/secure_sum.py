"""What a secure sum costs every party, in CPU seconds and bytes, beside the plain sum of the same vectors.

All parties run in this process, one after the other; each one's seconds are counted for itself. Some holders fall silent
after they shared their secrets, which is what costs the publisher most. Nothing else is at hand to compare with: the floor
is adding the vectors in clear.

Run: python bench/secure_sum.py [holders cells silent]
"""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from fractions import Fraction

import numpy as np
from timing import write

from sfumato.mechanism.secure_sum.holder import Seat, join
from sfumato.mechanism.secure_sum.keys import drawn_key, identity_of
from sfumato.mechanism.secure_sum.noise import SharedNoise
from sfumato.mechanism.secure_sum.publisher import Sum, Summing, invite
from sfumato.mechanism.secure_sum.terms import Terms
from sfumato.noise.bits import SystemBits

CASES = ((3, 1_000_000, 0, False), (3, 1_000_000, 0, True), (100, 10_000, 10, False), (500, 1_000, 50, False))
GREATEST = 1000
BITS = SystemBits()


class Clock:
    """CPU seconds and bytes of each party."""

    def __init__(self):
        self.seconds, self.sent, self.received = Counter(), Counter(), Counter()

    def of(self, who, run):
        began = time.process_time()
        out = run()
        self.seconds[who] += time.process_time() - began
        return out


def terms_for(n, cells, noise, secrets):
    """More than half must answer; with noise, two of three hospitals are honest."""
    threshold, colluding = (n, 1) if n == 3 else (2 * n // 3 + 1, n // 4)
    shared = SharedNoise(Fraction(1), 1, among=threshold - colluding) if noise else None
    publisher, *holders = (identity_of(one) for one in secrets)
    return Terms(bytes(32), bytes(32), publisher, tuple(holders), threshold, colluding, cells, GREATEST, noise=shared)


def run(n, cells, silent, noise):
    secrets = [drawn_key(BITS) for _ in range(n + 1)]
    terms, clock = terms_for(n, cells, noise, secrets), Clock()
    rng = np.random.default_rng(0)
    counts = [rng.integers(0, GREATEST, cells) for _ in range(n)]
    began = time.process_time()
    plain = np.sum(counts[silent:], axis=0)
    floor = time.process_time() - began
    joined = [clock.of(i, lambda i=i: join(Seat(terms, i, secrets[1 + i]), counts[i], bits=BITS)) for i in range(n)]
    holders, answers = {i: state for i, (state, _) in enumerate(joined)}, {i: raw for i, (_, raw) in enumerate(joined)}
    state = invite(terms, secrets[0])
    while not isinstance(state, Sum):
        if isinstance(state, Summing):
            answers = {i: raw for i, raw in answers.items() if i >= silent}
        for i, raw in answers.items():
            clock.sent[i] += len(raw)
            state = clock.of("publisher", lambda raw=raw, state=state: state.receive(raw))
        closed = clock.of("publisher", state.close)
        if isinstance(closed, Sum):
            state = closed
            break
        state, told = closed
        answers = {}
        for i, raw in told.items():
            clock.received[i] += len(raw)
            holders[i], answers[i] = clock.of(i, lambda i=i, raw=raw: holders[i].receive(raw, bits=BITS))
    if not noise and not np.array_equal(state.counts, plain):
        raise SystemExit("the sum is not that of those who answered")
    return clock, floor


def case(n, cells, silent, noise):
    clock, floor = run(n, cells, silent, noise)
    last = n - 1
    return {
        "holders": n,
        "cells": cells,
        "silent": silent,
        "noise": noise,
        "holder_cpu_s": clock.seconds[last],
        "publisher_cpu_s": clock.seconds["publisher"],
        "plain_sum_cpu_s": floor,
        "holder_sends_bytes": clock.sent[last],
        "holder_receives_bytes": clock.received[last],
        "counts_in_clear_bytes": cells * 2 if n * GREATEST < 1 << 16 else cells * 4,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main():
    given = [int(word) for word in sys.argv[1:]]
    cases = [(*given, False)] if given else CASES
    write("secure_sum", [case(*one) for one in cases], ("numpy", "cryptography"), runs=1)


main()

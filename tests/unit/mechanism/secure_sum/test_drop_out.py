"""Every pattern of drop-outs: the sum is that of the survivors, or there is none."""

from collections import Counter
from itertools import chain, combinations
from math import comb

import pytest
from tests.unit.mechanism.secure_sum.parties import Parties, bits_of, counts_of, heard, terms_for

from sfumato.errors import ProtocolError
from sfumato.mechanism.secure_sum.publisher import Opening, Summing

ROUNDS = 5


def subsets(places):
    return chain.from_iterable(combinations(places, n) for n in range(len(places) + 1))


def explore(publisher, holders, answers, survivors, seen):
    """All ways in which holders fall silent from this round on; states are values, so that ways share their beginnings."""
    for left in subsets(sorted(answers)):
        state = heard(publisher, [answers[i] for i in left])
        if len(left) < state.terms.threshold:
            with pytest.raises(ProtocolError, match=f"in every round; {len(left)} do"):
                state.close()
            seen["refused"] += 1
        elif isinstance(state, Opening):
            found = state.close()
            assert found.holders == survivors
            assert found.counts.tolist() == sum(counts_of(i) for i in survivors).tolist()
            seen["added"] += 1
        else:
            following, told = state.close()
            assert set(told) == set(left)
            answered = {i: holders[i].receive(raw, bits=bits_of(50 + i)) for i, raw in told.items()}
            after = {i: one for i, (one, _) in answered.items()}, {i: raw for i, (_, raw) in answered.items()}
            explore(following, *after, left if isinstance(state, Summing) else survivors, seen)


@pytest.mark.parametrize(("n", "threshold"), [(2, 2), (3, 2), (4, 3), (5, 3), (5, 5)])
def test_all_patterns(n, threshold):
    """A sum for every pattern in which enough answer in the last round: each other one was silent from one of 5 rounds on."""
    start, seen = Parties(terms_for(n, threshold), rounds=0), Counter()
    explore(start.publisher[0], start.holders[0], start.answers[0], None, seen)
    enough = range(threshold, n + 1)
    assert seen["added"] == sum(comb(n, left) * ROUNDS ** (n - left) for left in enough)
    assert seen["refused"] > 0


def test_fewer_holders_than_the_terms_name_are_enough():
    parties = Parties(terms_for(5, 3), rounds=0)
    first = heard(parties.publisher[0], [parties.answers[0][i] for i in (4, 1, 2)])
    assert not first.is_full
    assert heard(first, [parties.answers[0][i] for i in (0, 3)]).is_full

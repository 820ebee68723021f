"""Sums in which more vectors must be than holders must answer."""

from dataclasses import replace

import pytest
from tests.unit.mechanism.secure_sum.parties import PUBLISHER, Parties, bits_of, counts_of, heard, terms_for

from sfumato.errors import ProtocolError
from sfumato.mechanism.secure_sum.holder import Masked
from sfumato.mechanism.secure_sum.terms import terms_of
from sfumato.mechanism.secure_sum.wire import PUBLISHER as SENDER
from sfumato.mechanism.secure_sum.wire import Kind, packed, signed


def test_vectors_of_all_are_needed_and_later_silence_is_borne():
    terms = replace(terms_for(4, 3), added=4)
    assert terms_of(terms.written()) == terms
    parties = Parties(terms)
    with pytest.raises(ProtocolError, match="At least 4 holders"):
        heard(parties.publisher[2], [parties.answers[2][i] for i in (0, 1, 2)]).close()
    state = parties.holders[2][0]
    assert isinstance(state, Masked)
    with pytest.raises(ProtocolError, match="At least 4 holders"):
        state.receive(signed(Kind.SURVIVORS, terms, SENDER, packed((0, 1, 2)), PUBLISHER), bits=bits_of(0))
    found = heard(parties.publisher[4], [parties.answers[4][i] for i in (0, 1, 2)]).close()
    assert found.counts.tolist() == sum(counts_of(i) for i in range(4)).tolist()

"""The audit of RAPPOR by its stages: none of the right client is refuted, and a broken client is, at the stage that it breaks.

Each bound holds with probability 0.999999, so the right client fails with at most 4e-6 in all; the seeds are fixed.
"""

from types import SimpleNamespace

from sfumato.attack.audit import audit
from sfumato.mechanism.local.rappor.client import RapporClient
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.release.collect.audited import audited
from sfumato.release.collect.audited_strings import VIEWS, stages
from sfumato.release.collect.rappor import RapporCollection
from sfumato.testing.seeded_bits import SeededBits

STRINGS = RapporParams("home", bits=32, hashes=1, cohorts=2, f="1/2", p="1/4", q="3/4")
ONCE = RapporParams("once", bits=3, hashes=1, cohorts=1, f=0, p="1/4", q="3/4", values=("a", "b", "c"))
CONFIDENCE = 0.999999


def bare(params, secret):
    """A broken twin: the second stage is left out."""
    client = RapporClient(params, secret)

    def report(value, *, bits):
        del bits
        return client.permanent(value)

    return SimpleNamespace(cohort=client.cohort, report=report)


def halved(params, secret):
    """A broken twin: half of the permanent flips are forgotten."""
    return RapporClient(replace_f(params, "1/4"), secret)


def redrawn(params, secret):
    """A broken twin: the device forgets, and each report begins a lifetime of its own."""

    def report(value, *, bits):
        return RapporClient(params, bits.words(4).tobytes()).report(value, bits=bits)

    return SimpleNamespace(cohort=RapporClient(params, secret).cohort, report=report)


def replace_f(params, f):
    """The same collection with another f; hash functions depend on its name alone."""
    return RapporParams(
        params.name, bits=params.bits, hashes=params.hashes, cohorts=params.cohorts, f=f, p=params.p, q=params.q
    )


def found(params, place, n, made=RapporClient):
    """The audit of one stage."""
    stage = stages(params, bits=SeededBits(7), made=made)[place]
    return stage, audit(stage.randomize, (0, 1), n=n, confidence=CONFIDENCE, views=VIEWS)


def test_no_stage_of_the_right_client_is_refuted_and_much_of_it_is_seen():
    told = audited(RapporCollection(STRINGS), reports=2000, confidence=CONFIDENCE, bits=SeededBits(3))
    stated = (STRINGS.epsilon_first, STRINGS.epsilon_permanent, STRINGS.epsilon_permanent)
    assert tuple(one.stated for one in told.questions) == stated
    assert not any(one.refuted for one in told.questions)
    once, permanent, many = (one.lower / one.stated for one in told.questions)
    assert once > 0.1
    assert min(permanent, many) > 1 / 3


def test_reports_without_a_second_stage_are_caught():
    stage, told = found(STRINGS, 0, 2000, bare)
    assert told.refutes(stage.stated)


def test_a_permanent_response_with_half_of_the_flips_is_caught():
    stage, told = found(STRINGS, 1, 2000, halved)
    assert told.refutes(stage.stated)


def test_a_client_that_forgets_is_caught_by_its_many_reports_alone():
    """One cohort: whatever is drawn anew, the bits of a string are the same."""
    one, many = found(ONCE, 0, 600, redrawn), found(ONCE, 1, 600, redrawn)
    assert (one[1].refutes(one[0].stated), many[1].refutes(many[0].stated)) == (False, True)
    assert not found(ONCE, 1, 600)[1].refutes(ONCE.epsilon_first)

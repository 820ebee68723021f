"""Decoding end to end: what users of other decoders stumbled over, and what tests and intervals promise."""

import json

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.counts import BitCounts, no_counts
from sfumato.mechanism.local.rappor.decode.correction import Correction
from sfumato.mechanism.local.rappor.decode.decode import decode
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.mechanism.local.rappor.simulate import simulate_counts
from sfumato.release.collect.rappor import strings_told

HOME = RapporParams("home", bits=64, hashes=2, cohorts=8, f="1/4", p="1/4", q="3/4")
YES_NO = RapporParams("b", bits=2, hashes=1, cohorts=1, f="1/2", p="1/2", q="3/4", values=("FALSE", "TRUE"))
NAMES = [f"page {i}" for i in range(50)]
PERSONS = np.array([50_000, 30_000, 20_000] + [0] * 47)


def counts(params=HOME, names=NAMES, persons=PERSONS, seed=7):
    return simulate_counts(params, persons, design_bits(params, names), rng=np.random.default_rng(seed))


def discoveries(found):
    return [name for names, is_found in zip(found.names, found.found, strict=True) if is_found for name in names]


def test_h1_a_yes_no_question_that_nobody_affirms_is_decoded():
    """10 000 persons, all FALSE."""
    found = decode(YES_NO, counts(YES_NO, YES_NO.values, np.array([10_000, 0])), YES_NO.values)
    assert discoveries(found) == ["FALSE"]
    assert found.scatter == 1
    assert found.low[1] <= 0 <= found.high[1]
    assert found.non_negative[1] >= 0


def test_h1_half_of_the_declared_values_are_decoded_as_if_all_were_given():
    seen = counts(YES_NO, YES_NO.values, np.array([10_000, 5_000]))
    whole, part = decode(YES_NO, seen, YES_NO.values), decode(YES_NO, seen, ["TRUE"])
    assert part.share[0] == whole.share[1]
    assert part.error[0] == whole.error[1]


def test_h2_a_uniform_demo_is_decoded_or_said_to_be_unknown():
    """Four bits, one cohort, ten candidates: more strings than bits; no failure, no infinite share, JSON holds."""
    params = RapporParams("small", bits=4, hashes=1, cohorts=1, f="1/4", p="1/4", q="3/4")
    names = [f"v{i}" for i in range(10)]
    found = decode(params, counts(params, names, np.full(10, 1000)), names)
    assert sum(len(group) for group in found.names) == 10
    assert np.isfinite(found.share).all()
    json.dumps(strings_told(found).to_dict(), allow_nan=False)


def test_h4_silent_cohorts_are_named_and_the_rest_is_decoded():
    full = counts()
    heard = np.arange(8)[:, None] >= 2
    seen = BitCounts(np.where(heard[:, 0], full.n, 0), np.where(heard, full.ones, 0))
    found = decode(HOME, seen, NAMES)
    assert found.silent == (0, 1)
    assert discoveries(found)[:3] == NAMES[:3]
    assert found.error[0] > decode(HOME, full, NAMES).error[0]


def test_h5_nothing_found_is_a_result():
    others = [f"other {i}" for i in range(50)]
    found = decode(HOME, counts(names=others, persons=np.full(50, 2000)), NAMES)
    assert discoveries(found) == []
    assert found.unexplained == 1
    assert len(strings_told(found).to_dict()["candidates"]) == 50


def test_no_report_and_no_candidate_are_results():
    empty = decode(HOME, no_counts(HOME), NAMES)
    assert (empty.reports, empty.silent, discoveries(empty)) == (0, tuple(range(8)), [])
    json.dumps(strings_told(empty).to_dict(), allow_nan=False)
    assert decode(HOME, counts(), []).names == ()
    assert strings_told(decode(HOME, no_counts(HOME), [])).to_dict()["candidates"] == []
    assert decode(YES_NO, no_counts(YES_NO), []).names == ()


def test_one_candidate_is_tested_alone():
    found = decode(HOME, counts(), NAMES[:1])
    assert discoveries(found) == NAMES[:1]
    assert found.low[0] <= 0.5 <= found.high[0]
    assert not decode(HOME, counts(), ["nobody's"]).found.any()


def test_h7_candidates_with_the_same_bits_are_named_together():
    design = design_bits(HOME, NAMES)
    design[10], design[11] = design[0], design[0, :, ::-1]
    found = decode(HOME, counts(), NAMES, design=design)
    assert found.names[0] == ("page 0", "page 10", "page 11")
    assert found.found[0]
    assert len(found.names) == 48


def test_h7_all_candidates_identical_are_one_entry():
    design = np.repeat(design_bits(HOME, NAMES[:1]), 50, axis=0)
    found = decode(HOME, counts(), NAMES, design=design)
    assert found.names == (tuple(NAMES),)
    assert found.share[0] == pytest.approx(0.5, abs=5 * found.error[0])


def test_h8_unknown_strings_are_reported_as_unexplained():
    """A third of the persons hold strings that are no candidates."""
    persons = np.array([40_000, 30_000, 10_000, 10_000, 10_000] + [0] * 45)
    kept = [name for i, name in enumerate(NAMES) if i not in {2, 3, 4}]
    found = decode(HOME, counts(persons=persons), kept, correction=Correction.HOLM)
    assert discoveries(found) == NAMES[:2]
    assert found.unexplained == pytest.approx(0.3, abs=5 * np.sqrt(np.sum(found.error[:2] ** 2)))
    assert found.scatter > 1


def test_intervals_hold_for_strong_signals_and_a_twin_without_the_common_chance_does_not():
    """Little noise: both bits of a string rise and fall together. 300 runs of 4 strings, mean square of z in 1 ± 0.21.

    1200 squares have a deviation of √(2/1200) = 0.041: five of them, 6e-7. Without the common part it is 1.7.
    """
    params = RapporParams("strong", bits=64, hashes=2, cohorts=8, f=0, p="1/20", q="19/20")
    design, true = design_bits(params, NAMES[:30]), np.array([0.5, 0.3, 0.15, 0.05] + [0] * 26)
    rng, with_it, without, fell = np.random.default_rng(3), [], [], []
    for _ in range(300):
        seen = simulate_counts(params, rng.multinomial(100_000, true), design, rng=rng)
        found = decode(params, seen, NAMES[:30], design=design)
        off = (found.share - true)[:4]
        common = true[:4] * (1 - true[:4]) / 2 / 100_000
        with_it.append((off / found.error[:4]) ** 2)
        without.append(off**2 / (found.error[:4] ** 2 - common))
        fell.append(np.mean((found.low <= true) & (true <= found.high)))
    assert abs(np.mean(with_it) - 1) < 0.21
    assert np.mean(without) > 1.3
    assert np.mean(fell) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("correction", [Correction.BONFERRONI, Correction.HOLM])
def test_values_that_nobody_holds_are_rarely_found(correction):
    """150 runs of 47 absent strings; more than 23 with a false discovery have a chance of 6e-7 at 5 %."""
    design, wrong = design_bits(HOME, NAMES), 0
    for seed in range(150):
        seen = simulate_counts(HOME, PERSONS // 10, design, rng=np.random.default_rng(seed))
        wrong += decode(HOME, seen, NAMES, design=design, correction=correction).found[3:].any()
    assert wrong <= 23


def test_what_does_not_belong_together_is_refused():
    with pytest.raises(ParameterError, match="cohorts"):
        decode(HOME, BitCounts(np.zeros(2, np.int64), np.zeros((2, 2), np.int64)), NAMES)
    with pytest.raises(ParameterError, match="shape"):
        decode(HOME, counts(), NAMES, design=design_bits(HOME, NAMES)[:, :4])
    for options in ({"significance": 0}, {"significance": 1}, {"confidence": 1.5}):
        with pytest.raises(ParameterError, match="0, 1"):
            decode(HOME, counts(), NAMES, **options)
    with pytest.raises(ParameterError, match="distinct"):
        decode(HOME, counts(), ["a", "a"])


def test_the_document_holds_everything_largest_first():
    data = strings_told(decode(HOME, counts(), NAMES)).to_dict()
    shares = [row["share"] for row in data["candidates"]]
    assert shares == sorted(shares, reverse=True)
    assert data["candidates"][0]["names"] == ["page 0"]
    assert data["candidates"][0]["persons"] == pytest.approx(data["reports"] * shares[0])
    assert (data["format"], data["reports"], data["correction"]) == ("sfumato.rappor-result/1", 100_000, "adaptive")

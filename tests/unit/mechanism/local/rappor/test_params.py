"""Parameters are refused unless they protect; their epsilons are those of the enumerated law of reports."""

import json
import math
from fractions import Fraction
from itertools import product

import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor.params import RapporParams

HALF = {"f": "1/2", "p": "1/2", "q": "3/4"}


def made(**changes):
    """Parameters with some parts replaced."""
    given = {"name": "home", "bits": 8, "hashes": 2, "cohorts": 4, **HALF, "values": ()} | changes
    return RapporParams(given.pop("name"), **given)


def law(params, bloom, *, permanent_only):
    """Probability of every report of a Bloom filter, bit by bit from the paper's definition."""
    f, p, q = params.f, params.p, params.q
    out = {}
    for report in product((0, 1), repeat=params.bits):
        chance = Fraction(1)
        for bit, told in zip(bloom, report, strict=True):
            kept = {1: f / 2 + (1 - f) * bit, 0: f / 2 + (1 - f) * (1 - bit)}
            one = kept[1] if permanent_only else kept[1] * q + kept[0] * p
            chance *= one if told else 1 - one
        out[report] = chance
    return out


def worst(params, places, *, permanent_only):
    """The largest ratio of two laws over all pairs of strings whose hashes may set `places` bits each."""
    blooms = {tuple(int(i in bits) for i in range(params.bits)) for bits in places}
    laws = [law(params, bloom, permanent_only=permanent_only) for bloom in blooms]
    return max(
        one[report] / other[report] for one in laws for other in laws for report in one if other[report] or one[report]
    )


@pytest.mark.parametrize(
    ("k", "h", "f", "p", "q"),
    [(2, 1, "1/2", "1/2", "3/4"), (3, 1, "1/3", "1/7", "4/5"), (4, 2, "1/4", "1/5", "1"), (5, 2, "3/4", "0", "1/2")],
)
def test_both_epsilons_equal_the_enumerated_laws_of_all_pairs_with_coinciding_hashes(k, h, f, p, q):
    params = made(bits=k, hashes=h, f=f, p=p, q=q)
    places = list(product(range(k), repeat=h))
    permanent, first = (worst(params, places, permanent_only=only) for only in (True, False))
    assert permanent == ((2 - params.f) / params.f) ** (2 * h)
    assert math.log(permanent) <= params.epsilon_permanent <= math.log(permanent) * (1 + 1e-14)
    assert math.log(first) <= params.epsilon_first <= math.log(first) * (1 + 1e-14)


def test_fewer_bits_than_two_strings_need_lose_less_than_stated():
    params = made(bits=3, hashes=2)
    assert math.log(worst(params, list(product(range(3), repeat=2)), permanent_only=True)) < params.epsilon_permanent


@pytest.mark.parametrize("f", ["0", "1/2"])
def test_basic_and_one_time_epsilons_equal_the_enumerated_laws(f):
    basic = made(bits=3, hashes=1, cohorts=1, f=f, p="1/4", q="3/4", values=("a", "b", "c"))
    first = worst(basic, [(0,), (1,), (2,)], permanent_only=False)
    assert math.log(first) <= basic.epsilon_first <= math.log(first) * (1 + 1e-14)
    assert math.isinf(basic.epsilon_permanent) == basic.is_one_time
    assert basic.variant == ("basic one-time RAPPOR" if f == "0" else "basic RAPPOR")


def test_the_papers_numbers():
    """Its section 5 and 6 settings."""
    assert made(hashes=1, bits=128).epsilon_permanent == pytest.approx(2.197225, abs=1e-6)
    assert made(hashes=1, bits=128).epsilon_first == pytest.approx(0.537143, abs=1e-6)
    assert made(hashes=2, bits=128).epsilon_first == pytest.approx(1.074, abs=1e-3)
    assert (made().q_star, made().p_star, made().variant) == (Fraction(11, 16), Fraction(9, 16), "RAPPOR")
    assert made(f=0, p="1/4").variant == "one-time RAPPOR"


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"name": 3},
        {"name": "\ud800"},
        {"bits": 0},
        {"bits": 2**16 + 1},
        {"bits": True},
        {"bits": 8.0},
        {"hashes": 33},
        {"cohorts": 0},
        {"f": 1},
        {"f": -0.1},
        {"f": 0, "p": 0},
        {"f": 0, "q": 1},
        {"p": "3/4"},
        {"p": "0.9"},
        {"q": "1.1"},
        {"q": float("nan")},
        {"q": "much"},
        {"q": None},
        {"p": Fraction(1, 2**31)},
        {"values": ("a", "b")},
        {"values": ("a", "a"), "bits": 2, "hashes": 1, "cohorts": 1},
        {"values": ("é", "e\u0301"), "bits": 2, "hashes": 1, "cohorts": 1},
        {"values": ("a", 1), "bits": 2, "hashes": 1, "cohorts": 1},
        {"values": ("a", "\udfff"), "bits": 2, "hashes": 1, "cohorts": 1},
    ],
)
def test_anything_else_is_refused(changes):
    with pytest.raises(ParameterError):
        made(**changes)


def test_a_float_stands_for_its_decimal_text():
    assert made(f=0.1).f == Fraction(1, 10)
    assert made(f=0.1).digest == made(f="1/10").digest


def test_the_document_comes_back_and_each_part_counts_in_the_digest():
    home = made()
    assert RapporParams.from_json(home.to_json()) == home
    others = [{"name": "x"}, {"bits": 9}, {"hashes": 1}, {"cohorts": 5}, {"f": "1/3"}, {"p": "1/3"}, {"q": "4/5"}]
    assert len({made(**one).digest for one in [{}, *others]}) == 8


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "[" * 100_000,
        "1" * 5000,
        "{}",
        json.dumps(json.loads(made().to_json()) | {"format": "sfumato.rappor/2"}),
        json.dumps(json.loads(made().to_json()) | {"more": 1}),
        json.dumps(json.loads(made().to_json()) | {"values": "ab"}),
        json.dumps(json.loads(made().to_json()) | {"values": [["a"]]}),
        json.dumps(json.loads(made().to_json()) | {"bits": 8.0}),
        json.dumps({k: v for k, v in json.loads(made().to_json()).items() if k != "f"}),
    ],
)
def test_other_documents_are_refused(text):
    with pytest.raises(ParameterError):
        RapporParams.from_json(text)

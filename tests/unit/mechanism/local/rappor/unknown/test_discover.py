"""Frequent strings are found without a list of candidates."""

import itertools
import math

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor.bloom import bloom_bits
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.mechanism.local.rappor.unknown.client import UnknownClient, many_first_reports
from sfumato.mechanism.local.rappor.unknown.discover import cliques, discover
from sfumato.mechanism.local.rappor.unknown.params import UnknownParams, placed, sum_up
from sfumato.numbers.logarithm import log_up
from sfumato.testing.seeded_bits import SeededBits

PART = {"bits": 64, "hashes": 1, "cohorts": 8, "f": "1/8", "p": "1/8", "q": "3/4"}
PARAMS = UnknownParams(
    RapporParams("whole", **PART), RapporParams("piece", **PART), alphabet="abcde", pad="_", length=6, size=2
)
FREQUENT = {"abba": 0.3, "cede": 0.2, "bad": 0.15, "decade": 0.15}


def population(n, seed):
    """`FREQUENT`, and 300 rare strings of random letters."""
    rng = np.random.default_rng(seed)
    rare = {"".join(rng.choice(list("abcde"), rng.integers(1, 7))) for _ in range(300)} - set(FREQUENT)
    values = [*FREQUENT, *sorted(rare)]
    shares = np.array([*FREQUENT.values(), *[(1 - sum(FREQUENT.values())) / len(rare)] * len(rare)])
    return values, rng.choice(len(values), n, p=shares)


def test_the_frequent_strings_are_found_and_no_other():
    """Each share is 0.15 or more, many errors above its threshold; level 1e-6 for false ones."""
    values, held = population(20_000, 1)
    found = discover(PARAMS, many_first_reports(PARAMS, values, held, bits=SeededBits(1)), significance=1e-6)
    assert set(FREQUENT) == {name for name, _ in found.found}
    for name, share in found.found:
        assert share == pytest.approx(FREQUENT[name], abs=0.05)
    assert len(found.candidates) < 100


def test_nothing_is_found_among_rare_strings_only():
    values, _ = population(10, 2)
    held = np.random.default_rng(3).integers(len(FREQUENT), len(values), 10_000)
    found = discover(PARAMS, many_first_reports(PARAMS, values, held, bits=SeededBits(2)), significance=1e-6)
    assert () == found.found


def test_epsilons_add_up_and_are_rounded_up():
    assert PARAMS.epsilon_first >= 3 * PARAMS.whole.epsilon_first
    assert PARAMS.epsilon_permanent == sum_up(*[PARAMS.whole.epsilon_permanent] * 3)
    assert math.inf == sum_up(1.0, math.inf)


def test_a_client_keeps_its_positions_and_gives_equal_pieces_independent_flips():
    clients = [UnknownClient(PARAMS, i.to_bytes(32, "big")) for i in range(60)]
    assert {client.pair for client in clients} == set(PARAMS.pairs)
    one = clients[0]
    assert one.pair == UnknownClient(PARAMS, one.secret).pair
    noiseless = RapporParams("piece", **PART | {"p": 0, "q": 1})
    loud = UnknownClient(
        UnknownParams(PARAMS.whole, noiseless, alphabet="abcde", pad="_", length=6, size=2), one.secret
    )
    _, first, second = loud.report("ababab", bits=SeededBits(3))
    assert first.tolist() != second.tolist()
    _, again, _ = loud.report("ababab", bits=SeededBits(4))
    assert first.tolist() == again.tolist()


def test_many_reports_have_the_law_of_single_clients():
    """The mean number of ones of 400 clients and of 20,000 drawn together: z below 6, false alarm below 1e-8."""
    slow = np.array([[x.sum() for x in UnknownClient(PARAMS, i.to_bytes(32, "big")).report("abba", bits=SeededBits(i))] for i in range(400)])  # fmt: skip
    made = many_first_reports(PARAMS, ["abba"], np.zeros(20_000, np.int64), bits=SeededBits(9))
    fast = np.column_stack([made.whole.sum(axis=1), made.first.sum(axis=1), made.second.sum(axis=1)])
    z = (slow.mean(axis=0) - fast.mean(axis=0)) / np.sqrt(slow.var(axis=0) / 400 + fast.var(axis=0) / 20_000)
    assert np.abs(z).max() < 6


def test_cliques_equal_the_slow_twin():
    rng = np.random.default_rng(4)
    layers = [[f"{i}{j}" for j in range(4)] for i in range(4)]
    edges = {
        (i, j): {pair for pair in itertools.product(layers[i], layers[j]) if rng.random() < 0.6}
        for i, j in itertools.combinations(range(4), 2)
    }
    slow = [c for c in itertools.product(*layers) if all((c[i], c[j]) in edges[i, j] for i, j in edges)]
    assert slow
    assert cliques(layers, edges) == slow
    full = [[str(i) for i in range(50)]] * 3
    every = {pair: set(itertools.product(full[0], full[0])) for pair in ((0, 1), (0, 2), (1, 2))}
    with pytest.raises(ParameterError, match="stricter"):
        cliques(full, every)


def test_strings_are_cut_filled_and_refused():
    assert PARAMS.cut("abc") == ("ab", "c_", "__")
    pieces = PARAMS.all_pieces()
    assert 25 + 5 + 1 == len(pieces)
    assert "_a" not in pieces
    assert placed(1, "ab") != placed(2, "ab")
    for bad in ("abcdeab", "xyz", "a_"):
        with pytest.raises(ParameterError) as error:
            PARAMS.cut(bad)
        assert bad not in str(error.value)


@pytest.mark.parametrize("change", [{"alphabet": "aa"}, {"pad": "a"}, {"length": 5}, {"size": 6}, {"alphabet": "".join(map(chr, range(200, 600))), "length": 4}, {"piece": PARAMS.whole}])  # fmt: skip
def test_parts_that_do_not_fit_are_refused(change):
    given = {"alphabet": "abc", "pad": "_", "length": 6, "size": 2, "piece": PARAMS.piece} | change
    with pytest.raises(ParameterError):
        UnknownParams(PARAMS.whole, **given)


def test_the_three_reports_keep_the_whole_epsilon_exactly_and_a_shared_one_would_not():
    """The output law of all three reports, bit by bit in fractions, over every pair of strings and cohorts.

    The broken twin: a price of one report instead of three is exceeded.
    """
    tiny = {"bits": 3, "hashes": 1, "cohorts": 2, "f": "1/4", "p": "1/4", "q": "3/4"}
    made = UnknownParams(RapporParams("w", **tiny), RapporParams("p", **tiny), alphabet="ab", pad="_", length=4, size=2)
    values = list(map("".join, itertools.product("ab", repeat=4)))

    def ratio(params, one, two, cohort):
        """Largest ratio of the probabilities of a report, over all reports: bits are independent."""
        sets = [set(bloom_bits(params, text, cohort).tolist()) for text in (one, two)]
        rates = [[params.q_star if j in held else params.p_star for j in range(params.bits)] for held in sets]
        return math.prod(max(a / b, (1 - a) / (1 - b)) for a, b in zip(*rates, strict=True))

    worst = max(
        ratio(made.whole, x, y, c)
        * math.prod(ratio(made.piece, placed(at, made.cut(x)[at]), placed(at, made.cut(y)[at]), d) for at in (0, 1))
        for x, y in itertools.product(values, repeat=2)
        for c, d in itertools.product(range(2), repeat=2)
    )
    assert made.whole.epsilon_first < log_up(worst) <= made.epsilon_first
    assert log_up(worst) == pytest.approx(made.epsilon_first, rel=1e-12)

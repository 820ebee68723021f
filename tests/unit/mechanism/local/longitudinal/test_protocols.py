"""What every memoised protocol keeps: answers drawn once, exact epsilons, refusals; and single facts of each."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sfumato.errors import ParameterError, ReportError
from sfumato.guarantee.local_dp import epsilon_of_matrix
from sfumato.mechanism.local.longitudinal.d_bit_flip import DBitFlip
from sfumato.mechanism.local.longitudinal.device import Device
from sfumato.mechanism.local.longitudinal.history import any_histories, lifetime_epsilon, promise
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import l_osue, l_sue
from sfumato.mechanism.local.longitudinal.loloha import LOLOHA, PRIME, best_cells, collision, hash_cells
from sfumato.mechanism.local.longitudinal.memory import collect, start
from sfumato.testing.seeded_bits import SeededBits

KEY = bytes(range(32))
PROTOCOLS = [
    LGRR(5, 1.0, 2.0),
    l_sue(5, 1.0, 2.0),
    l_osue(5, 1.0, 2.0),
    DBitFlip(5, 5, 2, 2.0),
    DBitFlip(10, 5, 5, 2.0),
    LOLOHA(5, 1.0, 2.0, 2),
    LOLOHA(5, 1.0, 2.0, 4),
]
each = pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda p: p.label.decode())


@each
def test_a_device_answers_a_value_the_same_way_for_life(protocol):
    device, again = Device(protocol, KEY, "color"), Device(protocol, KEY, "color")
    for value in range(5):
        assert np.array_equal(device.answer(value), again.answer(value))
        assert np.array_equal(device.traits(), again.traits())


@each
def test_answers_depend_on_key_collection_and_parameters(protocol):
    """Over 64 keys, a second key, name or parameter changes some answer."""
    keys = [bytes([i]) * 32 for i in range(64)]

    def answers(make):
        return [make(key).answer(1).tolist() for key in keys]

    plain = answers(lambda key: Device(protocol, key, "color"))
    assert plain != answers(lambda key: Device(protocol, key[::-1] + b"!", "color"))
    assert plain != answers(lambda key: Device(protocol, key, "shape"))


@each
def test_remembered_answers_are_drawn_once(protocol):
    """Going back to an old value draws nothing anew: the memory does not grow and keeps its answers."""
    memory = start(protocol, 200, bits=SeededBits(1))
    values = np.arange(200) % 5
    _, first = collect(protocol, memory, values, bits=SeededBits(2))
    _, moved = collect(protocol, first, (values + 1) % 5, bits=SeededBits(3))
    _, back = collect(protocol, moved, values, bits=SeededBits(4))
    assert np.array_equal(moved.places, back.places)
    assert np.array_equal(moved.answers, back.answers)
    at = np.searchsorted(moved.places, first.places)
    assert np.array_equal(moved.answers[at], first.answers)
    assert len(moved.places) <= 200 * protocol.n_inputs


@each
def test_the_epsilons_keep_to_the_asked_ones(protocol):
    assert 0 < protocol.epsilon_first <= protocol.epsilon_permanent <= 2.0
    assert protocol.epsilon_permanent == pytest.approx(2.0)
    if not isinstance(protocol, DBitFlip):
        assert 1.0 - 1e-9 <= protocol.epsilon_first <= 1.0


@each
@pytest.mark.parametrize("bad", [[5], [-1], [0.5], [[1]], ["a"]])
def test_values_outside_the_domain_are_refused_without_being_named(protocol, bad):
    if isinstance(protocol, DBitFlip) and protocol.domain_size == 10 and bad == [5]:
        bad = [10]
    memory = start(protocol, 1, bits=SeededBits(0))
    with pytest.raises(ParameterError, match="Remedy"):
        collect(protocol, memory, np.array(bad), bits=SeededBits(1))


@each
def test_a_collection_needs_one_value_of_each_person(protocol):
    with pytest.raises(ParameterError, match="3 persons"):
        collect(protocol, start(protocol, 3, bits=SeededBits(0)), np.array([1, 1]), bits=SeededBits(1))


def test_secrets_are_not_shown():
    assert repr(KEY) not in repr(Device(PROTOCOLS[0], KEY, "color"))
    memory = start(PROTOCOLS[0], 3, bits=SeededBits(0))
    assert repr(collect(PROTOCOLS[0], memory, np.array([0, 1, 2]), bits=SeededBits(0))[1]) == "Memory(persons=3)"


def test_a_device_needs_a_key_and_a_name():
    with pytest.raises(ParameterError, match="key"):
        Device(PROTOCOLS[0], b"short", "color")
    with pytest.raises(ParameterError, match="name"):
        Device(PROTOCOLS[0], KEY, "")


@pytest.mark.parametrize(("b", "d"), [(3, 1), (3, 2), (3, 3), (4, 2)])
def test_epsilon_of_bit_flips_by_enumeration(b, d):
    """Every bucket, every draw of buckets, every answer: exact ratios."""
    from itertools import combinations

    protocol = DBitFlip(b, b, d, 2.0)
    q = protocol.q1
    rows = []
    draws = list(combinations(range(b), d))
    for v in range(b):
        row = []
        for drawn in draws:
            for y in product([0, 1], repeat=d):
                weight = Fraction(1, len(draws))
                for bucket, bit in zip(drawn, y, strict=True):
                    weight *= 1 - q if bit == (bucket == v) else q
                row.append(weight)
        rows.append(row)
    assert epsilon_of_matrix(rows) == protocol.epsilon_permanent <= 2.0
    assert protocol.epsilon_permanent == pytest.approx(2.0)


@pytest.mark.parametrize(("g", "length"), [(2, 4), (3, 4)])
def test_loss_over_whole_histories_by_enumeration(g, length):
    """The worst ratio of any two histories is the formula's, above g ε∞ for g > 2."""
    protocol = LGRR(g, 0.5, 1.0)
    p, q = float(protocol.chain.p1), float(protocol.chain.q1)
    matrix = np.where(np.eye(g, dtype=bool), p, q)
    memories = list(product(range(g), repeat=g))
    weights = np.array([np.prod([matrix[x, m[x]] for x in range(g)]) for m in memories])
    histories = np.array(list(product(range(g), repeat=length)))
    views = np.array([np.array(m)[histories] @ g ** np.arange(length) for m in memories]).T
    laws = np.array([np.bincount(row, weights, minlength=g**length) for row in views])
    worst, together = 0.0, 0.0
    shapes = [tuple(tuple(h == x) for x in dict.fromkeys(h)) for h in histories]
    for i, law in enumerate(laws):
        both = (law > 0) & (laws > 0)
        ratios = np.where(both, np.divide(law, laws, where=both, out=np.ones_like(laws)), 1.0).max(axis=1)
        worst = max(worst, ratios.max())
        same = np.array([s == shapes[i] for s in shapes])
        together = max(together, ratios[same].max())
    assert np.log(worst) == pytest.approx(any_histories(protocol.chain.p1, protocol.chain.q1, g), rel=1e-9)
    assert np.log(together) == pytest.approx(lifetime_epsilon(protocol, g), rel=1e-9)
    assert (any_histories(protocol.chain.p1, protocol.chain.q1, g) > lifetime_epsilon(protocol, g) + 1e-6) == (g > 2)


def test_lifetime_is_bounded_by_what_can_be_remembered():
    assert lifetime_epsilon(LOLOHA(1000, 1.0, 2.0, 2), 500) == pytest.approx(4.0)
    assert lifetime_epsilon(DBitFlip(100, 10, 3, 2.0), 50) == pytest.approx(8.0)
    assert promise(LGRR(5, 1.0, 2.0), 3).parameters["epsilon_lifetime"] >= 6.0 * (1 - 1e-9)
    with pytest.raises(ParameterError, match="n_distinct"):
        lifetime_epsilon(LGRR(5, 1.0, 2.0), 0)
    with pytest.raises(ParameterError, match="0 < q1 < p1"):
        any_histories(Fraction(1, 4), Fraction(1, 2), 3)


def test_collisions_are_counted_exactly():
    """The formula against a small prime field, where every hash function can be listed."""
    assert collision(2) > Fraction(1, 2)
    assert float(collision(7)) == pytest.approx(1 / 7, abs=1e-12)
    functions = np.array([(a, b) for a in (0, 1, PRIME - 1) for b in (0, 5)])
    cells = hash_cells(functions, np.arange(3)[np.newaxis], 4)
    assert [[(a * v + b) % PRIME % 4 for v in range(3)] for a, b in functions.tolist()] == cells.tolist()


def test_the_best_number_of_cells_has_the_least_variance():
    for first in (0.2, 0.5, 1.0, 2.0, 3.3):
        supports = {g: LOLOHA(10, first, first + 1, g).support for g in range(2, 60)}
        spread = {g: s.q * (1 - s.q) / (s.p - s.q) ** 2 for g, s in supports.items()}
        assert spread[best_cells(first)] == min(spread.values())
    assert best_cells(50.0) == 65536


def test_the_published_second_round_of_loloha_spends_less_than_it_may():
    """At g = 4 its report is 0.901-private where 1 was asked; ours is 1-private."""
    first, permanent, g = 1.0, 2.0, 4
    a, b = np.exp(permanent), np.exp(first)
    second = np.log((a * b - 1) / (a - b))
    p1, p2 = a / (a + g - 1), np.exp(second) / (np.exp(second) + g - 1)
    keep = p1 * p2 + (1 - p1) * (1 - p2) / (g - 1)
    published = np.log(keep * (g - 1) / (1 - keep))
    assert published < 0.91 < 1 - 1e-9 <= LOLOHA(5, first, permanent, g).epsilon_first


@pytest.mark.parametrize(
    "call", [lambda: DBitFlip(5, 6, 1, 1.0), lambda: DBitFlip(5, 3, 4, 1.0), lambda: DBitFlip(5, 3, 0, 1.0)]
)
def test_buckets_and_bits_must_fit(call):
    with pytest.raises(ParameterError, match="Remedy"):
        call()


def test_too_many_cells_or_values_are_refused():
    for size, cells in ((2**31, 2), (5, 2**17), (5, 1), (1, 2)):
        with pytest.raises(ParameterError, match="Remedy"):
            LOLOHA(size, 1.0, 2.0, cells)


def test_reports_of_another_protocol_are_refused():
    bits = np.zeros((2, 4), bool)
    for protocol, reports, traits in (
        (LGRR(3, 1.0, 2.0), np.array([3]), np.empty((1, 0))),
        (l_sue(3, 1.0, 2.0), bits, np.empty((2, 0))),
        (DBitFlip(5, 5, 2, 2.0), bits, np.zeros((2, 2), int)),
        (LOLOHA(5, 1.0, 2.0, 2), np.array([0, 1]), np.zeros((1, 2), int)),
    ):
        with pytest.raises(ReportError, match="Remedy"):
            protocol.count_support(reports, traits)

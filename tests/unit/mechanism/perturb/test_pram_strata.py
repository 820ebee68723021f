"""PRAM by strata in a plan: each row is drawn from the matrix of its stratum, and strata stay."""

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.perturb.pram_column import PramColumn
from sfumato.mechanism.perturb.pram_strata import StratifiedPram
from sfumato.mechanism.perturb.transition import invariant, keep_share
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Role
from sfumato.testing.seeded_bits import SeededBits

COLUMN = bind(Column("smokes", Role.SENSITIVE), ["no", "yes", None])
TOWN = bind(Column("town", Role.SENSITIVE), ["a", "b"])
CODES = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 1]])
ROWS = np.array([9000, 2000, 1000, 8000, 50])
CLASSES = Classes(CODES, ROWS, ROWS)


def decided(alpha=None, values=("no", "yes"), levels=("a", "b")):
    """The decision of such a method."""
    method = StratifiedPram(PramColumn(values, 0.8, alpha), "town", levels)
    return method.decide_tuples((COLUMN, TOWN), CLASSES, bits=SeededBits(3))


def published(decision):
    """(5, 3): of each tuple the rows that become no, yes, missing."""
    step, out = decision.step, np.zeros((5, 3), int)
    place = {"no": 0, "yes": 1, None: 2}
    for tuple_, rows, member in zip(step.splits.tuple_, step.splits.rows, step.splits.member, strict=True):
        out[tuple_, place[step.labels[0][member]]] += rows
        assert step.labels[1][member] == ("a", "b")[CODES[tuple_, 1]]
    return out


def laws(alpha):
    """The matrix of each stratum, a and b."""
    plain = keep_share(2, 0.8)
    if alpha is None:
        return plain, plain
    return tuple(
        invariant(plain, np.array(shares) / sum(shares), alpha=alpha) for shares in ([9000, 1000], [2000, 8000])
    )


@pytest.mark.parametrize("alpha", [None, 0.5])
def test_rows_follow_the_matrix_of_their_stratum(alpha):
    """Each count within six standard deviations of its binomial law; the other stratum's matrix is out of reach."""
    found = published(decided(alpha))
    assert found.sum(axis=1).tolist() == ROWS.tolist()
    assert found[4].tolist() == [0, 0, 50]
    for tuple_, (category, town) in enumerate(CODES[:4]):
        share = laws(alpha)[town].matrix[category, 0]
        spread = np.sqrt(ROWS[tuple_] * share * (1 - share))
        assert abs(found[tuple_, 0] - ROWS[tuple_] * share) < 6 * spread
        if alpha is not None:
            other = laws(alpha)[1 - town].matrix[category, 0]
            assert abs(found[tuple_, 0] - ROWS[tuple_] * other) > 6 * spread


def test_the_promise_is_that_of_the_stratum_that_gives_away_most():
    decision = decided(0.5)
    assert decision.guarantee.parameters["epsilon"] == max(law.epsilon for law in laws(0.5))
    assert any("computed from the shares" in text for text in decision.guarantee.assumptions)
    cells = np.zeros((3, 2))
    np.add.at(cells, (decision.blur.leaf, decision.blur.value), decision.blur.cells)
    assert cells.sum() == pytest.approx(20_000)
    assert cells[0] == pytest.approx(9000 * laws(0.5)[0].matrix[0] + 2000 * laws(0.5)[1].matrix[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"levels": ()}, "declared strata"),
        ({"levels": ("a", "a")}, "declared strata"),
        ({"levels": ("a",)}, "10050 do not"),
        ({"values": ("no", "other")}, "9000 do not"),
        ({"levels": ("a", "b", "c"), "alpha": 0.5}, "known cell"),
    ],
)
def test_what_does_not_suit_is_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        decided(**options)

"""What workers do with batches, without a cluster."""

import pickle
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

from sfumato.engine.joined.work import CellWork, Drawn, RowWork
from sfumato.recipe.steps import Rewrite, Round
from sfumato.testing.tables import Backwards, NextLeaf


@dataclass(frozen=True, slots=True)
class FairCoin:
    """One of two texts, each with chance 1/2."""

    def draw(self, leaves, *, bits):
        return (bits.words(len(leaves)) >> np.uint64(63)).astype(np.int64)

    def texts(self, places):
        return [("heads", "tails")[place] for place in places]


@dataclass(frozen=True, slots=True)
class Careless:
    """A naming that fails with a cell in its message."""

    def texts(self, cells):
        raise ValueError(cells[0])


def work(step, keep=None, missing=("?",)):
    """As a worker gets it: through pickle."""
    return pickle.loads(pickle.dumps(RowWork((CellWork("c0", "w0", "a", step, missing, as_text=False),), keep)))  # noqa: S301


def batch(cells, kind=None):
    return pa.RecordBatch.from_arrays([pa.array(cells, kind)], names=["c0"])


def test_each_batch_keeps_its_rows_and_its_missing_cells():
    batches = [batch(["x", "?", None, "y", "x"]), batch([], pa.string()), batch(["?"])]
    out = list(work(Drawn(("x", None, "y"), NextLeaf(("x", "m", "y"))))(iter(batches)))
    assert [b["w0"].to_pylist() for b in out] == [["m", "?", None, "x", "m"], [], ["?"]]
    assert [b["c0"].to_pylist() for b in out] == [b["c0"].to_pylist() for b in batches]


def test_names_are_given_to_canonical_texts():
    out = next(work(Rewrite("a", Backwards()))(iter([batch([12.5, None, 12.5, 7.0])])))
    assert out["w0"].to_pylist() == ["5.21", None, "5.21", "0.7"]


def test_coins_and_draws_have_their_chances():
    """100,000 rows, kept with 1/5, then a fair coin: 7.5 standard deviations, false alarm below 1e-12."""
    n, chance = 100_000, Fraction(1, 5)
    out = next(work(Drawn(("x",), FairCoin()), chance)(iter([batch(["x"] * n)])))
    assert abs(out.num_rows - n / 5) < 7.5 * (n * 0.2 * 0.8) ** 0.5
    heads = out["w0"].to_pylist().count("heads")
    assert abs(heads - out.num_rows / 2) < 7.5 * (out.num_rows / 4) ** 0.5


def test_two_batches_are_drawn_independently():
    first, second = work(Drawn(("x",), FairCoin()))(iter([batch(["x"] * 128)] * 2))
    assert first["w0"].to_pylist() != second["w0"].to_pylist()  # equal with chance 2^-128


@pytest.mark.parametrize("step", [Round("a", 5), Drawn(("x",), FairCoin()), Rewrite("a", Careless())])
def test_no_message_of_a_worker_holds_a_cell(step):
    with pytest.raises(RuntimeError, match=r"sfumato|Sfumato") as failed:
        list(work(step)(iter([batch(["secret"])])))
    assert "secret" not in str(failed.value)
    assert failed.value.__suppress_context__

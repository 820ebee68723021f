"""Tables with labels: rows aligned, strata kept, refusals without a cell's value."""

import numpy as np
import pytest

from sfumato.errors import ParameterError, SchemaError
from sfumato.mechanism.perturb.columns import (
    Perturbed,
    estimate_shares,
    keep_shares,
    perturb,
    promises,
    row_epsilon,
)
from sfumato.mechanism.perturb.transition import keep_share, transition
from sfumato.testing.seeded_bits import SeededBits

TABLE = {
    "name": np.array(["a", "b", "c", "d", "e", "f"]),
    "job": np.array(["x", "y", None, "x", "x", "y"], object),
    "region": np.array([1, 1, 1, 2, 2, 2]),
}
SWAP, KEEP = transition(np.eye(2)[::-1]), transition(np.eye(2))


def test_other_columns_and_missing_cells_stay():
    out = perturb(TABLE, {"job": Perturbed(("x", "y"), (SWAP,))}, bits=SeededBits(1))
    assert out["job"].tolist() == ["y", "x", None, "y", "y", "x"]
    assert out["name"] is TABLE["name"]
    assert list(out) == list(TABLE)
    assert TABLE["job"][0] == "x"


def test_each_stratum_has_its_matrix():
    plan = Perturbed(("x", "y"), (SWAP, KEEP), "region", (1, 2))
    assert perturb(TABLE, {"job": plan}, bits=SeededBits(1))["job"].tolist() == ["y", "x", None, "x", "x", "y"]


def test_invariant_matrices_keep_the_shares_of_each_stratum():
    plan = keep_shares(TABLE, "job", keep_share(2, 0.8), alpha=0.7, categories=["x", "y"], strata=("region", [1, 2]))
    for shares, chance in zip(([0.5, 0.5], [2 / 3, 1 / 3]), plan.chances, strict=True):
        assert np.array(shares) @ chance.matrix == pytest.approx(shares, abs=1e-14)
    assert "learns them" in promises({"job": plan})[0].assumptions[-1]


def test_estimates_come_back_from_labels():
    plan = Perturbed(("x", "y"), (SWAP, KEEP), "region", (1, 2))
    published = perturb(TABLE, {"job": plan}, bits=SeededBits(1))
    assert estimate_shares(published, "job", plan).values == pytest.approx([3 / 5, 2 / 5])


def test_epsilons_of_columns_add_up_and_strata_count_by_the_worst():
    plan = Perturbed(("x", "y"), (keep_share(2, 0.6), keep_share(2, 0.8)), "region", (1, 2))
    assert plan.epsilon == keep_share(2, 0.8).epsilon
    assert row_epsilon({"a": plan, "b": plan}) >= 2 * plan.epsilon


def test_columns_of_numbers_work_like_labels():
    out = perturb(TABLE, {"region": Perturbed((1, 2), (SWAP,))}, bits=SeededBits(1))
    assert out["region"].tolist() == [2, 2, 2, 1, 1, 1]


@pytest.mark.parametrize(
    "plan",
    [
        {"town": Perturbed(("x", "y"), (KEEP,))},
        {"job": Perturbed(("x", "z"), (KEEP,))},
        {"job": Perturbed(("x", "y"), (KEEP,), "job", ("x",))},
    ],
)
def test_undeclared_cells_are_counted_and_not_shown(plan):
    with pytest.raises(SchemaError, match="Remedy") as caught:
        perturb(TABLE, plan, bits=SeededBits(1))
    assert "'y'" not in str(caught.value)


def test_plans_that_do_not_fit_are_refused():
    for call in (
        lambda: Perturbed(("x", "x"), (KEEP,)),
        lambda: Perturbed(("x", "y", "z"), (KEEP,)),
        lambda: Perturbed(("x", "y"), (KEEP,), "region", (1, 2)),
        lambda: keep_shares(TABLE, "job", KEEP, alpha=1.0, categories=["x", "y"], strata=("region", [1, 2, 3])),
        lambda: estimate_shares({"job": np.array([None], object)}, "job", Perturbed(("x", "y"), (KEEP,))),
    ):
        with pytest.raises(ParameterError, match="Remedy"):
            call()


@pytest.mark.parametrize("strata", ["region", ("region", "north"), ("region",)])
def test_strata_are_a_name_and_its_labels(strata):
    with pytest.raises(ParameterError, match="name of a column and its declared labels"):
        keep_shares(TABLE, "job", keep_share(2, 0.8), alpha=0.7, categories=["x", "y"], strata=strata)

"""Runs, seeds and the tables that experiments give."""

import json
import math

import numpy as np
import pytest

from sfumato.errors import InternalError, Interrupted, ParameterError
from sfumato.study.catalog import EXPERIMENTS, catalog, reproduce
from sfumato.study.reproduce.experiment import Order
from sfumato.study.reproduce.reference import ATTACK_EPSILONS, BAYES, LEARNED, MSE, RARE_VARIANCE


def quiet(_done, _total, _message):
    """Nobody watches."""


def order(**more):
    return Order(**{"runs": 1, "quick": True, "seed": 3, "progress": quiet, **more})


def test_the_same_seed_gives_the_same_chance():
    assert order().rng().integers(1 << 60) == order().rng().integers(1 << 60)
    assert np.array_equal(order().bits().words(5), order().bits().words(5))
    assert not np.array_equal(order().bits().words(5), order(seed=4).bits().words(5))


def test_chance_that_can_be_repeated_says_that_it_protects_nobody():
    assert not order().bits().is_secure


def test_an_experiment_without_its_data_is_our_fault():
    with pytest.raises(InternalError):
        order().public_table()


@pytest.mark.parametrize(("asked", "quick", "runs"), [(None, False, 30), (None, True, 3), (7, True, 7), (2, False, 2)])
def test_the_number_of_runs(asked, quick, runs):
    assert EXPERIMENTS["diabetes"].runs_for(asked, quick=quick) == runs


def test_too_few_runs_are_refused():
    with pytest.raises(ParameterError, match="at least 2 repetitions; got 1"):
        EXPERIMENTS["diabetes"].runs_for(1, quick=False)


def test_progress_may_stop_an_experiment():
    def stop(done, _total, _message):
        if done == 2:
            raise Interrupted("Enough.", "run it again.")

    with pytest.raises(Interrupted):
        reproduce("variance-choice", None, runs=None, quick=True, seed=1, progress=stop)


def test_every_cell_belongs_to_a_documented_column():
    outcome, document = reproduce("variance-choice", None, runs=None, quick=True, seed=1, progress=quiet)
    keys = [column.key for column in document.columns]
    assert all(sorted(row) == sorted(keys) for row in document.rows)
    assert all(column.meaning.endswith(".") for column in outcome.columns)


def test_every_experiment_names_its_origin_and_its_duration():
    for one in catalog().experiments:
        assert one.origin
        assert one.duration.split()[1] in {"seconds", "minute", "minutes", "hour", "hours"}


def test_reference_tables_are_complete():
    for table in MSE.values():
        assert all(len(cells) == 6 for cells in table.values())
    assert list(BAYES) == list(LEARNED)
    assert all(len(row) == len(ATTACK_EPSILONS) for row in (*BAYES.values(), *LEARNED.values()))


def test_bayes_beats_boosting_in_every_reference_cell():
    assert all(b > x for name in BAYES for b, x in zip(BAYES[name], LEARNED[name], strict=True))


@pytest.mark.parametrize(
    ("name", "variance"), [("GRR", 4.0), ("SUE", 2**0.5 / (2**0.5 - 1) ** 2), ("OUE", 8.0), ("BLH", 9.0), ("OLH", 8.0)]
)
def test_the_printed_formulas_at_epsilon_ln_2_and_four_values(name, variance):
    assert RARE_VARIANCE[name](math.log(2), 4) == pytest.approx(variance)


def test_stored_errors_are_the_measured_ones(shared):
    results = json.loads((shared / "reference" / "ldp_reference.json").read_text("utf-8"))["results"]
    for name, schemes in MSE.items():
        for scheme, cells in schemes.items():
            for at, (mean, error) in enumerate(cells):
                cell = results[name][scheme][f"ln({at + 2})"]
                assert mean == pytest.approx(cell["sim200_mse"], rel=1e-3)
                assert error == pytest.approx(cell["sim200_sem"], rel=0.06)


def test_only_what_was_measured_alike_has_a_reference():
    """RS+RFD elsewhere had noised priors; ours are exact."""
    assert all(name.startswith("RS+FD[") for name in BAYES)

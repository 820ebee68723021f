"""At every node that ARX chose, do our criteria keep and suppress the same classes?

The criteria are judged apart from the search: each recorded node is rolled up once and its classes are
counted. Where a criterion judges all classes together, the smallest are suppressed until it holds, as
ARX does.
"""

from functools import cache

import numpy as np
import pytest
from tests.golden import adult, arx

from sfumato.guarantee.base import Criterion
from sfumato.guarantee.k_map import KMapEstimated
from sfumato.summary.classes import roll_up


@cache
def finest(shared, names, sensitive, in_subset):
    """The finest classes of one table."""
    subset = adult.every_tenth(shared) if in_subset else None
    return adult.classes(shared, names, sensitive=sensitive, subset=subset), adult.attributes(shared, names)


def node_of(shared, run, sensitive=(), *, in_subset=False):
    """The classes of the node that ARX chose."""
    classes, attributes = finest(shared, tuple(run["qis"]), sensitive, in_subset)
    return roll_up(classes, attributes, list(run["levels"].values()))[0]


def kept_of(node, criteria):
    """(n_classes,) bool: the classes that every criterion allows to be published."""
    kept = np.ones(node.n_classes, bool)
    for criterion in criteria:
        if isinstance(criterion, Criterion):
            kept &= criterion.holds(node)
    together = [c for c in criteria if not isinstance(c, Criterion)]
    for i in np.argsort(node.rows, kind="stable"):
        if all(c.holds_together(node.select(kept)) for c in together):
            break
        kept[i] = False
    return kept & (node.rows > 0)


def loss_of(shared, run, question, node, kept, *, in_subset=False):
    """What is lost at the node that ARX chose."""
    classes, attributes = finest(shared, tuple(run["qis"]), question.sensitive, in_subset)
    return question.loss.prepare(classes, attributes).value(np.array(list(run["levels"].values())), node, kept)


def chosen(group, only="", without=("profit", "SNB", "grassberger")):
    """The recorded runs with a node, as pytest parameters."""
    runs = [run for run in arx.group(group) if run.get("levels") and only in run["name"]]
    wanted = [run for run in runs if not any(part in run["name"] for part in without)]
    return pytest.mark.parametrize("run", wanted, ids=arx.label)


@chosen("l_diversity_t_closeness_beta_delta")
def test_criteria_on_a_sensitive_column_keep_the_classes_that_arx_keeps(shared, run):
    question = arx.disclosure(run)
    node = node_of(shared, run, question.sensitive)
    kept = kept_of(node, question.criteria)
    assert (run["suppressedRecords"], run["classes"]) == (node.rows[~kept].sum(), kept.sum())
    assert loss_of(shared, run, question, node, kept) == pytest.approx(run["loss"], abs=1e-9)


@chosen("l_diversity_t_closeness_beta_delta", only="grassberger", without=())
def test_grassberger_keeps_what_arx_keeps_and_what_its_early_exit_drops(shared, run):
    """ARX stops adding terms once the sum passes its limit, though G(1) < 0 may bring it back below."""
    question = arx.disclosure(run)
    node = node_of(shared, run, question.sensitive)
    kept = kept_of(node, question.criteria)
    assert node.rows[~kept].sum() <= run["suppressedRecords"]
    assert kept.sum() >= run["classes"]


@chosen("risk_and_population_models")
def test_criteria_on_class_sizes_keep_the_classes_that_arx_keeps(shared, run):
    node = node_of(shared, run)
    kept = kept_of(node, arx.risk(run).criteria)
    assert (run["suppressedRecords"], run["classes"]) == (node.rows[~kept].sum(), kept.sum())


@chosen("risk_and_population_models", only="SNB", without=())
def test_the_snb_estimate_differs_from_arx_whose_equations_have_a_misplaced_sign(shared, run):
    """ARX multiplies by (1-x)^(alpha+2) where its derivation divides, and suppresses until no row is unique."""
    node = node_of(shared, run)
    (criterion,) = arx.risk(run).criteria
    assert 0 < criterion.measure(node)
    assert node.rows[~kept_of(node, (criterion,))].sum() < run["suppressedRecords"] or run["suppressedRecords"] == 0


@chosen("risk_and_population_models", only="kmap")
def test_k_map_derives_the_class_size_and_error_that_arx_derives(shared, run):
    (criterion,) = arx.risk(run).criteria
    assert isinstance(criterion, KMapEstimated)
    assert run["post"]["derivedK"] == criterion.least_size
    assert criterion.error == pytest.approx(run["post"]["type1"], abs=1e-9)


@chosen("subset_models")
def test_criteria_on_a_population_keep_the_classes_that_arx_keeps(shared, run):
    node = node_of(shared, run, in_subset=True)
    question, view = arx.subset(run), run["post"]
    kept = kept_of(node, question.criteria)
    assert loss_of(shared, run, question, node, kept, in_subset=True) == pytest.approx(run["loss"], abs=1e-9)
    assert (view["viewSuppressed"], view["viewClasses"]) == (node.rows[~kept].sum(), kept.sum())
    assert view["viewMinClass"] == node.rows[kept].min()

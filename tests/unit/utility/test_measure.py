"""All utility figures together."""

from dataclasses import replace

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.summary.classes import Classes, roll_up
from sfumato.summary.published import published_at_levels, read_published
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.strategies import histogram
from sfumato.utility.measure import Learning, measure
from sfumato.utility.query_error import Workload

TOWN = Attribute(
    Column("town", Role.QUASI_IDENTIFYING),
    Hierarchy.from_paths("town", [(t, r, "*") for t, r in ["aC", "bC", "cD", "dD"]]),
    None,
)
PAY = bind(Column("pay", Role.SENSITIVE, Kind.INTEGER), ["0", "10"])
COUNTS = np.array([[30, 10], [20, 20], [5, 25], [0, 10]])
FINEST = Classes(
    np.arange(4)[:, None], rows=COUNTS.sum(axis=1), alone=COUNTS.sum(axis=1), histograms=(histogram(PAY, COUNTS),)
)


def figures(published, **kwargs):
    options = {"k": 5, "rng": np.random.default_rng(0), "workload": Workload(20), **kwargs}
    return {f.name: f for f in measure(published, FINEST, **options)}


def test_the_original_loses_nothing():
    found = figures(published_at_levels([TOWN], FINEST, [0]))
    assert {name: found[name].value for name in ("gcp", "arx_loss", "precision", "query_error_mean")} == {
        "gcp": 0.0,
        "arx_loss": 0.0,
        "precision": 1.0,
        "query_error_mean": 0.0,
    }


def test_names_are_the_same_before_and_after():
    before, after = (figures(published_at_levels([TOWN], FINEST, [level])) for level in (0, 1))
    assert list(before) == list(after)


def test_every_figure_has_a_definition_and_a_source():
    _, member = roll_up(FINEST, [TOWN], [1])
    for figure in figures(published_at_levels([TOWN], FINEST, [1]), learning=Learning("pay", member)).values():
        assert figure.value is not None
        assert figure.definition.endswith(".")
        assert figure.source


def test_numeric_columns_get_their_average_by_group():
    assert figures(published_at_levels([TOWN], FINEST, [1]))["average_error:pay:town"].value > 0


def test_what_is_not_understood_is_not_computed_and_names_the_column():
    published = read_published([TOWN], [["C", "Paris"]], replace(FINEST.select(np.arange(4) < 2), histograms=()))
    found = figures(published)
    assert found["gcp"].value is None
    assert "by column: town (1)" in found["gcp"].definition
    assert "Paris" not in found["gcp"].definition
    assert found["discernibility"].value == 40**2 + 40**2


def test_without_k_there_is_no_normalized_class_size():
    assert figures(published_at_levels([TOWN], FINEST, [1]), k=None)["c_avg"].value is None


def test_models_of_a_table_that_is_not_ours_match_targets_by_text():
    """The released pay column has its own codes: 10 comes first."""
    other = bind(Column("pay", Role.SENSITIVE), ["10", "0"])
    swapped = replace(other, hierarchy=Hierarchy.flat("pay", ["10", "0"]))
    released = replace(FINEST, histograms=(histogram(swapped, COUNTS[:, ::-1]),))
    found = figures(read_published([TOWN], [["a", "b", "c", "d"]], released), learning=Learning("pay"))
    ours = figures(published_at_levels([TOWN], FINEST, [0]), learning=Learning("pay"))
    assert found["accuracy_bayes"].value == ours["accuracy_bayes"].value
    assert "all original rows" in found["accuracy_bayes"].definition


def test_an_unknown_target_is_refused():
    with pytest.raises(ParameterError, match="'weight' is not among"):
        figures(published_at_levels([TOWN], FINEST, [0]), learning=Learning("weight"))


def test_a_release_without_the_column_has_no_average_and_no_model_of_it():
    published = read_published([TOWN], [["a", "b", "c", "d"]], replace(FINEST, histograms=()))
    found = figures(published, learning=Learning("pay"))
    for name in ("average_error:pay:town", "accuracy_bayes"):
        assert found[name].value is None
        assert "the release lacks the column" in found[name].definition


def test_the_same_rows_are_held_out_before_and_after():
    _, member = roll_up(FINEST, [TOWN], [1])
    before = figures(published_at_levels([TOWN], FINEST, [0]), learning=Learning("pay", np.arange(4)))
    after = figures(published_at_levels([TOWN], FINEST, [1]), learning=Learning("pay", member))
    assert before["accuracy_majority"].value == after["accuracy_majority"].value


def test_a_release_without_quasi_identifiers_is_refused():
    empty = Classes(np.zeros((1, 0), np.int64), rows=np.array([3]), alone=np.array([3]))
    with pytest.raises(ParameterError, match="got none"):
        figures(read_published([], [], empty))


def test_queries_do_not_depend_on_whether_models_are_learned():
    published = published_at_levels([TOWN], FINEST, [1])
    without, with_models = figures(published), figures(published, learning=Learning("pay"))
    assert without["query_error_mean"] == with_models["query_error_mean"]

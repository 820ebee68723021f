from fractions import Fraction

import pytest

from sfumato.errors import ParameterError, PlanError
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import RecursiveLDiversity
from sfumato.guarantee.registry import criteria, criterion_from, criterion_to, known_models
from sfumato.guarantee.t_closeness import TCloseness, TClosenessOfRelease


def test_a_plan_s_table_becomes_a_criterion():
    table = {"model": "l-diversity", "kind": "recursive", "column": "illness", "c": 3, "l": 2}
    assert criterion_from(table) == RecursiveLDiversity("illness", 3, 2)


def test_a_decimal_comes_back_as_it_was_written():
    table = {"model": "t-closeness", "reference": "original", "column": "pay", "t": 0.1, "distance": "ordered"}
    assert criterion_to(criterion_from(table)) == table
    assert criterion_from(table).t == Fraction(1, 10)


def test_a_fraction_that_no_float_holds_comes_back_as_text():
    table = {"model": "average-risk", "threshold": "1/3"}
    assert criterion_to(criterion_from(table)) == table


def test_the_reference_table_chooses_the_form():
    rest = {"model": "t-closeness", "column": "pay", "t": 0.1, "distance": "equal"}
    assert isinstance(criterion_from({**rest, "reference": "original"}), TCloseness)
    assert isinstance(criterion_from({**rest, "reference": "released"}), TClosenessOfRelease)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "`model` of a criterion must be one of .*got no `model`"),
        ({"model": "k-anonymous", "k": 5}, "`model` of a criterion must be one of .*'k-anonymity'.*got 'k-anonymous'"),
        ({"model": "k-anonymity"}, r"'k-anonymity' must give 'k'; needed: \['k'\]"),
        ({"model": "k-anonymity", "k": 5, "l": 2}, r"'k-anonymity' has no key 'l'; known: \['k'\]"),
        ({"model": "l-diversity", "column": "x", "l": 2}, "`kind` .* must be one of .*'distinct'.*got none"),
        ({"model": "l-diversity", "kind": "strong", "column": "x", "l": 2}, "got 'strong'"),
        ({"model": "l-diversity", "kind": "distinct", "column": 3, "l": 2}, "`column` .* must be the name of a column"),
    ],
)
def test_a_wrong_table_is_refused_with_the_key_and_the_known_ones(table, message):
    with pytest.raises(PlanError, match=message):
        criterion_from(table)


@pytest.mark.parametrize("k", [0, "5", 5.0, True])
def test_a_wrong_value_is_refused_by_the_model(k):
    with pytest.raises(ParameterError, match="`k` must be a whole number"):
        criterion_from({"model": "k-anonymity", "k": k})


def test_no_privacy_parameter_has_a_default():
    for model, variants in known_models().items():
        for variant in variants:
            with pytest.raises(PlanError, match="must give"):
                criterion_from({"model": model, **variant})


def test_a_criterion_from_elsewhere_cannot_be_written_down():
    class Strange(KAnonymity):
        pass

    with pytest.raises(ParameterError, match="got Strange"):
        criterion_to(Strange(5))


def test_reading_a_table_leaves_it_as_it_is():
    table = {"model": "k-anonymity", "k": 5}
    criterion_from(table)
    assert table == {"model": "k-anonymity", "k": 5}


def test_a_model_of_one_form_is_that_of_one_class():
    """So the file of its name is enough to know it."""
    alone = [cls.model for cls in criteria() if not getattr(cls, "variant", None)]
    assert len(set(alone)) == len(alone)
    assert all(known_models()[model] == ({},) for model in alone)

"""Labels of classes."""

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.mechanism.recode.raw_tables import attributes

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.partition import axes, publish
from sfumato.mechanism.recode.partition.axes import Publish, axes_of
from sfumato.mechanism.recode.partition.criteria import Judge
from sfumato.mechanism.recode.partition.publish import label, loss_of, loss_of_labelled, runs_at, runs_of
from sfumato.mechanism.recode.partition.splits import table_of
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role


def texts(member, codes, columns, publish=Publish.COVERS):
    """The label tuples of the classes."""
    return set(zip(*label(np.array(member), np.array(codes), columns, publish).labels(), strict=True))


def test_covers_are_ranges_and_sets_and_single_values_stand_alone():
    codes = [(0, 0, 0), (3, 1, 0), (4, 2, 1)]
    assert texts([0, 0, 1], codes, attributes()) == {("[17, 25]", "{Bourges, Lyon}", "baker"), ("31", "Nice", "nurse")}


def test_a_missing_value_alone_is_missing_and_among_others_it_is_a_star_or_in_the_set():
    age, town, job = attributes()
    none = age.hierarchy.labels[0].index(None), job.hierarchy.labels[0].index(None)
    codes = [(none[0], 0, none[1]), (none[0], 0, 0), (1, 0, none[1])]
    assert texts([0, 1, 1], codes, (age, town, job)) == {
        (None, "Bourges", None),
        ("*", "Bourges", "{baker, missing}"),
    }


def test_a_set_of_all_values_is_a_star():
    sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
    assert texts([0, 0], [[0], [1]], (sex,)) == {("*",)}


def test_nodes_are_the_lowest_that_hold_every_value():
    codes = [(0, 1, 0), (0, 5, 0), (0, 0, 0), (0, 1, 0)]
    assert texts([0, 0, 1, 1], codes, attributes(), Publish.NODES) == {("17", "Rhone", "baker"), ("17", "*", "baker")}


def test_classes_of_equal_labels_are_one_class():
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["1", "2", "3"])
    labelled = label(np.array([0, 1, 0, 1]), np.array([[0], [0], [2], [2]]), (age,), Publish.COVERS)
    assert labelled.member.tolist() == [0, 0, 0, 0]
    assert labelled.labels() == (("[1, 3]",),)


def test_sets_of_very_many_values_list_each_value():
    code = bind(Column("code", Role.QUASI_IDENTIFYING), [f"{i:03d}" for i in range(100)])
    assert texts([0, 0, 1], [[5], [99], [7]], (code,)) == {("{005, 099}",), ("007",)}


def test_runs_are_those_of_a_stable_sort():
    for n in (0, 1, 2, 500, 200_000):
        member = np.random.default_rng(n).permutation(np.arange(n) // 3)
        runs, order = runs_of(member), np.argsort(member, kind="stable")
        assert runs.order.tolist() == order.tolist()
        assert runs.starts.tolist() == [i for i in range(n) if i == 0 or member[order[i]] != member[order[i - 1]]]


def test_a_missing_value_among_any_others_is_one_label():
    age, town, job = attributes()
    none = age.hierarchy.labels[0].index(None)
    codes = [(none, 0, 0), (1, 0, 0), (none, 0, 0), (2, 0, 0)]
    labelled = label(np.array([0, 0, 1, 1]), np.array(codes), (age, town, job), Publish.COVERS)
    assert labelled.member.tolist() == [0, 0, 0, 0]
    assert labelled.labels() == (("*",), ("Bourges",), ("baker",))


def test_items_of_sets_stand_in_the_order_of_their_texts_and_are_quoted_where_they_could_be_misread():
    for n in (1, 100):
        code = bind(Column("code", Role.QUASI_IDENTIFYING), ["z", "a, b", "missing", None, *map(str, range(n))])
        at = {name: i for i, name in enumerate(code.hierarchy.labels[0])}
        codes = [[at["z"]], [at[None]], [at["missing"]], [at["a, b"]], [at["a, b"]]]
        assert texts([0, 0, 0, 0, 1], codes, (code,)) == {('{"a, b", "missing", z, missing}',), ("a, b",)}


@pytest.mark.parametrize("at_once", [1, 3, 1 << 13])
def test_runs_at_places_are_slices_one_after_the_other(monkeypatch, at_once):
    monkeypatch.setattr(publish, "AT_ONCE", at_once)
    order, begins, lengths = np.arange(100, 160), np.array([40, 0, 7, 30, 50]), np.array([10, 1, 5, 2, 10])
    runs, slices = runs_at(order, begins, lengths), [order[b : b + n] for b, n in zip(begins, lengths, strict=True)]
    assert [part.tolist() for part in np.split(runs.order, runs.starts[1:])] == [part.tolist() for part in slices]
    some = runs.take(np.array([4, 1, 1, 2]))
    wanted = [slices[i].tolist() for i in (4, 1, 1, 2)]
    assert [part.tolist() for part in np.split(some.order, some.starts[1:])] == wanted
    assert runs_at(order, begins[:0], lengths[:0]).order.tolist() == []


@pytest.mark.parametrize("form", list(Publish))
@pytest.mark.parametrize("most_values", [2, axes.MOST_SET_VALUES])
def test_the_loss_that_labels_tell_is_that_of_the_tuples(monkeypatch, form, most_values):
    """Numbers with a missing value, sets, categories that are searched as ranges, nodes; few and many tuples a class."""
    monkeypatch.setattr(axes, "MOST_SET_VALUES", most_values)
    columns, caught = attributes(), False
    for seed in range(30):
        rng = np.random.default_rng(seed)
        drawn = np.stack([rng.integers(0, a.hierarchy.n_leaves, 60) for a in columns], axis=1)
        codes = np.unique(drawn, axis=0)
        rows = rng.integers(1, 9, len(codes))
        table = table_of(axes_of(columns, codes, form), Judge(Classes(codes, rows, rows), (KAnonymity(1),)))
        member = np.unique(rng.integers(0, 1 + seed, len(codes)), return_inverse=True)[1]
        labelled = label(member, codes, columns, form)
        assert loss_of_labelled(table, labelled) == loss_of(table, labelled.member)
        runs, number = labelled.parts
        wrong = replace(labelled, parts=(runs, np.roll(number, 1)))  # labels of another class
        caught |= loss_of_labelled(table, wrong) != loss_of(table, labelled.member)
    assert caught

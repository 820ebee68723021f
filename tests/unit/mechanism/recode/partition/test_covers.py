"""Covers of many classes at once, against sets and ranges written out."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.raw_tables import AGES, JOBS, TOWNS, attributes, few, raws

from sfumato.mechanism.recode.partition.axes import Form, Publish, axes_of
from sfumato.mechanism.recode.partition.covers import layout_of
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role


def assert_equal(made, twin):
    """The same words and ends."""
    assert made.words.tolist() == twin.words.tolist()
    assert made.ends.tolist() == twin.ends.tolist()


def cover_losses(raw, publish):
    """Loss of all rows as one class on each axis."""
    axes = axes_of(attributes(), raw.codes, publish)
    layout = layout_of(axes)
    ranks = np.stack([a.rank[raw.codes[:, j]] for j, a in enumerate(axes)])
    whole = layout.covers_of(ranks).reduce(np.array([0]))
    assert_equal(layout.covers_of_runs(ranks, np.arange(len(raw.codes))[::-1], np.array([0])), whole)
    return [float(layout.loss(whole, j)[0]) for j in range(3)]


@few
@given(raws())
def test_loss_of_covers_is_the_share_of_the_values_in_the_table(raw):
    age, town, job = cover_losses(raw, Publish.COVERS)
    ages = {AGES[v] for v in raw.codes[:, 0]}
    assert age == (0.0 if len(ages) < 2 or len({a for a in ages if a}) + (None in ages) < 2 else 1.0)
    assert town == (1.0 if len(set(raw.codes[:, 1].tolist())) > 1 else 0.0)
    assert job == (1.0 if len(set(raw.codes[:, 2].tolist())) > 1 else 0.0)


@few
@given(raws())
def test_loss_of_nodes_is_the_share_of_the_leaves_of_the_lowest_common_node(raw):
    _, town, _ = cover_losses(raw, Publish.NODES)
    tree = attributes()[1].hierarchy
    leaves = raw.codes[:, 1]
    level = next(i for i, a in enumerate(tree.ancestors) if len(set(a[leaves].tolist())) == 1)
    below = int((tree.ancestors[level] == tree.ancestors[level][leaves[0]]).sum())
    assert town == (0.0 if level == 0 or below == 1 else below / len(TOWNS))


@few
@given(st.lists(st.integers(0, 199), min_size=1, max_size=20), st.lists(st.integers(0, 199), min_size=1, max_size=20))
def test_sets_of_more_than_64_values_are_counted_over_several_words(first, second):
    many = bind(Column("code", Role.QUASI_IDENTIFYING), [f"{i:03d}" for i in range(200)])
    few = bind(Column("job", Role.QUASI_IDENTIFYING), ["a", "b"])
    every = np.stack((np.arange(200), np.arange(200) % 2), axis=1)
    layout = layout_of(axes_of((few, many, few), every[:, [1, 0, 1]], Publish.COVERS))
    ranks = np.array([[v % 2 for v in first + second], first + second, [v % 2 for v in first + second]])
    covers = layout.covers_of(ranks).reduce(np.array([0, len(first)]))
    assert_equal(layout.covers_of_runs(ranks, np.arange(ranks.shape[1]), np.array([0, len(first)])), covers)
    assert layout.n_values(covers, 1).tolist() == [len(set(first)), len(set(second))]
    assert layout.n_values(covers, 2).tolist() == [len({v % 2 for v in first}), len({v % 2 for v in second})]
    assert layout.n_values(covers.take(np.array([0])).join(covers.take(np.array([1]))), 1)[0] == len({*first, *second})


def test_declared_bounds_are_the_domain_of_a_number():
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER, bounds=(0.0, 100.0)), ["20", "45"])
    (axis,) = axes_of((age,), np.array([[0], [1]]), Publish.COVERS)
    assert axis.range_loss(np.array([0]), np.array([1])).tolist() == [0.25]


def test_a_range_with_a_missing_value_among_others_loses_everything():
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["20", "21", "90", None])
    (axis,) = axes_of((age,), np.arange(4)[:, None], Publish.COVERS)
    missing = axis.missing
    low, high = np.array([0, 0, missing]), np.array([1, missing, missing])
    assert axis.range_loss(low, high).tolist() == [1 / 70, 1.0, 0.0]


def test_categories_of_very_many_values_are_searched_as_ranges():
    many = bind(Column("code", Role.QUASI_IDENTIFYING), [f"{i:04d}" for i in range(1000)])
    (axis,) = axes_of((many,), np.arange(1000)[:, None], Publish.COVERS)
    assert axis.form is Form.RANGE
    np.testing.assert_allclose(axis.range_loss(np.array([3, 3, 0]), np.array([3, 4, 999])), [0.0, 2 / 1000, 1.0])


def test_jobs_hold_a_missing_value_as_a_value_of_its_own():
    assert cover_losses_of_jobs() == [0.0, 2 / 3]


def cover_losses_of_jobs():
    """Loss of missing alone, and of missing with one job."""
    job = bind(Column("job", Role.QUASI_IDENTIFYING), JOBS)
    axes = axes_of((job,), np.arange(3)[:, None], Publish.COVERS)
    layout = layout_of(axes)
    missing = job.hierarchy.labels[0].index(None)
    single = layout.covers_of(axes[0].rank[np.array([missing, 0])][None])
    pair = single.reduce(np.array([0]))
    return [float(layout.losses(single)[0]), float(layout.losses(pair)[0])]

"""Who is in a release? Against releases of which it is known."""

import numpy as np
import pytest
from tests.unit.attack.tables import attributes, counted, persons

from sfumato.attack.presence import likely_places, present
from sfumato.attack.singling_out import Persons, of_classes, of_values
from sfumato.release.trials.case import persons_of
from sfumato.summary.histogram import distribution_of
from sfumato.summary.published import published_at_levels, read_published


def sampled(rng, n=200, share=0.2):
    """A table, and which of its rows are published."""
    return persons(rng, n), rng.integers(0, 3, n), rng.random(n) < share


@pytest.mark.parametrize("seed", range(20))
def test_of_a_clear_text_sample_exactly_the_sampled_are_present(seed):
    codes, values, inside = sampled(np.random.default_rng(seed))
    whole, part = counted(codes, values), counted(codes[inside], values[inside])
    table = published_at_levels(attributes(), part, [0, 0])
    found = present(table, persons_of(whole, "illness"), of_values(table, distribution_of(table.classes, "illness")))
    true = {(*row, v): 0 for row, v in zip(map(tuple, codes.tolist()), values.tolist(), strict=True)}
    for row, v in zip(codes[inside].tolist(), values[inside].tolist(), strict=True):
        true[*row, v] += 1
    told = zip(found.codes.tolist(), found.value.tolist(), found.count.tolist(), strict=True)
    assert {(*row, v): n for row, v, n in told} == true


@pytest.mark.parametrize("seed", range(20))
def test_of_a_generalized_sample_every_row_is_laid_on_one_person_who_could_be_it(seed):
    rng = np.random.default_rng(seed)
    codes, values, inside = sampled(rng)
    whole = counted(codes, values)
    labels = [["[17, 25]", "[37, 61]"], ["{Blois, Tours}", "{Bourges, Lyon}"]]
    coarse = np.stack((codes[:, 0] >= 3, (codes[:, 1] == 1) | (codes[:, 1] == 2)), axis=1).astype(np.int64)
    table = read_published(attributes(), labels, counted(coarse[inside], values[inside]))
    people, groups = persons_of(whole), of_classes(table)
    found = present(table, people, groups)
    assert found.count.sum() == np.count_nonzero(inside)
    assert (found.count <= people.count).all()
    person, group, rows = likely_places(table, people, groups)
    assert np.bincount(group, weights=rows, minlength=len(groups.count)) == pytest.approx(groups.count)
    assert (np.bincount(person, weights=rows, minlength=len(people.count)) <= people.count + 1e-6).all()


def test_where_every_person_has_a_row_everybody_is_present_suppressed_or_not():
    rng = np.random.default_rng(3)
    codes, values, inside = sampled(rng)
    whole = counted(codes, values)
    labels = [["17", "20", "25", "37", "40", "61", "*"], ["Blois", "Bourges", "Lyon", "Tours", "*"]]
    starred = np.where(inside[:, None], codes, [6, 4])
    table = read_published(attributes(), labels, counted(starred, values))
    assert table.suppressed_rows == np.count_nonzero(~inside)
    assert present(table, persons_of(whole), of_classes(table)).count.tolist() == whole.persons.tolist()


def test_a_release_that_cannot_be_read_leaves_nobody_out():
    codes = np.array([[0, 0], [1, 1]])
    table = read_published(attributes(), [["nonsense"], ["Blois"]], counted([[0, 0]], [0]))
    two = Persons(codes, np.full(2, -1), np.ones(2, np.int64))
    assert present(table, two, of_classes(table)).count.tolist() == [1, 1]

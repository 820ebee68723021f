"""What is looked at in reports of each form."""

import numpy as np

from sfumato.attack.view import as_table, default_views


def test_every_form_of_reports_becomes_one_row_each():
    records = np.array([(1, 2), (3, 4)], dtype=[("a", np.int64), ("b", np.int64)])
    assert as_table(np.array([1, 2])).tolist() == [[1], [2]]
    assert as_table(records).tolist() == [[1, 2], [3, 4]]
    assert as_table((np.array([9, 8]), records)).tolist() == [[9, 1, 2], [8, 3, 4]]


def test_bits_of_two_values_are_read_together():
    bits = np.array([[True, False, True], [False, True, True]])
    seen = default_views([bits, bits], [0, 1])["bits of inputs 0 and 1"][0]
    assert seen.tolist() == [2, 1]


def test_places_of_codes_in_a_row_are_read():
    rows = np.array([[4, 7], [7, 2], [1, 2]])
    seen = default_views([rows, rows], [7, 9])
    assert seen["place of input 0"][0].tolist() == [1, 0, -1]
    assert seen["place of input 1"][0].tolist() == [-1, -1, -1]


def test_different_rows_are_different_symbols():
    """Rows that end in zeros stay apart from each other."""
    rows = np.array([[1, 0], [0, 1], [0, 0], [256, 0]])
    assert len(np.unique(default_views([rows, rows], [(0, 0), (1, 1)])["whole report"][0])) == 4


def test_numbers_are_put_into_bins_of_the_first_quarter():
    values = np.linspace(0, 1, 4000)
    seen = default_views([values, values], [0.0, 1.0])["bins of part 0"][0]
    assert seen.min() == 0
    assert seen.max() == 63
    assert np.all(seen[1000:] == 63)

"""Bands of numbers are recognized in many spellings and ordered by their ends."""

import math

import pytest

from sfumato.table.band import are_bands, band_of, in_order


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("[70-80)", (70, 80)), ("[70, 80[", (70, 80)), ("(0,5; 1,5]", (0.5, 1.5)), ("20-29", (20, 29)), ("'40-49'", (40, 49)), ("20 to 29", (20, 29)),
        ("20 à 29 ans", (20, 29)), ("0–4", (0, 4)), ("65+", (65, math.inf)), (">= 80", (80, math.inf)), ("80 ans et plus", (80, math.inf)),
        ("<18", (-math.inf, 18)), ("moins de 18 ans", (-math.inf, 18)), ("$10 - $20", (10, 20)), ("10k-20k", (10, 20)), ("-5..5", (-5, 5)),
    ],
)  # fmt: skip
def test_the_ends_of_a_band(text, ends):
    assert band_of(text) == ends


@pytest.mark.parametrize("text", ["", "7", "A-1", "1999-12-31", "29-20", "2013Q1", "12:30", "1-2-3", "*"])
def test_what_is_no_band(text):
    assert band_of(text) is None


def test_bands_are_ordered_by_their_ends_and_not_as_text():
    assert in_order(["[100-110)", "[20-30)", "?", "<20", "[30-100)"]) == (
        ["<20", "[20-30)", "[30-100)", "[100-110)"],
        ["?"],
    )


@pytest.mark.parametrize("values", [["1-2", "3-4"], ["1-9", "2-3", "4-5"], ["a", "b", "1-2", "3-4", "5-6"]])
def test_few_nested_or_mixed_texts_are_no_bands(values):
    assert not are_bands(values)

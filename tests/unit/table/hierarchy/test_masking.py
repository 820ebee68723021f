"""Masks hide one character after the other and never tell the length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import HierarchyError, ParameterError
from sfumato.table.hierarchy.masking import Masking
from sfumato.table.hierarchy.propose import paths
from sfumato.table.schema import Column, Role

ZIP = Column("zip", Role.QUASI_IDENTIFYING)


def test_codes_keep_their_leading_zeros():
    """A7: 01000 is text, and stays so at every level."""
    tree = Masking("right").build(ZIP, ["01000", "01200"])
    assert tree.labels == (
        ("01000", "01200"), ("0100*", "0120*"), ("010**", "012**"), ("01***",), ("0****",), ("*",),
    )  # fmt: skip


def test_the_left_side_can_be_hidden():
    assert Masking("left").build(ZIP, ["123", "45"]).labels[1:] == (("*23", "*45"), ("**3", "**5"), ("*",))


def test_numbers_can_be_filled_with_zeros():
    tree = Masking("right", pad="0").build(ZIP, ["5", "34", "120"])
    assert sorted(tree.labels[1]) == ["00*", "03*", "12*"]


def test_steps_choose_the_levels():
    assert Masking("right", steps=(2, 4)).build(ZIP, ["01000"]).labels[1:] == (("010**",), ("0****",), ("*",))


def test_another_mask():
    assert Masking("right", mask="x").build(ZIP, ["ab"]).labels == (("ab",), ("ax",), ("*",))


@given(st.lists(st.text("ab*", max_size=4), min_size=1, unique=True), st.sampled_from(["right", "left"]))
def test_masked_texts_are_the_definition(values, side):
    """Slow twin: fill, then hide n characters."""
    width = max(map(len, values))
    for text, *labels in paths(Masking(side).build(ZIP, values)):
        for n, label in enumerate(labels[:-1], 1):
            if side == "right":
                full = text + "*" * (width - len(text))
                assert label == full[: width - n] + "*" * n
            else:
                full = "*" * (width - len(text)) + text
                assert label == "*" * n + full[n:]


def test_values_longer_than_the_width_are_counted():
    with pytest.raises(HierarchyError, match="1 of 2 are longer"):
        Masking("right", width=2).build(ZIP, ["123", "12"])


def test_steps_leave_a_character():
    with pytest.raises(HierarchyError, match="hide less than all"):
        Masking("right", steps=(3,)).build(ZIP, ["123"])


@pytest.mark.parametrize(
    "options", [{"mask": ""}, {"pad": "00"}, {"width": 0}, {"steps": ()}, {"steps": (2, 2)}, {"steps": (0,)}]
)
def test_parameters_outside_their_range(options):
    with pytest.raises(ParameterError):
        Masking("right", **options)

"""Normalized average class size."""

from sfumato.utility.class_size import average_class_size


def test_classes_of_exactly_k_give_one():
    assert average_class_size(20, 4, 5) == 1.0


def test_larger_classes_give_more():
    assert average_class_size(30, 4, 5) == 1.5


def test_no_class_gives_no_number():
    assert average_class_size(0, 0, 5) is None

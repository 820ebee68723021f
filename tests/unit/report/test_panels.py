"""Pictures show what the result holds."""

import re

import pytest

from sfumato.document.result.release import Distributed, LossAtK, SizesOfClasses
from sfumato.report.panels import (
    MOST,
    class_size_chart,
    distribution_charts,
    loss_chart,
    risk_chart,
    rows_by_size,
    same_values,
    size_edges,
    suppression_chart,
)


@pytest.mark.parametrize("k", [None, 1, 3, 5, 7, 1000])
def test_every_class_size_lies_in_one_bin(k):
    pairs = [[1, 4], [2, 3], [6, 2], [7, 1], [99, 1], [3218, 1]]
    shares = rows_by_size(pairs, size_edges(3218, k))
    assert sum(shares) == pytest.approx(1.0)


def test_an_edge_stands_at_k():
    assert 7 in size_edges(100, 7)


def test_class_sizes_of_an_empty_table_have_no_shares():
    assert rows_by_size([], [1, 2, 5]) == [None, None]


def test_missing_parts_draw_nothing():
    assert risk_chart([]) is None
    assert class_size_chart(SizesOfClasses(), 5) is None
    assert loss_chart([LossAtK(k=2, loss=0.1, suppressed=0.0)]) is None
    assert suppression_chart({"age": 0}, 10) is None
    assert suppression_chart({"age": 1}, 0) is None
    assert distribution_charts("age", Distributed()) == []


def test_columns_that_kept_their_values_are_drawn_in_pairs_before_first():
    charts = distribution_charts("sex", Distributed(after=(("f", 0.5), ("*", 0.5)), before=(("f", 0.6), ("m", 0.4))))
    assert [caption for caption, _ in charts] == ["sex"]
    assert charts[0][1].index(">before<") < charts[0][1].index(">after<")


def test_recoded_columns_have_a_picture_for_each_state():
    charts = distribution_charts("age", Distributed(before=(("3", 1.0),), after=(("0-9", 1.0),)))
    assert [caption for caption, _ in charts] == ["age, before", "age, after"]


def test_a_column_published_only_as_star_did_not_keep_its_values():
    assert not same_values(Distributed(before=(("f", 1.0),), after=(("*", 1.0),)))


def test_rare_values_are_added_up_beyond_the_most_labels():
    pairs = [[f"v{i}", 0.01] for i in range(MOST + 9)]
    (_, svg), *_ = distribution_charts("c", Distributed(before=pairs))
    assert "10 rarer values" in svg
    assert "0.1" not in re.findall(r">v\d+<", svg)
    assert "10 rarer values, before: 10" in svg


def test_rare_values_join_those_that_the_result_already_merged():
    pairs = [[f"v{i}", 0.01] for i in range(MOST + 9)] + [["(other)", 0.2]]
    (_, svg), *_ = distribution_charts("c", Distributed(before=pairs))
    assert "(other), before: 30" in svg
    assert "rarer" not in svg


def test_many_numbers_are_drawn_upright_with_few_labels():
    pairs = [[str(age), 0.01] for age in range(100)]
    (_, svg), *_ = distribution_charts("age", Distributed(before=pairs))
    assert svg.count("<rect") == 101
    assert svg.count('class="mark"') < 40


def test_missing_and_empty_values_have_names():
    (_, svg), *_ = distribution_charts("c", Distributed(before=((None, 0.5), ("", 0.5))))
    assert "(missing)" in svg
    assert "(empty)" in svg


def test_a_k_that_is_asked_for_twice_is_drawn_once():
    rows = [LossAtK(k=2, loss=0.1, suppressed=0.0)] * 2
    assert loss_chart(rows) is None
    assert loss_chart([*rows, LossAtK(k=3, loss=0.2, suppressed=0.0)]).count("<circle") == 2


def test_loss_is_drawn_in_the_order_of_k():
    rows = [LossAtK(k=10, loss=0.3, suppressed=None), LossAtK(k=2, loss=0.1, suppressed=0.0)]
    svg = loss_chart(rows)
    assert svg.index("k = 2, loss: 0.1") < svg.index("k = 10, loss: 0.3")

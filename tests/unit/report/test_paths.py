"""The owner's page of paths: who is asked for, nobody else, escaped and bounded."""

from dataclasses import replace

import pytest
from tests.unit.utility.traces.drawn import REGION, drawn

from sfumato.errors import ParameterError
from sfumato.report.paths import MOST_POINTS, render_paths


def points(page):
    """How many points all lines have."""
    return sum(one.split('"')[0].count(",") for one in page.split('points="')[1:] if "way" in one or "," in one)


def test_only_who_is_named_is_drawn_and_a_name_is_a_text():
    one = replace(drawn(1, fixes=50), persons=("a", "<script>", "c"))
    page = render_paths(one, one, REGION, ["<script>"], gap=1e9)
    assert page.count("<polyline") % 2 == 0
    assert 0 < page.count("<polyline") <= 2 * 3  # two local days or three, before and after
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "Ne la transmettez pas" in render_paths(one, one, REGION, ["a"], language="fr")


def test_no_line_goes_over_a_gap_and_many_fixes_are_thinned():
    one = drawn(2, persons=2, fixes=2800, least=2700)
    page = render_paths(one, one.kept(one.time < 0), REGION, ["a", "b"])
    assert len(one) > 2 * MOST_POINTS
    assert points(page) <= MOST_POINTS + 400
    few = drawn(3, fixes=10)
    assert "<polyline" not in render_paths(few, few, REGION, ["a"], gap=1)


@pytest.mark.parametrize("persons", [[], ["a", "zed"], list("abcdefghi")])
def test_nobody_strangers_and_too_many_are_refused(persons):
    with pytest.raises(ParameterError, match="Paths are drawn of 1 to 8 persons"):
        render_paths(drawn(1), drawn(1), REGION, persons)

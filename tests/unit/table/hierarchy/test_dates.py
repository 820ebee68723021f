"""Calendar units hold each other whole, or the chain is refused."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import AmbiguousHierarchy, HierarchyError, ParameterError
from sfumato.table.hierarchy.dates import Dates, Unit
from sfumato.table.hierarchy.propose import paths
from sfumato.table.schema import Column, Kind, Role

BORN = Column("born", Role.QUASI_IDENTIFYING, Kind.DATE)
DAYS = st.dates(date(1000, 1, 1), date(9999, 12, 31))


@given(st.lists(DAYS, min_size=1, max_size=8, unique=True))
def test_units_agree_with_the_calendar(days):
    tree = Dates((Unit.DAY, Unit.MONTH, Unit.QUARTER, Unit.YEAR, Unit.DECADE)).build(
        BORN, [d.isoformat() for d in days]
    )
    for text, *labels in paths(tree):
        day = date.fromisoformat(text)
        quarter = f"{day.year:04d}-Q{(day.month + 2) // 3}"
        decade = f"{day.year // 10 * 10:04d}s"
        assert labels == [text, text[:7], quarter, text[:4], decade, "*"]


@given(st.lists(DAYS, min_size=1, max_size=8, unique=True))
def test_weeks_agree_with_the_calendar(days):
    tree = Dates((Unit.DAY, Unit.WEEK, Unit.ISO_YEAR)).build(BORN, [d.isoformat() for d in days])
    for text, _, week, year, _ in paths(tree):
        iso = date.fromisoformat(text).isocalendar()
        assert week == f"{iso.year:04d}-W{iso.week:02d}"
        assert year == f"{iso.year:04d} (ISO)"


@pytest.mark.parametrize("coarser", [Unit.MONTH, Unit.QUARTER, Unit.YEAR, Unit.DECADE])
def test_a_week_lies_in_no_month_and_no_year(coarser):
    with pytest.raises(AmbiguousHierarchy) as caught:
        Dates((Unit.WEEK, coarser)).build(BORN, ["2020-01-01"])
    assert "iso-year" in caught.value.remedy


def test_every_allowed_pair_nests():
    days = [(date(1998, 1, 1) + timedelta(i)).isoformat() for i in range(3000)]
    chains = [(a, b) for a in Unit for b in Unit if a is not b]
    allowed = 0
    for chain in chains:
        try:
            allowed += Dates(chain).build(BORN, days).height == 3
        except AmbiguousHierarchy:
            continue
    assert allowed == 13


def test_units_out_of_order_are_refused():
    with pytest.raises(AmbiguousHierarchy, match="month does not hold year"):
        Dates((Unit.YEAR, Unit.MONTH)).build(BORN, ["2020-01-01"])


def test_the_declared_format_is_read():
    column = Column("born", Role.QUASI_IDENTIFYING, Kind.DATE, format="%d/%m/%Y")
    assert Dates((Unit.MONTH,)).build(column, ["02/01/2020"]).labels == (("02/01/2020",), ("2020-01",), ("*",))


def test_times_fall_on_their_day():
    tree = Dates((Unit.DAY, Unit.YEAR)).build(BORN, ["2020-01-01T23:59:59", "2020-01-01T00:00:00"])
    assert tree.labels[1] == ("2020-01-01",)


def test_numbers_are_no_dates():
    with pytest.raises(HierarchyError, match="declared as integer"):
        Dates((Unit.YEAR,)).build(Column("y", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["2020"])


def test_a_chain_has_a_unit():
    with pytest.raises(ParameterError):
        Dates(())

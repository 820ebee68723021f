"""Bounded totals on Spark are those of the definition, and those of the embedded engine."""

from dataclasses import replace
from functools import partial

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.engine.spark.engine import SparkEngine
from sfumato.testing import bounded_contract
from sfumato.testing.bounded_cases import RANGES, bounded_asks, tables

few = settings(
    max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@few
@given(rows=tables(), asks=st.lists(bounded_asks(), min_size=2, max_size=4))
def test_bounded_totals_are_what_the_definition_adds_up(sail, rows, asks):
    bounded_contract.adds_up_the_bounded_rows(SparkEngine(sail), rows, asks)


@settings(few, max_examples=8)
@given(rows=tables(), ask=bounded_asks(), column=st.sampled_from(sorted(RANGES)))
def test_bounded_places_are_those_of_the_definition(sail, rows, ask, column):
    bounded_contract.reads_the_bounded_places(SparkEngine(sail), rows, replace(ask, by=()), column)


@settings(few, max_examples=3)
@given(data=st.data(), rows=tables(max_rows=10))
def test_no_person_moves_totals_further_than_claimed(sail, data, rows):
    first, *others = data.draw(st.lists(bounded_asks(), min_size=3, max_size=4))
    asks = [first, *(replace(ask, unit=first.unit) for ask in others)]
    bounded_contract.moves_no_further_than_claimed(
        partial(bounded_contract.totals_of, SparkEngine(sail)), rows, asks
    )

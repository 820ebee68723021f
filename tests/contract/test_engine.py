"""Every engine keeps the contract of engines. Adding an engine adds one line to ENGINES."""

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.testing import bounded_contract
from sfumato.testing import engine_contract as contract
from sfumato.testing.bounded_cases import RANGES, bounded_asks, tables
from sfumato.testing.tables import asks, cases, recipes

ENGINES = [DuckDBEngine(memory_limit="500MB", threads=1)]
few = settings(max_examples=40, deadline=None, derandomize=True)

pytestmark = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: type(engine).__name__)


@settings(few, max_examples=15)
@given(case=cases())
def test_marginals_are_the_counts_of_canonical_texts(engine, case):
    contract.finds_the_marginals(engine, case)


@settings(few, max_examples=10)
@given(case=cases())
def test_estimates_are_near_the_number_of_tuples(engine, case):
    contract.estimates_the_tuples(engine, case)


@few
@given(data=st.data(), case=cases())
def test_classes_are_what_the_definition_counts(engine, data, case):
    contract.counts_the_classes(engine, case, data.draw(asks(case)))


@few
@given(data=st.data(), case=cases(), parts=st.integers(1, 3))
def test_merged_classes_count_each_person_once(engine, data, case, parts):
    contract.counts_merged_classes(engine, case, data.draw(asks(case)), parts)


@few
@given(data=st.data(), case=cases())
def test_published_rows_are_those_of_the_definition(engine, data, case):
    contract.publishes_the_rows(engine, case, data.draw(recipes(case)))


@few
@given(data=st.data(), case=cases())
def test_columns_have_their_source_type_or_are_text(engine, data, case):
    contract.keeps_native_types(engine, case, data.draw(recipes(case)))


@settings(few, max_examples=10)
@given(data=st.data(), case=cases())
def test_a_shuffled_release_holds_the_same_rows(engine, data, case):
    contract.shuffles_whole_rows(engine, case, data.draw(recipes(case)))


@settings(few, max_examples=20)
@given(case=cases())
def test_chance_is_drawn_once(engine, case):
    contract.draws_once(engine, case)


@settings(few, max_examples=5)
@given(case=cases())
def test_a_coin_that_always_or_never_wins(engine, case):
    contract.keeps_all_or_none(engine, case)


@settings(few, max_examples=10)
@given(case=cases())
def test_counts_of_parts_are_added_up(engine, case):
    contract.adds_up_rows(engine, case)


def test_a_small_table_is_made(engine):
    contract.makes_a_table(engine)


@few
@given(rows=tables(), asks=st.lists(bounded_asks(), min_size=2, max_size=4))
def test_bounded_totals_are_what_the_definition_adds_up(engine, rows, asks):
    bounded_contract.adds_up_the_bounded_rows(engine, rows, asks)


@settings(few, max_examples=20)
@given(rows=tables(), ask=bounded_asks(), column=st.sampled_from(sorted(RANGES)))
def test_bounded_places_are_those_of_the_definition(engine, rows, ask, column):
    bounded_contract.reads_the_bounded_places(engine, rows, replace(ask, by=()), column)


@settings(few, max_examples=10)
@given(data=st.data(), rows=tables(max_rows=10))
def test_no_person_moves_totals_further_than_claimed(engine, data, rows):
    first, *others = data.draw(st.lists(bounded_asks(), min_size=3, max_size=4))
    asks = [first, *(replace(ask, unit=first.unit) for ask in others)]
    bounded_contract.moves_no_further_than_claimed(partial(bounded_contract.totals_of, engine), rows, asks)

"""Every engine keeps the contract of engines. Adding an engine adds one line to ENGINES."""

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.spark.engine import SparkEngine
from sfumato.engine.sql import bounded_cells
from sfumato.testing import bounded_contract
from sfumato.testing import engine_contract as contract
from sfumato.testing.bounded_contract import RANGES, bounded_asks, tables
from sfumato.testing.tables import asks, cases, recipes

EMBEDDED = DuckDBEngine(threads=1)
ENGINES = ["duckdb", "sail", pytest.param("spark", marks=pytest.mark.slow)]
SHARE = {"duckdb": 1.0, "sail": 0.15, "spark": 0.05}
"""Of the examples; a cluster takes a quarter of a second for each question."""


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    """The embedded engine, and the distributed one on Sail (Connect) and on Spark (classic)."""
    if request.param == "duckdb":
        return EMBEDDED
    return SparkEngine(request.getfixturevalue(request.param))


@pytest.fixture
def holds(engine, request):
    """Runs a law on that many examples, or on a few of them where an example takes long."""
    share = SHARE[request.node.callspec.params["engine"]]

    def run(n, law, **strategies):
        @settings(max_examples=max(3, round(n * share)), derandomize=True, database=None)
        @given(**strategies)
        def example(**drawn):
            law(engine, **drawn)

        example()

    return run


def test_marginals_are_the_counts_of_canonical_texts(holds):
    """Each column beside the others, and a few alone."""
    some = st.lists(st.sampled_from(contract.COLUMNS), min_size=1, max_size=3, unique=True)
    holds(15, contract.finds_the_marginals, case=cases(), alone=some)


def test_first_rows_are_those_of_the_table(holds):
    holds(15, contract.shows_the_first_rows, case=cases(), most=st.integers(0, 5))


def test_fixes_are_the_rows(holds):
    holds(15, contract.reads_the_fixes, case=cases())


def test_estimates_are_near_the_number_of_tuples(holds):
    holds(15, contract.estimates_the_tuples, case=cases())


def test_classes_and_merged_ones_are_what_the_definition_counts(holds):
    def law(engine, data, case, parts):
        contract.counts_the_classes(engine, case, data.draw(asks(case)), parts)

    holds(40, law, data=st.data(), case=cases(), parts=st.integers(1, 3))


def test_published_rows_and_types_are_those_of_the_definition(holds):
    def law(engine, data, case):
        contract.publishes_the_rows(engine, case, data.draw(recipes(case)))

    holds(40, law, data=st.data(), case=cases())


def test_a_shuffled_release_holds_the_same_rows(holds):
    def law(engine, data, case):
        contract.shuffles_whole_rows(engine, case, data.draw(recipes(case)))

    holds(10, law, data=st.data(), case=cases())


def test_chance_is_drawn_once(holds):
    holds(20, contract.draws_once, case=cases())


def test_a_coin_that_always_or_never_wins(holds):
    holds(5, contract.keeps_all_or_none, case=cases())


def test_counts_of_parts_are_added_up(holds):
    holds(10, contract.adds_up_rows, case=cases())


def test_a_small_table_is_made(engine):
    contract.makes_a_table(engine)


def test_bounded_totals_are_what_the_definition_adds_up(holds, monkeypatch):
    """Every second time as a table of more rows is added up: cells are joined with the declared ones, or compared with a list."""
    ways = (bounded_cells.MOST, 0)

    def law(engine, rows, asks, first):
        turns = lambda place: monkeypatch.setattr(bounded_cells, "MOST", ways[(first + place) % 2])  # noqa: E731
        bounded_contract.adds_up_the_bounded_rows(engine, rows, asks, turns)

    several = st.lists(bounded_asks(), min_size=2, max_size=4)
    holds(60, law, rows=tables(), asks=several, first=st.integers(0, 1))


def test_bounded_places_are_those_of_the_definition(holds):
    def law(engine, rows, ask, column):
        bounded_contract.reads_the_bounded_places(engine, rows, replace(ask, by=()), column)

    holds(20, law, rows=tables(), ask=bounded_asks(), column=st.sampled_from(sorted(RANGES)))


@pytest.mark.parametrize(
    "totals",
    [bounded_contract.totals_by_definition, partial(bounded_contract.totals_of, EMBEDDED)],
    ids=["definition", "duckdb"],
)
@settings(max_examples=10, derandomize=True, database=None)
@given(data=st.data(), rows=tables(max_rows=10))
def test_no_person_moves_totals_further_than_claimed(totals, data, rows):
    """By definition, which all engines follow (`test_bounded_totals_are_what_the_definition_adds_up`), and in one of them."""
    first, *others = data.draw(st.lists(bounded_asks(), min_size=3, max_size=4))
    asks = [first, *(replace(ask, unit=first.unit) for ask in others)]
    bounded_contract.moves_no_further_than_claimed(totals, rows, asks)

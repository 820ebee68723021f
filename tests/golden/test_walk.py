"""How many modules a cell and a question cross; see `bench/walk.py`."""

import pytest
from bench.walk import counted


@pytest.fixture(scope="module")
def walks():
    return counted()


@pytest.mark.parametrize(("walk", "most"), [("cell", 103), ("charge", 39)])
def test_a_walk_crosses_no_more_modules_than_it_did(walks, walk, most):
    """127 and 54 in version 0.1.0. A method is asked for its columns and its unit since traces have others: two more than 89; distinct numbers are found in one place: one more.
    Two more since keys are ordered by digits and a node is judged apart from its search. Two more since tables share a database (`engine.duckdb.database`), and names of keys
    look like code in reports (`language.marked`). Two more since keys are counted by two threads (`numbers.threads`, `engine.duckdb.key_counts`), and one since compiled
    templates are kept (`report.kept_templates`). One more since the line of a row in a CSV file has a file of its own (`engine.duckdb.csv_line`).
    Three more since persons of an attack are looked up column by column (`attack.lookup`, `attack.join`) instead of compared, and rare tuples are asked first (`full_domain.part`)."""
    assert walks[walk]["modules"] <= most, walks[walk]["in_order"]


@pytest.mark.parametrize("walk", ["cell", "charge"])
def test_no_walk_goes_back_up(walks, walk):
    assert walks[walk]["up"] == []

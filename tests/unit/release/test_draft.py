"""What a draft says of the rows."""

import numpy as np
import pandas as pd
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.release.draft import draft
from sfumato.table.schema import Role
from sfumato.table.source import FrameSource


@pytest.mark.parametrize("n_same", [0, 1, 40])
@pytest.mark.parametrize("n_columns", [3, 40])
def test_unique_is_the_share_of_rows_that_no_other_row_equals(n_columns, n_same):
    """With more columns than are looked at first, and rows that only the least varied tells apart."""
    rng = np.random.default_rng(n_same)
    cells = {f"zone {j}": rng.integers(0, 2 + 3 * (j > 0), 200) for j in range(n_columns)}
    frame = pd.DataFrame(cells)
    frame.iloc[:n_same, 1:] = 1
    found = draft(DuckDBEngine(threads=1), DuckDBEngine(threads=1).scan(FrameSource(frame)))
    quasi = [guess.column.name for guess in found.guesses if guess.column.role is Role.QUASI_IDENTIFYING]
    assert quasi == list(cells)
    assert found.unique == (~frame.duplicated(keep=False)).mean()

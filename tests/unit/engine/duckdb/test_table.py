"""The handle of a table."""

import pyarrow as pa

from sfumato.engine.duckdb.scan import scan
from sfumato.table.source import FrameSource


def test_missing_codes_are_those_of_all_columns_and_of_the_column():
    """Only declared codes are missing."""
    source = FrameSource(pa.table({"a": ["?"]}), missing=("?", "NA"), missing_in={"a": ("99", "?")})
    table = scan(source)
    assert table.missing_codes("a") == ("?", "NA", "99")
    assert table.missing_codes("b") == ("?", "NA")

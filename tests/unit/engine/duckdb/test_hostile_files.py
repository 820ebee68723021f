"""Files made to take memory or time are refused with the limit, before much of either is taken."""

import gzip
import resource

import pyarrow as pa
import pytest

from sfumato.engine.duckdb.scan import scan
from sfumato.engine.duckdb.survey import MOST_LINE
from sfumato.errors import SourceError
from sfumato.table.contents import ALWAYS_UNPACKED, MOST_UNPACKED
from sfumato.table.dialect_sniff import MOST_COLUMNS
from sfumato.table.source import FileSource, FrameSource


def peak():
    """Most memory of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


@pytest.mark.parametrize("fixed", [{}, {"delimiter": ","}])
def test_a_megabyte_of_commas_is_refused_with_the_limit_of_columns(tmp_path, fixed):
    """It took 3.9 GB; reading it takes a few copies of a million cells."""
    (tmp_path / "commas.csv").write_bytes(b"," * 10**6 + b"\n" + b"," * 10**6)
    before = peak()
    with pytest.raises(SourceError, match=f"at most {MOST_COLUMNS:,} columns; this one has 1,000,001"):
        scan(FileSource(tmp_path / "commas.csv", dialect=fixed))
    assert peak() - before < 500


def test_a_line_without_end_is_refused_with_the_limit_of_lines(tmp_path):
    (tmp_path / "line.csv").write_bytes(b"a,b\n" + b"x" * (MOST_LINE + 1))
    with pytest.raises(SourceError, match=f"at most {MOST_LINE:,} characters"):
        scan(FileSource(tmp_path / "line.csv"))


@pytest.mark.parametrize("piece", [b"x" * 4096, b"a,b\n" * 1024])
def test_a_small_compressed_file_that_holds_a_large_one_is_refused(tmp_path, piece):
    """One line, or many: what the file holds is counted while it is read the first time."""
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(piece * (2 * ALWAYS_UNPACKED // 4096)))
    with pytest.raises(SourceError, match=rf"{MOST_UNPACKED:,} times|{MOST_LINE:,} characters"):
        scan(FileSource(tmp_path / "bomb.csv.gz"))


def test_a_cell_that_holds_many_commas_is_one_cell(tmp_path):
    """The limit is of columns, not of commas."""
    (tmp_path / "vector.csv").write_text('a,b\n1,"' + "," * (MOST_COLUMNS + 9) + '"\n2,x\n', "utf-8")
    assert ("a", "b") == scan(FileSource(tmp_path / "vector.csv")).header.names


def test_the_limit_holds_for_tables_in_memory():
    with pytest.raises(SourceError, match="columns"):
        scan(FrameSource(pa.table({f"c{i}": [1] for i in range(MOST_COLUMNS + 1)})))

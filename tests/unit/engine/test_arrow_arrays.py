"""Arrays made from bytes are those that PyArrow makes, and no conversion imports pandas."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.engine.arrow_arrays import flags, in_order, numbers, of_labels_in_use, texts, whole_numbers

pa.array([0])  # imports pandas here, not within the time limit of a test


@given(st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=20))
def test_texts_are_those_of_pyarrow(values):
    made = texts(values)
    made.validate(full=True)
    assert made.equals(pa.array(values, pa.string()))


@given(st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), max_size=20))
def test_whole_numbers_are_those_of_pyarrow(values):
    stored = np.array([value or 0 for value in values], np.int64)
    made = whole_numbers(stored, np.array([value is None for value in values], np.bool_))
    made.validate(full=True)
    assert made.equals(pa.array(values, pa.int64()))


@given(st.lists(st.booleans(), max_size=20))
def test_flags_are_those_of_pyarrow(values):
    assert flags(np.array(values, np.bool_)).equals(pa.array(values, pa.bool_()))


@given(st.lists(st.lists(st.integers(0, 200), max_size=4), max_size=4), st.sampled_from(["uint8", "int32", "uint64"]))
def test_numbers_come_back_from_any_chunks(parts, kind):
    column = pa.chunked_array([pa.array(part, kind) for part in parts], kind)
    assert numbers(column).tolist() == [value for part in parts for value in part]
    assert numbers(column).dtype == np.int64
    assert numbers(column.combine_chunks()).tolist() == [value for part in parts for value in part]


def test_sliced_numbers_start_where_the_slice_does():
    assert numbers(pa.array([1, 2, 3, 4])[1:3]).tolist() == [2, 3]
    assert whole_numbers(np.arange(10)[::-2]).to_pylist() == [9, 7, 5, 3, 1]


def test_text_that_is_no_unicode_is_refused():
    with pytest.raises(UnicodeEncodeError):
        texts(["\udc80"])


def test_files_are_released_and_rows_suppressed_without_pandas(tmp_path):
    (tmp_path / "t.csv").write_text("age,zip\n" + "31,75\n47,13\n" * 5, "utf-8")
    (tmp_path / "plan.toml").write_text(
        'sfumato = 1\n[source]\npath = "t.csv"\n[columns.age]\nrole = "quasi-identifying"\nkind = "integer"\n'
        '[columns.zip]\nrole = "quasi-identifying"\n[[promise]]\nmodel = "k-anonymity"\nk = 6\n'
        '[method]\nname = "full-domain"\nsuppression_limit = 0\n[output]\npath = "out.csv"\n', "utf-8",
    )  # fmt: skip
    plan = (tmp_path / "plan.toml").read_text("utf-8").replace(".csv", ".parquet").replace("full-domain", "mondrian")
    (tmp_path / "other.toml").write_text(plan.replace("suppression_limit = 0\n", ""), "utf-8")
    pq.write_table(pa.table({"age": [31, 47] * 5, "zip": ["75", "13"] * 5}), tmp_path / "t.parquet")
    (tmp_path / "three.csv").write_text("age,zip\n" + "31,75\n47,13\n" * 5 + "52,97\n", "utf-8")
    plan = (
        plan.replace('"t.parquet"', '"three.csv"')
        .replace("mondrian", "full-domain")
        .replace("out.parquet", "three_out.csv")
    )
    (tmp_path / "third.toml").write_text(plan.replace("k = 6", "k = 5").replace("limit = 0", "limit = 0.1"), "utf-8")
    plan = plan.replace("three.csv", "t.parquet").replace("three_out.csv", "four.parquet")
    (tmp_path / "fourth.toml").write_text(plan.replace("k = 6", "k = 5"), "utf-8")
    run = "sfumato.run('plan.toml'); sfumato.run('other.toml'); sfumato.run('third.toml')"
    run += (
        "; from sfumato.engine.duckdb import write_parquet; write_parquet.MOST_WAITING = 0; sfumato.run('fourth.toml')"
    )
    script = f"import sys, sfumato; {run}; sys.exit('pandas' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True, timeout=1200)
    assert (tmp_path / "three_out.csv").read_text("utf-8").splitlines()[-1] == "*,*"
    assert pq.read_metadata(tmp_path / "four.parquet").created_by.startswith("parquet-cpp")


@given(st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=3), max_size=20))
def test_few_texts_are_sorted_as_many_are(values):
    """PyArrow sorts by bytes, which for UTF-8 is the order of code points."""
    given = pa.array(values, pa.string())
    order = in_order(given).tolist()
    assert given.take(pa.array(order, pa.int64())).equals(given.take(pc.sort_indices(given)))


@given(st.lists(st.none() | st.integers(0, 5), max_size=12), st.integers(0, 4), st.sampled_from(["uint8", "int32"]))
def test_a_dictionary_is_left_with_the_texts_that_occur(places, start, kind):
    """The twin looks at the texts; a slice begins in the middle of a byte of flags."""
    whole = pa.DictionaryArray.from_arrays(pa.array(places, kind), pa.array(list("fedcba")))
    for column in (whole[start:], whole):
        made = of_labels_in_use(column)
        made.validate(full=True)
        assert made.to_pylist() == column.to_pylist()
        assert made.dictionary.to_pylist() == [text for text in "fedcba" if text in column.to_pylist()]
        assert made.type == column.type
    assert of_labels_in_use(whole.cast(pa.string())).equals(whole.cast(pa.string()))

"""Public tables are found and read whatever their copy looks like; nothing else is taken for them."""

import gzip

import pytest

from sfumato.errors import SchemaError, SourceError
from sfumato.study.reproduce.data import Dataset, find, read

COLORS = Dataset(
    title="Colors",
    published='"Colors" of a statistics office',
    files=("deep/colors.csv.gz", "colors.csv"),
    columns=(("fav-color", "favorite"), ("size",)),
    missing=("?",),
    rows=3,
)


def write(folder, text, name="colors.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_known_name_is_found_in_a_folder(tmp_path):
    path = write(tmp_path, "fav-color,size\n")
    assert find(COLORS, tmp_path) == path
    assert find(COLORS, path) == path


def test_the_first_known_name_is_taken(tmp_path):
    write(tmp_path, "fav-color,size\n")
    (tmp_path / "deep").mkdir()
    with gzip.open(tmp_path / "deep" / "colors.csv.gz", "wt") as file:
        file.write("fav-color,size\nred,1\n")
    assert find(COLORS, tmp_path).name == "colors.csv.gz"
    assert read(COLORS, find(COLORS, tmp_path)).n_rows == 1


@pytest.mark.parametrize("place", [None, ".", "absent.csv"])
def test_whoever_lacks_the_data_reads_what_is_needed_and_who_publishes_it(tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError, match=r"fav-color, size .*published as .Colors. of a statistics office"):
        find(COLORS, None if place is None else tmp_path / place)


def test_columns_are_known_by_any_of_their_names_in_any_order(tmp_path):
    table = read(COLORS, write(tmp_path, "other;SIZE;Fav_Color\nx;2;red\ny;1;blue\n"))
    assert table.cells == {"fav-color": ("red", "blue"), "size": ("2", "1")}
    other = read(COLORS, write(tmp_path, "size,favorite\n2,red\n1,blue\n"))
    assert other.cells == table.cells


def test_rows_with_a_missing_value_are_left_out_and_counted(tmp_path):
    table = read(COLORS, write(tmp_path, "fav-color,size\n red,1\n ?,2\nblue,3\n,4\n"))
    assert table.left_out == 2
    assert table.cells["fav-color"] == ("red", "blue")


def test_codes_are_places_among_sorted_texts(tmp_path):
    table = read(COLORS, write(tmp_path, "fav-color,size\nred,10\nblue,9\nred,10\n"))
    assert table.codes().tolist() == [[1, 0], [0, 1], [1, 0]]


def test_an_absent_column_is_named(tmp_path):
    with pytest.raises(SchemaError, match="lacks the columns size"):
        read(COLORS, write(tmp_path, "fav-color,width\nred,1\n"))


def test_a_table_without_complete_rows_is_refused(tmp_path):
    with pytest.raises(SchemaError, match="at least one complete row"):
        read(COLORS, write(tmp_path, "fav-color,size\n?,1\n"))


@pytest.mark.parametrize("cell", ["red", "inf", "nan"])
def test_a_text_is_no_number_and_is_not_repeated(tmp_path, cell):
    table = read(COLORS, write(tmp_path, f"fav-color,size\n1,1\n{cell},2\n"))
    with pytest.raises(SchemaError, match="finite number") as caught:
        table.numbers()
    assert cell not in str(caught.value).replace("finite", "")

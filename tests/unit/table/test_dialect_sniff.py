"""How a CSV text is written, decided from its first part."""

import csv
import io

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.errors import SourceError
from sfumato.table.dialect_sniff import sniff
from sfumato.table.source import Dialect


def decide(text, complete=True, **fixed):
    return sniff(text, Dialect(), fixed, complete=complete)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_separator_is_the_sign_that_makes_rows_equally_long(delimiter):
    """Any of four separators is found."""
    text = "\n".join(delimiter.join(row) for row in [("id", "name"), ("1", "a, b; c"), ("2", "d")]).replace(", b", " b")
    assert decide(text.replace("; c", " c")).dialect.delimiter == delimiter


def test_semicolons_win_over_decimal_commas():
    """`5,3` is a number, not two cells."""
    dialect = decide("id;price\n1;5,3\n2;7,25\n").dialect
    assert (dialect.delimiter, dialect.decimal) == (";", ",")
    assert decide("id;price\n1;1.234,5\n").dialect.decimal == ","
    assert decide("id;price\n1;1,234.5\n").dialect.decimal == "."


def test_thousands_in_quotes_are_no_decimal_comma():
    """Where commas separate, a comma inside quotes groups digits."""
    assert decide('a,b\n"1,234",2\n').dialect.decimal == "."


def test_commas_inside_text_do_not_separate():
    """A comma in every row but not in the header is text."""
    assert decide("name;address\nA;Street 5, City\nB;Road 7, Town\n").dialect.delimiter == ";"


def test_single_quotes_are_found_where_every_cell_has_them():
    """Cells between apostrophes lose them."""
    sniffed = decide("'age','kind'\n'40-49','a'\n'50-59','b, c'\n")
    assert (sniffed.dialect.quote, sniffed.width) == ("'", 2)


def test_an_apostrophe_in_text_is_no_quote():
    """`L'Aquila` is a name."""
    assert decide("id,place\n1,L'Aquila\n2,'t Zand\n").dialect.quote == '"'


def test_a_file_that_never_quotes_keeps_its_inch_signs():
    """A lone quote at the start of a cell quotes nothing."""
    assert decide('id,size\n1,"x\n2,"y\n3,z\n').dialect.quote == ""


def test_one_column_is_a_question_where_signs_may_separate():
    """Never success: the person is asked."""
    for text in ("a:b\n1:2\n", "a b\n1 2\n", "a^b\n1^2\n"):
        with pytest.raises(SourceError, match="is the separator right"):
            decide(text)


def test_one_column_without_any_such_sign_is_one_column():
    """Nothing could separate it."""
    assert decide("zip\n01000\n75001\n").width == 1


def test_a_declared_separator_may_make_one_column():
    """A person's word is not questioned."""
    assert decide("a:b\n1:2\n", delimiter=";").width == 1


def test_title_lines_are_skipped_with_a_note():
    """Titles and blank lines stand above the table; padded ones too."""
    for title in ("Report 2026\n\n", "\n\nReport\n", "Report,,\n,,\n"):
        sniffed = decide(title + "id,age,sex\n1,34,F\n2,50,M\n")
        assert sniffed.header == ("id", "age", "sex")
        assert sniffed.dialect.skip == title.count("\n")
        assert "left out" in sniffed.notes[0]


def test_a_header_that_is_one_cell_shorter_is_no_title():
    """It stays the header, so that the ragged rows are reported."""
    assert decide("a,b\n1,2,3\n4,5,6\n").header == ("a", "b")


def test_a_repeated_header_counts_once():
    """The last of equal header lines is the header."""
    sniffed = decide("a,b\na,b\na,b\n1,2\n")
    assert (sniffed.dialect.skip, [row.cells for row in sniffed.body]) == (2, [("1", "2")])


def test_a_header_cell_may_hold_line_breaks():
    """Its physical lines are counted."""
    sniffed = decide('a;"b\nb"\n1;2\n')
    assert (sniffed.header, sniffed.header_lines) == (("a", "b\nb"), 2)


def test_numbers_in_the_first_row_mean_no_header():
    """A first row like the others is data."""
    sniffed = decide("39,F\n34,M\n50,F\n")
    assert (sniffed.header, sniffed.dialect.header) == (None, False)


def test_a_declared_headless_file_with_a_header_is_noted():
    """A14: the note says that the first row looks like a header."""
    sniffed = decide("id,age\n1,34\n2,50\n", header=False)
    assert sniffed.header is None
    assert any("looks like a header" in note for note in sniffed.notes)


def test_a_declared_skip_wins():
    """The person says where the header is."""
    assert decide("x,y\nid,age\n1,34\n", skip=1).header == ("id", "age")


def test_a_declared_footer_is_no_part_of_the_body():
    """Footnotes do not count as rows."""
    assert len(decide("a,b\n1,2\nNote: x\nNote: y\n", footer=2).body) == 1


def test_a_cut_last_row_is_not_looked_at():
    """The first part of a file may end inside a cell."""
    assert len(decide('a,b\n1,2\n3,"x', complete=False).body) == 1


def test_an_empty_file_is_refused():
    """There is nothing to publish."""
    for text in ("", "\n\n"):
        with pytest.raises(SourceError, match="holds none"):
            decide(text)


@given(
    st.lists(st.tuples(st.integers(0, 99), st.sampled_from(["Ann", "Bo, jr", 'C "c"', "D\nd"])), min_size=3),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
)
def test_tables_of_persons_are_sniffed_as_written(rows, delimiter, quoting):
    """Numbers under a name make the header certain; the separator is the one that was used."""
    assume(delimiter != ";" or all("," not in name for _, name in rows))
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator="\n").writerows([("age", "name"), *rows])
    sniffed = decide(out.getvalue())
    assert sniffed.dialect == Dialect(delimiter=delimiter)
    assert [row.cells for row in sniffed.body] == [(str(age), name) for age, name in rows]


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_file_of_addresses_has_one_column_whatever_signs_they_hold(quote):
    cells = ["https://a.org/x?y=1", "https://b.org/z;w", "http://c.com/p|q,r", "ftp://d.net:21/a;b"]
    text = "url\n" + "".join(f"{quote}{cell}{quote}\n" for cell in cells)
    found = sniff(text, Dialect(), {}, complete=True)
    assert found.header == ("url",)
    assert [row.cells for row in found.body] == [(cell,) for cell in cells]


def test_addresses_beside_other_columns_are_not_taken_for_the_only_one():
    found = sniff("url,n\nhttps://a.org,1\nhttps://b.org,2\n", Dialect(), {}, complete=True)
    assert found.header == ("url", "n")

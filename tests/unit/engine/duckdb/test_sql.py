"""Rows of SQLite, PostgreSQL and DuckDB databases."""

import sqlite3

import duckdb
import pytest

from sfumato.engine.duckdb.scan import scan
from sfumato.errors import SourceError
from sfumato.table.source import SqlSource


def cells(table):
    return table.connection.sql(f"SELECT * FROM {table.name} ORDER BY __row").fetchall()


@pytest.fixture
def sqlite(tmp_path):
    path = tmp_path / "people.db"
    connection = sqlite3.connect(path)
    connection.execute('CREATE TABLE "two words" (id INTEGER, zip TEXT, mixed, share REAL, gone)')
    rows = [(i, f"0{i}000", i if i % 2 else f"{i}x", i / 2, None) for i in range(3)]
    connection.executemany('INSERT INTO "two words" VALUES (?, ?, ?, ?, ?)', rows)
    connection.execute("CREATE TABLE blobs (b)")
    connection.execute("INSERT INTO blobs VALUES (x'00ff')")
    connection.commit()
    connection.close()
    return f"sqlite:///{path}"


def test_a_sqlite_table_keeps_types_that_are_one_and_texts_where_they_are_mixed(sqlite):
    """Every value of `mixed` is its text; integers and reals stay numbers; zip codes keep their zero."""
    table = scan(SqlSource(sqlite, "two words"))
    assert table.header.types == ("BIGINT", "VARCHAR", "VARCHAR", "DOUBLE", "VARCHAR")
    assert cells(table) == [
        (0, 0, "00000", "0x", 0.0, None),
        (1, 1, "01000", "1", 0.5, None),
        (2, 2, "02000", "2x", 1.0, None),
    ]


def test_a_sqlite_query_keeps_its_order_and_renames_repeated_names(sqlite):
    """Rows are numbered as the query returns them."""
    table = scan(SqlSource(sqlite, 'SELECT id, zip, id AS "ID" FROM "two words" ORDER BY id DESC;'))
    assert [row[:2] for row in cells(table)] == [(0, 2), (1, 1), (2, 0)]
    assert len({name.lower() for name in table.header.names}) == 3


def test_an_empty_sqlite_result_has_columns_and_no_rows(sqlite):
    """No row, no type: text."""
    header = scan(SqlSource(sqlite, 'SELECT * FROM "two words" WHERE id > 99')).header
    assert (header.n_rows, header.types[0], header.source_kind) == (0, "VARCHAR", "sql")


def test_binary_cells_are_missing_and_noted(sqlite):
    """One of them changes nothing about the others."""
    table = scan(SqlSource(sqlite, "blobs"))
    assert table.connection.sql("SELECT count(*), count(COLUMNS(* EXCLUDE __row)) FROM source").fetchall()[0][1:] == (
        0,
    )
    assert "Binary cells" in table.header.notes[0]


def test_a_value_says_the_same_beside_others(tmp_path):
    """SQLite writes 5.0 where a column of such values says 5, and 15 digits of a float."""
    connection = sqlite3.connect(tmp_path / "t.db")
    connection.execute("CREATE TABLE t (a)")
    values = [(5.0,), (0.1 + 0.2,), (7,), ("x",), (b"y",), (None,)]
    connection.executemany("INSERT INTO t VALUES (?)", values)
    connection.execute("INSERT INTO t VALUES (CAST(x'ff31' AS TEXT))")
    connection.commit()
    connection.close()
    table = scan(SqlSource(f"sqlite:///{tmp_path / 't.db'}", "t"))
    found = [row[0] for row in table.connection.sql("SELECT a FROM source ORDER BY __row").fetchall()]
    assert found == ["5", "0.30000000000000004", "7", "x", None, None, None]
    assert table.header.loose == {"a"}


@pytest.mark.parametrize("query", ["absent", "DELETE FROM blobs", "SELECT gone FROM nowhere"])
def test_sqlite_refuses_what_is_no_readable_query(sqlite, query):
    """A source is read, never changed."""
    with pytest.raises(SourceError, match="SQLite must accept the query"):
        scan(SqlSource(sqlite, query))


def test_a_database_file_must_exist(tmp_path):
    """SQLite would otherwise create it."""
    with pytest.raises(SourceError, match="must exist"):
        scan(SqlSource(f"sqlite:///{tmp_path / 'absent.db'}", "t"))
    assert not (tmp_path / "absent.db").exists()


def test_a_duckdb_file_keeps_native_types(tmp_path):
    """Decimals stay decimals; labels of enumerations are text."""
    path = tmp_path / "base.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT i AS id, i::DECIMAL(5, 2) AS price, "
            "(['low', 'high'])[i % 2 + 1]::ENUM('low', 'high') AS level FROM range(3) r(i)"
        )
    table = scan(SqlSource(f"duckdb:///{path}", "FROM t ORDER BY id DESC"))
    assert table.header.types == ("BIGINT", "DECIMAL(5,2)", "VARCHAR")
    assert [(row[0], row[1], str(row[2]), row[3]) for row in cells(table)] == [
        (0, 2, "2.00", "low"),
        (1, 1, "1.00", "high"),
        (2, 0, "0.00", "low"),
    ]


def test_other_databases_are_refused():
    """The message lists what can be read."""
    with pytest.raises(SourceError, match="sqlite:///, duckdb:/// or postgresql://"):
        scan(SqlSource("mysql://host/base", "t"))


@pytest.mark.parametrize("url", ["postgresql://me:hush@host/base", "postgresql://me@host/base?password=hush"])
def test_a_url_holds_no_password_and_the_message_does_not_repeat_it(url):
    """Passwords come from the environment or a file."""
    with pytest.raises(SourceError, match="holds no password") as caught:
        scan(SqlSource(url, "t"))
    assert "hush" not in str(caught.value)


@pytest.fixture
def people(postgres):
    """A table with many types in a real server."""
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS people")
        connection.execute(
            "CREATE TABLE people (id int, price numeric, zip text, born date, seen timestamptz, key uuid, "
            "data jsonb, yes boolean, code char(3), share double precision, tags int[], gone text)"
        )
        connection.execute(
            "INSERT INTO people SELECT i, 5.30, '01000', '2020-01-31', '2020-01-31 08:00:00+01', "
            "'00000000-0000-0000-0000-000000000001', '{\"a\": 1}', true, 'ab', i / 2.0, '{1,2}', NULL "
            "FROM generate_series(0, 2999) AS s(i)"
        )
    return postgres


@pytest.mark.postgres
def test_a_postgresql_table_comes_whole_with_types(people):
    """Types that DuckDB has are kept; numeric, uuid, json and arrays are the server's text."""
    table = scan(SqlSource(people, "people"))
    assert (table.header.n_rows, table.header.source_kind) == (3000, "sql")
    assert table.header.types[:5] == ("INTEGER", "VARCHAR", "VARCHAR", "DATE", "TIMESTAMP WITH TIME ZONE")
    names = ", ".join(f'CAST("{name}" AS VARCHAR)' for name in table.header.names)
    first = table.connection.sql(f"SELECT {names} FROM {table.name} WHERE id = 1").fetchall()
    assert first == [
        (
            "1",
            "5.30",
            "01000",
            "2020-01-31",
            "2020-01-31 07:00:00+00",
            "00000000-0000-0000-0000-000000000001",
            '{"a": 1}',
            "true",
            "ab ",
            "0.5",
            "{1,2}",
            None,
        )
    ]


@pytest.mark.postgres
def test_a_postgresql_query_keeps_its_order(people):
    """Rows are numbered as the query returns them; a repeated name is renamed with a note."""
    table = scan(SqlSource(people, "SELECT id, id FROM public.people ORDER BY id DESC"))
    assert table.header.names == ("id", "id (2)")
    assert cells(table)[0] == (0, 2999, 2999)


@pytest.mark.postgres
@pytest.mark.parametrize(
    "query", ["absent", "DELETE FROM people", "WITH d AS (DELETE FROM people RETURNING id) SELECT * FROM d"]
)
def test_postgresql_is_never_written_to(people, query):
    """The query stands in a read-only transaction and must be a SELECT."""
    with pytest.raises(SourceError, match="SQL state"):
        scan(SqlSource(people, query))
    assert scan(SqlSource(people, "people")).header.n_rows == 3000


@pytest.mark.postgres
def test_an_unreachable_server_is_named_without_its_url(people):
    """Nothing of the url is repeated."""
    with pytest.raises(SourceError, match="PostgreSQL must accept") as caught:
        scan(SqlSource("postgresql://secretuser@127.0.0.1:1/base", "t"))
    assert "secretuser" not in str(caught.value)

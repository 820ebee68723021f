"""Names for draft tables, held by folders beside a database in a file; `tests/app/test_publication.py` kills the holders."""

import sqlite3
from contextlib import closing

import pytest

from sfumato.engine.duckdb import draft_table
from sfumato.engine.duckdb.draft_table import hold_draft
from sfumato.engine.folders import new_folder
from sfumato.table.source import SqlSink

ENDS = {"prefix": ".sfumato-", "suffix": ".table"}


@pytest.fixture
def base(tmp_path):
    return tmp_path / "base.db"


def sink(base):
    return SqlSink(f"sqlite:///{base}", "people")


def made(base, name):
    with closing(sqlite3.connect(base)) as database:
        database.execute(f"CREATE TABLE {name} (a INTEGER)")
        database.commit()


def tables(base):
    with closing(sqlite3.connect(base)) as database:
        return [name for (name,) in database.execute("SELECT name FROM sqlite_master")]


def abandoned(base, database=None):
    """The draft of a holder that is gone: its folder is there, and nobody has the lock."""
    folder = new_folder(base.parent, **ENDS)
    if database is not None:
        (folder.path / "database").write_text(database, encoding="utf-8")
    made(base, name := f"sfumato_draft_{folder.path.name[len('.sfumato-') : -len('.table')]}")
    folder.release()
    return name


def test_a_hold_is_a_folder_of_the_same_name_until_it_is_released(base):
    held = hold_draft(sink(base))
    (folder,) = base.parent.glob(".sfumato-*.table")
    assert held.name == f"sfumato_draft_{folder.name[9:-6]}"
    held.release()
    assert not list(base.parent.iterdir())


def test_a_draft_that_is_held_stays_and_one_that_nobody_holds_goes(base):
    held = hold_draft(sink(base))
    made(base, held.name)
    assert tables(base) == [held.name]
    gone = abandoned(base, base.name)
    hold_draft(sink(base)).release()
    assert (gone not in tables(base), held.name in tables(base)) == (True, True)
    held.release()


def test_a_holder_that_was_killed_before_it_named_its_database_leaves_nothing(base):
    name = abandoned(base)
    hold_draft(sink(base)).release()
    assert (name in tables(base), list(base.parent.glob(".sfumato-*"))) == (False, [])


def test_the_draft_of_another_database_in_the_folder_stays(base):
    name = abandoned(base, "other.db")
    hold_draft(sink(base)).release()
    assert (tables(base), len(list(base.parent.glob(".sfumato-*")))) == ([name], 1)


def test_a_draft_that_cannot_be_dropped_keeps_its_folder(base, monkeypatch):
    abandoned(base, base.name)

    def fails(*_):
        raise draft_table.SourceError("No.", "none.")

    monkeypatch.setattr(draft_table, "drop_table", fails)
    hold_draft(sink(base)).release()
    assert len(list(base.parent.glob(".sfumato-*"))) == 1


def test_where_no_folder_may_be_made_a_draft_has_a_name_without_a_hold(tmp_path):
    held = hold_draft(sink(tmp_path / "nowhere" / "base.db"))
    held.release()
    assert len(held.name) == len("sfumato_draft_") + 16

"""Private connections and their folders."""

import gc

import pytest

from sfumato.engine.duckdb.connect import open_workspace


def test_the_folder_vanishes_with_the_connection():
    """Nothing of the table stays on disk."""
    space = open_workspace()
    folder = space.folder
    assert folder.is_dir()
    assert folder.stat().st_mode & 0o077 == 0
    del space
    gc.collect()
    assert not folder.exists()


def test_two_workspaces_share_nothing():
    """A table of one is unknown in the other."""
    first, second = open_workspace(), open_workspace()
    first.connection.execute("CREATE TABLE t AS SELECT 1")
    assert second.connection.sql("SHOW TABLES").fetchall() == []


def test_python_variables_are_no_tables():
    """A name in a query never finds a variable of the program."""
    secret = [1, 2, 3]
    with pytest.raises(Exception, match="secret"):
        open_workspace().connection.sql("SELECT * FROM secret")
    assert secret


def test_limits_are_set():
    """Memory and threads are as asked."""
    connection = open_workspace(memory_limit="1GB", threads=1).connection
    found = connection.sql("SELECT current_setting('memory_limit'), current_setting('threads')").fetchall()
    assert found == [("953.6 MiB", 1)]

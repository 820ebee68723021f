"""Ledgers in both databases."""

from uuid import uuid4

import pytest

from sfumato.account.budget import Budget
from sfumato.account.ledger.ledger import Ledger
from sfumato.table.unit import Neighbors, Unit

PERSONS = Unit.row(Neighbors.ADD_REMOVE)


@pytest.fixture
def sqlite_url(tmp_path):
    """Where an SQLite ledger may be made."""
    return f"sqlite:///{tmp_path}/ledger.db"


@pytest.fixture
def postgres_url(postgres):
    """Where a PostgreSQL ledger may be made: a schema of its own."""
    psycopg = pytest.importorskip("psycopg")
    name = f"ledger_{uuid4().hex}"
    with psycopg.connect(postgres) as base:
        base.execute(f"CREATE SCHEMA {name}")
    yield f"{postgres}?options=-csearch_path%3D{name}"
    with psycopg.connect(postgres) as base:
        base.execute(f"DROP SCHEMA {name} CASCADE")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request):
    """Both databases in turn."""
    return request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")


@pytest.fixture
def ledger(url):
    """A ledger with one data set of budget 1 and two analysts, ada of 1 and bob of 1/2."""
    with Ledger.open(url, create=True) as opened:
        opened.open_dataset("census", PERSONS, Budget.pure(1), create=True)
        opened.open_analyst("census", "ada", Budget.pure(1))
        opened.open_analyst("census", "bob", Budget.pure("1/2"))
        yield opened


@pytest.fixture
def execute(url):
    """Run SQL behind the ledger's back."""

    def run(*statements):
        if url.startswith("sqlite"):
            import sqlite3

            base = sqlite3.connect(url.removeprefix("sqlite:///"))
        else:
            base = pytest.importorskip("psycopg").connect(url)
        try:
            rows = [base.execute(statement) for statement in statements][-1]
            found = rows.fetchall() if rows.description else []
            base.commit()
            return found
        finally:
            base.close()

    return run


@pytest.fixture
def unguard(url, execute):
    """Remove the triggers, as somebody with rights to the database can."""

    def run():
        names = ["no_update", "no_delete", "in_order"]
        of = "" if url.startswith("sqlite") else " ON sfumato_ledger_entries"
        execute(*(f"DROP TRIGGER sfumato_ledger_{name}{of}" for name in names))

    return run

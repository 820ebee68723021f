"""The server: durable whatever its defaults, and connected again when it was away."""

from fractions import Fraction

import pytest
from tests.postgres_server import binaries, private_server

from sfumato.account.budget import Budget
from sfumato.account.event import PureDP
from sfumato.account.ledger.ledger import Ledger
from sfumato.errors import LedgerError
from sfumato.table.unit import Neighbors, Unit

TENTH = PureDP(Fraction(1, 10))
psycopg = pytest.importorskip("psycopg")


@pytest.fixture
def opened(postgres_url):
    """A ledger with a data set and an analyst."""
    with Ledger.open(postgres_url, create=True, patience=0.3) as ledger:
        ledger.open_dataset("d", Unit.row(Neighbors.ADD_REMOVE), Budget.pure(1), create=True)
        ledger.open_analyst("d", "a", Budget.pure(1))
        yield ledger


@pytest.mark.parametrize("url", ["postgresql://u:secret@h/d", "postgresql://h/d?password=secret"])
def test_a_url_holds_no_password(url):
    with pytest.raises(LedgerError, match="PGPASSWORD") as refused:
        Ledger.open(url, create=True)
    assert "secret" not in str(refused.value)


def test_a_server_that_does_not_answer():
    with pytest.raises(LedgerError, match="must answer"):
        Ledger.open("postgresql://postgres@127.0.0.1:1/postgres", patience=1)


def test_the_driver_is_named_when_it_is_missing(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(LedgerError, match=r"sfumato\[server\]"):
        Ledger.open("postgresql://h/d")


@pytest.mark.postgres
@pytest.mark.parametrize(("default", "used"), [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")])
def test_commits_are_synchronous_whatever_the_default_is(postgres_url, default, used):
    url = f"{postgres_url}%20-csynchronous_commit%3D{default}"
    with Ledger.open(url, create=True) as ledger, ledger._transactions.store.writing() as pages:
        assert pages.connection.execute("SHOW synchronous_commit").fetchone() == (used,)


@pytest.mark.postgres
def test_a_server_that_does_not_sync_is_refused():
    if binaries() is None:
        pytest.skip("no PostgreSQL server")
    with private_server("fsync=off") as server, pytest.raises(LedgerError, match="fsync"):
        Ledger.open(server.url)


@pytest.mark.postgres
def test_writers_take_turns_even_where_the_default_is_serializable(postgres_url):
    url = f"{postgres_url}%20-cdefault_transaction_isolation%3Dserializable"
    with Ledger.open(url, create=True) as one, Ledger.open(url, create=True) as two:
        one.open_dataset("d", Unit.row(Neighbors.ADD_REMOVE), Budget.pure(1), create=True)
        two.open_analyst("d", "a", Budget.pure(1))
        for i in range(5):
            one.charge("d", "a", f"one{i}", TENTH)
            two.charge("d", "a", f"two{i}", TENTH)
        assert one.statement("d").dataset.left == (0,)


@pytest.mark.postgres
def test_a_locked_ledger_says_so_and_charges_nothing(opened, postgres_url):
    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT * FROM sfumato_ledger FOR UPDATE")
        with pytest.raises(LedgerError, match=r"free within 0\.3 seconds"):
            opened.charge("d", "a", "q", TENTH)
    assert opened.charge("d", "a", "q", TENTH).sequence == 3


@pytest.mark.postgres
def test_a_connection_that_was_cut_is_made_again(opened, postgres_url):
    process = opened._transactions.store._connections.copy().popitem()[1].info.backend_pid
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", (process,))
    assert opened.charge("d", "a", "q", TENTH).sequence == 3


@pytest.mark.postgres
def test_a_writer_that_sleeps_in_its_turn_loses_it(opened, postgres_url):
    """Otherwise one frozen process would stop all others for good."""
    import time

    with pytest.raises(LedgerError, match="counted once"), opened._transactions.writing():
        time.sleep(0.8)
    assert opened.charge("d", "a", "q", TENTH).sequence == 3


@pytest.mark.postgres
def test_truncating_is_refused(opened, postgres_url):
    with psycopg.connect(postgres_url) as other, pytest.raises(psycopg.Error, match="append-only"):
        other.execute("TRUNCATE sfumato_ledger_entries")
    opened.verify()


@pytest.mark.postgres
def test_a_disabled_trigger_is_noticed(opened, postgres_url):
    with psycopg.connect(postgres_url) as other:
        other.execute("ALTER TABLE sfumato_ledger_entries DISABLE TRIGGER sfumato_ledger_no_truncate")
    with pytest.raises(LedgerError, match="triggers"):
        opened.verify()


@pytest.mark.postgres
def test_a_user_with_few_rights_is_enough(opened, postgres_url):
    """SELECT and INSERT on the list, and the right to lock the format row: no right to change or remove an entry."""
    schema = postgres_url.rpartition("%3D")[2]
    role = f"r_{schema}"
    with psycopg.connect(postgres_url) as owner:
        owner.execute(f"CREATE ROLE {role} LOGIN")
        owner.execute(f"GRANT USAGE ON SCHEMA {schema} TO {role}")
        owner.execute(f"GRANT SELECT ON sfumato_ledger, sfumato_ledger_entries TO {role}")
    narrow = postgres_url.replace("postgres@", f"{role}@")
    try:
        with Ledger.open(narrow) as ledger:
            with pytest.raises(LedgerError, match="right"):
                ledger.charge("d", "a", "q", TENTH)
            with psycopg.connect(postgres_url) as owner:
                owner.execute(f"GRANT UPDATE ON sfumato_ledger TO {role}")
                owner.execute(f"GRANT INSERT ON sfumato_ledger_entries TO {role}")
            assert ledger.charge("d", "a", "q", TENTH).sequence == 3
    finally:
        with psycopg.connect(postgres_url) as owner:
            owner.execute(f"DROP OWNED BY {role}")
            owner.execute(f"DROP ROLE {role}")

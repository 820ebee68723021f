"""The one file: durable, found at once when it is gone, refused when it is something else."""

import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest

from sfumato.account.budget import Budget
from sfumato.account.event import PureDP
from sfumato.account.ledger.ledger import Ledger
from sfumato.errors import BudgetExceeded, LedgerError
from sfumato.table.unit import Neighbors, Unit

PERSONS, TENTH = Unit.row(Neighbors.ADD_REMOVE), PureDP(Fraction(1, 10))


@pytest.fixture
def path(sqlite_url):
    """The file of the ledger."""
    return Path(sqlite_url.removeprefix("sqlite:///"))


@pytest.fixture
def opened(sqlite_url):
    """A ledger with a data set and an analyst."""
    ledger = Ledger.open(sqlite_url, create=True, patience=0.1)
    ledger.open_dataset("d", PERSONS, Budget.pure(1), create=True)
    ledger.open_analyst("d", "a", Budget.pure(1))
    return ledger


def test_every_commit_is_synced_with_its_folder(opened):
    for transaction in (opened._transactions.store.writing, opened._transactions.store.reading):
        with transaction() as pages:
            assert pages.connection.execute("PRAGMA synchronous").fetchone() == (3,)
            assert pages.connection.execute("PRAGMA fullfsync").fetchone() == (1,)


def test_between_transactions_a_copy_of_the_file_is_a_copy_of_everything(opened, path):
    opened.charge("d", "a", "q", TENTH)
    assert [file.name for file in path.parent.iterdir()] == ["ledger.db"]
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    assert Ledger.open(f"sqlite:///{copy}").verify() == opened.head()


def test_a_new_ledger_is_for_its_owner_alone_and_keeps_the_mode_it_is_given(opened, path, sqlite_url):
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o640)
    assert Ledger.open(sqlite_url, create=True).verify() == opened.head()
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_locked_ledger_says_so_and_charges_nothing(opened, path):
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerError, match=r"free within 0\.1 seconds"):
        opened.charge("d", "a", "q", TENTH)
    other.execute("ROLLBACK")
    other.close()
    assert opened.charge("d", "a", "q", TENTH).sequence == 3


def test_a_reader_that_does_not_go_away_undoes_the_commit(opened, path):
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM sfumato_ledger_entries").fetchall()
    with pytest.raises(LedgerError, match="free within"):
        opened.charge("d", "a", "q", TENTH)
    other.execute("ROLLBACK")
    other.close()
    assert opened.statement("d").charges == ()
    assert opened.charge("d", "a", "q", TENTH).sequence == 3


@pytest.mark.parametrize("trick", ["OR REPLACE", "OR IGNORE", ""])
@pytest.mark.parametrize("previous", ["x", "the last digest"])
def test_inserting_cannot_replace(opened, path, trick, previous):
    """SQLite removes what it replaces without asking the trigger on DELETE."""
    receipt = opened.charge("d", "a", "q", TENTH)
    base = sqlite3.connect(path, isolation_level=None)
    row = (3, receipt.digest if previous != "x" else "x", "body", "digest")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        base.execute(f"INSERT {trick} INTO sfumato_ledger_entries VALUES (?, ?, ?, ?)", row)
    base.close()
    opened.verify()


def test_a_removed_file_is_noticed_and_not_made_again(opened, path):
    path.unlink()
    with pytest.raises(LedgerError, match="CANTOPEN"):
        opened.charge("d", "a", "q", TENTH)
    assert not path.exists()


def test_a_file_put_back_from_yesterday_is_noticed(opened, path):
    yesterday = path.read_bytes()
    opened.charge("d", "a", "q", TENTH)
    path.write_bytes(yesterday)
    with pytest.raises(LedgerError, match="as it was written"):
        opened.charge("d", "a", "q2", TENTH)


def test_another_ledger_in_its_place_is_noticed(opened, path, tmp_path):
    other = Ledger.open(f"sqlite:///{tmp_path}/other.db", create=True)
    other.open_dataset("d", PERSONS, Budget.pure(100), create=True)
    other.open_analyst("d", "a", Budget.pure(100))
    (tmp_path / "other.db").replace(path)
    with pytest.raises(LedgerError, match="as it was written"):
        opened.charge("d", "a", "q", TENTH)


def test_a_relative_path_stays_where_it_was(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ledger = Ledger.open("sqlite:///here.db", create=True)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    ledger.open_dataset("d", PERSONS, Budget.pure(1), create=True)
    assert [file.name for file in tmp_path.rglob("*.db")] == ["here.db"]


def test_a_missing_folder_is_not_made(tmp_path):
    with pytest.raises(LedgerError, match="create the folder"):
        Ledger.open(f"sqlite:///{tmp_path}/no/ledger.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a b.db", "é%20#.db"])
def test_names_of_files_are_taken_as_they_are(tmp_path, name):
    Ledger.open(f"sqlite:///{tmp_path}/{name}", create=True)
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_other_files_are_left_alone(tmp_path):
    text = tmp_path / "text.db"
    text.write_text("no database at all, but long enough to be one of them" * 50)
    with pytest.raises(LedgerError, match="intact SQLite database"):
        Ledger.open(f"sqlite:///{text}")
    base = sqlite3.connect(tmp_path / "base.db")
    base.execute("CREATE TABLE patients (name TEXT)")
    base.close()
    before = (tmp_path / "base.db").read_bytes()
    with pytest.raises(LedgerError, match="other tables"):
        Ledger.open(f"sqlite:///{tmp_path}/base.db", create=True)
    assert (tmp_path / "base.db").read_bytes() == before
    with pytest.raises(LedgerError, match="readable and writable"):
        Ledger.open(f"sqlite:///{tmp_path}")


def test_no_value_of_the_caller_stands_in_a_failure(opened, path):
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(LedgerError) as failure:
        opened.charge("d", "a", "secret request", TENTH, note="secret note")
    assert "secret" not in str(failure.value)
    assert failure.value.__cause__ is None


def test_a_budget_of_nothing_admits_what_costs_nothing(tmp_path):
    ledger = Ledger.open(f"sqlite:///{tmp_path}/l.db", create=True)
    ledger.open_dataset("d", PERSONS, Budget.pure(0), create=True)
    ledger.open_analyst("d", "a", Budget.pure(0))
    assert ledger.charge("d", "a", "q", PureDP(Fraction(0))).left == (0,)
    with pytest.raises(BudgetExceeded):
        ledger.charge("d", "a", "q1", PureDP(Fraction(1, 10**40)))

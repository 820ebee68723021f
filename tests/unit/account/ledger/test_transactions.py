"""One transaction, and a state that knows what is committed and nothing else."""

import pytest

from sfumato.account.budget import Budget
from sfumato.account.ledger.entry import AnalystOpened, Answered
from sfumato.errors import LedgerError

EVE = AnalystOpened("census", "eve", Budget.pure(1), "")


def append_and_fail(ledger, error):
    with ledger._transactions.writing() as transaction:
        transaction.append(EVE)
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError(), SystemExit(1)])
def test_what_was_added_before_a_failure_is_gone(ledger, error):
    before = ledger.head()
    with pytest.raises(type(error)):
        append_and_fail(ledger, error)
    assert ledger.head() == before == ledger.verify()
    ledger.open_analyst("census", "eve", Budget.pure("1/3"))


def test_a_commit_that_fails_is_read_anew(ledger, monkeypatch):
    """The database refuses at the very end: the state must not believe the entry."""
    from contextlib import contextmanager

    before, store = ledger.head(), ledger._transactions.store

    @contextmanager
    def failing():
        with store.reading() as pages:
            yield type("Pages", (), {"since": pages.since, "append": lambda _, link: None})()
        raise LedgerError("It failed.", "try again.")

    broken = type("Store", (), {"writing": lambda _: failing(), "reading": lambda _: store.reading()})()
    ledger._transactions.store = broken
    with pytest.raises(LedgerError, match="failed"):
        ledger.open_analyst("census", "eve", Budget.pure(1))
    ledger._transactions.store = store
    assert ledger.head() == before
    ledger.open_analyst("census", "eve", Budget.pure("1/3"))
    ledger.verify()


def append(ledger, entry):
    with ledger._transactions.writing() as transaction:
        transaction.append(entry)


def test_an_entry_that_reading_would_refuse_is_not_written(ledger):
    before = ledger.head()
    for entry in (AnalystOpened("nothing", "x", Budget.pure(1), ""), Answered("not charged", "5")):
        with pytest.raises(LedgerError):
            append(ledger, entry)
    assert ledger.verify() == before

"""A checkpoint saves reading and never changes what is counted, whoever wrote it, altered it, or did not know of it."""

import json
import os
import shutil
import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.account.budget import Budget
from sfumato.account.event import ApproxDP, PureDP
from sfumato.account.ledger.chain import GENESIS, Checkpoint, Head, seal
from sfumato.account.ledger.checkpoint import checkpoint_of, state_from
from sfumato.account.ledger.ledger import Ledger, Order, Scope
from sfumato.account.ledger.sqlite import SqlitePages, SqliteStore
from sfumato.account.ledger.state import LedgerState
from sfumato.account.ledger.transactions import APART
from sfumato.errors import BudgetExceeded, LedgerError, ParameterError
from sfumato.table.unit import OF_TABLES, Neighbors, Unit

PERSONS, TENTH = Unit.row(Neighbors.ADD_REMOVE), PureDP(Fraction(1, 10))
OLD = Path(__file__).parents[3] / "data" / "ledger" / "version-0.1.0.db"


def opened(url, apart=3):
    """A ledger that keeps checkpoints often."""
    ledger = Ledger.open(url, create=True)
    ledger._transactions.apart = apart
    return ledger


def whole(ledger):
    """The state by the list alone."""
    state = LedgerState()
    with ledger._transactions.reading() as transaction:
        for link in transaction.pages.since(1):
            state.read(link)
    return state


def kept(ledger):
    """The checkpoint on disk."""
    with ledger._transactions.reading() as transaction:
        return transaction.pages.checkpoint()


def put(ledger, checkpoint):
    """Another checkpoint on disk."""
    with ledger._transactions.store.writing() as pages:
        pages.keep(checkpoint)


def counted(state):
    """Everything that decides about the next charge."""
    return {
        key: (account.unit, account.budget, account.spent, account.immutable, account.sums)
        for key, account in state.accounts.items()
    }


def read_by(ledger, monkeypatch):
    """The ledger opened anew, with the number of entries that were read."""
    seen, real = [], LedgerState.read
    with monkeypatch.context() as patch:
        patch.setattr(LedgerState, "read", lambda self, *a: (seen.append(a), real(self, *a))[1])
        again = Ledger(ledger._transactions.store)
    return again, len(seen)


class OldPages(SqlitePages):
    """The list as a version sees it that knows no checkpoints."""

    def checkpoint(self):
        return None

    def keep(self, checkpoint):
        return False


class OldStore(SqliteStore):
    """A database that is used by such a version."""

    def writing(self):
        return self._seen(super().writing)

    def reading(self):
        return self._seen(super().reading)

    @staticmethod
    def _seen(transaction):
        from contextlib import contextmanager

        @contextmanager
        def seen():
            with transaction() as pages:
                yield OldPages(pages.connection)

        return seen()


@pytest.fixture
def census(url):
    """A ledger with checkpoints after every third entry: two analysts, eight charges, two answers."""
    with opened(url) as ledger:
        ledger.open_dataset("census", PERSONS, Budget.pure(2), create=True)
        ledger.open_analyst("census", "ada", Budget.pure(2))
        ledger.open_analyst("census", "bob", Budget.pure("1/2"))
        for i in range(8):
            scope = Scope("region", (f"r{i % 3}",)) if i % 2 else None
            ledger.charge("census", "ada", f"q{i}", TENTH, scope=scope, version="v")
        ledger.store_answer("q0", "first")
        ledger.charge("census", "bob", "last", TENTH)
        yield ledger


def test_a_short_ledger_has_none_and_a_long_one_is_read_from_the_newest(url, monkeypatch):
    with Ledger.open(url, create=True) as ledger:
        ledger.open_dataset("d", PERSONS, Budget.pure(10**6), create=True)
        ledger.open_analyst("d", "a", Budget.pure(10**6))
        ledger.charge_all("d", "a", [Order(f"q{i}", TENTH) for i in range(APART - 3)])
        assert kept(ledger) is None
        ledger.charge_all("d", "a", [Order(f"p{i}", TENTH) for i in range(3 * APART)])
        ledger.charge("d", "a", "one more", TENTH)
        point = kept(ledger)
        assert point.head.entries == 4 * APART - 1
        again, read = read_by(ledger, monkeypatch)
        assert read == 1
        assert again.charge("d", "a", "q7", TENTH) == ledger.charge("d", "a", "q7", TENTH)
        assert again.verify() == ledger.head()


def test_what_is_read_is_what_was_written(census):
    point = kept(census)
    assert point.head.entries >= 9
    again = state_from(point)
    assert checkpoint_of(again) == point
    assert counted(state_from(checkpoint_of(whole(census)))) == counted(whole(census))


def test_requests_and_answers_before_it_are_found(url, census, monkeypatch):
    again, read = read_by(census, monkeypatch)
    assert read < 5
    for i in range(8):
        scope = Scope("region", (f"r{i % 3}",)) if i % 2 else None
        receipt = again.charge("census", "ada", f"q{i}", TENTH, scope=scope, version="v")
        assert receipt == census.charge("census", "ada", f"q{i}", TENTH, scope=scope, version="v")
    with pytest.raises(LedgerError, match="one question"):
        again.charge("census", "bob", "q1", TENTH)
    assert (again.answer("q0"), again.answer("q1"), again.answer("nothing")) == ("first", None, None)
    assert again.store_answer("q0", "second") == "first"
    assert again.store_answer("q1", "later") == census.answer("q1") == "later"
    with pytest.raises(LedgerError, match="charge it first"):
        again.store_answer("nothing", "5")
    census.verify()


AWKWARD = ["x", 'x","scope":"', "y" * 500, "y" * 499 + "z", "ä\0\n😀", '"request":"x"', "\\", 'a\\"', "%", "_", "X"]


def test_names_of_requests_are_told_apart_whatever_they_hold(url):
    with opened(url, 1) as ledger:
        ledger.open_dataset("d", PERSONS, Budget.pure(10), create=True)
        ledger.open_analyst("d", "a", Budget.pure(10))
        receipts = {
            name: ledger.charge("d", "a", name, TENTH, note=f'"request":"{AWKWARD[i - 1]}"')
            for i, name in enumerate(AWKWARD)
        }
        ledger.store_answer(AWKWARD[2], '{"request":"x"}')
        with opened(url, 1) as again:
            assert {name: again.charge("d", "a", name, TENTH) for name in AWKWARD} == receipts
            assert [again.answer(name) is None for name in AWKWARD] == [i != 2 for i in range(len(AWKWARD))]
            assert again.verify() == ledger.head()


def altered(point, **changes):
    """The checkpoint with another state, sealed as somebody would who can read this file."""
    return Checkpoint.sealed(point.head, json.dumps(json.loads(point.state) | changes))


def cheaper(point):
    """Half of what the first account spent was never spent, by this."""
    data = json.loads(point.state)
    data["accounts"][0]["spent"] = ["1/10"]
    return altered(point, accounts=data["accounts"])


LIES = {
    "a digit": lambda p: Checkpoint(p.head, p.state.replace("1/10", "1/20", 1), p.digest),
    "half of it": lambda p: Checkpoint(p.head, p.state[: len(p.state) // 2], p.digest),
    "half of it, sealed": lambda p: Checkpoint.sealed(p.head, p.state[: len(p.state) // 2]),
    "nothing": lambda p: Checkpoint.sealed(p.head, ""),
    "a list": lambda p: Checkpoint.sealed(p.head, "[]"),
    "endless lists": lambda p: Checkpoint.sealed(p.head, "[" * 100_000),
    "no accounts": lambda p: altered(p, accounts=[{}]),
    "another seal": lambda p: Checkpoint(p.head, p.state, "0" * 64),
    "less was spent": cheaper,
    "less than nothing was spent": lambda p: Checkpoint.sealed(p.head, p.state.replace('"spent":["', '"spent":["-')),
    "a column has more than is spent": lambda p: Checkpoint.sealed(
        p.head, p.state.replace('"worst":"1/5"', '"worst":"9"')
    ),
    "another budget": lambda p: Checkpoint.sealed(p.head, p.state.replace('"limit":["2"]', '"limit":["3"]')),
    "another place": lambda p: Checkpoint(type(p.head)(p.head.entries - 1, p.head.digest), p.state, p.digest),
}


@pytest.mark.parametrize("lie", LIES)
def test_one_that_was_altered_is_not_believed_and_verify_says_where_it_lies(census, lie, monkeypatch):
    point = kept(census)
    wrong = LIES[lie](point)
    assert wrong != point
    put(census, wrong)
    again, read = read_by(census, monkeypatch)
    assert read == census.head().entries
    assert counted(again._transactions._state) == counted(whole(census))
    for ledger in (again, census):
        with pytest.raises(LedgerError, match=f"checkpoint after entry {wrong.head.entries} of the ledger"):
            ledger.verify()
    assert again.charge("census", "ada", "next", TENTH).left == census.charge("census", "ada", "next", TENTH).left
    again._transactions.apart = 1
    again.charge("census", "ada", "and next", TENTH)
    assert again.verify() == census.verify()


def test_one_that_agrees_with_itself_is_found_by_verify_and_by_whoever_reads_the_next_charge(census):
    """Whoever writes the database can write sums of parts that opening does not count again."""
    data = json.loads(kept(census).state)
    for account in data["accounts"][:2]:
        account["groups"][0]["sums"][0]["parts"] |= {"r0": "0"}
    put(census, altered(kept(census), accounts=data["accounts"]))
    forged = Ledger(census._transactions.store)
    with pytest.raises(LedgerError, match="checkpoint after entry"):
        forged.verify()
    forged.charge("census", "ada", "cheap", PureDP(Fraction(1, 5)), scope=Scope("region", ("r0",)), version="v")
    for look in (census.head, Ledger(census._transactions.store).verify):
        with pytest.raises(LedgerError, match="as it was written"):
            look()


def test_one_of_another_version_is_left_alone(census, monkeypatch):
    put(census, altered(kept(census), format="sfumato.checkpoint/9", accounts="who knows"))
    again, read = read_by(census, monkeypatch)
    assert read == again.verify().entries == census.head().entries


@pytest.mark.parametrize("is_sealed_again", [False, True])
def test_an_answer_before_it_that_was_edited_is_not_given(url, census, execute, unguard, is_sealed_again):
    census.charge("census", "ada", "to go on", TENTH)
    census._transactions.apart = 1
    census.charge("census", "ada", "to have one", TENTH)
    with census._transactions.reading() as transaction:
        link = transaction.pages.page(12)
    edited = seal(Head(11, link.previous), json.loads(link.body) | {"text": "forged"})
    unguard()
    digest = edited.digest if is_sealed_again else link.digest
    execute(f"UPDATE sfumato_ledger_entries SET body = '{edited.body}', digest = '{digest}' WHERE sequence = 12")
    with (
        Ledger.open(url) as again,
        pytest.raises(LedgerError, match="Entry 12 of the ledger must be as it was written"),
    ):
        again.answer("q0")


def test_one_that_is_newer_than_the_list_refuses_the_list(url, census, execute, unguard):
    with opened(url) as running:
        last = kept(census).head.entries
        unguard()
        execute(f"DELETE FROM sfumato_ledger_entries WHERE sequence >= {last}")
        with pytest.raises(LedgerError, match=f"must go through entry {last}, after which a checkpoint stands"):
            Ledger.open(url)
        with pytest.raises(LedgerError, match="as it was written"):
            running.charge("census", "ada", "next", TENTH)


def test_one_of_another_ledger_is_no_checkpoint_of_this_one(url, census, tmp_path):
    with opened(f"sqlite:///{tmp_path}/other.db") as other:
        other.open_dataset("census", PERSONS, Budget.pure(100), create=True)
        other.open_analyst("census", "ada", Budget.pure(100))
        other.charge("census", "ada", "q0", TENTH)
        put(census, kept(other))
    with pytest.raises(LedgerError, match="must go through entry 3"):
        Ledger.open(url)
    with pytest.raises(LedgerError, match="checkpoint after entry 3"):
        census.verify()


def test_without_its_table_or_index_everything_is_read_or_looked_through(url, census, execute, monkeypatch):
    execute("DROP INDEX sfumato_ledger_requests")
    with opened(url) as again:
        assert again.answer("q0") == "first"
        assert again.charge("census", "bob", "last", TENTH).sequence == 13
    execute("DROP TABLE sfumato_ledger_checkpoint")
    again, read = read_by(census, monkeypatch)
    assert read == census.verify().entries
    again._transactions.apart = 1
    again.charge("census", "ada", "next", TENTH)
    assert kept(census).head == again.verify()


def test_a_change_that_counts_again_reads_the_list_and_keeps_one_at_once(url, census, monkeypatch):
    census.declare_immutable("census", ["region"], reason="by law")
    assert kept(census).head == census.head()
    with opened(url) as other:
        other.change_budget("census", "bob", Budget.zcdp(1), reason="better")
        other.change_budget("census", None, Budget.pure(3), reason="more")
        assert counted(other._transactions._state) == counted(whole(other))
    again, read = read_by(census, monkeypatch)
    assert read == 0
    assert counted(again._transactions._state) == counted(whole(census))
    assert census.head() == again.verify()


def test_a_change_by_a_version_without_checkpoints_is_counted_again_too(sqlite_url, tmp_path):
    with opened(sqlite_url) as ledger:
        ledger.open_dataset("d", PERSONS, Budget.pure(5), create=True)
        ledger.open_analyst("d", "a", Budget.pure(5))
        for key in "abab":
            ledger.charge("d", "a", f"{key}{ledger.head().entries}", TENTH, scope=Scope("k", (key,)))
    running = opened(sqlite_url, 10**6)
    Ledger(OldStore(tmp_path / "ledger.db", 1.0)).declare_immutable("d", ["k"], reason="by law")
    assert running._transactions._state.base == 6
    for i, one in enumerate((running, Ledger.open(sqlite_url))):
        assert one.charge("d", "a", f"new {i}", TENTH).left == (Fraction(47 - i, 10),)  # ab ab cost 2/10 now
        assert counted(one._transactions._state) == counted(whole(one))


def test_a_ledger_of_version_0_1_0_gets_one_and_its_requests_stay_used(tmp_path, monkeypatch):
    shutil.copy(OLD, tmp_path / "old.db")
    with opened(f"sqlite:///{tmp_path}/old.db", 1) as ledger:
        head = ledger.head()
        assert kept(ledger) is None
        ledger.store_answer("unanswered", "late")
        again, read = read_by(ledger, monkeypatch)
        assert read == 0
        assert again.verify(head) == ledger.head()
        assert counted(again._transactions._state) == counted(whole(ledger))
        with pytest.raises(LedgerError, match=r"version 0\.1\.0"):
            again.charge("census", "ada", "north", PureDP(Fraction(1, 2)), scope=Scope("region", ("north",)))
        left = ledger.statement("people").dataset.left
        assert again.charge("people", "analyst", "new", TENTH).left == (left[0] - Fraction(1, 10),)
        again.verify(head)


def test_a_process_that_had_read_more_refuses_to_count_a_shorter_list_again(sqlite_url, tmp_path):
    """Counting again reads from the first entry, and must not forget what the process knew."""
    with opened(sqlite_url, 1) as ledger:
        ledger.open_dataset("d", PERSONS, Budget.pure(5), create=True)
        ledger.open_analyst("d", "a", Budget.pure(5))
        running = opened(sqlite_url, 1)
        yesterday = (tmp_path / "ledger.db").read_bytes()
        running.charge("d", "a", "q", TENTH)
        (tmp_path / "ledger.db").write_bytes(yesterday)
        with pytest.raises(LedgerError, match="as it was written"):
            running.change_budget("d", None, Budget.zcdp(5), reason="forget")


def test_a_process_that_met_a_damaged_entry_goes_on_refusing_the_list(sqlite_url):
    """It does not begin again at a checkpoint that the same hand may have written."""
    with opened(sqlite_url, 10**6) as running:
        running.open_dataset("d", PERSONS, Budget.pure(5), create=True)
        running.open_analyst("d", "a", Budget.pure(5))
        with opened(sqlite_url, 1) as other:
            other.charge("d", "a", "q0", TENTH)
            other.charge("d", "a", "q1", TENTH)
            forged = json.loads(kept(other).state)
            for account in forged["accounts"]:
                account |= {"spent": ["0"], "last": 0}
            put(other, altered(kept(other), accounts=forged["accounts"]))
        with opened(sqlite_url, 1) as deceived:
            assert deceived.charge("d", "a", "q2", TENTH).left == (Fraction(49, 10),)
        for _ in range(3):
            with pytest.raises(LedgerError, match="Entry 5 of the ledger"):
                running.charge("d", "a", "q3", TENTH)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_processes_that_keep_checkpoints_at_once_spend_what_there_is(url):
    with opened(url, 1) as ledger:
        ledger.open_dataset("d", PERSONS, Budget.pure(2), create=True)
        ledger.open_analyst("d", "a", Budget.pure(2))
    children = []
    for child in range(3):
        children.append(os.fork())
        if children[-1] == 0:
            try:
                for i in range(10):
                    with opened(url, 1) as mine:
                        try:
                            mine.charge("d", "a", f"{child} {i}", TENTH)
                        except BudgetExceeded:
                            continue
                os._exit(0)
            finally:
                os._exit(1)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 3
    with Ledger.open(url) as ledger:
        assert ledger.statement("d").dataset.left == (0,)
        assert kept(ledger).head == ledger.verify()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError()])
def test_a_transaction_that_fails_leaves_the_one_before(census, monkeypatch, error):
    before, point = census.head(), kept(census)
    monkeypatch.setattr("sfumato.account.ledger.transactions.checkpoint_of", lambda _: (_ for _ in ()).throw(error))
    census._transactions.apart = 1
    with pytest.raises(type(error)):
        census.charge("census", "ada", "next", TENTH)
    monkeypatch.undo()
    assert (census.head(), kept(census)) == (before, point)
    assert census.charge("census", "ada", "next", TENTH).sequence == before.entries + 1
    census.verify()


@pytest.mark.postgres
def test_who_may_not_keep_one_charges_all_the_same(postgres_url):
    psycopg = pytest.importorskip("psycopg")
    with opened(postgres_url, 10**6) as ledger:
        ledger.open_dataset("d", PERSONS, Budget.pure(1), create=True)
        ledger.open_analyst("d", "a", Budget.pure(1))
    schema = postgres_url.rpartition("%3D")[2]
    role = f"r_{schema}"
    with psycopg.connect(postgres_url) as owner:
        owner.execute(f"CREATE ROLE {role} LOGIN")
        owner.execute(f"GRANT USAGE ON SCHEMA {schema} TO {role}")
        owner.execute(f"GRANT SELECT, UPDATE ON sfumato_ledger TO {role}")
        owner.execute(f"GRANT SELECT, INSERT ON sfumato_ledger_entries TO {role}")
    narrow = postgres_url.replace("postgres@", f"{role}@")
    try:
        for i in range(3):
            with opened(narrow, 1) as user:
                assert user.charge("d", "a", f"q{i}", TENTH).sequence == 3 + 2 * i
                assert (kept(user) is None, user.verify()) == (True, user.head())
            with opened(postgres_url, 1 if i else 10**6) as ledger:
                ledger.charge("d", "a", f"owner {i}", TENTH)
    finally:
        with psycopg.connect(postgres_url) as owner:
            owner.execute(f"DROP OWNED BY {role}")
            owner.execute(f"DROP ROLE {role}")


PRICES = st.one_of(
    st.fractions(min_value=0, max_value="1/2", max_denominator=12).map(PureDP),
    st.tuples(st.fractions(0, "1/2", max_denominator=7), st.fractions(0, "1/9", max_denominator=9)).map(
        lambda pair: ApproxDP(*pair)
    ),
)
SCOPES = st.one_of(
    st.none(),
    st.tuples(st.sampled_from("kl"), st.sets(st.sampled_from("abcdefghi"), min_size=1)).map(
        lambda pair: Scope(pair[0], tuple(pair[1]))
    ),
)
CHARGES = st.tuples(
    st.just("charge"), st.sampled_from(["ada", "bob"]), st.integers(0, 12).map("q{}".format), PRICES, SCOPES,
    st.sampled_from([None, "v", "w"]),
)  # fmt: skip
STEPS = st.one_of(
    CHARGES,
    CHARGES,
    CHARGES,
    st.tuples(st.just("answer"), st.integers(0, 12).map("q{}".format)),
    st.tuples(st.just("budget"), st.sampled_from([None, "ada", "bob"]), st.sampled_from(
        [Budget.pure(2), Budget.approx(3, "1/2"), Budget.zcdp(4), Budget.renyi(3, 5)])),
    st.tuples(st.just("immutable"), st.sets(st.sampled_from("kl"))),
)  # fmt: skip


def done(ledger, step):
    """What a step returns, or how it is refused."""
    try:
        match step:
            case ("charge", analyst, request, event, scope, version):
                return ledger.charge("d", analyst, request, event, scope=scope, version=version)
            case ("answer", request):
                return ledger.store_answer(request, f"{ledger.head().entries}")
            case ("budget", analyst, budget):
                return ledger.change_budget("d", analyst, budget, reason="r")
            case ("immutable", columns):
                return ledger.declare_immutable("d", columns, reason="r")
    except (LedgerError, BudgetExceeded, ParameterError) as error:
        return type(error), str(error)


@given(
    steps=st.lists(st.tuples(STEPS, st.sampled_from(["keeps", "keeps anew", "old", "altered"])), max_size=25),
    apart=st.integers(1, 4),
    neighbors=st.sampled_from(OF_TABLES),
)
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
def test_any_sequence_is_counted_alike_with_and_without_checkpoints(tmp_path_factory, steps, apart, neighbors):
    """The slow twin reads everything; among those who keep checkpoints is a version that knows of none."""
    folder = tmp_path_factory.mktemp("checkpoints")
    slow, url = Ledger(OldStore.open(folder / "slow.db", create=True, patience=5.0)), f"sqlite:///{folder}/quick.db"
    old, quick = None, opened(url, apart)
    for ledger in (slow, quick):
        ledger.open_dataset("d", Unit.row(neighbors), Budget.approx(2, "1/3"), create=True)
        ledger.open_analyst("d", "ada", Budget.approx(2, "1/4"))
        ledger.open_analyst("d", "bob", Budget.pure(1))
    for step, who in steps:
        if who == "old":
            old = old or Ledger(OldStore(folder / "quick.db", 5.0))
        elif who != "keeps":
            if who == "altered" and kept(quick):
                put(quick, Checkpoint(kept(quick).head, kept(quick).state, "0" * 64))
            quick = opened(url, apart)
        assert done(old if who == "old" else quick, step) == done(slow, step)
    again, _ = Ledger.open(url), quick.head()
    assert counted(again._transactions._state) == counted(quick._transactions._state) == counted(whole(slow))
    assert again.head() == slow.verify()
    assert again.statement("d") == slow.statement("d")
    if not any(who == "altered" for _, who in steps):
        assert again.verify(GENESIS) == slow.head()


def test_the_file_stays_one_and_small(tmp_path):
    """Each checkpoint takes the place of the one before."""
    with opened(f"sqlite:///{tmp_path}/ledger.db", 1) as ledger:
        ledger.open_dataset("d", PERSONS, Budget.pure(100), create=True)
        ledger.open_analyst("d", "a", Budget.pure(100))
        for i in range(30):
            ledger.charge("d", "a", f"q{i}", TENTH)
        base = sqlite3.connect(tmp_path / "ledger.db")
        assert base.execute("SELECT sequence FROM sfumato_ledger_checkpoint").fetchall() == [(ledger.head().entries,)]
        base.close()
    assert [file.name for file in tmp_path.iterdir()] == ["ledger.db"]

"""What every ledger promises, in both databases."""

import os
import threading
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.account.budget import Budget
from sfumato.account.event import ApproxDP, Composed, DiscreteGaussianNoise, DiscreteLaplaceNoise, PureDP
from sfumato.account.ledger.chain import GENESIS, Head
from sfumato.account.ledger.ledger import Ledger, Scope
from sfumato.errors import BudgetExceeded, LedgerError, ParameterError
from sfumato.table.unit import Neighbors, Unit

TENTH = PureDP(Fraction(1, 10))
PERSONS = Unit.row(Neighbors.ADD_REMOVE)


def spent(ledger, dataset="census"):
    return ledger.statement(dataset).dataset.spent


def test_a_tenth_fits_ten_times_in_one_and_not_eleven_times(ledger):
    for i in range(10):
        receipt = ledger.charge("census", "ada", f"q{i}", TENTH)
    assert receipt.left == (0,)
    assert receipt.analyst_left == (0,)
    with pytest.raises(BudgetExceeded):
        ledger.charge("census", "ada", "q10", TENTH)
    with pytest.raises(BudgetExceeded):
        ledger.charge("census", "ada", "q11", PureDP(Fraction(1, 10**30)))
    assert spent(ledger) == (1,)


def test_thirds_add_up_exactly(url):
    with Ledger.open(url, create=True) as ledger:
        ledger.open_dataset("d", PERSONS, Budget.pure(1), create=True)
        ledger.open_analyst("d", "a", Budget.pure(1))
        for i in range(3):
            left = ledger.charge("d", "a", f"q{i}", PureDP(Fraction(1, 3))).left
        assert left == (0,)


def test_a_request_is_counted_once_and_gets_its_first_receipt(ledger):
    first = ledger.charge("census", "ada", "q", TENTH, note="first")
    ledger.charge("census", "bob", "other", TENTH)
    assert ledger.charge("census", "ada", "q", TENTH, note="another note") == first
    assert spent(ledger) == (Fraction(1, 5),)


def test_a_paid_request_is_repeated_when_nothing_is_left(ledger):
    first = ledger.charge("census", "ada", "q", PureDP(Fraction(1)))
    assert ledger.charge("census", "ada", "q", PureDP(Fraction(1))) == first


@pytest.mark.parametrize(
    "changed",
    [{"event": PureDP(Fraction(1, 100))}, {"event": ApproxDP(Fraction(1, 10), Fraction(0))}, {"analyst": "bob"},
     {"dataset": "other"}, {"scope": Scope("sex", ("F",))}],
)  # fmt: skip
def test_a_request_names_one_question(ledger, changed):
    ledger.open_dataset("other", PERSONS, Budget.pure(1), create=True)
    ledger.open_analyst("other", "ada", Budget.pure(1))
    asked = {"dataset": "census", "analyst": "ada", "request": "q", "event": TENTH}
    ledger.charge(**asked)
    with pytest.raises(LedgerError, match="one question"):
        ledger.charge(**asked | changed)
    assert spent(ledger) == (Fraction(1, 10),)
    assert spent(ledger, "other") == (0,)


def test_a_refusal_says_budget_spent_asked_left_and_records_nothing(ledger):
    ledger.charge("census", "ada", "q0", PureDP(Fraction(2, 3)))
    before = ledger.head()
    with pytest.raises(BudgetExceeded) as refused:
        ledger.charge("census", "ada", "q1", PureDP(Fraction(1, 2)))
    message = str(refused.value)
    for part in ("'census'", "budget 1", "spent 0.666667 (2/3)", "asked 0.5 (1/2)", "left 0.333333 (1/3)", "Remedy"):
        assert part in message
    assert ledger.head() == before
    ledger.charge("census", "ada", "q1", PureDP(Fraction(1, 3)))


def test_both_the_data_set_and_the_analyst_must_afford_it(ledger):
    ledger.charge("census", "bob", "b0", PureDP(Fraction(1, 2)))
    with pytest.raises(BudgetExceeded, match="analyst 'bob'"):
        ledger.charge("census", "bob", "b1", TENTH)
    ledger.charge("census", "ada", "a0", PureDP(Fraction(2, 5)))
    with pytest.raises(BudgetExceeded, match="data set 'census'"):
        ledger.charge("census", "ada", "a1", PureDP(Fraction(1, 5)))
    shown = ledger.statement("census")
    assert shown.dataset.spent == (Fraction(9, 10),)
    assert [(b.who, b.spent) for b in shown.analysts] == [("ada", (Fraction(2, 5),)), ("bob", (Fraction(1, 2),))]


def test_each_account_counts_in_its_own_measure(url):
    with Ledger.open(url, create=True) as ledger:
        ledger.open_dataset("d", PERSONS, Budget.zcdp("1/50"), create=True)
        ledger.open_analyst("d", "a", Budget.renyi(8, 1))
        receipt = ledger.charge("d", "a", "q", DiscreteGaussianNoise(Fraction(50), Fraction(1)))
        assert (receipt.cost, receipt.left) == ((Fraction(1, 100),), (Fraction(1, 100),))
        assert receipt.analyst_cost == (Fraction(8, 100),)
        receipt = ledger.charge("d", "a", "laplace", DiscreteLaplaceNoise(Fraction(10), Fraction(1)))
        assert 0 < receipt.analyst_cost[0] < Fraction(1, 10)
        with pytest.raises(ParameterError, match="ApproxDP"):
            ledger.charge("d", "a", "q2", ApproxDP(Fraction(1, 10), Fraction(1, 10**6)))
        ledger.verify()


def test_delta_is_counted_too(url):
    with Ledger.open(url, create=True) as ledger:
        ledger.open_dataset("d", PERSONS, Budget.approx(10, "1e-6"), create=True)
        ledger.open_analyst("d", "a", Budget.approx(10, 0))
        with pytest.raises(BudgetExceeded, match="analyst"):
            ledger.charge("d", "a", "q", ApproxDP(Fraction(1), Fraction(1, 10**6)))
        assert ledger.charge("d", "a", "q", TENTH).left == (Fraction(99, 10), Fraction(1, 10**6))


def test_an_account_must_be_opened(ledger):
    with pytest.raises(LedgerError, match="there is none"):
        ledger.charge("census", "nobody", "q", TENTH)


@pytest.mark.parametrize(
    "use",
    [
        lambda ledger, name: ledger.open_dataset(name, PERSONS, Budget.pure(1)),
        lambda ledger, name: ledger.open_analyst(name, "ada", Budget.pure(1)),
        lambda ledger, name: ledger.change_budget(name, None, Budget.pure(2), reason="r"),
        lambda ledger, name: ledger.declare_immutable(name, ["sex"], reason="r"),
        lambda ledger, name: ledger.charge(name, "ada", "q", TENTH),
        lambda ledger, name: ledger.statement(name),
    ],
)
def test_a_misspelt_data_set_is_no_account_and_the_nearest_is_told(ledger, use):
    """A slip of the pen would be a full budget for data whose budget is spent."""
    ledger.open_dataset("patients", PERSONS, Budget.pure(1), create=True)
    before = ledger.head()
    with pytest.raises(
        LedgerError, match="'cenus' must have an account in this ledger; it knows 2, the nearest name is 'census'"
    ):
        use(ledger, "cenus")
    assert (ledger.head(), ledger.datasets()) == (before, ("census", "patients"))
    use(ledger, "census")


def test_opening_again_changes_nothing_or_is_refused(ledger):
    before = ledger.head()
    ledger.open_dataset("census", PERSONS, Budget.pure("1.0"))
    ledger.open_analyst("census", "bob", Budget.pure("0.5"))
    assert ledger.head() == before
    for budget in (Budget.pure(2), Budget.zcdp(1)):
        with pytest.raises(LedgerError, match="change_budget"):
            ledger.open_dataset("census", PERSONS, budget)
        with pytest.raises(LedgerError, match="change_budget"):
            ledger.open_analyst("census", "bob", budget)
    with pytest.raises(LedgerError, match="another unit"):
        ledger.open_dataset("census", Unit.row(Neighbors.REPLACE), Budget.pure(1))
    assert ledger.head() == before


def test_a_changed_budget_is_recorded_with_its_reason(ledger):
    ledger.charge("census", "ada", "q", PureDP(Fraction(1)))
    ledger.change_budget("census", None, Budget.pure("3/2"), reason="board of 3 May")
    ledger.change_budget("census", "ada", Budget.pure("5/4"), reason="asked for it")
    assert ledger.charge("census", "ada", "q2", PureDP(Fraction(1, 4))).left == (Fraction(1, 4),)
    ledger.open_dataset("census", PERSONS, Budget.pure("3/2"))
    ledger.change_budget("census", None, Budget.pure("1/2"), reason="too much")
    assert ledger.statement("census").dataset.left == (0,)
    with pytest.raises(BudgetExceeded):
        ledger.charge("census", "bob", "q3", TENTH)
    assert [c.reason for c in ledger.statement("census").changes] == ["board of 3 May", "asked for it", "too much"]
    with pytest.raises(ParameterError, match="reason"):
        ledger.change_budget("census", None, Budget.pure(9), reason=" ")
    ledger.verify()


def test_another_measure_counts_everything_again(ledger):
    ledger.charge("census", "ada", "q0", TENTH)
    ledger.charge("census", "ada", "q1", TENTH, scope=Scope("sex", ("F",)), version="v")
    ledger.charge("census", "ada", "q2", TENTH, scope=Scope("sex", ("M",)), version="v")
    ledger.change_budget("census", None, Budget.zcdp(1), reason="better composition")
    assert spent(ledger) == (Fraction(2, 200),)
    ledger.charge("census", "ada", "q3", TENTH)
    assert spent(ledger) == (Fraction(3, 200),)
    ledger.verify()


def test_a_measure_in_which_a_charge_has_no_cost_is_refused(url):
    with Ledger.open(url, create=True) as ledger:
        ledger.open_dataset("d", PERSONS, Budget.zcdp(1), create=True)
        ledger.open_analyst("d", "a", Budget.zcdp(1))
        ledger.charge("d", "a", "q", DiscreteGaussianNoise(Fraction(50), Fraction(1)))
        before = ledger.head()
        with pytest.raises(ParameterError, match="no cost"):
            ledger.change_budget("d", None, Budget.pure(1), reason="simpler")
        assert ledger.verify() == before


def test_disjoint_scopes_cost_the_worst_one(ledger):
    for key in ("north", "south", "east"):
        ledger.charge("census", "ada", key, PureDP(Fraction(3, 5)), scope=Scope("region", (key,)), version="v")
    assert spent(ledger) == (Fraction(3, 5),)
    with pytest.raises(BudgetExceeded):
        ledger.charge(
            "census", "ada", "two", PureDP(Fraction(1, 2)), scope=Scope("region", ("north", "west")), version="v"
        )
    assert ledger.charge("census", "ada", "all", PureDP(Fraction(2, 5))).left == (0,)
    ledger.charge("census", "ada", "west", PureDP(Fraction(3, 5)), scope=Scope("region", ("west",)), version="v")
    ledger.verify()


def test_replacing_a_row_touches_two_scopes(url):
    with Ledger.open(url, create=True) as ledger:
        ledger.open_dataset("d", Unit.row(Neighbors.REPLACE), Budget.pure(1), create=True)
        ledger.open_analyst("d", "a", Budget.pure(1))
        for key in ("north", "south", "east"):
            ledger.charge("d", "a", key, PureDP(Fraction(1, 2)), scope=Scope("region", (key,)), version="v")
        assert spent(ledger, "d") == (1,)


def test_scopes_give_no_discount_where_a_person_has_several_rows(url):
    with Ledger.open(url, create=True) as ledger:
        ledger.open_dataset("d", Unit(Neighbors.ADD_REMOVE, "patient", 3, 2), Budget.pure(1), create=True)
        ledger.open_analyst("d", "a", Budget.pure(1))
        for key in ("north", "south"):
            receipt = ledger.charge("d", "a", key, PureDP(Fraction(1, 2)), scope=Scope("region", (key,)), version="v")
        assert receipt.left == (0,)
        assert (
            ledger.charge(
                "d", "a", "north", PureDP(Fraction(1, 2)), scope=Scope("region", ("north",)), version="v"
            ).sequence
            == 3
        )
        ledger.verify()


def test_the_first_answer_is_the_answer(ledger):
    with pytest.raises(LedgerError, match="charge it first"):
        ledger.store_answer("q", "5")
    ledger.charge("census", "ada", "q", TENTH)
    assert ledger.answer("q") is None
    assert not ledger.statement("census").charges[0].answered
    assert ledger.store_answer("q", "5 \0 é 😀\n") == "5 \0 é 😀\n"
    assert ledger.store_answer("q", "6") == "5 \0 é 😀\n"
    assert ledger.answer("q") == "5 \0 é 😀\n"
    assert ledger.statement("census").charges[0].answered
    assert ledger.answer("unknown") is None
    assert spent(ledger) == (Fraction(1, 10),)


def test_an_interrupted_answer_is_finished_under_its_charge(url, ledger):
    ledger.charge("census", "ada", "q", PureDP(Fraction(1)))
    with Ledger.open(url, create=True) as later:
        assert later.answer("q") is None
        later.charge("census", "ada", "q", PureDP(Fraction(1)))
        assert later.store_answer("q", "7") == "7"
    assert ledger.charge("census", "ada", "q", PureDP(Fraction(1))).left == (0,)
    assert ledger.answer("q") == "7"


def test_another_process_sees_all_of_it(url, ledger):
    receipt = ledger.charge("census", "ada", "q", Composed((TENTH, TENTH)), scope=Scope("sex", ("F", "M")), note="é")
    ledger.store_answer("q", "text")
    with Ledger.open(url, create=False) as other:
        assert other.charge("census", "ada", "q", Composed((TENTH, TENTH)), scope=Scope("sex", ("M", "F"))) == receipt
        assert other.answer("q") == "text"
        assert other.head() == ledger.head() == other.verify(ledger.head())
        assert other.statement("census") == ledger.statement("census")


def test_two_ledgers_of_one_list_see_each_other_at_once(url, ledger):
    with Ledger.open(url, create=True) as other:
        for i in range(5):
            ledger.charge("census", "ada", f"a{i}", TENTH)
            other.charge("census", "bob", f"b{i}", TENTH)
        with pytest.raises(BudgetExceeded):
            ledger.charge("census", "ada", "last", TENTH)
        with pytest.raises(BudgetExceeded):
            other.charge("census", "ada", "last", TENTH)


def test_threads_share_a_ledger(ledger):
    refused = []

    def ask(name):
        for i in range(5):
            try:
                ledger.charge("census", "ada", f"{name}{i}", TENTH)
            except BudgetExceeded:
                refused.append(name)

    threads = [threading.Thread(target=ask, args=(f"t{i}",)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 5
    assert spent(ledger) == (1,)
    ledger.verify()


@pytest.mark.parametrize("name", ["", "x" * 201, "two\nlines", "bell\a", None, 7, "\ud800"])
def test_names_are_names(ledger, name):
    with pytest.raises(ParameterError, match="printable"):
        ledger.open_dataset(name, PERSONS, Budget.pure(1), create=True)
    with pytest.raises(ParameterError, match="printable"):
        ledger.open_analyst("census", name, Budget.pure(1))


@pytest.mark.parametrize("request_name", ["", "x" * 10_001, "\ud800", None])
def test_a_request_is_a_text(ledger, request_name):
    with pytest.raises(ParameterError):
        ledger.charge("census", "ada", request_name, TENTH)


@pytest.mark.parametrize("bad", [{"note": "\ud800"}, {"at": None}, {"event": "epsilon"}])
def test_a_charge_that_cannot_be_written_changes_nothing(ledger, bad):
    before = ledger.head()
    with pytest.raises(ParameterError):
        ledger.charge(**{"dataset": "census", "analyst": "ada", "request": "q", "event": TENTH} | bad)
    assert ledger.verify() == before
    ledger.charge("census", "ada", "q", TENTH)


@pytest.mark.parametrize(
    ("statement", "label"),
    [
        ("UPDATE sfumato_ledger_entries SET body = body WHERE sequence = 4", "edited"),
        ("DELETE FROM sfumato_ledger_entries WHERE sequence = 5", "removed"),
        ("INSERT INTO sfumato_ledger_entries VALUES (9, 'x', 'y', 'z')", "a gap"),
        ("INSERT INTO sfumato_ledger_entries VALUES (6, 'x', 'y', 'z')", "no chain"),
    ],
)
def test_the_tables_refuse_changes(ledger, execute, statement, label):
    ledger.charge("census", "ada", "q0", TENTH)
    ledger.charge("census", "ada", "q1", TENTH)
    before = ledger.head()
    with pytest.raises(Exception, match="append-only"):
        execute(statement)
    assert ledger.verify() == before, label


EDITS = {
    "a cost edited": "UPDATE sfumato_ledger_entries SET body = replace(body, '1/10', '1/99') WHERE sequence = 5",
    "an answer edited": "UPDATE sfumato_ledger_entries SET body = replace(body, 'forty', 'fifty') WHERE sequence = 6",
    "the budget edited": 'UPDATE sfumato_ledger_entries SET body = replace(body, \'"limit":["1"]\', \'"limit":["9"]\') WHERE sequence = 1',
    "a space added": "UPDATE sfumato_ledger_entries SET body = body || ' ' WHERE sequence = 6",
    "one removed": "DELETE FROM sfumato_ledger_entries WHERE sequence = 5",
    "the first removed": "DELETE FROM sfumato_ledger_entries WHERE sequence = 1",
    "renumbered": "UPDATE sfumato_ledger_entries SET sequence = 60 WHERE sequence = 6",
    "a digest edited": "UPDATE sfumato_ledger_entries SET digest = replace(digest, 'a', 'b') WHERE sequence = 4",
}


@pytest.mark.parametrize("edit", EDITS)
def test_changes_without_the_guards_are_found(url, ledger, execute, unguard, edit):
    for i in range(2):
        ledger.charge("census", "ada", f"q{i}", TENTH)
        if i == 1:
            ledger.store_answer("q1", "forty")
    ledger.charge("census", "ada", "q2", TENTH)
    unguard()
    with pytest.raises(LedgerError, match="triggers"):
        ledger.verify()
    execute(EDITS[edit])
    with pytest.raises(LedgerError, match="as it was written"):
        ledger.verify()
    with pytest.raises(LedgerError, match="as it was written"):
        Ledger.open(url, create=True)


def test_exchanged_entries_are_found(url, ledger, execute, unguard):
    ledger.charge("census", "ada", "q0", TENTH)
    ledger.charge("census", "ada", "q1", TENTH)
    unguard()
    table = "sfumato_ledger_entries"
    execute(f"UPDATE {table} SET sequence = 99 WHERE sequence = 4", f"UPDATE {table} SET sequence = 4 WHERE sequence = 5",
            f"UPDATE {table} SET sequence = 5 WHERE sequence = 99")  # fmt: skip
    with pytest.raises(LedgerError, match="as it was written"):
        ledger.verify()


def test_a_cut_end_is_found_by_whoever_had_read_it_and_by_a_kept_head(url, ledger, execute, unguard):
    ledger.charge("census", "ada", "q0", TENTH)
    ledger.charge("census", "ada", "q1", TENTH)
    kept = Head.parse(str(ledger.head()))
    unguard()
    execute("DELETE FROM sfumato_ledger_entries WHERE sequence = 5")
    with pytest.raises(LedgerError, match="as it was written"):
        ledger.charge("census", "ada", "q2", TENTH)
    for guard in ("no_update", "no_delete", "in_order"):
        on = "BEFORE UPDATE ON sfumato_ledger_entries"
        body = (
            "BEGIN SELECT 1; END"
            if url.startswith("sqlite")
            else "FOR EACH ROW EXECUTE FUNCTION sfumato_ledger_refuse()"
        )
        execute(f"CREATE TRIGGER sfumato_ledger_{guard} {on} {body}")
    with Ledger.open(url, create=True) as newcomer:
        newcomer.verify()  # a cut list is a list: only the kept head tells
        with pytest.raises(LedgerError, match="kept"):
            newcomer.verify(kept)


def test_a_list_that_was_rewritten_as_a_whole_is_found_by_a_kept_head(ledger, tmp_path):
    ledger.charge("census", "ada", "q0", TENTH)
    kept = ledger.head()
    forged = Ledger.open(f"sqlite:///{tmp_path}/forged.db", create=True)
    forged.open_dataset("census", PERSONS, Budget.pure(1), create=True)
    for name, budget in (("ada", "1"), ("bob", "1/2")):
        forged.open_analyst("census", name, Budget.pure(budget))
    forged.charge("census", "ada", "q0", PureDP(Fraction(1, 1000)))
    forged.verify()
    with pytest.raises(LedgerError, match="kept"):
        forged.verify(kept)
    assert ledger.verify(kept) == ledger.verify(GENESIS) == kept


def test_a_kept_head_stays_good_while_the_ledger_grows(ledger):
    kept = ledger.head()
    ledger.charge("census", "ada", "q0", TENTH)
    assert ledger.verify(kept).entries == kept.entries + 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_and_its_parent_go_on(ledger):
    ledger.charge("census", "ada", "before", TENTH)
    for i in range(2):
        child = os.fork()
        if child == 0:
            try:
                ledger.charge("census", "ada", f"child{i}", TENTH)
                os._exit(0)
            finally:
                os._exit(1)
        ledger.charge("census", "ada", f"parent{i}", TENTH)
        assert os.waitpid(child, 0)[1] == 0
    ledger.charge("census", "ada", "after", TENTH)
    assert spent(ledger) == (Fraction(6, 10),)
    ledger.verify()


def test_the_format_is_looked_at(url, ledger, execute):
    execute("UPDATE sfumato_ledger SET format = 'sfumato.ledger/2'")
    with pytest.raises(LedgerError, match="format"):
        Ledger.open(url, create=True)


def test_nothing_is_made_where_it_must_exist(url):
    with pytest.raises(LedgerError, match="must"):
        Ledger.open(url, create=False)


@pytest.mark.parametrize("url", ["", "ledger.db", "sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite:///a.db?x=1",
                                 "mysql://h/d", "duckdb:///a.db"])  # fmt: skip
def test_other_urls_are_refused(url):
    with pytest.raises(LedgerError, match="url"):
        Ledger.open(url, create=True)


def test_patience_is_positive(sqlite_url):
    with pytest.raises(ParameterError, match="patience"):
        Ledger.open(sqlite_url, create=True, patience=0)


PRICES = st.fractions(min_value=0, max_value=1, max_denominator=12)
SCOPES = st.one_of(st.none(), st.sets(st.sampled_from("abc"), min_size=1).map(lambda keys: Scope("k", tuple(keys))))
STEPS = st.lists(
    st.tuples(st.sampled_from(["q1", "q2", "q3", "q4", "q5", "q6"]), st.sampled_from(["ada", "bob"]), PRICES, SCOPES),
    max_size=10,
)


def worst_person(paid):
    """The slow twin of parallel composition: try each person that could exist."""
    return max((sum(p for p, scope in paid if scope is None or key in scope.keys) for key in "abcd"), default=0)


@given(steps=STEPS, reopen=st.integers(1, 10))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_sequence_of_charges_agrees_with_a_plain_list(tmp_path_factory, steps, reopen):
    url = f"sqlite:///{tmp_path_factory.mktemp('twin')}/ledger.db"
    ledger = Ledger.open(url, create=True)
    limits = {None: Fraction(1), "ada": Fraction(2, 3), "bob": Fraction(1, 2)}
    ledger.open_dataset("d", PERSONS, Budget.pure(1), create=True)
    for name in ("ada", "bob"):
        ledger.open_analyst("d", name, Budget.pure(limits[name]))
    twin = []
    for i, (request, analyst, price, scope) in enumerate(steps):
        if i % reopen == 0:
            ledger = Ledger.open(url, create=True)
        known = [(a, p, s) for r, a, p, s in twin if r == request]
        paid = {None: [(p, s) for _, _, p, s in twin], analyst: [(p, s) for _, a, p, s in twin if a == analyst]}
        fits = all(worst_person([*paid[who], (price, scope)]) <= limits[who] for who in (None, analyst))
        try:
            ledger.charge("d", analyst, request, PureDP(price), scope=scope, version="v")
        except LedgerError:
            assert known
            assert known != [(analyst, price, scope)]
        except BudgetExceeded:
            assert not known
            assert not fits
        else:
            assert known == [(analyst, price, scope)] or (not known and fits)
            if not known:
                twin.append((request, analyst, price, scope))
    shown = ledger.statement("d")
    assert shown.dataset.spent == (worst_person([(p, s) for _, _, p, s in twin]),)
    assert [(line.charge.request, line.charge.costs[0]) for line in shown.charges] == [(r, (p,)) for r, _, p, _ in twin]
    ledger.verify()

"""Processes that charge one ledger at once, and die: run as a program, because it forks.

race URL              eight processes, each asks for more than its share; prints every receipt
die URL ROUNDS        a process that charges and answers, killed at random times; prints what it had shown
serve URL             charges until the ledger fails; prints each receipt when it has it
"""

import json
import os
import random
import signal
import sys
import time
from fractions import Fraction

from sfumato.account.budget import Budget
from sfumato.account.event import PureDP
from sfumato.account.ledger.ledger import Ledger
from sfumato.errors import BudgetExceeded, LedgerError
from sfumato.table.unit import Neighbors, Unit

ASKERS, EACH, ADMITTED = 8, 20, 60
PRICE = PureDP(Fraction(1, ADMITTED))
SMALL = PureDP(Fraction(1, 10**6))


def prepare(url):
    """A data set of budget 1 with one analyst for each process."""
    ledger = Ledger.open(url, create=True)
    ledger.open_dataset("d", Unit.row(Neighbors.ADD_REMOVE), Budget.pure(1), create=True)
    for i in range(ASKERS):
        ledger.open_analyst("d", f"a{i}", Budget.pure(1))
    return ledger


def race(url):
    """Every process shares the ledger that was opened before the fork; half of the requests are asked by two."""
    ledger = prepare(url)
    reader, writer = os.pipe()
    children = [_forked(lambda i=i: _ask(ledger, i, writer)) for i in range(ASKERS)]
    os.close(writer)
    with os.fdopen(reader) as lines:
        sys.stdout.writelines(lines)
    return max(os.waitpid(child, 0)[1] for child in children)


def _ask(ledger, i, writer):
    """Ask; processes 2j and 2j + 1 ask the same questions as the same analyst."""
    for j in range(EACH):
        try:
            receipt = ledger.charge("d", f"a{i // 2}", f"q{i // 2}-{j}", PRICE)
            text = ledger.store_answer(f"q{i // 2}-{j}", f"by {i}")
            _show(writer, receipt, text)
        except BudgetExceeded:
            os.write(writer, b"refused\n")


def die(url, rounds):
    """Kill the child at a random moment after its first receipts; the next one starts with the last requests again."""
    chance, done = random.Random(3), 0  # noqa: S311 - when to kill
    prepare(url).close()
    for _ in range(rounds):
        reader, writer = os.pipe()
        child = _forked(lambda writer=writer, done=done: _serve(url, max(0, done - 2), writer))
        os.close(writer)
        first = os.read(reader, 1)
        time.sleep(chance.uniform(0, 0.12))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with os.fdopen(reader) as lines:
            shown = (first.decode() + lines.read()).splitlines(keepends=True)
        whole = [line for line in shown if line.endswith("\n")]
        sys.stdout.writelines(whole)
        done = max([done, *(int(json.loads(line)["request"][1:]) + 1 for line in whole)])
    return 0


def _serve(url, start, writer):
    """Charge and answer one request after the other."""
    ledger = Ledger.open(url, create=True)
    for i in range(start, 10**6):
        receipt = ledger.charge("d", "a0", f"r{i}", SMALL)
        _show(writer, receipt, None)
        _show(writer, receipt, ledger.store_answer(f"r{i}", f"by {os.getpid()}"))


def _show(writer, receipt, answer):
    """One line, small enough to be written whole."""
    line = {"sequence": receipt.sequence, "digest": receipt.digest, "request": receipt.request, "answer": answer}
    os.write(writer, (json.dumps(line) + "\n").encode())


def _forked(work):
    """The process id of a child that does the work."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except LedgerError as error:
            os.write(2, f"{error}\n".encode())
            os._exit(3)
        finally:
            os._exit(1)
    return child


if __name__ == "__main__":
    name, url, *rest = sys.argv[1:]
    if name == "serve":
        try:
            _serve(url, 0, 1)
        except LedgerError as error:
            sys.exit(f"{error}")
    sys.exit(race(url) if name == "race" else die(url, int(rest[0])))

"""How long does a ledger take to open? Charges without scope, with one key, and with overlapping lists of keys.

Every process that opens a ledger reads what stands after its checkpoint, and `verify` reads everything. Opening is shown at
its slowest, just before the next checkpoint is due, and must not grow with the ledger; reading everything must cost the
same for each entry, whatever stands before it. A charge is the first of a process that just opened the ledger, which also
waits for the disk: its processor time is shown. Rows are written in few transactions.

Run: python bench/ledger_opening.py [most charges of every kind] [most charges]
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from timing import median_of, write

from sfumato.account.budget import Budget
from sfumato.account.event import PureDP
from sfumato.account.ledger.ledger import Ledger, Order, Scope
from sfumato.account.ledger.transactions import APART
from sfumato.table.unit import OF_TABLES, Neighbors, Unit

KEYS = [f"k{i}" for i in range(40)]
SCOPES = {
    "none": lambda _: None,
    "one key": lambda i: Scope("k", (KEYS[i % 40],)),
    "6 of 40 keys": lambda i: Scope("k", tuple(KEYS[(i * 7 + j) % 40] for j in range(6))),
    "20 of 40 keys": lambda i: Scope("k", tuple(KEYS[(i * 7 + j) % 40] for j in range(20))),
}
LONG = (("none", Neighbors.ADD_REMOVE), ("6 of 40 keys", Neighbors.REPLACE))
"""The least and the most that one entry takes."""
PRICE = PureDP(Fraction(1, 10))


def fill(url, charges, scope, neighbors):
    """A ledger with so many charges, the last ones after its checkpoint."""
    with Ledger.open(url, create=True) as ledger:
        ledger.open_dataset("d", Unit.row(neighbors), Budget.pure(10**6), create=True)
        ledger.open_analyst("d", "a", Budget.pure(10**6))
        orders = [Order(f"q{i}", PRICE, scope(i), version="v") for i in range(charges)]
        for part in (orders[: 1 - APART], orders[1 - APART :]):
            ledger.charge_all("d", "a", part)


def measured(charges, kind, neighbors):
    """One row of the answer."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder)}/ledger.db"
        fill(url, charges, SCOPES[kind], neighbors)
        took = median_of(lambda: Ledger.open(url), 5)
        with Ledger.open(url) as ledger:
            charge = median_of(
                lambda: ledger.charge("d", "a", "one more", PRICE, scope=SCOPES[kind](3), version="v"), 1
            )
            whole = median_of(ledger.verify, 1)
    row = {"neighbors": neighbors.value, "scope": kind, "charges": charges, **took, "charge_cpu_s": charge["cpu_s"]}
    return row | {"verify_cpu_s": whole["cpu_s"], "verify_ms_each": 1000 * whole["cpu_s"] / charges}


def main(most, longest):
    """Seconds to open, to charge and to verify, by kind of scope, neighbors and number of charges."""
    kinds = [(n, kind, neighbors) for neighbors in OF_TABLES for kind in SCOPES for n in (most // 4, most)]
    rows = [measured(*kind) for kind in (*kinds, *((longest, *kind) for kind in LONG))]
    write("ledger_opening", rows, runs=5)


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    main(*given, *(2000, 100_000)[len(given) :])

"""How long does a ledger take to open? Charges without scope, with one key, and with overlapping lists of keys.

A ledger is read and checked from its first entry by every process that opens it. Each entry must cost the same, whatever
stands before it: so seconds a charge are shown for growing ledgers. Rows are written in one transaction; charging one by
one waits for the disk at each.

Run: python bench/ledger_opening.py [most charges]
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
from sfumato.table.unit import OF_TABLES, Unit

KEYS = [f"k{i}" for i in range(40)]
SCOPES = {
    "none": lambda _: None,
    "one key": lambda i: Scope("k", (KEYS[i % 40],)),
    "6 of 40 keys": lambda i: Scope("k", tuple(KEYS[(i * 7 + j) % 40] for j in range(6))),
    "20 of 40 keys": lambda i: Scope("k", tuple(KEYS[(i * 7 + j) % 40] for j in range(20))),
}


def ledger_of(url, charges, scope, neighbors):
    """A ledger with so many charges."""
    with Ledger.open(url, create=True) as ledger:
        ledger.open_dataset("d", Unit.row(neighbors), Budget.pure(10**6))
        ledger.open_analyst("d", "a", Budget.pure(10**6))
        price = PureDP(Fraction(1, 10))
        ledger.charge_all("d", "a", [Order(f"q{i}", price, scope(i), version="v") for i in range(charges)])


def main(most):
    """Seconds to open, by kind of scope, neighbors and number of charges."""
    rows = []
    for neighbors in OF_TABLES:
        for name, scope in SCOPES.items():
            for charges in (most // 4, most):
                with TemporaryDirectory() as folder:
                    url = f"sqlite:///{Path(folder)}/ledger.db"
                    ledger_of(url, charges, scope, neighbors)
                    took = median_of(lambda url=url: Ledger.open(url), 3)
                each = 1000 * took["cpu_s"] / charges
                rows.append({"neighbors": neighbors.value, "scope": name, "charges": charges, "ms_each": each, **took})
                print(f"{neighbors.value:14} {name:14} {charges:6} charges: {took['cpu_s']:.2f} s, {each:.3f} ms each")
    write("ledger_opening", rows, runs=3)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)

"""Parties of a joint publication in one process: cheap, and every message can be looked at or changed on its way."""

import numpy as np

from sfumato.document.together import HolderTable, TogetherDocument
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.mechanism.recode.decision import silent
from sfumato.noise.bits import SystemBits
from sfumato.release.plan_reader import plan_from
from sfumato.release.tools import Tools
from sfumato.table.source import FileSource
from sfumato.together.checks import Watch
from sfumato.together.hospital import Hospital
from sfumato.together.keys import new_identity
from sfumato.together.publisher import Publisher
from sfumato.together.releasing import write_release
from sfumato.together.table import read_held
from sfumato.together.terms import Terms, check_plan, digest_of

TOOLS = Tools(SystemBits(), lambda: 0.0, silent)
ENGINE = DuckDBEngine()
K = {"model": "k-anonymity", "k": 3}
L = {"model": "l-diversity", "kind": "distinct", "column": "illness", "l": 2}


def party(name, number):
    """A party whose keys follow from a number."""
    return new_identity(name, np.random.default_rng(number).bytes(64))


PUBLISHER = party("Press", 0)
NAMES = ("East", "North", "South")
HOLDERS = {name: party(name, i + 1) for i, name in enumerate(NAMES)}


def plan(folder, promises=(K,), method=None, *, output=(), **columns):
    """A plan of patients."""
    document = {
        "format": "sfumato.plan/1",
        "columns": {
            "name": {"role": "identifying"},
            "age": {"role": "quasi-identifying", "kind": "integer"},
            "zip": {"role": "quasi-identifying"},
            "illness": {"role": "sensitive"},
            "note": {"role": "insensitive"},
        }
        | columns,
        "promise": list(promises),
        "method": method or {"name": "mondrian"},
        "output": {"path": "release.csv", "result": "result.json", "suppressed": "drop", **dict(output)},
    }
    return plan_from(document, folder=folder)


def terms(one, holders=HOLDERS, values="afterwards", *, with_sums=False):
    """Terms that list their holders."""
    said = TogetherDocument(
        plan="plan.toml", holders=len(holders), values=values, publisher=PUBLISHER.card.fingerprint,
        holder=tuple(HolderTable(name=h.name, fingerprint=h.card.fingerprint) for h in holders.values()),
    )  # fmt: skip
    check_plan(one, with_sums=with_sums)
    return Terms(said, one, digest_of(said, one))


def patients(folder, n=90, seed=1, asked=None):
    """Three files of patients, and one of all of them; names of the files by holder."""
    rng = np.random.default_rng(seed)
    head = ["name", "age", "zip", "illness", "note"] + (["asked"] if asked else [])
    rows = []
    for i in range(n):
        cells = [f"P{i}", int(rng.integers(18, 60)), f"{rng.choice(['75', '69', '13'])}{rng.integers(3):03}",
                 str(rng.choice(["flu", "rheumatism", 'é,"x'])), "" if i % 7 == 0 else f"note-{i:05}"]  # fmt: skip
        rows.append([*cells, asked(i)] if asked else cells)
    for name, part in ({"all": rows} | {one: rows[i::3] for i, one in enumerate(NAMES)}).items():
        text = "\n".join(
            ",".join('"' + str(c).replace('"', '""') + '"' if c != "" else "" for c in row) for row in [head, *part]
        )
        (folder / f"{name}.csv").write_text(text + "\n", "utf-8")
    return {name: folder / f"{name}.csv" for name in NAMES}


class Shelf:
    """A store in memory."""

    def __init__(self):
        self.messages = {}

    def put(self, messages):
        """See `Store.put`."""
        keys = [(m.kind, m.sender, m.number) for m in messages]
        if any(self.messages.get(key, m).digest != m.digest for key, m in zip(keys, messages, strict=True)):
            return False
        self.messages |= {key: self.messages.get(key, m) for key, m in zip(keys, messages, strict=True)}
        return True

    def get(self, kind, sender, number):
        """See `Store.get`."""
        return self.messages.get((kind, sender, number))

    def listed(self, kind):
        """See `Store.listed`."""
        found = sorted((s, n) for k, s, n in self.messages if k is kind)
        return [(s, n, self.messages[kind, s, n].pieces, self.messages[kind, s, n].digest) for s, n in found]

    def costs(self):
        """See `Store.costs`."""
        together = sum(len(m.to_bytes()) for m in self.messages.values())
        return {name: (1, together) for _, name, _ in self.messages}


class Memory(dict):
    """What a holder said."""

    def put(self, name, raw):
        """See `Memory.put`."""
        self[name] = raw


class Board:
    """The line of one holder to the publisher; `twist` is what a dishonest publisher makes of an answer."""

    def __init__(self, publisher, me, twist=None):
        self.publisher, self.me, self.twist = publisher, me, twist
        self.received = 0

    def post(self, message):
        """See `Board.post`."""
        self.publisher.receive(message)

    def get(self, kind, sender, number):
        """See `Board.get`."""
        found = self.publisher.store.get(kind, sender or self.publisher.name, number)
        self.received += 0 if found is None else len(found.to_bytes())
        return found if self.twist is None or found is None else self.twist(self.me, found)


def publication(agreed, files, *, twist=None, watches=None, kind=Publisher, held=None):
    """A publisher and its holders, not begun."""
    publisher = kind(agreed, PUBLISHER, Shelf(), TOOLS, lambda one, rows: write_release(one, rows, ENGINE))
    publisher.invite(b"nonce" * 6)
    held = held or {name: read_held(FileSource(file), agreed, ENGINE, SystemBits()) for name, file in files.items()}
    holders = {
        name: Hospital(
            agreed,
            HOLDERS[name],
            held[name],
            Board(publisher, name, twist),
            Memory(),
            (watches or {}).get(name, Watch()),
        )
        for name in files
    }
    return publisher, holders


def carried_out(publisher, holders):
    """How it ended for each holder: `Done`, the error, or None where it waits for ever."""
    steps, ended = {name: one.steps() for name, one in holders.items()}, {}
    for _ in range(40):
        for name in [name for name in steps if name not in ended]:
            try:
                next(steps[name])
            except StopIteration as end:
                ended[name] = end.value
            except Exception as error:  # noqa: BLE001 - it is looked at
                ended[name] = error
        while publisher.advance():
            pass
        if len(ended) == len(steps):
            break
    return {name: ended.get(name) for name in steps}

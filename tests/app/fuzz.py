"""Read many absurd documents of every kind; `python -m tests.app.fuzz 2000 SEED [KIND …]` does it by hand."""

import contextlib
import io
import json
import random
import sys
import tempfile
import tomllib
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.app.documents import FILES, JSON, PREPARED, TOML
from tests.app.mutations import mutated, scrambled, toml

from sfumato.cli.main import commands
from sfumato.collect.settings import read_settings
from sfumato.errors import InternalError, SfumatoError

KINDS = (*TOML, *JSON)
_SCRAMBLED = 0.15
"""Share of documents whose text is changed, not what it says."""


@dataclass(frozen=True)
class Fault:
    """A document that was neither read nor refused in words: which, what was changed, and what came of it."""

    kind: str
    changed: str
    what: str
    trace: str


def prepared(folder):
    """Write the examples, and make those that commands make."""
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    for command in PREPARED:
        _quietly(command)


def example(kind):
    """The text of a right document, in the form in which it is changed."""
    if kind in TOML:
        return toml(tomllib.loads(TOML[kind].example))
    return (
        Path(JSON[kind].example).read_text("utf-8").splitlines()[0]
        if kind == "batches"
        else Path(JSON[kind].example).read_text("utf-8")
    )


def write(text):
    """Put a document where the commands read it."""
    for place in ("mutated", "mutated.json", "mutated.jsonl"):
        Path(place).write_text(text, "utf-8", "surrogatepass")


def changed(kind, rng):
    """Another text for the document, and what was changed."""
    text = example(kind)
    if rng.random() < _SCRAMBLED:
        return scrambled(text, rng), "its text"
    if kind in TOML:
        document, told = mutated(tomllib.loads(text), rng)
        return toml(document), told
    document, told = mutated(json.loads(text), rng)
    return json.dumps(document, default=str), told


def read(kind):
    """Do what a user would do with the document."""
    if kind == "server":
        read_settings(Path("mutated"))
    else:
        _quietly((TOML | JSON)[kind].command)


def faults(n, seed, kinds=KINDS):
    """The faults among n changed documents of the kinds in turn."""
    for i in range(n):
        kind = kinds[i % len(kinds)]
        text, told = changed(kind, random.Random(f"{seed} {i}"))  # noqa: S311
        write(text)
        try:
            read(kind)
        except SfumatoError as error:
            if isinstance(error, InternalError) or not error.problem.strip() or not error.remedy.strip():
                yield Fault(kind, told, str(error), traceback.format_exc())
        except Exception as error:  # noqa: BLE001
            yield Fault(kind, told, f"{type(error).__name__}: {error}", traceback.format_exc())


def _quietly(command):
    """Run a command; what it prints is not looked at, and a warning of numpy is a fault."""
    sink = io.StringIO()
    with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink), warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        commands(list(command), standalone_mode=False)


def by_hand(n, seed, kinds):
    """Print each kind of fault once."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        prepared(Path(folder))
        found = list(faults(n, seed, kinds or KINDS))
    last = Counter(fault.trace.splitlines()[-3] if "\n" in fault.trace else "" for fault in found)
    for place, times in last.most_common():
        one = next(fault for fault in found if fault.trace.splitlines()[-3] == place)
        sys.stdout.write(f"{times} x {one.kind}: {one.changed}\n{one.trace[-1200:]}\n")
    sys.stdout.write(f"{n} documents, {len(found)} faults at {len(last)} places\n")


if __name__ == "__main__":
    by_hand(int(sys.argv[1]), sys.argv[2], tuple(sys.argv[3:]))

"""Runs recorded cases in one process with the chance seeded, and tells everything that came of each command.

It uses the command line, documents and public Python names only, so that the same script runs on every state of the house.
"""

import base64
import contextlib
import gzip
import hashlib
import io
import itertools
import os
import re
import sqlite3
import sys
import uuid
from importlib.metadata import version
from pathlib import Path
from unittest.mock import patch

import numpy as np
from tests.golden.before import frames

import sfumato.noise.bits as chance
from sfumato.cli.main import main
from sfumato.report import progress

TEXTS = {".csv", ".json", ".jsonl", ".toml", ".html", ".svg", ".txt", ".db", ".sqlite"}
"""Files that are recorded whole; of all others the digest, and what they hold as far as a reader is at hand."""
LIBRARIES = ("duckdb", "numpy", "pyarrow", "openpyxl")
"""Their versions decide the bytes of Parquet, Arrow and Excel; bytes are compared where the versions are those of the record."""
_VERSION = re.compile(r'("(?:duckdb|numpy|python)": "|<dt>(?:duckdb|numpy|python)</dt><dd>)[0-9][0-9a-z.]*')


class Seeded:
    """One stream of words for all secure chance of a command, however it is cut into calls."""

    def __init__(self, seed):
        digest = hashlib.sha256(seed.encode()).digest()
        self._stream = np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "big")))

    def words(self, n):
        return self._stream.integers(0, 2**64, n, dtype=np.uint64)


@contextlib.contextmanager
def seeded(seed):
    """All secure chance, and names drawn at random, come from a seed; slow work prints no more than quick work."""
    stream, names = Seeded(seed), itertools.count()
    with (
        patch.object(chance.SystemBits, "words", lambda _, n: stream.words(n)),
        patch.object(progress, "_PLAIN", float("inf")),
        patch.object(uuid, "uuid4", lambda: uuid.UUID(int=next(names))),
    ):
        yield


def carry_out(case, folder, renamed=lambda _, words: words):
    """The outcome of a case in a folder: of each step what it printed and its exit code, and all files that it left.

    Args:
        case: {"name", "files", "steps"}; a step has "words" (a command line, or "python" and the name of a function of
            `frames`), and may "put" files first.
        folder: an empty folder.
        renamed: the words of a command line, or names of files, of a case as they are now.
    """
    put(folder, case["files"])
    steps = []
    for number, step in enumerate(case["steps"]):
        put(folder, {renamed(case["name"], [name])[0]: held for name, held in step.get("put", {}).items()})
        with contextlib.chdir(folder), seeded(f"{case['name']} {number}"):
            steps.append(ran(step["words"], lambda words: renamed(case["name"], words)))
    given = {**case["files"], **{name: text for step in case["steps"] for name, text in step.get("put", {}).items()}}
    left = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not (name in given and contents(given[name]) == path.read_bytes()):
            left[name] = told(path)
    return {"steps": steps, "files": left}


def put(folder, files):
    """Write the files of a case."""
    for name, held in files.items():
        (folder / name).write_bytes(contents(held))


def contents(held):
    """The bytes of a recorded file: text, or {"base64": …}."""
    return held.encode("utf-8", "surrogatepass") if isinstance(held, str) else base64.b64decode(held["base64"])


def ran(words, renamed):
    """What a command printed and its exit code."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogatepass", write_through=True) for _ in range(2))
    code, here = 0, os.getcwd()  # noqa: PTH109
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            if words[0] == "python":
                print(getattr(frames, words[1])(*words[2:]))  # noqa: T201
            else:
                with patch.object(sys, "argv", ["sfumato", *renamed(words)]):
                    main()
        except SystemExit as done:
            code = done.code or 0
    texts = [stream.buffer.getvalue().decode("utf-8", "surrogatepass").replace(here, "<here>") for stream in (out, err)]
    return {"code": code, "out": timeless(texts[0]), "err": texts[1]}


def told(path):
    """A file as it is compared: its text, or its digest and what it holds."""
    if path.suffix == ".db":
        return {"text": database(path)}
    data = path.read_bytes()
    try:
        if path.suffix in TEXTS:
            return {"text": timeless(data.decode("utf-8"))}
    except UnicodeDecodeError:
        pass
    return {"sha256": hashlib.sha256(data).hexdigest(), "text": held(path)}


def versions():
    """The versions of the libraries here."""
    return {name: version(name) for name in LIBRARIES}


def timeless(text):
    """A text without versions of libraries, and without the seconds of a sweep's points; no other document tells time."""
    text = _VERSION.sub(r"\1…", text)
    if "sfumato.sweep/1" in text:
        return re.sub(r'("seconds": )[0-9.e-]+', r"\1 0", text)
    lines = text.split("\n")
    if ",state,front,seconds," in lines[0]:
        at = lines[0].split(",").index("seconds")
        rows = [line.split(",") for line in lines[1:]]
        lines[1:] = [",".join([*row[:at], *row[at + 1 :]]) for row in rows]
    return "\n".join(lines)


def held(path):
    """What a binary file holds, as text."""
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes()).decode("utf-8")
    if path.suffix in {".parquet", ".arrow"}:
        from pyarrow import feather
        from pyarrow import parquet as pq

        table = pq.read_table(path) if path.suffix == ".parquet" else feather.read_table(path)
        return f"{table.schema.remove_metadata()}\n" + "\n".join(map(str, table.to_pylist()))
    if path.suffix == ".xlsx":
        import openpyxl

        with contextlib.closing(openpyxl.load_workbook(path, read_only=True)) as book:
            return "\n".join(str(row) for row in book.active.iter_rows(values_only=True))
    return None


def database(path):
    """All rows of an SQLite file, table by table; moments are left out."""
    lines = []
    with contextlib.closing(sqlite3.connect(path)) as base:
        names = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        for name in names:
            cursor = base.execute(f'SELECT * FROM "{name}"')
            lines.append(f"{name}: {', '.join(one[0] for one in cursor.description)}")
            lines += sorted(str(row) for row in cursor)
    return "\n".join(lines)


def on_paper(folder: Path):
    """A new empty folder below one."""
    folder.mkdir(parents=True)
    return folder

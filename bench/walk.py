"""Count the modules that a cell crosses from its CSV file to the release, and those that a question crosses until it is paid.

    python bench/walk.py              the counts here
    python bench/walk.py --write NAME and into bench/results/walk.json, below that name

A module is crossed when one of its functions runs. The walk of a cell begins when the table is first opened and ends
when the release has its final name: what reads and prints the plan before and after is not on it. The charge path of a
question is all that runs between `Session.count` and its answer, charged to a ledger in a file. Everything is run once
before it is counted, so that no module counts for being imported.

A walk goes back up where a function enters a module of a higher layer (the layers of the import contract). What was
handed down, a callable or an object that the function was given or that is kept in what it was given, may be called: it is a
joint, and listed apart.
"""

import contextlib
import io
import json
import os
import sys
import tempfile
import tomllib
from pathlib import Path

import sfumato
from sfumato.cli.main import commands

ROOT = Path(sfumato.__file__).parent
_DECLARING = str(ROOT / "frozen.py")
"""Stands for the standard library's `dataclass`: whoever makes an object does not go through it."""
PLAN = """
sfumato = 1
[source]
path = "people.csv"
[columns.zip]
role = "quasi-identifying"
hierarchy = { mask = "right", width = 5 }
[columns.age]
role = "quasi-identifying"
kind = "integer"
hierarchy = { width = 5, then = [10, 20] }
[columns.illness]
role = "sensitive"
[[promise]]
model = "k-anonymity"
k = 5
[method]
name = "full-domain"
suppression_limit = 0.05
[output]
path = "release.csv"
report = "report.html"
result = "result.json"
"""
_OPTIMIZED = 1  # of a code object: a function, and no module or class body


def layers():
    """Rank of each room, 0 the lowest, from the import contract."""
    contract = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    rows = contract["tool"]["importlinter"]["contracts"][0]["layers"]
    return {name.strip().removeprefix("sfumato."): -rank for rank, row in enumerate(rows) for name in row.split("|")}


class Walk:
    """The modules whose functions run, in the order in which they are first entered, and the ways up.

    Args:
        rank: of each room.
        begins, ends: of what Python tells an audit hook (event, arguments), whether the walk begins or ends there;
            None: where the block begins or ends.
    """

    def __init__(self, rank, begins=None, ends=None):
        self.rank, self.begins, self.ends = rank, begins, ends
        self.modules, self.up, self.handed, self.open = {}, {}, {}, begins is None
        self._audited = False

    def __enter__(self):
        sys.addaudithook(self._heard)
        self._audited = True
        sys.setprofile(self._called)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)
        self._audited = False

    def _heard(self, event, arguments):
        """A file is opened or gets its name."""
        if not self._audited:
            return
        if self.begins is not None and not self.modules and self.begins(event, arguments):
            self.open = True
        elif self.open and self.ends is not None and self.ends(event, arguments):
            self.open = False

    def _called(self, frame, event, _):
        """A function is entered."""
        if event != "call" or not self.open or not frame.f_code.co_flags & _OPTIMIZED:
            return
        module = named(frame)
        if module is None:
            return
        self.modules.setdefault(module)
        caller = frame.f_back
        while caller is not None and named(caller) is None:
            caller = caller.f_back
        if caller is None or self._rank(module) <= self._rank(named(caller)):
            return
        way = f"{named(caller)}.{caller.f_code.co_qualname} → {module}.{frame.f_code.co_qualname}"
        (self.handed if handed_down(caller, frame) else self.up).setdefault(way)

    def _rank(self, module):
        """The rank of a module's room."""
        return self.rank.get(module.split(".")[0], max(self.rank.values()))


def named(frame):
    """The module of a frame below the package; None: another's."""
    path = frame.f_code.co_filename
    if not path.startswith(f"{ROOT}{os.sep}") or not path.endswith(".py") or path == _DECLARING:
        return None
    return Path(path).relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")


def handed_down(caller, callee):
    """Whether the function that is entered, or its object, is among what the caller was given, or is kept in that."""
    code, own = callee.f_code, callee.f_locals.get(callee.f_code.co_varnames[0]) if callee.f_code.co_varnames else None
    known = list(caller.f_locals.values())
    for _ in range(2):
        known += [value for one in known for value in _parts(one)]
    return any(getattr(one, "__code__", None) is code or (own is not None and one is own) for one in known)


def _parts(value):
    """What an object keeps."""
    names = [*getattr(type(value), "__slots__", ()), *getattr(value, "__dict__", {})]
    return [getattr(value, name, None) for name in names if isinstance(name, str)]


def quietly(*words):
    """Run a command and drop what it prints."""
    with contextlib.redirect_stdout(io.StringIO()):
        commands(list(words), standalone_mode=False)


def walk_of_a_cell(rank):
    """The walk from the CSV file to the release."""
    rows = "".join(f"0{i % 9}{i % 7}00,{20 + i % 40},{'abcd'[i % 4]}\n" for i in range(2000))
    Path("people.csv").write_text(f"zip,age,illness\n{rows}", "utf-8")
    Path("plan.toml").write_text(PLAN, "utf-8")
    quietly("run", "plan.toml")
    table, release = str(Path("people.csv").absolute()), str(Path("release.csv").absolute())

    def begins(event, arguments):
        return event == "open" and str(Path(str(arguments[0])).absolute()) == table

    def ends(event, arguments):
        return event == "os.rename" and str(Path(os.fsdecode(arguments[1])).absolute()) == release

    with Walk(rank, begins, ends) as walk:
        quietly("run", "plan.toml")
    return walk


def charge_path(rank):
    """From the question to the charge that lasts."""
    import pyarrow as pa

    rows = sfumato.Unit.row(sfumato.Neighbors.ADD_REMOVE)
    columns = {"age": sfumato.Range(0, 120, step=1)}
    table = pa.table({"age": [20, 40, 60] * 100})
    with sfumato.Session(
        table,
        columns,
        unit=rows,
        budget=sfumato.Budget.pure(10),
        ledger="sqlite:///ledger.db",
        dataset="t",
        create=True,
    ) as session:
        session.count(epsilon="1/3")
        with Walk(rank) as walk:
            session.count(epsilon="1/2")
    return walk


def counted():
    """Both walks as a document."""
    rank = layers()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        walks = {"cell": walk_of_a_cell(rank), "charge": charge_path(rank)}
    return {
        name: {"modules": len(walk.modules), "up": sorted(walk.up), "handed_down": sorted(walk.handed), "in_order": list(walk.modules)}
        for name, walk in walks.items()
    }  # fmt: skip


if __name__ == "__main__":
    found = counted()
    for name, one in found.items():
        print(f"{name}: {one['modules']} modules, {len(one['up'])} ways up, {len(one['handed_down'])} joints")
        print("\n".join(f"  {line}" for key in ("up", "handed_down", "in_order") for line in (f"{key}:", *one[key])))
    if "--write" in sys.argv:
        results = Path(__file__).parent / "results" / "walk.json"
        document = json.loads(results.read_text("utf-8")) if results.exists() else {}
        document[sys.argv[-1]] = found
        results.write_text(json.dumps(document, indent=1) + "\n", "utf-8")

"""Which command grows along which dimension: one line each, from its documents to the arguments of the command."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from growth_arena import ARENA
from growth_graphs import GRAPHS
from growth_studio import STUDIO
from growth_tables import (
    KEY,
    MASK,
    Line,
    Shape,
    answered,
    collection,
    data_document,
    diverse,
    label,
    plan,
    promises,
    quoted,
    released,
    sfumato,
    table,
    tree,
)
from growth_traces import TRACES

ROWS = (1_000, 50_000, 200_000)
LABELS = (100, 7_500, 30_000)
MANY = 60_000
"""Rows of a table whose labels or values grow."""
AGES = "groups = [" + ", ".join(f'"{label(code, 12)}"' for code in range(12)) + "]"


def _run(shape: Shape, method: str = "mondrian", **more: object) -> list[str]:
    """`run` on a table of that shape."""
    table("people.csv", shape)
    return ["run", plan(shape, method, **more)]


def _tuples(rows: int) -> Shape:
    """Nearly every row is a combination of its own."""
    return Shape(rows, labels=200, few=60)


def _private(shape: Shape, method: str, promise: str) -> list[str]:
    """A method with differential privacy; its ledger is opened."""
    roles = {f"s{j}": 'role = "identifying"' for j in range(shape.sensitive)}
    declared = "groups = " + quoted([label(code, shape.labels) for code in range(shape.labels)])
    account = (
        '[account]\nledger = "sqlite:///ledger.db"\ndataset = "d"\nanalyst = "a"\nrequest = "r"\n'
        'budget = { epsilon = 9, delta = "1e-3" }\n[measure]\nqueries = 10\nguesses = 0\n'
        '[output]\nsuppressed = "drop"\nrow_order = "shuffled"\n'
    )
    table("people.csv", shape)
    plan(shape, method, first=declared, promised=f"[[promise]]\n{promise}", roles=roles, tail=account)
    Path("plan.toml").write_text(Path("plan.toml").read_text().replace("\n[output]\npath", "\npath"))
    sfumato("budget", "plan.toml", "--create")
    return ["run", "plan.toml"]


SAFEPUB = 'model = "differential-privacy"\nkind = "safepub"\nepsilon = 2\ndelta = "1e-6"\nsearch_epsilon = 1'
INSERTED = 'model = "differential-privacy"\nkind = "tuple-insertion"\nepsilon = 3'


def _safepub(shape: Shape) -> list[str]:
    return _private(shape, 'name = "safepub"\nsearch = "whole"\nscore = "precision"', SAFEPUB)


def _inserted(shape: Shape) -> list[str]:
    """All columns as they are."""
    columns = [f"q{j}" for j in range(shape.quasi)]
    values = "\n".join(
        f"values.{name} = {quoted([label(c, n) for c in range(n)])}"
        for name, n in zip(columns, [shape.labels, *[shape.few] * (shape.quasi - 1)], strict=True)
    )
    return _private(shape, f'name = "tuple-insertion"\n{values}', INSERTED)


def _fixed(shape: Shape) -> str:
    levels = ", ".join(f"q{j} = 3" for j in range(shape.quasi))
    return f'name = "fixed"\nsuppression_limit = 1.0\nlevels = {{ {levels} }}'


FULL = 'name = "full-domain"\nsuppression_limit = 0.1'
BUCKETS = promises('model = "l-diversity"\nkind = "frequency"\ncolumn = "s0"\nl = 2')[len(promises()) :]
SIZED = '[[promise]]\nmodel = "bucket-size"\nk = 3'
QUIET = "[measure]\nqueries = 0\nguesses = 0\n"


def _methods() -> list[Line]:
    """Every method, by rows that are all different, and by labels and values of one column."""
    plain = {
        "full-domain": (FULL, None), "local-recoding": ("local-recoding", None), "mondrian": ("mondrian", None),
        "cell-suppression": ("cell-suppression", None), "fixed": (None, None), "microaggregation": ("microaggregation", None),
        "none": ("none", ""), "anatomy": ("anatomy", BUCKETS), "bucketization": ("bucketization", SIZED),
    }  # fmt: skip
    lines = []
    for name, (method, promised) in plain.items():

        def of(shape: Shape, method=method, promised=promised, name=name) -> list[str]:
            more = {} if promised is None else {"promised": promised}
            return _run(shape, _fixed(shape) if name == "fixed" else method, **more)

        lines += [
            Line("run", f"rows, {name}", ROWS, lambda n, of=of: of(_tuples(n))),
            Line("run", f"labels, {name}", LABELS, lambda n, of=of: of(Shape(MANY, labels=n))),
            Line("run", f"sensitive values, {name}", LABELS, lambda n, of=of: of(Shape(MANY, values=n))),
        ]
    return lines


def _plans() -> list[Line]:
    """What else a plan can have more of, and methods with differential privacy."""
    return [
        Line("run", "rows, safepub", ROWS, lambda n: _safepub(Shape(n))),
        Line("run", "labels, safepub", (100, 500, 2_000), lambda n: _safepub(Shape(MANY, labels=n))),
        Line("run", "rows, tuple-insertion", ROWS, lambda n: _inserted(Shape(n))),
        Line("run", "labels, tuple-insertion", (100, 500, 2_000), lambda n: _inserted(Shape(MANY, labels=n, quasi=2))),
        *(
            Line("run", f"leaves, {name}", (100, 25_000, 100_000), lambda n, m=method: _leafy(n, m), LEAVES)
            for name, method in (("mondrian", "mondrian"), ("full-domain", FULL), ("local-recoding", "local-recoding"))
        ),
        *(
            Line(
                "run",
                f"quasi-identifiers, {name}",
                (2, 6, 12),
                lambda n, m=method: _run(Shape(quasi=n, few=4), m),
                SUBSETS,
            )
            for name, method in (("mondrian", "mondrian"), ("local-recoding", "local-recoding"))
        ),
        Line("run", "quasi-identifiers, full-domain", (2, 4, 8), lambda n: _run(Shape(quasi=n, few=4), FULL), LATTICE),
        Line("run", "insensitive columns", (4, 100, 400), lambda n: _run(Shape(others=n))),
        Line("run", "sensitive columns", (1, 10, 40), lambda n: _run(Shape(sensitive=n))),
        Line(
            "run", "promises", (1, 10, 40), lambda n: _run(Shape(sensitive=n), promised=promises(*map(diverse, _s(n))))
        ),
        Line("run", "values of loss_by_k", (1, 5, 20), lambda n: _measured(f"loss_by_k = {list(range(2, 2 + n))}")),
        Line("run", "queries", (10, 1_000, 10_000), lambda n: _measured(f"queries = {n}")),
        Line("run", "guesses", (10, 1_000, 10_000), lambda n: _measured(f"guesses = {n}")),
        *(
            Line(
                "run",
                f"labels perturbed, {name}",
                (10, 150, 600) if name == "pram" else LABELS,
                lambda n, said=said: _perturbed(n, said),
                {"pram": INVERTED, "grr": PARTS}.get(name, ""),
            )
            for name, said in PERTURBED.items()
        ),
    ]


SUBSETS = "every set of up to twelve quasi-identifiers is looked at: 2ⁿ, at most 4,095, with at most 10⁸ tuples in all"
LEAVES = (
    "each leaf is filed in and found in dictionaries a fixed number of times; 25,000 texts lie in the processor's cache and "
    "100,000 do not, so a text takes 50 and 120 ns (docs/concepts/speed.md)"
)
PARTS = (
    "peak memory is that of the largest part of a run, not a sum: up to 7,500 labels it is another part's; beyond, 1 KiB a "
    "label (205, 242 and 273 MiB at 7,500, 30,000 and 60,000)"
)
_WIDE = (
    "peak memory is that of the largest part of a run, not a sum: up to some {} columns it is another part's; "
    "beyond, .2 MiB a column of 4,000 rows ({} MiB at 400 and 800)"
)
WIDE = {"compare": _WIDE.format(200, "180 and 269"), "attack": _WIDE.format(100, "229 and 302")}
LATTICE = "an exact optimum looks among all combinations of levels: levels to the power of quasi-identifiers"
PERTURBED = {
    "pram": "method = 'pram', keep = 0.8, values = VALUES",
    "rank-swapping": "method = 'rank-swapping', share = 0.05",
    "noise": "method = 'noise', law = 'laplace', deviation = 5, clamp = true",
    "individual-ranking": "method = 'individual-ranking', k = 5",
    "pseudonym": "method = 'pseudonym', key = { file = 'hospital.key' }",
    "record-swapping": "method = 'record-swapping', match = ['q1'], key = ['q2'], at_risk = 3, share = 0.05",
    "grr": "method = 'local', mechanism = 'grr', epsilon = 2, values = VALUES",
}
NUMBERS = {"rank-swapping", "noise", "individual-ranking"}


def _perturbed(n: int, said: str) -> list[str]:
    """A perturbed column with so many labels; the others stay as they are."""
    Path("hospital.key").write_text(KEY, "utf-8")
    shape = Shape(MANY, labels=n)
    table("people.csv", shape)
    values = quoted([label(code, n) for code in range(n)])
    kind = 'kind = "integer"\nbounds = [0, 999999]\n' if any(f"'{name}'" in said for name in NUMBERS) else ""
    role = "quasi-identifying" if "record" in said else "sensitive"
    own = f'role = "{role}"\n{kind}perturb = {{ {said.replace("VALUES", values)} }}'
    return ["run", plan(shape, "none", promised="", roles={"q0": own}, tail=QUIET)]


def _s(n: int) -> list[str]:
    return [f"s{j}" for j in range(n)]


def _leafy(n: int, method: str) -> list[str]:
    """A large hierarchy of which the table uses 40 leaves."""
    return _run(Shape(), method, first=f'file = "{tree("tree.csv", n)}"')


def _measured(said: str) -> list[str]:
    return _run(Shape(20_000), "local-recoding", tail=f"[measure]\n{said}\n")


def _both(shape: Shape, *words: str, **more: object) -> list[str]:
    """A command that is given a table, its release and the plan."""
    released(shape, **more)
    return [words[0], "people.csv", "release.csv", "--plan", "plan.toml", *words[1:]]


def _alone(shape: Shape, *words: str) -> list[str]:
    """`risk` of a table."""
    table("people.csv", shape)
    return ["risk", "people.csv", "--plan", plan(shape), *words]


def _applied(shape: Shape, first: str = MASK) -> list[str]:
    released(shape, _fixed(shape), first=first)
    table("more.csv", shape, seed=1)
    return ["apply", "plan.toml", "result.json", "more.csv", "-o", "out.csv"]


def _drafted(shape: Shape, *words: str) -> list[str]:
    return ["draft", table("people.csv", shape), "-o", "drafted.toml", *words]


def _worded(n: int) -> list[str]:
    """A word list of one's own."""
    names = quoted([f"name {i}" for i in range(n)])
    Path("words.toml").write_text(f'[subject.own]\nsays = "own"\nrole = "sensitive"\nnames = {names}\n', "utf-8")
    return _drafted(Shape(others=50), "--words", "words.toml")


def _tables() -> list[Line]:
    """Commands that read tables, but `run`."""
    sensitive, columns = (1, 10, 40), (4, 100, 400)
    lines = [
        Line("draft", "rows", ROWS, lambda n: _drafted(_tuples(n))),
        Line("draft", "labels", LABELS, lambda n: _drafted(Shape(MANY, labels=n))),
        Line("draft", "columns", columns, lambda n: _drafted(Shape(others=n))),
        Line("draft", "words", (100, 5_000, 20_000), _worded),
        Line("apply", "rows", ROWS, lambda n: _applied(Shape(n))),
        Line("apply", "labels", LABELS, lambda n: _applied(Shape(MANY, labels=n))),
        Line("apply", "leaves", LABELS, lambda n: _applied(Shape(), f'file = "{tree("tree.csv", n)}"')),
        Line("convert", "rows", ROWS, lambda n: ["convert", table("people.csv", _tuples(n)), "-o", "out.parquet"]),
        Line("convert", "columns", columns, lambda n: ["convert", table("people.csv", Shape(others=n)), "-o", "out.parquet"]),
        Line("convert", "missing codes", (1, 10, 40), _coded),
        Line("hierarchy", "rows", ROWS, lambda n: ["hierarchy", table("people.csv", Shape(n)), "q0", "--json"]),
        Line("hierarchy", "labels", LABELS, lambda n: ["hierarchy", table("people.csv", Shape(MANY, labels=n)), "q0"]),
        Line("hierarchy", "labels, balanced", LABELS, lambda n: [
            "hierarchy", table("people.csv", Shape(MANY, labels=n)), "q0", "--spec", "balanced = 2", "-o", "out.csv"]),
        Line("hierarchy", "leaves", LABELS, lambda n: [
            "hierarchy", table("people.csv", Shape()), "q0", "--spec", f'file = "{tree("tree.csv", n)}"']),
        Line("report", "labels", LABELS, lambda n: (released(Shape(MANY, labels=n)), ["report", "result.json"])[1]),
        Line("report", "sensitive values", LABELS, lambda n: (released(Shape(MANY, values=n)), ["report", "result.json"])[1]),
        Line("report", "columns", sensitive, lambda n: (released(Shape(sensitive=n)), ["report", "result.json"])[1]),
    ]  # fmt: skip
    for command, of in {
        "risk": _alone,
        "compare": lambda shape: _both(shape, "compare"),
        "attack": lambda shape: _both(shape, "attack"),
    }.items():
        lines += [
            Line(command, "rows", ROWS, lambda n, of=of: of(_tuples(n))),
            Line(command, "labels", LABELS, lambda n, of=of: of(Shape(MANY, labels=n))),
            Line(command, "sensitive values", LABELS, lambda n, of=of: of(Shape(MANY, values=n))),
            Line(command, "sensitive columns", sensitive, lambda n, of=of: of(Shape(sensitive=n))),
            Line(command, "quasi-identifiers", (2, 6, 12), lambda n, of=of: of(Shape(quasi=n, few=4)), SUBSETS),
            Line(command, "insensitive columns", columns, lambda n, of=of: of(Shape(others=n)), WIDE.get(command, "")),
        ]
    lines += [
        Line("compare", "labels of the target", (2, 8, 24), lambda n: _both(Shape(values=n), "compare", "--target", "s0")),
        Line("attack", "leaves", (100, 25_000, 100_000), lambda n: _both(Shape(), "attack", first=f'file = "{tree("tree.csv", n)}"'), LEAVES),
        Line("attack", "guesses", (10, 1_000, 4_000), lambda n: _both(Shape(20_000), "attack", "--guesses", str(n))),
        Line("attack", "rows, control", ROWS, _controlled),
        Line("sweep", "points", (1, 8, 32), lambda n: _swept(Shape(), "k=" + ",".join(str(k) for k in range(2, n + 2)))),
        Line("sweep", "rows", ROWS, lambda n: _swept(_tuples(n), "k=5,10")),
        Line("sweep", "labels", LABELS, lambda n: _swept(Shape(MANY, labels=n), "k=5,10")),
        Line("versions", "releases", (2, 8, 32), lambda n: _versions(Shape(), n)),
        Line("versions", "rows", ROWS, lambda n: _versions(_tuples(n))),
        Line("versions", "labels", LABELS, lambda n: _versions(Shape(MANY, labels=n))),
        Line("versions", "sensitive values", LABELS, lambda n: _versions(Shape(MANY, values=n))),
        Line("versions", "quasi-identifiers", (2, 6, 12), lambda n: _versions(Shape(quasi=n, few=4))),
        Line("pseudonymize", "rows", ROWS, _pseudonyms),
        Line("pseudonymize", "tables", (1, 8, 32), lambda n: _pseudonyms(1000, tables=n)),
        Line("pseudonymize", "columns kept", columns, lambda n: _pseudonyms(1000, others=n)),
    ]  # fmt: skip
    return lines


def _coded(n: int) -> list[str]:
    codes = [word for i in range(n) for word in ("--missing", f"?{i}")]
    return ["convert", table("people.csv", Shape(MANY)), "-o", "out.parquet", *codes]


def _controlled(n: int) -> list[str]:
    table("control.csv", _tuples(n), seed=2)
    return _both(_tuples(n), "attack", "--control", "control.csv")


def _swept(shape: Shape, vary: str) -> list[str]:
    table("people.csv", shape)
    return ["sweep", plan(shape), "--vary", vary]


def _versions(shape: Shape, releases: int = 2) -> list[str]:
    """Releases of the same table with another k each."""
    names = []
    table("people.csv", shape)
    for i in range(releases):
        sfumato("run", plan(shape, promised=promises(k=5 + i), tail=QUIET))
        names.append(str(Path("release.csv").rename(f"release {i}.csv")))
    return ["versions", "people.csv", *names, "--plan", "plan.toml"]


def _pseudonyms(rows: int, tables: int = 1, others: int = 0) -> list[str]:
    """Tables with a name in each row."""
    Path("hospital.key").write_text(KEY, "utf-8")
    said = ['format = "sfumato.pseudonyms-plan/1"\nkey = { file = "hospital.key" }']
    for i in range(tables):
        shape = Shape(rows, quasi=1, labels=rows, sensitive=0, others=others)
        table(f"t{i}.csv", shape, seed=i)
        kept = quoted([f"o{j}" for j in range(others)])
        said.append(
            f'[[table]]\npath = "t{i}.csv"\noutput = "out{i}.csv"\nkeep = {kept}\n[table.pseudonyms.q0]\ndomain = "d"'
        )
    Path("names.toml").write_text("\n".join(said), "utf-8")
    return ["pseudonymize", "names.toml"]


def _asked(
    statement: str, *, rows: int = 20_000, keys: int = 12, public: int = 0, places: int = 100, charges: int = 0
) -> list[str]:
    """`query` with a fresh ledger, or one with so many charges."""
    shape = Shape(rows, quasi=2, labels=keys)
    table("people.csv", shape)
    values = quoted([label(code, keys) for code in range(keys)])
    more = ""
    if public:
        Path("public.csv").write_text(
            "q0,region\n" + "".join(f"{label(c, public)},{'ns'[c % 2]}\n" for c in range(public)), "utf-8"
        )
        more = '[public.towns]\npath = "public.csv"\non = "q0"\n[public.towns.columns.region]\nvalues = ["n", "s"]\n'
    columns = {
        "q0": f"values = {values}",
        "q1": f"low = 0\nhigh = {places * 10_000}\nstep = 10_000"
        if places <= 100
        else f"low = 0\nhigh = {places}\nstep = 1",
    }
    data_document(columns, more=more)
    sfumato("budget", "data.toml", "--create")
    if charges:
        _charged(charges)
    return ["query", "data.toml", statement, "--epsilon", "1"]


def _charged(charges: int, *, scopes: int = 0, kinds: int = 1) -> None:
    """Charges in one transaction, each of its own size if there are several kinds, each of a key where there are scopes."""
    from sfumato.account.event import PureDP
    from sfumato.account.ledger.ledger import Ledger, Order, Scope

    with Ledger.open("sqlite:///ledger.db") as ledger:
        ledger.charge_all("persons", "a", [
            Order(f"q{i}", PureDP(Fraction(1, 10 + i % kinds)), Scope("q0", (label(i % scopes, scopes),)) if scopes else None, version="1")
            for i in range(charges)
        ])  # fmt: skip


def _budget(charges: int, *words: str, scopes: int = 0, kinds: int = 1) -> list[str]:
    _asked("", rows=100, keys=max(scopes, 1))
    _charged(charges, scopes=scopes, kinds=kinds)
    return ["budget", "data.toml", *words]


def _analysts(n: int) -> list[str]:
    more = "".join(f"[analysts.b{i}]\nepsilon = 1\n" for i in range(n))
    data_document({"q0": 'values = ["a"]'}, more=more)
    sfumato("budget", "data.toml", "--create")
    return ["budget", "data.toml"]


def _counts(n: int) -> str:
    """A statement with so many answers."""
    return f"SELECT {', '.join(['COUNT(*)', 'SUM(q1)'] * (n // 2))} FROM t"


def _listed(n: int) -> str:
    return f"SELECT COUNT(*) FROM t WHERE q0 IN ({', '.join(chr(39) + label(c, n) + chr(39) for c in range(n - 1))})"


BY_KEY = "SELECT q0, COUNT(*), SUM(q1) FROM t GROUP BY q0"


def _answers() -> list[Line]:
    """Questions to a private table."""

    def unasked(command: str, statement: str, *words: str, **more: int) -> list[str]:
        return [command, *_asked(statement, rows=10, **more)[1:3], *words]

    trial = ("--epsilon", "1", "--rows", "1000", "--runs", "20")
    return [
        Line("query", "rows", ROWS, lambda n: _asked(BY_KEY, rows=n)),
        Line("query", "keys", LABELS, lambda n: _asked(BY_KEY, rows=MANY, keys=n)),
        Line("query", "listed keys of a condition", (100, 2_000, 8_000), lambda n: _asked(_listed(n), rows=MANY, keys=n)),
        Line("query", "answers of a statement", (2, 20, 80), lambda n: _asked(_counts(n))),
        Line("query", "places of a quantile", (1_000, 100_000, 400_000), lambda n: _asked("SELECT MEDIAN(q1) FROM t", places=n)),
        Line("query", "rows of a public table", LABELS, lambda n: _asked(
            "SELECT region, COUNT(*) FROM t JOIN towns USING (q0) GROUP BY region", rows=MANY, public=n)),
        Line("query", "earlier charges", (10, 2_500, 10_000), lambda n: _asked(BY_KEY, charges=n)),
        Line("budget", "charges", (10, 2_500, 10_000), _budget),
        Line("budget", "charges, explained", (10, 500, 2_000), lambda n: _budget(n, "--explain")),
        Line("budget", "charges of different sizes, explained", (10, 100, 400), lambda n: _budget(n, "--explain", kinds=n)),
        Line("budget", "charges of keys", (10, 500, 2_000), lambda n: _budget(n, scopes=n)),
        Line("budget", "analysts", (10, 500, 2_000), _analysts),
        Line("accuracy", "answers of a statement", (2, 20, 80), lambda n: unasked("accuracy", _counts(n), "--error", "50")),
        Line("accuracy", "keys", LABELS, lambda n: unasked("accuracy", BY_KEY, "--error", "50", "--rows", "100", keys=n)),
        Line("simulate", "rows", ROWS, lambda n: unasked("simulate", BY_KEY, *trial[:2], "--rows", str(n), "--runs", "20")),
        Line("simulate", "runs", (10, 200, 800), lambda n: unasked("simulate", BY_KEY, *trial[:4], "--runs", str(n))),
        Line("simulate", "keys", LABELS, lambda n: unasked("simulate", BY_KEY, *trial, keys=n)),
        Line("simulate", "answers of a statement", (2, 20, 80), lambda n: unasked("simulate", _counts(n), *trial)),
    ]  # fmt: skip


def _params(name: str = "home", bits: int = 64) -> str:
    """Parameters of RAPPOR."""
    from sfumato.mechanism.local.rappor.params import RapporParams

    Path("home.json").write_text(
        RapporParams(name, bits=bits, hashes=2, cohorts=8, f="1/2", p="1/2", q="3/4").to_json(), "utf-8"
    )
    return "home.json"


def _randomized(rows: int, questions: list[int], protocol: str, *words: str) -> list[str]:
    return [
        "collect",
        "randomize",
        collection(questions, protocol),
        answered(rows, questions),
        "-o",
        "reports.csv",
        *words,
    ]


def _aggregated(rows: int, questions: list[int], protocol: str, *words: str) -> list[str]:
    sfumato(*_randomized(rows, questions, protocol, *words))
    return ["collect", "aggregate", "asked.toml", "reports.csv", "-o", "counts.json"]


def _estimated(questions: list[int], protocol: str = "GRR") -> list[str]:
    sfumato(*_aggregated(2_000, questions, protocol))
    return ["collect", "estimate", "asked.toml", "counts.json"]


def _strings(rows: int, *, candidates: int = 500, batch: int = 10_000) -> list[str]:
    """Reports of RAPPOR, and the strings that are looked for."""
    Path("names.txt").write_text("\n".join(f"v{i}" for i in range(candidates)), "utf-8")
    return [
        "collect",
        "randomize",
        _params(),
        answered(rows, [50]),
        "--column",
        "a0",
        "-o",
        "reports.csv",
        "--batch",
        str(batch),
    ]


def _counted(rows: int, **more: int) -> list[str]:
    sfumato(*_strings(rows, **more))
    return ["collect", "aggregate", "home.json", "reports.csv", "-o", "sums.json"]


def _decoded(candidates: int) -> list[str]:
    sfumato(*_counted(20_000, candidates=candidates))
    return ["collect", "estimate", "home.json", "sums.json", "--candidates", "names.txt"]


def _several(n: int) -> list[str]:
    """Files of a report each."""
    sfumato(*_randomized(n, [8], "GRR", "--batch", "1"))
    header, *lines = Path("reports.csv").read_text("utf-8").splitlines()
    names = [f"reports {i}.csv" for i in range(n)]
    for name, line in zip(names, lines, strict=True):
        Path(name).write_text(f"{header}\n{line}\n", "utf-8")
    return ["collect", "aggregate", "asked.toml", *names, "-o", "sum.json"]


def _noised(rows: int, columns: int = 4, values: int = 12) -> list[str]:
    """Every cell by generalized randomized response."""
    declared = quoted([label(c, values) for c in range(values)])
    said = "\n".join(f'[columns.q{j}]\nmechanism = "grr"\nepsilon = 1\nvalues = {declared}' for j in range(columns))
    Path("noising.toml").write_text(f'format = "sfumato.noising-plan/1"\n{said}\n', "utf-8")
    shape = Shape(rows, quasi=columns, sensitive=0, labels=values, few=values)
    return ["collect", "sanitize", "noising.toml", table("people.csv", shape), "-o", "out.csv"]


def _pram(rows: int, values: int = 12, columns: int = 1, strata: int = 0) -> list[str]:
    """Post-randomized columns, perhaps with a matrix for each value of another."""
    declared = quoted([label(c, values) for c in range(values)])
    by = f'strata = "s0"\nstrata_values = {quoted([f"v{c}" for c in range(strata)])}\n' if strata else ""
    said = "\n".join(f"[columns.q{j}]\nvalues = {declared}\nkeep = 0.8\n{by}" for j in range(columns))
    Path("pram.toml").write_text(f'format = "sfumato.pram-plan/1"\n{said}\n', "utf-8")
    shape = Shape(rows, quasi=columns, labels=values, few=values, values=strata or 6)
    return ["collect", "pram", "pram.toml", table("people.csv", shape), "-o", "out.csv"]


def _designed(reports: int, candidates: int, *words: str) -> list[str]:
    return ["collect", "design", "--epsilon-permanent", "4", "--epsilon-first", "1", "--reports", str(reports),
            "--candidates", str(candidates), "--name", "x", *words]  # fmt: skip


def _collections(n: int) -> str:
    """A server of so many collections of strings, open to all."""
    said = ['format = "sfumato.server/1"\nstore = "sqlite:///store.db"']
    for i in range(n):
        Path(_params(f"c{i}")).rename(f"c{i}.json")
        said.append(f'[collections.c{i}]\ncollection = "c{i}.json"\nopen = true\nreader_sha256 = "{"cd" * 32}"')
    Path("server.toml").write_text("\n".join(said), "utf-8")
    return "server.toml"


def _served(batches: int) -> list[str]:
    """A server that receives so many batches."""
    sfumato(*_strings(batches * 20, batch=20)[:-4], "-o", "sent.jsonl", "--batch", "20")
    sent_for = Path("home.json").read_text("utf-8")
    _collections(1)
    Path("c0.json").write_text(sent_for, "utf-8")
    return ["serve", "collect", "server.toml", "sent.jsonl"]


def _survey(questions: int = 3, *, chosen: bool = True) -> str:
    """A survey of yes-no questions."""
    said = "\n".join(
        f'[[question]]\nkind = "yes-no"\nname = "q{i}"\ntext = {{ en = "?" }}\nvalues = ["v0", "v1"]\n'
        + ('mechanism = "GRR"\nepsilon = 1.0\n' if chosen else "difference = 1.0\n")
        for i in range(questions)
    )
    Path("survey.toml").write_text(
        f'format = "sfumato.survey/1"\nname = "s"\nconsent = {{ en = "Yes?" }}\nlanguages = ["en"]\nepsilon = {questions + 1}\n'
        f"ends = 2099-12-31\n{said}",
        "utf-8",
    )
    return "survey.toml"


def _survey_designed(questions: int) -> list[str]:
    return ["survey", "design", _survey(questions, chosen=False), "--respondents", "100000"]


def _people(rows: int) -> str:
    """Answers of so many persons."""
    lines = "\n".join(",".join(f"v{i >> j & 1}" for j in range(3)) for i in range(rows))
    Path("people.csv").write_text(f"q0,q1,q2\n{lines}\n", "utf-8")
    return "people.csv"


def _surveyed(rows: int, group: str, command: str, *words: str) -> list[str]:
    return [group, command, _survey(), _people(rows), *words]


def _survey_sent(batches: int, command: str, *words: str) -> list[str]:
    """So many batches of twenty phones."""
    sfumato("collect", "randomize", _survey(), _people(20 * batches), "--batch", "20", "-o", "sent.jsonl")
    return ["survey", command, "survey.toml", "sent.jsonl", *words]


INVERTED = (
    "the estimate inverts the matrix of all pairs of values, for its covariance: values² in memory, values³ in time"
)


def _collects() -> list[Line]:
    """Local privacy."""
    lines = []
    for protocol in ("GRR", "OUE", "OLH", "SubsetSelection", "HadamardResponse", "ProjectiveGeometryResponse"):
        rows, values = (1_000, 20_000, 80_000), (10, 500, 2_000)
        lines += [
            Line("collect randomize", f"rows, {protocol}", rows, lambda n, p=protocol: _randomized(n, [64], p)),
            Line("collect randomize", f"values, {protocol}", values, lambda n, p=protocol: _randomized(4_000, [n], p)),
            Line("collect aggregate", f"rows, {protocol}", rows, lambda n, p=protocol: _aggregated(n, [64], p)),
            Line("collect aggregate", f"values, {protocol}", values, lambda n, p=protocol: _aggregated(4_000, [n], p)),
        ]
    for scheme in ("SPL[GRR]", "SMP[ADP]", "RS+FD[GRR]"):
        questions = (2, 20, 80)
        lines += [
            Line(
                "collect randomize",
                f"questions, {scheme}",
                questions,
                lambda n, p=scheme: _randomized(2_000, [8] * n, p),
            ),
            Line(
                "collect aggregate",
                f"questions, {scheme}",
                questions,
                lambda n, p=scheme: _aggregated(2_000, [8] * n, p),
            ),
            Line("collect estimate", f"questions, {scheme}", questions, lambda n, p=scheme: _estimated([8] * n, p)),
        ]
    lines += [
        Line("collect randomize", "rows, RAPPOR", (1_000, 20_000, 80_000), _strings),
        Line("collect aggregate", "rows, RAPPOR", (1_000, 20_000, 80_000), _counted),
        Line("collect aggregate", "batches", (10, 1_000, 4_000), lambda n: _aggregated(n, [8], "GRR", "--batch", "1")),
        Line("collect aggregate", "batches, RAPPOR", (10, 1_000, 4_000), lambda n: _counted(n, batch=1)),
        Line("collect aggregate", "files of reports", (2, 100, 400), _several),
        Line("collect estimate", "values", (10, 2_500, 10_000), lambda n: _estimated([n])),
        Line("collect estimate", "candidates", (100, 2_500, 10_000), _decoded),
        Line("survey design", "questions", (1, 8, 24), _survey_designed),
        Line("survey simulate", "rows", (1_000, 20_000, 80_000), lambda n: _surveyed(n, "survey", "simulate", "--runs", "1")),
        Line("survey attack", "rows", (250, 500, 1_000), lambda n: _surveyed(n, "survey", "attack"),
             reason="every person of the table is compared with every phone: rows²"),
        Line("survey estimate", "batches", (10, 1_000, 4_000), lambda n: _survey_sent(n, "estimate")),
        Line("survey regress", "batches", (10, 1_000, 4_000), lambda n: _survey_sent(n, "regress", "--question", "q0")),
        Line("collect audit", "reports", (1_000, 20_000, 80_000), lambda n: [
            "collect", "audit", collection([8]), "--reports", str(n)]),
        Line("collect recommend", "values", (10, 25_000, 100_000), lambda n: [
            "collect", "recommend", "--epsilon", "1", "--persons", "10000", "--values", str(n)]),
        Line("collect recommend", "questions", (2, 20, 80), lambda n: [
            "collect", "recommend", "--epsilon", "1", "--persons", "10000", *["--values", "10"] * n]),
        Line("collect design", "candidates", (50, 500, 2_000), lambda n: _designed(100_000, n, "--runs", "1")),
        Line("collect design", "reports", (10_000, 250_000, 1_000_000), lambda n: _designed(n, 50, "--runs", "1")),
        Line("collect design", "runs", (1, 5, 20), lambda n: _designed(10_000, 50, "--runs", str(n))),
        Line("collect pram", "rows", ROWS, _pram),
        Line("collect pram", "values", (10, 150, 600), lambda n: _pram(4_000, values=n), INVERTED),
        Line("collect pram", "columns", (1, 10, 40), lambda n: _pram(4_000, columns=n)),
        Line("collect pram", "strata", (2, 50, 200), lambda n: _pram(4_000, strata=n)),
        Line("collect sanitize", "rows", ROWS, _noised),
        Line("collect sanitize", "values", (10, 2_000, 8_000), lambda n: _noised(20_000, columns=1, values=n)),
        Line("collect sanitize", "columns", (1, 10, 40), lambda n: _noised(4_000, columns=n)),
    ]  # fmt: skip
    return lines


EACH_PAIR = "every person is compared with every pseudonym of the same week by three attacks"


def _scored(rows: int, persons: int) -> list[str]:
    """`arena score` of the original itself, fixes of persons over two weeks."""
    fixes = (
        f"p{i % persons}\t2015-03-{2 + i * 13 // rows:02} {i % 24:02}:{i % 60:02}:00\t{45 + i % persons / 100}\t{4 + i % 7 / 100}"
        for i in range(rows)
    )
    Path("original.tsv").write_text("\n".join(fixes) + "\n")
    said = 'format = "sfumato.contest/1"\nname = "growth"\ngame = "insanonym"\n[table]\noriginal = "original.tsv"\n'
    Path("contest.toml").write_text(said)
    return ["arena", "score", "original.tsv", "--contest", "contest.toml"]


def _others() -> list[Line]:
    """Experiments and the server."""
    return [
        Line("reproduce", "runs", (2, 8, 32), lambda n: ["reproduce", "quantile-bounds", "--quick", "--runs", str(n)]),
        Line("demonstrate", "runs", (10, 1_000, 4_000), lambda n: ["demonstrate", "differencing", "--runs", str(n)]),
        Line("arena score", "rows", ROWS, lambda n: _scored(n, 50)),
        Line("arena score", "persons", (10, 100, 400), lambda n: _scored(MANY, n), EACH_PAIR),
        Line("serve collect", "collections", (1, 100, 400), lambda n: ["serve", "collect", _collections(n)]),
        Line("serve collect", "batches", (10, 1_000, 4_000), _served),
    ]


LINES: list[Line] = [
    *_methods(),
    *_plans(),
    *_tables(),
    *_answers(),
    *_collects(),
    *_others(),
    *ARENA,
    *GRAPHS,
    *TRACES,
    *STUDIO,
]
UNMEASURED = {
    "collect send": "sends one batch after the other to a server, which is measured as `serve collect`",
    "schema": "prints a document that is shipped; nothing grows",
    "serve token": "draws one token; nothing grows",
    "arena rules": "prints a document; nothing grows",
    "arena team": "draws one token; nothing grows",
    "arena key": "draws one token; nothing grows",
    "arena rejudge": "judges one file after the other, each as `arena score`",
    "arena submit": "reads the file twice, for its digest and to send it",
    "arena own": "prints a line for each file of a team",
    "arena choose": "one request; nothing grows",
    "arena targets": "prints a line for each published submission",
    "arena fetch": "copies each file once, in pieces",
    "arena board": "prints a line for each team",
    "arena about": "one request; nothing grows",
    "arena archive": "copies each file once, in pieces",
    "arena open": "copies each file once, in pieces",
    "arena import": "copies each answer once, in pieces",
    "arena scores": "reads a line for each submission once",
    "arena audit": "prints each line of the log once",
    "serve arena": "one judge at a time, each file as `arena score`; the board looks at each pair of an attack and a submission",
    "arena check": "is the first part of `arena score`",
    "together": "makes keys and cards; nothing grows",
    "join": "is measured beside its publisher in bench/together.py",
    "serve together": "is measured beside its holders in bench/together.py",
}
"""Commands without a line, and why."""

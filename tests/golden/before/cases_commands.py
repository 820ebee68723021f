"""Every command but `run`, with documents of each kind."""

from tests.golden.before.cases_plans import KEY, PEOPLE, plan

QI = ("--qi", "age", "--qi", "zip", "--sensitive", "illness")
NUMBERS = "age,sex,town\n" + "".join(f"{20 + i * 7 % 60},{'fm'[i * 5 % 7 % 2]},{'AB'[i % 3 % 2]}\n" for i in range(200))
ANSWERS = "color,size\n" + "".join(
    f"{'red' if i % 6 < 3 else 'green' if i % 6 < 5 else 'blue'},{'sl'[i % 2]}\n" for i in range(400)
)
DATA = """sfumato-data = 1
[source]
path = "numbers.csv"
[columns.age]
low = 0
high = 120
step = 1
[columns.sex]
values = ["f", "m"]
[columns.town]
open = true
[unit]
neighbors = "add or remove"
[budget]
epsilon = 8
delta = 1e-5
[ledger]
url = "sqlite:///ledger.db"
dataset = "persons"
version = "2026-03"
immutable = ["sex"]
[analysts.ada]
epsilon = 7
delta = 1e-5
[analysts.bob]
epsilon = 1
[public.regions]
path = "regions.csv"
on = "town"
[public.regions.columns.region]
values = ["north", "south"]
"""
COLLECTION = """sfumato_collection = 1
[[question]]
column = "color"
values = ["red", "green", "blue"]
{second}[protocol]
name = "{name}"
epsilon = 2.0
"""
SECOND = '[[question]]\ncolumn = "size"\nvalues = ["s", "l"]\n'
ORACLES = ("GRR", "SUE", "OUE", "BLH", "OLH", "SubsetSelection", "HadamardResponse")
SCHEMES = ("SPL[GRR]", "SMP[ADP]", "RS+FD[OUE-z]", "every attribute[SUE]")
NOISING = """sfumato_noising = 1
drop = ["town"]
[columns.age]
mechanism = "laplace"
epsilon = 1
bounds = [0, 99]
steps = 64
outside = "clamp"
[columns.sex]
mechanism = "grr"
epsilon = 1
values = ["f", "m"]
"""
PRAM = 'sfumato_pram = 1\nmissing = ["?"]\n[columns.sex]\nvalues = ["f", "m"]\nkeep = 0.8\n'
PSEUDONYMS = """sfumato_pseudonyms = 1
key = { file = "hospital.key" }
[[table]]
path = "people.csv"
output = "people.out.csv"
keep = ["zip", "age", "born", "pay", "illness"]
drop = ["k"]
[table.pseudonyms.name]
domain = "person"
[[table]]
path = "visits.csv"
output = "visits.out.csv"
keep = ["ward"]
[table.pseudonyms.patient]
domain = "person"
"""
WORDS = (
    '[subject.secret]\nsays = "health"\nrole = "sensitive"\nnames = ["illness", "krank"]\nvalues = ["flu", "gout"]\n'
)
DESIGN = ("rappor", "design", "--epsilon-first", "3", "--reports", "6000", "--candidates", "30", "--name", "pages")


def case(name, files, *steps):
    """Commands in one folder; a step is a line's words."""
    return {"name": name, "files": files, "steps": [{"words": list(words)} for words in steps]}


def both(*words):
    """A command as text and as JSON."""
    return words, (*words, "--json")


def cases():
    """Every command."""
    yield from _tables()
    yield from _answers()
    yield from _collected()
    yield from _others()


def _tables():
    """What is measured on tables."""
    files = {"people.csv": PEOPLE, "plan.toml": plan()}
    other = PEOPLE.splitlines()
    control = "\n".join([other[0], *(line.replace("p", "q", 1) for line in other[10:30])]) + "\n"
    one = "age,illness\n" + "".join(f'"[{a // 6 * 6}, {a // 6 * 6 + 5}]",{"abc"[a * 5 % 7 % 3]}\n' for a in range(24))
    two = "age,illness\n" + "".join(f'"[{a // 4 * 4}, {a // 4 * 4 + 3}]",{"abc"[a * 5 % 7 % 3]}\n' for a in range(24))
    truth = "age,illness\n" + "".join(f"{a},{'abc'[a * 5 % 7 % 3]}\n" for a in range(24))
    yield case(
        "risk",
        files,
        *both("risk", "people.csv", *QI),
        ("risk", "people.csv", "--plan", "plan.toml", "--json", "--population", "5000", "--threshold", "0.4"),
    )
    yield case(
        "compare",
        files,
        ("run", "plan.toml"),
        *both("compare", "people.csv", "release.csv", *QI),
        ("compare", "people.csv", "release.csv", "--plan", "plan.toml", "--target", "illness", "--json"),
    )
    yield case(
        "attack", files | {"control.csv": control}, ("run", "plan.toml"),
        *both("attack", "release.csv", "--original", "people.csv", "--control", "control.csv", "--plan", "plan.toml", "--guesses", "20"),
        ("attack", "release.csv", "--original", "people.csv", *QI, "--guesses", "9", "--confidence", "0.9", "-o", "attack.json"),
    )  # fmt: skip
    yield case(
        "versions",
        {"one.csv": one, "two.csv": two, "truth.csv": truth},
        *both("versions", "one.csv", "two.csv", "--original", "truth.csv", "--qi", "age", "--sensitive", "illness"),
    )
    vary = ("sweep", "plan.toml", "--vary")
    yield case(
        "sweep",
        files,
        *both(*vary, "k=2,3"),
        (*vary, "method=mondrian,full-domain", "--vary", "k=2,3", "-o", "out"),
        (*vary, "suppression_limit=0,0.1", "--risk", "attack.inference", "--json"),
    )
    perturbed = plan(
        "mondrian", columns={"pay": 'perturb = { method = "noise", law = "laplace", deviation = 5, step = 0.5 }'}
    )
    yield case(
        "sweep of noise",
        files | {"plan.toml": perturbed},
        (*vary, "columns.pay.perturb.deviation=1,5", "--json"),
        (*vary, "nothing=1,5"),
    )
    asks = ("hierarchy", "people.csv")
    yield case(
        "hierarchy",
        files,
        *both(*asks, "age", "--plan", "plan.toml"),
        *both(*asks, "born", "--kind", "date"),
        (*asks, "age", "--spec", "width = 5, then = [10]", "-o", "age.csv"),
        (*asks, "zip", "--json"),
        (*asks, "illness", "--spec", 'groups = ["a"]'),
    )
    yield case(
        "init",
        {"people.csv": PEOPLE, "words.toml": WORDS},
        *both("init", "people.csv", "-o", "plan.toml", "--force"),
        ("init", "people.csv"),
        ("init", "people.csv"),
        ("init", "people.csv", "--words", "words.toml", "--force", "-o", "own.toml"),
    )
    yield case(
        "convert",
        {"people.csv": PEOPLE},
        *(("convert", "people.csv", "-o", f"copy.{kind}") for kind in ("parquet", "arrow", "xlsx", "tsv", "csv.gz")),
        ("convert", "copy.parquet", "-o", "back.csv", "--missing", "a", "--json"),
    )
    yield case("report", files, ("run", "plan.toml"), *both("report", "result.json", "-o", "again.html"))


def _answers():
    """What is asked of a private table."""
    files = {"numbers.csv": NUMBERS, "regions.csv": "town,region\nA,north\nB,south\n", "data.toml": DATA}
    ada = ("--analyst", "ada")
    ask = ("query", "data.toml")
    select = "SELECT sex, COUNT(*), AVG(age) FROM t GROUP BY sex"
    yield case(
        "questions", files, (*ask, select, "--epsilon", "1", *ada), ("budget", "data.toml", "--create"), *both(*ask, select, "--epsilon", "1/2", *ada),
        (*ask, "SELECT region, COUNT(*) FROM t JOIN regions USING (town) GROUP BY region", "--epsilon", "1", "-o", "answer.csv", *ada),
        (*ask, "SELECT MEDIAN(age), SUM(age), VAR_POP(age) FROM t WHERE age > 30 AND sex IN ('f')", "--epsilon", "1/4", "--json", *ada),
        (*ask, "SELECT town, COUNT(*) FROM t GROUP BY town", "--epsilon", "1", "--delta", "1e-6", *ada), (*ask, "SELECT MAX(age) FROM t", "--epsilon", "1", *ada),
        (*ask, "SELECT COUNT(*) FROM t", "--epsilon", "1/2", "--analyst", "bob", "--request", "mine"), (*ask, "SELECT COUNT(*) FROM t", "--epsilon", "1", "--analyst", "bob"),
        (*ask, "SELECT COUNT(*) FROM t", "--epsilon", "1/2", "--analyst", "eve"), *both("budget", "data.toml"), *both("budget", "data.toml", "--explain", "--at-delta", "1e-5"),
    )  # fmt: skip
    rho = DATA.replace("epsilon = 8\ndelta = 1e-5\n[ledger]", "rho = 2\n[ledger]").partition("[analysts.ada]")[0]
    yield case(
        "questions under zCDP",
        files | {"data.toml": rho},
        ("budget", "data.toml", "--create"),
        *both(*ask, select, "--rho", "1/8"),
        (*ask, select, "--epsilon", "1/8"),
        *both("budget", "data.toml", "--explain"),
    )
    persons = (
        DATA.replace('neighbors = "add or remove"', 'neighbors = "replace"\nperson = "town"\nrows = 3\nkeys = 1')
        .replace("[columns.town]\nopen = true\n", "")
        .partition("[analysts.ada]")[0]
    )
    yield case(
        "questions about persons",
        files | {"data.toml": persons},
        ("budget", "data.toml", "--create"),
        *both(*ask, select, "--epsilon", "1"),
        ("budget", "data.toml"),
    )
    yield case(
        "before questions", files, *both("accuracy", "data.toml", "SELECT COUNT(*) FROM t", "--error", "50"), ("accuracy", "data.toml", "SELECT AVG(age) FROM t", "--error", "0.5", "--rows", "1000"),
        ("accuracy", "data.toml", "SELECT AVG(age) FROM t", "--error", "1"), *both("simulate", "data.toml", "SELECT COUNT(*), MEDIAN(age) FROM t", "--epsilon", "0.5", "--rows", "200", "--runs", "20"),
    )  # fmt: skip
    yield case("session", {}, *((("python", "session", "memory", how)) for how in ("rows", "replace", "rho")))
    yield case("session with a ledger", {}, ("python", "session", "sqlite:///ledger.db", "rows"))


def _collected():
    """What is collected from devices."""
    for name in (*ORACLES, *SCHEMES):
        text = COLLECTION.format(name=name, second=SECOND if "[" in name else "")
        suffix = "parquet" if name == "OLH" else "csv"
        asked = ("collect", "randomize", "asked.toml", "answers.csv", "-o", f"reports.{suffix}", "--batch", "150")
        yield case(
            f"collect {name}",
            {"asked.toml": text, "answers.csv": ANSWERS},
            asked,
            ("collect", "aggregate", "asked.toml", f"reports.{suffix}", "-o", "counts.json"),
            ("collect", "aggregate", "asked.toml", "counts.json", "counts.json"),
            *both("collect", "estimate", "asked.toml", "counts.json"),
        )
    yield case(
        "collect recommend",
        {},
        *both(
            "collect",
            "recommend",
            "--epsilon",
            "1",
            "--values",
            "3",
            "--values",
            "20",
            "--persons",
            "1000",
            "--picture",
            "out.svg",
        ),
    )
    yield case(
        "collect pram",
        {"pram.toml": PRAM, "numbers.csv": NUMBERS},
        *both("collect", "pram", "pram.toml", "numbers.csv", "-o", "out.csv"),
        ("collect", "pram", "pram.toml", "numbers.csv", "-o", "out.parquet"),
    )
    yield case(
        "collect sanitize",
        {"noising.toml": NOISING, "numbers.csv": NUMBERS},
        *both("collect", "sanitize", "noising.toml", "numbers.csv", "-o", "out.csv"),
    )
    pages = "page\n" + "".join(f"{'a.org' if i % 6 < 3 else 'bé.org' if i % 6 < 5 else 'c.org'}\n" for i in range(3000))
    names = "".join(f"{one}\n" for one in ("a.org", "bé.org", "c.org", *(f"x{i}.org" for i in range(9))))
    yield case(
        "rappor", {"values.csv": pages, "list.txt": names}, *both(*DESIGN, "--epsilon-permanent", "6", "-o", "params.json", "--picture", "made.svg", "--runs", "2"),
        ("rappor", "report", "params.json", "values.csv", "--column", "page", "-o", "b.jsonl"), ("rappor", "count", "params.json", "b.jsonl", "b.jsonl", "-o", "counts.json"),
        *both("rappor", "decode", "params.json", "counts.json", "--candidates", "list.txt", "--picture", "found.svg"),
        ("rappor", "decode", "params.json", "counts.json", "counts.json", "--candidates", "list.txt", "--correction", "holm", "--selection", "lasso", "-o", "result.json"), ("rappor", "decode", "params.json", "counts.json"),
    )  # fmt: skip
    yield case(
        "rappor of declared values", {"values.csv": pages, "list.txt": "a.org\nbé.org\nc.org\n"}, (*DESIGN, "--once", "--values", "list.txt", "-o", "made.json", "--runs", "0"),
        ("rappor", "report", "made.json", "values.csv", "--column", "page", "-o", "b.jsonl", "--size", "700", "--json"), ("rappor", "count", "made.json", "b.jsonl", "-o", "counts.json", "--json"), ("rappor", "decode", "made.json", "counts.json", "--json"),
    )  # fmt: skip


def _others():
    """Pseudonyms, experiments, frames, and the help of every command."""
    visits = "patient,ward\np1,1\np2,2\np1,3\n"
    yield case(
        "pseudonymize",
        {"both.toml": PSEUDONYMS, "people.csv": PEOPLE, "visits.csv": visits, "hospital.key": KEY},
        *both("pseudonymize", "both.toml"),
        ("pseudonymize", "--new-key", "new.key"),
        ("pseudonymize",),
    )
    yield case(
        "experiments",
        {},
        *both("reproduce"),
        *both("demonstrate"),
        ("reproduce", "nothing"),
        ("demonstrate", "differencing", "--quick", "--runs", "3", "-o", "out"),
        ("demonstrate", "averaging", "--quick", "--runs", "3", "--json"),
    )
    for kind in ("pandas", "polars", "arrow", "duckdb"):
        steps = [
            ("python", "release", kind, "full-domain"),
            ("python", "two_tables", kind),
            ("python", "measured", kind),
        ]
        yield case(
            f"frames of {kind}",
            {},
            *steps,
            *([("python", "release", kind, "microaggregation")] if kind == "polars" else []),
        )
    yield case("sqlite", {}, ("python", "sqlite"))
    yield case("spark", {}, ("python", "spark"))
    commands = (
        "init", "run", "apply", "convert", "risk", "compare", "hierarchy", "report", "attack", "collect", "collect randomize", "collect aggregate", "collect estimate", "collect recommend",
        "rappor", "rappor design", "rappor report", "rappor count", "rappor decode", "reproduce", "demonstrate", "pseudonymize", "query", "budget", "accuracy", "simulate", "sweep", "versions", "serve", "serve collect", "serve token",
    )  # fmt: skip
    yield case("help", {}, ("--help",), ("--version",), *((*name.split(), "--help") for name in commands))
    arguments = (
        ("run",), ("run", "absent.toml"), ("run", "plan.toml", "--engine", "hadoop"), ("run", "plan.toml", "--memory-limit", "much"), ("runn", "plan.toml"), ("run", "plan.toml", "--jsn"),
        ("risk", "people.csv"), ("risk", "absent.csv", *QI), ("risk", "people.csv", "--qi", "nothing"), ("risk", "people.csv", *QI, "--threshold", "2"), ("risk", "people.csv", *QI, "--population", "3"),
        ("compare", "people.csv", "plan.toml", *QI), ("compare", "people.csv", "people.csv", *QI, "--target", "nothing"), ("attack", "people.csv", *QI), ("attack", "people.csv", "--original", "people.csv", "--qi", "age", "--guesses", "0"),
        ("sweep", "plan.toml"), ("sweep", "plan.toml", "--vary", "k"), ("sweep", "plan.toml", "--vary", "k=9..2"), ("sweep", "plan.toml", "--vary", "l=2"), ("versions", "people.csv", "--original", "people.csv", *QI),
        ("hierarchy", "people.csv", "nothing"), ("hierarchy", "people.csv", "age", "--spec", "width = "), ("init", "absent.csv"), ("init", "people.csv", "-o", "no/where.toml"), ("convert", "people.csv", "-o", "out.doc"),
        ("apply", "plan.toml", "absent.json", "people.csv", "-o", "x.csv"), ("report", "plan.toml"), ("query", "plan.toml", "SELECT 1"), ("budget", "plan.toml"), ("collect", "randomize", "plan.toml", "people.csv", "-o", "x.csv"),
        ("collect", "recommend", "--epsilon", "-1", "--values", "3", "--persons", "9"), (*DESIGN,), ("rappor", "report", "absent.json", "people.csv", "--column", "zip", "-o", "x"), ("pseudonymize", "plan.toml"), ("reproduce", "mse", "--data", "absent"),
    )  # fmt: skip
    yield case("wrong arguments", {"people.csv": PEOPLE, "plan.toml": plan()}, *arguments)

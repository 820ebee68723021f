"""Plans of every method, promise, loss, perturbation and format, each with its table."""

import base64
import gzip
import io

METHODS = {
    "full-domain": 'name = "full-domain"\nsuppression_limit = 0.2',
    "local-recoding": 'name = "local-recoding"',
    "local-recoding nodes": 'name = "local-recoding"\npublish = "nodes"\nnodes = 500',
    "mondrian": 'name = "mondrian"',
    "mondrian relaxed": 'name = "mondrian"\nsplit = "relaxed"\npublish = "nodes"',
    "cell-suppression": 'name = "cell-suppression"',
    "fixed": 'name = "fixed"\nsuppression_limit = 0.9\nlevels = { zip = 2, age = 2, born = 2 }',
    "microaggregation": 'name = "microaggregation"\ndigits = { age = 1 }\ncenters = { age = "median" }\nrows_at_once = 50',
    "microaggregation plain": 'name = "microaggregation"',
    "none": 'name = "none"',
}
LOSSES = (
    "loss", "precision", "height", "discernibility", "class-size", "ambiguity", "non-uniform-entropy",
    "entropy-information-loss", "kl-divergence", "publisher-payout",
)  # fmt: skip
PROMISES = {
    "average risk": 'model = "average-risk"\nthreshold = 0.4',
    "basic likeness": 'model = "beta-likeness"\nkind = "basic"\ncolumn = "illness"\nbeta = 2',
    "enhanced likeness": 'model = "beta-likeness"\nkind = "enhanced"\ncolumn = "illness"\nbeta = 2',
    "disclosure": 'model = "delta-disclosure"\ncolumn = "illness"\ndelta = 2.5\nbase = "2"\nabsent = "ignored"',
    "highest risk": 'model = "highest-risk"\nthreshold = 0.34',
    "estimated k-map": 'model = "k-map"\nkind = "estimated"\nk = 3\npopulation = 5000\nsample = 48\nsignificance = 0.05\nestimator = "poisson"',
    "distinct": 'model = "l-diversity"\nkind = "distinct"\ncolumn = "illness"\nl = 2',
    "entropy": 'model = "l-diversity"\nkind = "entropy"\ncolumn = "illness"\nl = 1.5\nestimator = "shannon"',
    "frequency": 'model = "l-diversity"\nkind = "frequency"\ncolumn = "illness"\nl = 1.5',
    "recursive": 'model = "l-diversity"\nkind = "recursive"\ncolumn = "illness"\nc = 3\nl = 2',
    "population uniqueness": 'model = "population-uniqueness"\nthreshold = 0.05\npopulation = 5000\nestimator = "pitman"',
    "ratio closeness": 'model = "ratio-closeness"\ncolumn = "illness"\nt = 4',
    "records at risk": 'model = "records-at-risk"\nthreshold = 0.5\nshare = 0.2',
    "sample uniqueness": 'model = "sample-uniqueness"\nthreshold = 0.1',
    "closeness to the original": 'model = "t-closeness"\ncolumn = "pay"\ndistance = "ordered"\nreference = "original"\nt = 0.5',
    "closeness to the release": 'model = "t-closeness"\ncolumn = "illness"\ndistance = "equal"\nreference = "released"\nt = 0.4',
}
PERTURBED = {
    "pram": '[columns.illness.perturb]\nmethod = "pram"\nvalues = ["a", "b", "c"]\nkeep = 0.8',
    "invariant pram": '[columns.illness.perturb]\nmethod = "pram"\nvalues = ["a", "b", "c"]\nkeep = 0.8\ninvariant = 0.5',
    "laplace": '[columns.pay.perturb]\nmethod = "noise"\nlaw = "laplace"\ndeviation = 5\nstep = 0.5\nclamp = true\n[columns.pay]\nbounds = [0, 1000]',
    "gaussian": '[columns.pay.perturb]\nmethod = "noise"\nlaw = "gaussian"\nrelative = 0.01\nstep = 1\n[columns.pay]\nbounds = [0, 1000]',
    "rank swapping": '[columns.pay.perturb]\nmethod = "rank-swapping"\nshare = 0.2',
    "individual ranking": '[columns.pay.perturb]\nmethod = "individual-ranking"\nk = 3\ndigits = 1',
    "private ranking": '[columns.pay.perturb]\nmethod = "individual-ranking"\nk = 3\nepsilon = 1\nrows = "shuffled"\ndigits = 1\n[columns.pay]\nbounds = [0, 1000]',
    "pseudonym": '[columns.k.perturb]\nmethod = "pseudonym"\nkey = { file = "hospital.key" }',
    "hash": '[columns.k.perturb]\nmethod = "hash"\nbits = 128',
}
PEOPLE = "name,zip,age,born,pay,illness,k\n" + "".join(
    f"p{i},{'0123'[i % 4]}{i % 3}000,{20 + i * 7 % 12},19{60 + i % 30}-0{1 + i % 9}-11,{i * 31 % 50 * 10}.5,{'abc'[i * 7 % 11 % 3]},{1 + i % 3}\n"
    for i in range(48)
)
KEY = "7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069\n"
_COLUMNS = {
    "name": ['role = "identifying"'],
    "zip": ['role = "quasi-identifying"', "weight = 2.0", 'hierarchy = { mask = "right", width = 5, steps = [2, 4] }'],
    "age": ['role = "quasi-identifying"', 'kind = "integer"', "hierarchy = { width = 4, then = [12], start = 20 }"],
    "born": ['role = "quasi-identifying"', 'kind = "date"', 'hierarchy = { dates = ["year", "decade"] }'],
    "pay": ['role = "sensitive"', 'kind = "decimal"'],
    "illness": ['role = "sensitive"'],
    "k": ['role = "insensitive"'],
}
OUTPUT = '[output]\npath = "release.csv"\nresult = "result.json"\nreport = "report.html"\n'
MEASURE = "[measure]\nqueries = 5\nguesses = 5\n"


def plan(
    method="full-domain", promises=('model = "k-anonymity"\nk = 2',), columns=None, more="", source="", output=OUTPUT
):
    """A plan on the table of persons as TOML."""
    told = {name: list(lines) for name, lines in _COLUMNS.items()}
    for name, lines in (columns or {}).items():
        told[name] = lines if isinstance(lines, list) else [*told[name], lines]
    source = source or 'path = "people.csv"'
    text = f"sfumato = 1\n[source]\n{source}\n"
    text += "".join(f"[columns.{name}]\n" + "\n".join(lines) + "\n" for name, lines in told.items())
    text += "".join(f"[[promise]]\n{promise}\n" for promise in promises)
    text += f"[method]\n{METHODS.get(method, method)}\n"
    return text + more + ("" if "[measure]" in more else MEASURE) + output


def case(name, text, *steps, **files):
    """A plan that is run, and further commands."""
    given = {"people.csv": PEOPLE, "plan.toml": text} | {key.replace("__", "."): held for key, held in files.items()}
    if '"people.csv"' not in text:
        del given["people.csv"]
    if "hospital.key" in text:
        given["hospital.key"] = KEY
    words = [list(step) for step in (steps or (("run", "plan.toml"),))]
    return {"name": name, "files": given, "steps": [{"words": one} for one in words]}


def perturbed(name):
    """The perturbation of a column as what [columns] says."""
    text = PERTURBED[name]
    head, _, rest = text.partition("]\n")
    column = head.split(".")[1]
    own, _, more = rest.partition(f"[columns.{column}]\n")
    inline = ", ".join(own.strip().splitlines())
    lines = [line for line in _COLUMNS[column] if not (name in {"pseudonym", "hash"} and "role" in line)]
    lines += ['role = "identifying"'] if name in {"pseudonym", "hash"} else []
    return {column: [*lines, f"perturb = {{ {inline} }}", *more.strip().splitlines()]}


def cases():
    """Every plan."""
    for method in METHODS:
        nothing = () if method == "none" else ('model = "k-anonymity"\nk = 3',)
        yield case(f"method {method}", plan(method, nothing), ("run", "plan.toml"), ("run", "plan.toml", "--json"))
    for loss in LOSSES[1:]:
        yield case(f"loss {loss}", plan(f'{METHODS["full-domain"]}\nloss = "{loss}"'))
    options = 'loss = "loss"\nloss_options = { gs = 0.7, aggregate = "maximum" }\nseconds = 50\nnodes = 9'
    yield case("loss options", plan(f"{METHODS['full-domain']}\n{options}"))
    for name, promise in PROMISES.items():
        yield case(f"promise {name}", plan("mondrian" if "closeness to" in name else "full-domain", (promise,)))
    yield case("promise impossible", plan("full-domain", ('model = "k-anonymity"\nk = 49',)))
    for name in PERTURBED:
        yield case(f"perturb {name}", plan("mondrian", columns=perturbed(name)))
    yield from _special()
    yield from _formats()


SAFE = """[[promise]]
model = "differential-privacy"
kind = "safepub"
epsilon = 2
delta = "1e-2"
search_epsilon = 1
[method]
name = "safepub"
search = "whole"
score = "classes"
"""
ROLES = """sfumato = 1
source = { path = "people.csv" }
[columns]
name = { role = "identifying" }
zip = { role = "identifying" }
age = { role = "quasi-identifying", kind = "integer", hierarchy = { width = 4, then = [20], from = 20, to = 40 } }
born = { role = "identifying" }
pay = { role = "identifying" }
illness = { role = "quasi-identifying", hierarchy = { groups = ["a", "b", "c"] } }
k = { role = "identifying" }
"""
ACCOUNT = """[account]
ledger = "sqlite:///ledger.db"
dataset = "people"
analyst = "ada"
request = "first table"
budget = { epsilon = 9, delta = "1e-1" }
"""
INSERTION = """[[promise]]
model = "differential-privacy"
kind = "tuple-insertion"
epsilon = 8
[method]
name = "tuple-insertion"
values.age = ["20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31"]
"""
DROP = '[output]\npath = "release.csv"\nsuppressed = "drop"\nrow_order = "shuffled"\nresult = "result.json"\nreport = "report.html"\n'
PAIRS = ROLES.replace(
    'illness = { role = "quasi-identifying", hierarchy = { groups = ["a", "b", "c"] } }',
    'illness = { role = "sensitive" }',
)
PAID = (("run", "plan.toml"), ("budget", "plan.toml", "--create"), ("run", "plan.toml"), ("run", "plan.toml"), ("budget", "plan.toml"), ("budget", "plan.toml", "--explain", "--json"))  # fmt: skip


def _special():
    """Plans that publish two tables, sets, samples; personal promises; populations; what is done before and after."""
    many = PEOPLE + PEOPLE.partition("\n")[2] * 9
    yield case("safepub", ROLES + SAFE + MEASURE + DROP, people__csv=many)
    yield case("safepub charged", ROLES + SAFE + ACCOUNT + MEASURE + DROP, *PAID, people__csv=many)
    yield case("tuple insertion", ROLES + INSERTION + MEASURE + OUTPUT, people__csv=many)
    yield case("tuple insertion charged", ROLES + INSERTION + ACCOUNT + MEASURE + OUTPUT, *PAID, people__csv=many)
    frequency = '[[promise]]\nmodel = "l-diversity"\nkind = "frequency"\ncolumn = "illness"\nl = 2\n[method]\nname = "anatomy"\n'
    yield case("anatomy", PAIRS + frequency + MEASURE + OUTPUT, ("run", "plan.toml"), ("run", "plan.toml", "--json"))
    for grouping in ("random", "similar"):
        bucket = (
            f'[[promise]]\nmodel = "bucket-size"\nk = 4\n[method]\nname = "bucketization"\ngrouping = "{grouping}"\n'
        )
        yield case(f"bucketization {grouping}", PAIRS + bucket + MEASURE + OUTPUT)
    sample = '[sample]\nprobability = "2/3"\n'
    yield case("sample", plan("mondrian", more=sample))
    yield case("sample of two tables", PAIRS + sample + frequency + MEASURE + OUTPUT)
    asks = {"k": ['role = "identifying"']}
    for method in ("full-domain", "mondrian", "local-recoding"):
        own = (
            'model = "personal-k"\ncolumn = "k"',
            'model = "personal-l"\ncolumn = "illness"\nasked = "k"\nkind = "distinct"',
        )
        yield case(
            f"personal {method}",
            plan(f'name = "{method}"' + ("\nsuppression_limit = 0.5" if method == "full-domain" else ""), own, asks),
        )
    known = "".join(f"{line},{'1' if i % 3 else '0'}\n" for i, line in enumerate(PEOPLE.splitlines()[1:]))
    table = PEOPLE.splitlines()[0] + ",published\n" + known
    inside = {"published": ['role = "identifying"']}
    subset = '[population]\nsubset = "published"\n'
    presence = 'model = "delta-presence"\ndelta_min = 0.1\ndelta_max = 0.9'
    yield case(
        "population subset",
        plan(promises=(presence, 'model = "k-map"\nkind = "known"\nk = 2'), columns=inside, more=subset),
        people__csv=table,
    )
    yield case(
        "population size",
        plan(
            more='[population]\nsize = 100000\n[measure]\nqueries = 5\nguesses = 5\nrisk_threshold = 0.2\nposterior = 0.5\ndistance = 0.5\nloss_by_k = [2, 3]\ntarget = "illness"\n'
        ),
    )
    yield case(
        "coarse",
        "most_tuples = 20\n"
        + plan(
            "mondrian",
            columns={
                "age": "bottom = 22\ntop = 29\nround = 2",
                **{key: ['role = "identifying"'] for key in ("born", "pay", "illness")},
            },
        ),
    )
    yield case("ordered", 'order = ["born", "age", "zip", "name", "pay", "illness", "k"]\n' + plan("mondrian"))
    yield case(
        "persons",
        plan("full-domain", more='[unit]\nperson = "name"\n'),
        people__csv=PEOPLE.replace("p1,", "p2,").replace("p7,", "p2,"),
    )
    swapped = {
        "zip": [
            'role = "quasi-identifying"',
            'perturb = { method = "record-swapping", match = ["k"], key = ["age"], at_risk = 2, share = 0.1 }',
        ],
        "k": ['role = "quasi-identifying"'],
        "born": ['role = "insensitive"'],
    }
    yield case("record swapping", plan("none", (), swapped))
    for suppressed in ("star", "null", "drop"):
        output = (
            OUTPUT
            + f'suppressed = "{suppressed}"\nrow_order = "{"kept" if suppressed == "star" else "shuffled"}"\nformulas = "quoted"\n'
        )
        yield case(
            f"suppressed {suppressed}",
            plan('name = "fixed"\nsuppression_limit = 0.9\nlevels = { zip = 0, age = 1, born = 2 }', output=output),
            people__csv=PEOPLE.replace(",a,", ",=a,"),
        )
    yield case(
        "apply",
        plan(),
        ("run", "plan.toml"),
        ("apply", "plan.toml", "result.json", "new.csv", "-o", "again.csv", "--json"),
        new__csv=PEOPLE + PEOPLE.partition("\n")[2],
    )


def _formats():
    """One plan over every kind of table, in and out."""
    rows = [line.split(",") for line in PEOPLE.splitlines()]
    semicolons = "\n".join(";".join(row).replace(".5", ",5") for row in rows) + "\n"
    quoted = "\r\n".join("\t".join(f'"{cell}"' for cell in row) for row in rows) + "\r\n"
    files = {
        "semicolons.csv": ('dialect = { delimiter = ";", decimal = "," }', semicolons),
        "sniffed.csv": ("", semicolons.replace(",5", ".5")),
        "tabs.tsv": ('dialect = { delimiter = "\\t", encoding = "utf-8", header = true, skip = 0 }', quoted),
        "latin.csv": (
            'dialect = { encoding = "latin-1" }\nmissing = ["b"]',
            {"base64": base64.b64encode(PEOPLE.replace(",a,", ",é,").encode("latin-1")).decode()},
        ),
        "bom.csv": ("", "\ufeff" + PEOPLE),
        "headed.csv": ("dialect = { skip = 2 }", "a title\n\n" + PEOPLE),
        "people.csv.gz": ("", {"base64": base64.b64encode(gzip.compress(PEOPLE.encode(), mtime=0)).decode()}),
        "people.parquet": ("", _arrow("parquet")),
        "people.arrow": ("", _arrow("arrow")),
        "people.xlsx": ('sheet = "people"', _excel()),
    }
    for name, (more, held) in files.items():
        text = plan("mondrian", source=f'path = "{name}"\n{more}', columns={"k": 'kind = "integer"'})
        yield case(f"from {name}", text, **{name.replace(".", "__"): held})
    for suffix in ("csv", "tsv", "csv.gz", "parquet", "arrow", "xlsx"):
        output = OUTPUT.replace("release.csv", f"release.{suffix}")
        yield case(f"to {suffix}", plan("full-domain", output=output))
    for suffix in ("parquet", "xlsx"):
        frequency = '[[promise]]\nmodel = "l-diversity"\nkind = "frequency"\ncolumn = "illness"\nl = 2\n[method]\nname = "anatomy"\n'
        yield case(
            f"two tables to {suffix}", PAIRS + frequency + MEASURE + OUTPUT.replace("release.csv", f"release.{suffix}")
        )


def _arrow(kind):
    """The persons as a Parquet or an Arrow file."""
    import pyarrow as pa
    from pyarrow import csv, feather
    from pyarrow import parquet as pq

    table = csv.read_csv(
        io.BytesIO(PEOPLE.encode()), convert_options=csv.ConvertOptions(column_types={"zip": pa.string()})
    )
    sink = io.BytesIO()
    pq.write_table(table, sink) if kind == "parquet" else feather.write_feather(table, sink, compression="zstd")
    return {"base64": base64.b64encode(sink.getvalue()).decode()}


def _excel():
    """The persons as a workbook."""
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "people"
    for line in PEOPLE.splitlines():
        sheet.append([int(cell) if cell.isdigit() and not cell.startswith("0") else cell for cell in line.split(",")])
    sink = io.BytesIO()
    book.save(sink)
    return {"base64": base64.b64encode(sink.getvalue()).decode()}

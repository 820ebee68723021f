"""One working example of every kind of document that a command reads, with the command that reads it."""

from dataclasses import dataclass

from sfumato.mechanism.local.rappor.params import RapporParams

HOME = RapporParams("pages", bits=16, hashes=2, cohorts=4, f="1/2", p="1/4", q="3/4")
_PERSONS = 24
PEOPLE = "name,zip,age,born,pay,illness,k\n" + "".join(
    f"p{i},{'0123'[i % 4]}{i % 3}000,{20 + i % 12},19{60 + i % 30}-0{1 + i % 9}-11,{i % 5 * 100}.5,{'abc'[i * 7 % 3]},{1 + i % 2}\n"
    for i in range(_PERSONS)
)
COLORS = "color,size\n" + "".join(f"{('red', 'green', 'blue')[i % 3]},{'sl'[i % 2]}\n" for i in range(30))
NUMBERS = "age,sex\n" + "".join(f"{i % 90},{'fm'[i % 2]}\n" for i in range(30))

PLAN = """
sfumato = 1
[source]
path = "people.csv"
missing = ["?"]
dialect = { delimiter = ",", encoding = "utf-8", header = true, skip = 0 }
[columns.name]
role = "identifying"
[columns.zip]
role = "quasi-identifying"
weight = 2.0
hierarchy = { mask = "right", width = 5, steps = [2, 4] }
[columns.age]
role = "quasi-identifying"
kind = "integer"
bounds = [0, 120]
hierarchy = { width = 10, then = [40], start = 0 }
top = 90
[columns.born]
role = "quasi-identifying"
kind = "date"
hierarchy = { dates = ["year", "decade"] }
[columns.pay]
role = "sensitive"
kind = "decimal"
[columns.illness]
role = "sensitive"
[columns.k]
role = "identifying"
[[promise]]
model = "k-anonymity"
k = 2
[[promise]]
model = "l-diversity"
kind = "distinct"
column = "illness"
l = 1
[[promise]]
model = "t-closeness"
column = "pay"
distance = "ordered"
reference = "original"
t = 0.9
[method]
name = "full-domain"
suppression_limit = 0.5
loss = "loss"
seconds = 5.0
[population]
size = 100000
[measure]
queries = 5
guesses = 5
risk_threshold = 0.2
posterior = 0.5
distance = 0.5
loss_by_k = [2, 3]
[output]
path = "release.csv"
result = "result.json"
report = "report.html"
suppressed = "star"
row_order = "kept"
"""
MONDRIAN = """
sfumato = 1
source = { path = "people.csv", kind = "csv" }
most_tuples = 1000
[unit]
person = "name"
[columns]
name = { role = "identifying" }
zip = { role = "quasi-identifying", hierarchy = { groups = [["00000", "10000"], { label = "rest", members = ["20000"] }, "01000", "02000", "11000", "12000", "21000", "22000", "30000", "31000", "32000"] } }
age = { role = "quasi-identifying", kind = "integer", hierarchy = { bins = 12, from = 0, to = 120 }, round = 2 }
born = { role = "insensitive", kind = "date", format = "%Y-%m-%d" }
pay = { role = "sensitive", kind = "decimal", perturb = { method = "noise", law = "laplace", deviation = 5, step = 1, clamp = true }, bounds = [0, 1000] }
illness = { role = "sensitive", perturb = { method = "pram", values = ["a", "b", "c"], keep = 0.8 } }
k = { role = "insensitive", kind = "integer", perturb = { method = "rank-swapping", share = 0.2 } }
[[promise]]
model = "k-anonymity"
k = 2
[method]
name = "mondrian"
split = "strict"
publish = "covers"
[measure]
queries = 5
guesses = 5
[output]
path = "release.csv"
"""
MICRO = """
sfumato = 1
source = { path = "people.csv" }
[columns]
name = { role = "identifying" }
zip = { role = "quasi-identifying", hierarchy = { balanced = 2 } }
age = { role = "quasi-identifying", kind = "integer", hierarchy = { intervals = [[0, 25, 65, 120], [0, 65, 120]], above = true } }
born = { role = "insensitive" }
pay = { role = "sensitive", kind = "decimal" }
illness = { role = "sensitive" }
k = { role = "insensitive", perturb = { method = "pseudonym", key = { file = "hospital.key" } } }
[[promise]]
model = "k-anonymity"
k = 3
[method]
name = "microaggregation"
digits = { age = 1 }
centers = { age = "median" }
rows_at_once = 1000
[measure]
queries = 5
guesses = 5
target = "illness"
[output]
path = "release.csv"
"""
SAFEPUB = """
sfumato = 1
source = { path = "people.csv" }
[columns]
name = { role = "identifying" }
zip = { role = "identifying" }
age = { role = "quasi-identifying", kind = "integer", hierarchy = { width = 10, then = [50], from = 0, to = 100 } }
born = { role = "identifying" }
pay = { role = "identifying" }
illness = { role = "quasi-identifying", hierarchy = { groups = ["a", "b", "c"] } }
k = { role = "identifying" }
[[promise]]
model = "differential-privacy"
kind = "safepub"
epsilon = 2
delta = "1e-2"
search_epsilon = 1
[method]
name = "safepub"
search = "whole"
score = "classes"
[measure]
queries = 5
guesses = 0
[output]
path = "release.csv"
suppressed = "drop"
row_order = "shuffled"
"""
ANATOMY = """
sfumato = 1
source = { path = "people.csv" }
[columns]
name = { role = "identifying" }
zip = { role = "quasi-identifying" }
age = { role = "quasi-identifying", kind = "integer" }
born = { role = "identifying" }
pay = { role = "identifying" }
illness = { role = "sensitive" }
k = { role = "identifying" }
[[promise]]
model = "l-diversity"
kind = "frequency"
column = "illness"
l = 2
[method]
name = "anatomy"
[measure]
queries = 5
[output]
path = "release.csv"
"""
COLLECTION = """
sfumato_collection = 1
[[question]]
column = "color"
values = ["red", "green", "blue"]
[[question]]
column = "size"
values = ["s", "l"]
[protocol]
name = "SMP[ADP]"
epsilon = 2.0
calibration = "tuple level"
"""
SURVEY = """
format = "sfumato.survey/1"
name = "colors"
title = { en = "Colors" }
consent = { en = "Answers are changed at random." }
languages = ["en"]
epsilon = 9.0
asks = 2
ends = 2099-12-31
[[question]]
kind = "one-of"
name = "color"
text = { en = "Which color?" }
values = ["red", "green", "blue"]
labels = { en = ["Red", "Green", "Blue"] }
mechanism = "L-GRR"
epsilon = 4.0
difference = 0.1
repeat = { every = "day", times = 2, first = 1.0, distinct = 2 }
[[question]]
kind = "yes-no"
name = "large"
column = "size"
text = { en = "Is it large?" }
values = ["s", "l"]
mechanism = "forced response"
chances = { truth = "2/3", yes = "1/6" }
epsilon = 2.0
[experiment]
name = "wording"
arm = [{ name = "plain" }, { name = "kind", text = { en = "Thank you." } }]
[stop]
respondents = 5000
half_width = 0.1
"""
NOISING = """
sfumato_noising = 1
drop = []
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
PRAM = """
sfumato_pram = 1
missing = ["?"]
[columns.sex]
values = ["f", "m"]
keep = 0.8
invariant = 0.5
"""
PSEUDONYMS = """
sfumato_pseudonyms = 1
key = { file = "hospital.key" }
[[table]]
path = "people.csv"
output = "people.out.csv"
keep = ["zip", "age", "born", "pay", "illness"]
drop = ["k"]
[table.pseudonyms.name]
domain = "person"
"""
DATA = """
sfumato-data = 1
[source]
path = "numbers.csv"
[columns.age]
low = 0
high = 120
step = 1
[columns.sex]
values = ["f", "m"]
[unit]
neighbors = "add or remove"
[budget]
epsilon = 2
delta = 1e-5
[ledger]
url = "sqlite:///ledger.db"
dataset = "persons"
"""
SERVER = f"""
sfumato-server = 1
store = "sqlite:///store.db"
[limits]
body = 1000
seconds = 3.0
waiting = 10
batches_per_second = 5.0
[collections.home]
rappor = "params.json"
candidates = "names.txt"
token_sha256 = "{"ab" * 32}"
reader_sha256 = "{"cd" * 32}"
[collections.one]
collection = "asked.toml"
open = true
reader_sha256 = "{"cd" * 32}"
"""
WORDS = """
[subject.secret]
says = "health"
role = "sensitive"
names = ["illness", "krank"]
values = ["flu", "gout"]
"""
FILES = {
    "people.csv": PEOPLE, "colors.csv": COLORS, "numbers.csv": NUMBERS, "asked.toml": COLLECTION, "names.txt": "a\nb\n",
    "params.json": HOME.to_json(), "hospital.key": "7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069\n",
    "plan.toml": PLAN,
}  # fmt: skip


PREPARED = (
    ("collect", "randomize", "asked.toml", "colors.csv", "-o", "reports.csv"),
    ("collect", "aggregate", "asked.toml", "reports.csv", "-o", "counts.json"),
    ("collect", "randomize", "params.json", "colors.csv", "--column", "color", "-o", "batches.jsonl"),
    ("collect", "aggregate", "params.json", "batches.jsonl", "-o", "sums.json"),
    ("run", "plan.toml"),
)
"""Commands that make the documents that commands read: counts, batches, a result."""


@dataclass(frozen=True)
class Kind:
    """A kind of document: where an example stands, and the command that reads a changed one, as `mutated`."""

    example: str
    command: tuple[str, ...]


_SQL = ("SELECT sex, COUNT(*), AVG(age) FROM t GROUP BY sex", "--epsilon", "1/2", "--rows", "30", "--runs", "2")
_SAY = ("--column", "color", "-o", "out.jsonl")
TOML = {
    "plan": Kind(PLAN, ("run", "mutated")),
    "plan of partitions": Kind(MONDRIAN, ("run", "mutated")),
    "plan of means": Kind(MICRO, ("run", "mutated")),
    "private plan": Kind(SAFEPUB, ("run", "mutated")),
    "plan of two tables": Kind(ANATOMY, ("run", "mutated")),
    "collection": Kind(COLLECTION, ("collect", "randomize", "mutated", "colors.csv", "-o", "out.csv")),
    "survey": Kind(SURVEY, ("collect", "randomize", "mutated", "colors.csv", "-o", "out.csv")),
    "noising": Kind(NOISING, ("collect", "sanitize", "mutated", "numbers.csv", "-o", "out.csv")),
    "PRAM": Kind(PRAM, ("collect", "pram", "mutated", "numbers.csv", "-o", "out.csv")),
    "pseudonyms": Kind(PSEUDONYMS, ("pseudonymize", "mutated")),
    "data": Kind(DATA, ("simulate", "mutated", *_SQL)),
    "words": Kind(WORDS, ("draft", "people.csv", "-o", "drafted.toml", "--force", "--words", "mutated")),
    "server": Kind(SERVER, ()),
}
"""Documents in TOML; a server is not started, its document is only read."""
JSON = {
    "counts": Kind("counts.json", ("collect", "estimate", "asked.toml", "mutated")),
    "counts again": Kind("counts.json", ("collect", "aggregate", "asked.toml", "mutated.json", "-o", "out.json")),
    "RAPPOR parameters": Kind("params.json", ("collect", "randomize", "mutated", "colors.csv", *_SAY)),
    "batches": Kind("batches.jsonl", ("collect", "aggregate", "params.json", "mutated.jsonl", "-o", "out.json")),
    "sums": Kind("sums.json", ("collect", "estimate", "params.json", "mutated", "--candidates", "names.txt")),
    "result": Kind("result.json", ("report", "mutated", "-o", "out.html")),
    "result again": Kind("result.json", ("apply", "plan.toml", "mutated", "people.csv", "-o", "out.csv")),
}
"""Documents in JSON, made by `PREPARED`."""

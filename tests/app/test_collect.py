"""`sfumato collect`: two machines play devices and server."""

import numpy as np
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.mechanism.local.oracle import variance
from sfumato.mechanism.local.registry import oracles
from sfumato.mechanism.local.several.catalog import scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.summary.ask import Counting, MarginalOf

DOCUMENT = """
sfumato_collection = 1
[[question]]
column = "color"
values = ["red", "green", "blue"]
[protocol]
name = "{name}"
epsilon = {epsilon}
"""

SECOND = '[[question]]\ncolumn = "size"\nvalues = ["s", "l"]\n[protocol]'


@pytest.fixture
def asked(tmp_path):
    """A collection about colors, and 3,000 answers: half red, a third green."""

    def write(name="GRR", epsilon="4.0", *, several=False):
        text = DOCUMENT.format(name=name, epsilon=epsilon)
        (tmp_path / "asked.toml").write_text(text.replace("[protocol]", SECOND) if several else text, encoding="utf-8")
        rows = [f"{'red' if i % 6 < 3 else 'green' if i % 6 < 5 else 'blue'},{'sl'[i % 2]}" for i in range(3000)]
        (tmp_path / "answers.csv").write_text("color,size\n" + "\n".join(rows) + "\n", encoding="utf-8")
        return tmp_path / "asked.toml"

    return write


@pytest.mark.parametrize("name", oracles())
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_shares_come_back_through_files(sfumato, asked, name, form):
    """Devices write reports, the server counts and estimates.

    At ε = 4 and n = 3000 every oracle here has a standard deviation below 0.025 for each share, so the
    tolerance of 0.25 is ten deviations: missed with probability below 1e-20.
    """
    document = asked(name)
    assert 0 == sfumato("collect", "randomize", document, "answers.csv", "-o", f"reports.{form}").code
    assert 0 == sfumato("collect", "aggregate", document, f"reports.{form}", "-o", "counts.json").code
    found = sfumato("collect", "estimate", document, "counts.json", "--json").json
    shares = {a["value"]: a["estimate"] for a in found["questions"][0]["answers"]}
    assert shares == {"red": pytest.approx(1 / 2, abs=0.25), "green": pytest.approx(1 / 3, abs=0.25), "blue": pytest.approx(1 / 6, abs=0.25)}  # fmt: skip
    assert found["epsilon"]["tuple_level"] <= 4.0


@pytest.mark.parametrize("name", ["SPL[GRR]", "SMP[ADP]", "RS+FD[OUE-z]", "every attribute[SUE]"])
def test_several_questions_state_both_epsilons(sfumato, asked, name):
    """Each scheme runs through the files and says what it promises to which neighbors."""
    document = asked(name, several=True)
    assert 0 == sfumato("collect", "randomize", document, "answers.csv", "-o", "reports.csv").code
    sfumato("collect", "aggregate", document, "reports.csv", "-o", "counts.json")
    found = sfumato("collect", "estimate", document, "counts.json", "--json").json
    assert ["color", "size"] == [q["column"] for q in found["questions"]]
    assert found["epsilon"]["one_attribute"] <= found["epsilon"]["tuple_level"]
    assert 1.0 == pytest.approx(sum(a["projected"] for a in found["questions"][0]["answers"]))


def test_counts_of_two_servers_add_up(sfumato, asked):
    """Counting two files together or apart gives the same."""
    document = asked("OUE")
    for name in ("one", "two"):
        sfumato("collect", "randomize", document, "answers.csv", "-o", f"{name}.csv", "--batch", "700")
        sfumato("collect", "aggregate", document, f"{name}.csv", "-o", f"{name}.json")
    together = sfumato("collect", "aggregate", document, "one.csv", "two.csv", "--json").json
    apart = sfumato("collect", "aggregate", document, "one.json", "two.json", "--json").json
    assert together == apart
    assert [6000] == together["reports"]


def test_of_many_files_one_is_open_at_a_time(sfumato, asked, monkeypatch):
    """A hundred files held open at once took more than 8 GB."""
    document, seen = asked("GRR"), []
    scan, summarize = DuckDBEngine.scan, DuckDBEngine.summarize
    monkeypatch.setattr(DuckDBEngine, "scan", lambda self, source: (seen.append("open"), scan(self, source))[1])
    monkeypatch.setattr(
        DuckDBEngine, "summarize", lambda self, table, ask: (seen.append(type(ask)), summarize(self, table, ask))[1]
    )
    names = [f"{i}.csv" for i in range(3)]
    for name in names:
        assert 0 == sfumato("collect", "randomize", document, "answers.csv", "-o", name, "--batch", "3000").code
    seen.clear()
    assert [9000] == sfumato("collect", "aggregate", document, *names, "--json").json["reports"]
    assert seen == ["open", MarginalOf, Counting] * 3


def test_an_undeclared_answer_stops_everything_and_is_not_told(sfumato, asked, tmp_path):
    """The domain is declared; what lies outside is counted, never printed, and nothing is written."""
    document = asked()
    table = tmp_path / "answers.csv"
    table.write_text(table.read_text(encoding="utf-8") + "C4NARY,s\n", encoding="utf-8")
    ran = sfumato("collect", "randomize", document, "answers.csv", "-o", "reports.csv")
    assert (3, False) == (ran.code, "C4NARY" in ran.out + ran.err)
    assert "1 rows do not" in ran.err
    assert not (tmp_path / "reports.csv").exists()


def test_reports_of_another_collection_are_refused(sfumato, asked):
    """Another epsilon on the devices than on the server: an error, no nonsense."""
    document = asked(epsilon="1.0")
    sfumato("collect", "randomize", document, "answers.csv", "-o", "reports.csv")
    document = asked(epsilon="2.0")
    ran = sfumato("collect", "aggregate", document, "reports.csv")
    assert (9, True) == (ran.code, "must belong to this collection" in ran.err)


@pytest.mark.parametrize(("epsilon", "code"), [("0", 2), ("-1.0", 2), ("inf", 5), ("800.0", 2), ("nan", 5)])
def test_an_epsilon_outside_its_range_is_refused(sfumato, asked, tmp_path, epsilon, code):
    """Never a value in clear."""
    ran = sfumato("collect", "randomize", asked(epsilon=epsilon), "answers.csv", "-o", "reports.csv")
    assert (code, False) == (ran.code, (tmp_path / "reports.csv").exists())


def test_one_value_is_no_question(sfumato, asked):
    """k = 1 tells nothing and is refused."""
    document = asked()
    document.write_text(
        document.read_text(encoding="utf-8").replace('["red", "green", "blue"]', '["red"]'), encoding="utf-8"
    )
    assert 5 == sfumato("collect", "randomize", document, "answers.csv", "-o", "reports.csv").code


def test_recommend_orders_by_variance_and_draws(sfumato, tmp_path):
    """For 128 values and 100,000 persons, as in the course: a table, a picture, bytes and costs."""
    ran = sfumato(
        "collect",
        "recommend",
        "--epsilon",
        "1",
        "--values",
        "128",
        "--persons",
        "100000",
        "--picture",
        "p.svg",
        "--json",
    )
    rows = ran.json["attributes"][0]["oracles"]
    assert [row["mean_variance"] for row in rows] == sorted(row["mean_variance"] for row in rows)
    assert {"OUE", "OLH", "GRR"} <= {row["name"] for row in rows}
    assert (tmp_path / "p.svg").read_text(encoding="utf-8").startswith("<svg xmlns=")


def test_recommend_compares_schemes_at_equal_true_epsilon(sfumato):
    """Several questions: both notions of neighbors, each within the asked epsilon."""
    schemes = sfumato(
        "collect", "recommend", "--epsilon", "1", "--values", "2", "--values", "5", "--persons", "1000", "--json"
    ).json["schemes"]
    assert all(row["tuple_level"] <= 1.0 for row in schemes["whole record"])
    assert all(row["one_attribute"] <= 1.0 for row in schemes["one attribute"])


def test_nine_columns_at_one_spend_nine(sfumato, tmp_path):
    """A table noised person by person: the whole row spends the sum, and the table keeps its shape."""
    names = [f"x{i}" for i in range(9)]
    (tmp_path / "table.csv").write_text(",".join(names) + "\n" + "1,2,3,4,5,6,7,8,9\n" * 20, encoding="utf-8")
    kinds = ["laplace", "staircase", "piecewise", "duchi", "hybrid", "square wave", "laplace", "piecewise", "laplace"]
    columns = "".join(
        f'[columns.{name}]\nmechanism = "{kind}"\nepsilon = 1\nbounds = [0, 10]\nsteps = 32\n'
        for name, kind in zip(names, kinds, strict=True)
    )
    (tmp_path / "noise.toml").write_text("sfumato_noising = 1\n" + columns, encoding="utf-8")
    spent = sfumato("collect", "sanitize", "noise.toml", "table.csv", "-o", "noised.csv", "--json").json
    assert 9.0 == pytest.approx(spent["epsilon"], abs=1e-6)
    assert spent["epsilon"] <= 9.0
    assert 21 == len((tmp_path / "noised.csv").read_text(encoding="utf-8").splitlines())


def test_the_naive_staircase_says_what_it_really_leaks(sfumato, tmp_path):
    """Nominal 1, true epsilon above 1.3: the stated number is the true one."""
    (tmp_path / "table.csv").write_text("x\n5\n", encoding="utf-8")
    text = 'sfumato_noising = 1\n[columns.x]\nmechanism = "naive staircase"\nepsilon = 1\nbounds = [0, 10]\n'
    (tmp_path / "noise.toml").write_text(text, encoding="utf-8")
    spent = sfumato("collect", "sanitize", "noise.toml", "table.csv", "-o", "noised.csv", "--json").json
    assert 1.3 < spent["epsilon"] < 1.4


@pytest.mark.parametrize(("cell", "words"), [("11", "bound"), ("x", "must read as decimal")])
def test_a_cell_outside_its_declared_domain_is_refused(sfumato, tmp_path, cell, words):
    """Neither clamped in silence nor published."""
    (tmp_path / "table.csv").write_text(f"x\n5\n{cell}\n", encoding="utf-8")
    text = 'sfumato_noising = 1\n[columns.x]\nmechanism = "laplace"\nepsilon = 1\nbounds = [0, 10]\n'
    (tmp_path / "noise.toml").write_text(text, encoding="utf-8")
    ran = sfumato("collect", "sanitize", "noise.toml", "table.csv", "-o", "noised.csv")
    assert 0 != ran.code
    assert "Traceback" not in ran.err
    assert words in ran.err
    assert not (tmp_path / "noised.csv").exists()


def test_pram_publishes_a_table_whose_shares_can_be_read(sfumato, tmp_path):
    """2,000 rows, keep 0.8: other columns and missing cells stay, shares come back unbiased.

    The published share of `a` has a standard deviation below 0.012, its estimate below 0.02; the
    tolerance of 0.2 is ten deviations, missed with probability below 1e-20.
    """
    rows = [f"{i},{'a' if i % 4 else 'b'}" if i % 10 else f"{i},?" for i in range(2000)]
    (tmp_path / "table.csv").write_text("id,x\n" + "\n".join(rows) + "\n", encoding="utf-8")
    text = 'sfumato_pram = 1\nmissing = ["?"]\n[columns.x]\nvalues = ["a", "b"]\nkeep = 0.8\n'
    (tmp_path / "pram.toml").write_text(text, encoding="utf-8")
    found = sfumato("collect", "pram", "pram.toml", "table.csv", "-o", "out.csv", "--json").json
    shares = {s["value"]: s["estimate"] for s in found["columns"][0]["shares"]}
    assert shares["a"] == pytest.approx(sum(r.endswith("a") for r in rows) / 1800, abs=0.2)
    written = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == [row.split(",")[0] for row in written]
    assert [i for i, row in enumerate(rows) if row.endswith("?")] == [
        i for i, row in enumerate(written) if row.endswith("?")
    ]
    assert 1.3 < found["row_epsilon"] < 1.5


def test_invariant_pram_says_that_it_read_the_table(sfumato, tmp_path):
    """The matrix is made from the table's shares: the promise says so."""
    (tmp_path / "table.csv").write_text("x\n" + "a\nb\na\n" * 50, encoding="utf-8")
    text = 'sfumato_pram = 1\n[columns.x]\nvalues = ["a", "b"]\nkeep = 0.8\ninvariant = 0.5\n'
    (tmp_path / "pram.toml").write_text(text, encoding="utf-8")
    found = sfumato("collect", "pram", "pram.toml", "table.csv", "-o", "out.csv", "--json").json
    assert any("table" in line for line in found["promise"][0]["assumptions"])


def test_reports_are_counted_once_however_they_come(sfumato, asked, tmp_path):
    """A file given twice, its counts beside it, and lines repeated within a file are refused; nothing is written."""
    document = asked()
    for name in ("one", "two"):
        sfumato("collect", "randomize", document, "answers.csv", "-o", f"{name}.csv", "--batch", "700")
        sfumato("collect", "aggregate", document, f"{name}.csv", "-o", f"{name}.json")
    head, *lines = (tmp_path / "one.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "turned.csv").write_text("\n".join([head, *lines[::-1]]) + "\n", encoding="utf-8")
    (tmp_path / "long.csv").write_text("\n".join([head, *lines, lines[2]]) + "\n", encoding="utf-8")
    sfumato("collect", "aggregate", document, "one.json", "two.json", "-o", "both.json")
    for again in (["one.csv", "one.csv"], ["one.csv", "turned.csv"], ["one.csv", "one.json"], ["long.csv"],
                  ["one.json", "both.json"], ["both.json", "two.csv"]):  # fmt: skip
        done = sfumato("collect", "aggregate", document, *again, "-o", "counts.json")
        assert done.code == 9
        assert "counted" in done.err
        assert "once" in done.err
        assert not (tmp_path / "counts.json").exists()


def test_reports_without_names_of_batches_are_counted_once_by_the_file(sfumato, asked, tmp_path):
    """Files of earlier versions have no names: the same lines in two files are the same reports."""
    document = asked()
    sfumato("collect", "randomize", document, "answers.csv", "-o", "new.csv", "--batch", "700")
    rows = [line.split(",") for line in (tmp_path / "new.csv").read_text(encoding="utf-8").splitlines()]
    (tmp_path / "old.csv").write_text("\n".join(",".join((a, *rest)) for a, _, *rest in rows) + "\n", encoding="utf-8")
    assert [3000] == sfumato("collect", "aggregate", document, "old.csv", "--json").json["reports"]
    assert sfumato("collect", "aggregate", document, "old.csv", "old.csv").code == 9


@pytest.mark.parametrize(("name", "persons_by_question"), [("SPL[GRR]", 2), ("SMP[GRR]", 1), ("RS+FD[GRR]", 2)])
def test_deviations_are_those_of_all_persons_whatever_a_person_reports(sfumato, asked, name, persons_by_question):
    """Under SMP a person reports one attribute: to first order the variance is d A/n + (d-1) f(1-f)/n, A by the oracle."""
    document = asked(name, several=True)
    sfumato("collect", "randomize", document, "answers.csv", "-o", "reports.csv")
    sfumato("collect", "aggregate", document, "reports.csv", "-o", "counts.json")
    found = sfumato("collect", "estimate", document, "counts.json", "--json").json
    assert found["persons"] == 3000
    assert sum(found["reports"]) == 3000 * persons_by_question
    scheme = scheme_by_label(name, 4.0, (3, 2), calibration=Calibration.AS_PUBLISHED)
    for question, oracle in zip(found["questions"], getattr(scheme, "oracles", ()), strict=False):
        for answer in question["answers"]:
            f = min(max(answer["estimate"], 0.0), 1.0)
            each = float(variance(np.array([f]), 3000, oracle.support)[0])
            true = 2 * each + f * (1 - f) / 3000 if name == "SMP[GRR]" else each
            assert answer["deviation"] == pytest.approx(true**0.5, rel=2e-3)


def test_whole_numbers_are_published_as_such(sfumato, tmp_path):
    (tmp_path / "table.csv").write_text("x\n" + "7\n" * 30, encoding="utf-8")
    text = 'sfumato_noising = 1\n[columns.x]\nmechanism = "laplace"\nepsilon = 1\nbounds = [0, 10]\nintegers = true\n'
    (tmp_path / "noise.toml").write_text(text, encoding="utf-8")
    assert sfumato("collect", "sanitize", "noise.toml", "table.csv", "-o", "noised.csv").code == 0
    cells = (tmp_path / "noised.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert all(0 <= int(cell) <= 10 for cell in cells)


def test_recommend_draws_every_question(sfumato, tmp_path):
    words = ("--epsilon", "1", "--values", "2", "--values", "5", "--persons", "1000", "--picture", "found.svg")
    assert sfumato("collect", "recommend", *words).code == 0
    picture = (tmp_path / "found.svg").read_text("utf-8")
    assert "question 1 (2 values)" in picture
    assert "question 2 (5 values)" in picture

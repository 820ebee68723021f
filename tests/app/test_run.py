"""`sfumato run`, from the plan to the files."""

import json
import sys

import pytest
from tests.app.conftest import SIX


def test_the_course_table_becomes_3_anonymous_as_in_the_course(sfumato, six, tmp_path):
    """Six persons, k = 3: Cher [20, 25[ and Rhône [25, 30[, three rows each, in their order."""
    assert 0 == sfumato("run", six).code
    assert (
        'CP,Age,Conso\nCher,"[20, 25[",50\nRhône,"[25, 30[",70\nCher,"[20, 25[",90\n'
        'Cher,"[20, 25[",60\nRhône,"[25, 30[",70\nRhône,"[25, 30[",75\n'
    ) == (tmp_path / "release.csv").read_text(encoding="utf-8")


def test_one_secret_value_in_a_class_is_cured_by_diversity_as_in_the_course(sfumato, six, tmp_path):
    """When all of Rhône use 70, distinct 2-diversity merges both departments."""
    table = tmp_path / "six.csv"
    table.write_text(table.read_text(encoding="utf-8").replace(",75", ",70"), encoding="utf-8")
    more = '[[promise]]\nmodel = "l-diversity"\nkind = "distinct"\ncolumn = "Conso"\nl = 2\n[method]'
    six.write_text(six.read_text(encoding="utf-8").replace("[method]", more), encoding="utf-8")
    done = sfumato("run", six, "--json").json["done"]
    levels = {a["name"]: a["level"] for a in done["attributes"]}
    assert {"CP": 2, "Age": 2} == levels


def test_the_result_says_what_scripts_need(sfumato, six):
    """Levels, classes, suppression, losses, risks, guarantee and files, by name."""
    result = sfumato("run", six, "--json").json
    assert "sfumato.release/1" == result["format"]
    assert {"n": 2, "min": 3, "max": 3, "average": 3.0} == result["done"]["classes"]
    assert 0 == result["done"]["suppressed"]["rows"]
    assert (3.0, True) == (result["promise"][0]["measured"], result["promise"][0]["holds"])
    after = {figure["name"]: figure["value"] for figure in result["risk"]["after"]}
    assert 1 / 3 == pytest.approx(after["prosecutor_highest"], abs=1e-15)
    assert "release.csv" == result["files"][0]["path"]


def test_a_plan_run_again_gives_the_same_bytes(sfumato, six, tmp_path):
    """Release, result and report are the same files, byte for byte."""
    names = ("release.csv", "result.json", "report.html")
    sfumato("run", six)
    first = [(tmp_path / name).read_bytes() for name in names]
    sfumato("run", six)
    assert first == [(tmp_path / name).read_bytes() for name in names]


def test_the_report_can_be_made_again_from_the_result(sfumato, six, tmp_path):
    """`sfumato report` writes what `run` wrote."""
    sfumato("run", six)
    assert 0 == sfumato("report", "result.json", "-o", "again.html").code
    assert (tmp_path / "report.html").read_bytes() == (tmp_path / "again.html").read_bytes()


def test_the_report_is_a_pdf_where_its_name_says_so(sfumato, six, tmp_path):
    """From the plan, from a stored result by name or by option, and from Python: the same bytes."""
    six.write_text(six.read_text("utf-8").replace("report.html", "report.PDF"), "utf-8")
    assert 0 == sfumato("run", six).code
    made = (tmp_path / "report.PDF").read_bytes()
    assert made.startswith(b"%PDF-")
    assert 0 == sfumato("report", "result.json", "--pdf").code
    assert 0 == sfumato("report", "result.json", "-o", "again.pdf").code
    assert 0 == sfumato("report", "result.json", "--pdf", "-o", "odd.name").code
    assert {made} == {(tmp_path / name).read_bytes() for name in ("result.pdf", "again.pdf", "odd.name")}


def test_a_pdf_that_could_not_be_made_is_refused_before_anything_is_read(sfumato, six, tmp_path, monkeypatch):
    """The command that installs what is missing is told, and nothing stands there."""
    six.write_text(six.read_text("utf-8").replace("report.html", "report.pdf"), "utf-8")
    (tmp_path / "six.csv").unlink()
    monkeypatch.setitem(sys.modules, "typst", None)
    refused = sfumato("run", six)
    assert 0 != refused.code
    assert 'pip install "sfumato[pdf]"' in refused.err
    assert {"plan.toml"} == {path.name for path in tmp_path.iterdir()}


def test_the_averages_by_department_are_those_of_the_course(sfumato, six, tmp_path):
    """SELECT CP, AVG(Conso) GROUP BY CP: Cher 66.67, Rhône 71.67."""
    sfumato("run", six)
    rows = [line.split(",") for line in (tmp_path / "release.csv").read_text(encoding="utf-8").splitlines()[1:]]
    mean = {name: sum(int(r[-1]) for r in rows if r[0] == name) / 3 for name in ("Cher", "Rhône")}
    assert {"Cher": pytest.approx(66.67, abs=0.005), "Rhône": pytest.approx(71.67, abs=0.005)} == mean


@pytest.mark.parametrize("method", ["local-recoding", "mondrian"])
def test_the_other_methods_keep_the_promise_too(sfumato, six, method):
    """Three persons in every class, nobody suppressed."""
    six.write_text(six.read_text(encoding="utf-8").replace('"full-domain"', f'"{method}"'), encoding="utf-8")
    result = sfumato("run", six, "--json").json
    assert (2, 3) == (result["done"]["classes"]["n"], result["done"]["classes"]["min"])
    assert "loss_at_least" not in result["done"]


def test_high_effort_says_what_no_release_goes_below(sfumato, six):
    """In the result and on the terminal."""
    text = six.read_text(encoding="utf-8").replace('"full-domain"', '"local-recoding"\neffort = "high"')
    six.write_text(text, encoding="utf-8")
    done = sfumato("run", six, "--json").json["done"]
    assert 0 < done["loss_at_least"] <= done["loss"]
    assert "proved: no classes with as many persons lose less than" in " ".join(sfumato("run", six).out.split())


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("sfumato = 1", "sfumato = 2", 5, "version of the plan format"),
        ('"result.json"', '"nowhere/result.json"', 4, "folder of 'result.json'"),
        ("k = 3", "k = 0", 2, "`k`"),
        ("k = 3", "kk = 3", 5, "'kk'"),
        ('name = "full-domain"', 'name = "fastest"', 5, "full-domain"),
        ('path = "six.csv"', 'path = "seven.csv"', 4, "seven.csv"),
        ('[columns.Conso]\nrole = "sensitive"\nkind = "integer"\n', "", 3, "Conso"),
        ('role = "sensitive"', 'role = "secret"', 5, "insensitive"),
        ('path = "release.csv"', 'path = "six.csv"', 4, "overwrite"),
        ("k = 3", "k = 7", 6, "k-anonymity|KAnonymity"),
        ('name = "full-domain"', 'name = "full-domain"\nspeed = 9', 5, "speed"),
    ],
)
def test_a_mistake_is_a_message_with_a_remedy_and_an_exit_code(sfumato, six, tmp_path, old, new, code, words):
    """No traceback, no file, the exit code of the error's class."""
    import re

    six.write_text(six.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    ran = sfumato("run", six)
    assert (code, True, False) == (ran.code, "Remedy:" in ran.err, "Traceback" in ran.err)
    assert re.search(words, ran.err)
    assert not (tmp_path / "release.csv").exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["plan.toml", "six.csv"]


def test_no_message_holds_a_value_of_a_person(sfumato, six, tmp_path):
    """A canary among the cells never comes out in an error."""
    table = tmp_path / "six.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("18000,22", "C4NARY,22"), encoding="utf-8")
    ran = sfumato("run", six)
    assert 3 == ran.code
    assert "C4NARY" not in ran.out + ran.err


def test_top_and_bottom_coding_and_rounding_come_before_the_counting(sfumato, six, tmp_path):
    """Ages above 26 become 26 and consumption is rounded to tens, before anything is decided."""
    text = six.read_text(encoding="utf-8")
    text = text.replace("hierarchy = { intervals = [[20, 25, 30], [20, 30]] }", "top = 26")
    text = text.replace('role = "sensitive"\nkind = "integer"', 'role = "insensitive"\nkind = "integer"\nround = 10')
    six.write_text(text, encoding="utf-8")
    result = sfumato("run", six, "--json").json
    age = next(a for a in result["done"]["attributes"] if a["name"] == "Age")
    assert 1 == age["level"]
    assert {"50", "70", "90", "60", "80"} == {
        line.rsplit(",", 1)[1] for line in (tmp_path / "release.csv").read_text(encoding="utf-8").splitlines()[1:]
    }


def test_a_column_that_undoes_a_recoding_is_named(sfumato, six, tmp_path):
    """An insensitive copy of the age, published unchanged, gives the age away: the result says so."""
    lines = (tmp_path / "six.csv").read_text(encoding="utf-8").splitlines()
    grown = [lines[0] + ",Born"] + [f"{line},{2020 - int(line.split(',')[2])}" for line in lines[1:]]
    (tmp_path / "six.csv").write_text("\n".join([grown[0], *grown[1:] * 4]) + "\n", encoding="utf-8")
    text = six.read_text(encoding="utf-8").replace("[[promise]]", '[columns.Born]\nrole = "insensitive"\n[[promise]]')
    six.write_text(text, encoding="utf-8")
    notes = sfumato("run", six, "--json").json["notes"]
    assert any("'Born'" in note and "'Age'" in note for note in notes)


def test_shuffled_rows_are_the_same_rows(sfumato, six, tmp_path):
    """The order changes, the rows do not."""
    sfumato("run", six)
    kept = (tmp_path / "release.csv").read_text(encoding="utf-8").splitlines()
    six.write_text(
        six.read_text(encoding="utf-8").replace("[output]", '[output]\nrow_order = "shuffled"'), encoding="utf-8"
    )
    sfumato("run", six)
    assert sorted(kept) == sorted((tmp_path / "release.csv").read_text(encoding="utf-8").splitlines())


def test_a_fixed_recipe_is_applied_to_new_rows(sfumato, six, tmp_path):
    """New persons get the coding of the earlier release; the promise is checked again."""
    sfumato("run", six)
    new = "Nom,CP,Age,Conso\nA,18000,23,1\nB,18500,24,2\nC,18510,20,3\nD,18000,21,4\n"
    (tmp_path / "new.csv").write_text(new, encoding="utf-8")
    assert 0 == sfumato("apply", six, "result.json", "new.csv", "-o", "more.csv").code
    assert 'CP,Age,Conso\nCher,"[20, 25[",1\n' == "".join(
        (tmp_path / "more.csv").read_text(encoding="utf-8").splitlines(keepends=True)[:2]
    )


def test_new_rows_that_break_the_promise_are_refused(sfumato, six, tmp_path):
    """Two persons cannot be 3-anonymous under a fixed coding."""
    sfumato("run", six)
    (tmp_path / "new.csv").write_text("Nom,CP,Age,Conso\nA,18000,23,1\nB,18500,24,2\n", encoding="utf-8")
    ran = sfumato("apply", six, "result.json", "new.csv", "-o", "more.csv")
    assert (6, False) == (ran.code, (tmp_path / "more.csv").exists())


def test_risk_of_any_table_by_its_quasi_identifiers(sfumato, six):
    """Six persons, all alone on postcode and age."""
    measured = sfumato("risk", "six.csv", "--quasi-identifier", "CP", "--quasi-identifier", "Age", "--json").json
    figures = {figure["name"]: figure["value"] for figure in measured["risk"]}
    assert (1.0, 1.0, 6) == (figures["prosecutor_highest"], figures["sample_uniqueness"], measured["classes"])


def test_compare_reads_a_release_of_anybody(sfumato, six):
    """The release compared through the plan: nothing suppressed, every label understood."""
    sfumato("run", six)
    measured = sfumato("compare", "six.csv", "release.csv", "--plan", six, "--json").json
    worth = {figure["name"]: figure["value"] for figure in measured["worth"]}
    assert [] == measured["notes"]
    assert 0 < worth["gcp"] < 1
    assert {"rows": 0, "cells_by_column": {"CP": 0, "Age": 0}} == measured["suppressed"]


def test_init_writes_a_plan_that_runs(sfumato, tmp_path):
    """From a CSV alone: a first plan, then its release."""
    rows = "\n".join(f"p{i}@example.org,{20 + i % 7},{'FM'[i % 2]},{['flu', 'gout'][i % 3 % 2]}" for i in range(60))
    (tmp_path / "people.csv").write_text("email,age,sex,diagnosis\n" + rows + "\n", encoding="utf-8")
    drafted = sfumato("draft", "people.csv", "--json").json
    roles = {column["name"]: column["role"] for column in drafted["columns"]}
    assert {
        "email": "identifying", "age": "quasi-identifying", "sex": "quasi-identifying", "diagnosis": "sensitive",
    } == roles  # fmt: skip
    assert 0.0 == drafted["unique"]
    assert 0 == sfumato("run", "plan.toml").code


def test_init_warns_when_nearly_everybody_is_unique(sfumato, tmp_path):
    """Users' case L4: said before a search starts, in the plan and on the terminal."""
    rows = "\n".join(f"{i % 7},{i % 11},{i % 13}" for i in range(200))
    (tmp_path / "wide.csv").write_text("a,b,c\n" + rows + "\n", encoding="utf-8")
    ran = sfumato("draft", "wide.csv")
    assert "100.0% of the rows are alone" in ran.out
    assert "Expect heavy recoding" in (tmp_path / "plan.toml").read_text(encoding="utf-8")


def test_init_does_not_overwrite_a_plan(sfumato, six):
    """An existing plan stays unless --force says otherwise."""
    before = six.read_bytes()
    assert 4 == sfumato("draft", "six.csv").code
    assert before == six.read_bytes()


def test_hierarchy_is_shown_and_written_as_csv(sfumato, six, tmp_path):
    """The preview comes from the code that the release uses."""
    ran = sfumato(
        "hierarchy", "six.csv", "Age", "--kind", "integer", "--spec", "width = 5, then = [10]", "-o", "age.csv"
    )
    assert 0 == ran.code
    first = (tmp_path / "age.csv").read_text(encoding="utf-8").splitlines()[0]
    assert "[20, 25[" in first
    assert first.endswith("*")


def test_help_names_every_command(sfumato):
    """`--help` lists what can be done."""
    ran = sfumato("--help")
    for command in ("draft", "run", "apply", "risk", "compare", "hierarchy", "report"):
        assert command in ran.out


def test_json_of_a_run_is_the_written_result(sfumato, six, tmp_path):
    """`--json` prints what [output] result holds."""
    printed = sfumato("run", six, "--json").out
    assert json.loads(printed) == json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("method", ["local-recoding", "mondrian", "cell-suppression", "microaggregation", "none"])
def test_a_plan_whose_method_alone_is_changed_is_told_which_keys_go_with_it(sfumato, tmp_path, method):
    """As `init` drafts it: the options of full-domain generalization are not those of others."""
    (tmp_path / "six.csv").write_text(SIX, encoding="utf-8")
    assert sfumato("draft", "six.csv").code == 0
    plan = (tmp_path / "plan.toml").read_text(encoding="utf-8")
    (tmp_path / "plan.toml").write_text(plan.replace('name = "full-domain"', f'name = "{method}"'), encoding="utf-8")
    ran = sfumato("run", "plan.toml")
    assert ran.code == 5
    assert f'The method "{method}" does not know suppression_limit (of full-domain, fixed)' in ran.err
    assert "remove suppression_limit" in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan.toml", "sfumato-plan.schema.json", "six.csv"]


def test_apply_says_what_a_foreign_result_is(sfumato, tmp_path):
    (tmp_path / "six.csv").write_text(SIX, encoding="utf-8")
    (tmp_path / "attack.json").write_text('{"format": "sfumato.attack/1"}', encoding="utf-8")
    sfumato("draft", "six.csv")
    foreign = sfumato("apply", "plan.toml", "attack.json", "six.csv", "-o", "new.csv")
    assert foreign.code != 0
    assert "it is one of the format 'sfumato.attack/1'" in foreign.err
    assert not (tmp_path / "new.csv").exists()


def test_no_solution_speaks_of_promises_as_plans_write_them(sfumato, tmp_path):
    (tmp_path / "six.csv").write_text(SIX, encoding="utf-8")
    sfumato("draft", "six.csv")
    plan = (tmp_path / "plan.toml").read_text(encoding="utf-8").replace("\nk = 5", "\nk = 7")
    (tmp_path / "plan.toml").write_text(plan, encoding="utf-8")
    ran = sfumato("run", "plan.toml")
    assert ran.code == 6
    assert "No levels keep k-anonymity (k = 7)" in ran.err
    assert "Not even the whole table as one class keeps k-anonymity (k = 7)" in ran.err
    assert "it holds 6 persons" in ran.err

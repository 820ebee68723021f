"""What the documentation shows is what the program does."""

import ast
import doctest
import importlib.util
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from sfumato.cli.main import commands
from sfumato.document.catalog import WRITTEN, class_named, kind_of
from sfumato.document.codec import read
from sfumato.document.header import without_header
from sfumato.document.result.keys import lines
from sfumato.document.result.release import ReleaseResult
from sfumato.guarantee.registry import known_models
from sfumato.release.method.registry import METHODS, method_named
from sfumato.release.plan_reader import plan_from

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(p for p in DOCS.rglob("*.md") if "_build" not in p.parts and "generated" not in p.parts)
BLOCK = re.compile(r"^```([\w{}-]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^<!-- file (\S+) -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TUTORIAL = DOCS / "tutorials" / "first-release.md"


def blocks(page, kind):
    """The fenced blocks of one kind."""
    return [body for found, body in BLOCK.findall(page.read_text("utf-8")) if found == kind]


KINDS = {page: {kind for kind, _ in BLOCK.findall(page.read_text("utf-8"))} for page in PAGES}


def pages_with(kind):
    """Pages that hold such a block, as test parameters."""
    return [pytest.param(page, id=page.stem) for page in PAGES if kind in KINDS[page]]


def spoken(block):
    """Commands of a console block, each with the output lines that the page shows."""
    out = []
    for line in block.splitlines():
        if line.startswith("$ "):
            out.append((line[2:].split("#")[0].strip(), []))
        elif line.strip():
            out[-1][1].append(line.rstrip())
    return out


def play(page, folder, monkeypatch):
    """Run every command of a page and compare what it shows."""
    monkeypatch.chdir(folder)
    for name, body in FILE.findall(page.read_text("utf-8")):
        (folder / name).write_text(body, "utf-8")
    for block in blocks(page, "console"):
        for command, shown in spoken(block):
            words = doctest_split(command)
            assert words[0] == "sfumato"
            if command == "sfumato run local.toml":
                write_local(folder)
            result = CliRunner().invoke(commands, words[1:])
            assert result.exception is None or result.exit_code == 0, f"{command}: {result.output}"
            printed = {line.rstrip() for line in result.output.splitlines()}
            assert [line for line in shown if line not in printed] == [], command


def doctest_split(command):
    """Words as a shell would split them."""
    import shlex

    return shlex.split(command)


def write_local(folder):
    """The edit that the tutorial asks for: another method, other names."""
    text = (folder / "plan.toml").read_text("utf-8").replace("patients.re", "local.re")
    before, after = text.index("[method]"), text.index("[output]")
    method = blocks(TUTORIAL, "toml")[0]
    (folder / "local.toml").write_text(f"{text[:before]}{method}\n{text[after:]}", "utf-8")


@pytest.fixture(scope="module")
def practised(tmp_path_factory):
    """A folder in which the tutorial was followed."""
    folder = tmp_path_factory.mktemp("tutorial")
    shutil.copy(TUTORIAL.with_name("patients.csv"), folder)
    with pytest.MonkeyPatch.context() as patch:
        play(TUTORIAL, folder, patch)
    return folder


def test_the_tutorial_does_what_it_says(practised):
    """Every command ran, and printed the lines that the page shows."""
    assert (practised / "patients.report.html").stat().st_size > 10_000
    assert "[1981-04-12, 1986-04-21];F;75013;none" in (practised / "local.release.csv").read_text("utf-8")
    shown = TUTORIAL.read_text("utf-8")
    losses = [tomllib_value(practised / f"{name}.result.json", "gcp") for name in ("local", "patients")]
    assert f"{losses[0]:.2f} here, {losses[1]:.2f} before" in shown


def tomllib_value(path, name):
    """A figure of worth in a stored result."""
    import json

    return next(w["value"] for w in json.loads(path.read_text("utf-8"))["worth"] if w["name"] == name)


@pytest.mark.parametrize("page", [p for p in pages_with("console") if p.values[0] not in (TUTORIAL, DOCS / "index.md")])
def test_commands_of_the_guides_run(page, practised, tmp_path, monkeypatch, request):
    if page.stem == "spark":
        request.getfixturevalue("spark")
    folder = shutil.copytree(practised, tmp_path / "work")
    play(page, folder, monkeypatch)


@pytest.mark.parametrize("page", pages_with("pycon"))
def test_python_examples_run(page, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    shutil.copy(TUTORIAL.with_name("patients.csv"), tmp_path)
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("page", pages_with("toml"))
def test_documents_in_the_pages_are_read(page):
    for block in blocks(page, "toml"):
        document = tomllib.loads(block)
        kind = kind_of(document)
        if kind in {"plan", "traces", "graph"}:
            plan = plan_from(document, folder=DOCS)
            assert plan.promises or kind != "plan" or not method_named(plan.method.name).recodes
        elif kind is not None:
            cls, first = class_named(kind)
            read(cls, without_header(document, first, kind), kind)
        assert not {header.old for _, _, header in WRITTEN.values()} & set(document), "an older spelling"


def test_every_model_method_and_exit_code_is_documented():
    guide = (DOCS / "how-to" / "choose-criteria.md").read_text("utf-8")
    assert [model for model in known_models() if f"`{model}`" not in guide] == []
    methods = (DOCS / "how-to" / "choose-method.md").read_text("utf-8")
    assert [name for name in METHODS if f"`{name}`" not in methods] == []
    codes = (DOCS / "reference" / "cli.md").read_text("utf-8")
    import sfumato.errors as tree

    classes = [c for c in vars(tree).values() if isinstance(c, type) and issubclass(c, tree.SfumatoError)]
    own = [c for c in classes if "exit_code" in vars(c) and c is not tree.SfumatoError]
    assert [
        c.__name__ for c in own if not re.search(rf"^\| {c.exit_code} \| .*`{c.__name__}`", codes, re.MULTILINE)
    ] == []


def test_every_room_stands_in_the_house():
    text = (DOCS / "concepts" / "house.md").read_text("utf-8")
    rooms = [p.name for p in (ROOT / "src" / "sfumato").iterdir() if (p / "__init__.py").exists()]
    assert [room for room in rooms if f"  {room}/" not in text] == []


def test_files_that_a_package_names_are_there():
    named, missing = 0, []
    for page in sorted((ROOT / "src").rglob("__init__.py")):
        said = ast.get_docstring(ast.parse(page.read_text("utf-8"))) or ""
        lists = "\n".join(part for part in said.split("\n\n") if part.startswith("Files"))
        files = set(re.findall(r"`([a-z0-9_]+)/?`", lists))
        named += len(files)
        missing += [(page.parent.name, one) for one in files - {path.stem for path in page.parent.iterdir()}]
    assert named > 0
    assert missing == []


def test_every_key_of_the_result_has_one_line():
    assert len(list(lines(ReleaseResult))) > 100


def test_generated_parts_of_the_reference_are_what_the_code_says():
    """They stand in the pages themselves: a checkout reads as the site does."""
    spec = importlib.util.spec_from_file_location("generated", DOCS / "generated.py")
    generated = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generated)
    assert [path.name for path in generated.renewed()] == [], "run `make format`"


def test_pages_that_the_readme_links_include_nothing_that_is_made_later():
    linked = re.findall(r"\]\(([^)#\s]+\.md)\)", (ROOT / "README.md").read_text("utf-8"))
    assert len(linked) > 5
    assert [page for page in linked if "{include}" in (ROOT / page).read_text("utf-8")] == []


def test_links_lead_to_files():
    pages = [*PAGES, *(ROOT / f"{name}.md" for name in ("LIMITATIONS", "CONTRIBUTING", "CHANGELOG"))]
    links = [
        (page, to) for page in pages for to in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")) if "://" not in to
    ]
    assert len(links) > 100
    assert [(page.stem, to) for page, to in links if not (page.parent / to).exists()] == []

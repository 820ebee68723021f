"""Nothing that is read is overwritten: every command, with every path that it writes."""

import os
from pathlib import Path

import click
import pytest

import sfumato
from sfumato.cli.careful import WRITTEN, Careful, Folder, is_read
from sfumato.cli.main import commands
from sfumato.errors import SfumatoError, SourceError

TEXT = "nobody may overwrite this"


def every_command(group=commands, names=()):
    """Each command with the names that lead to it."""
    for name in sorted(group.list_commands(None)):
        command = group.get_command(None, name)
        if isinstance(command, click.Group):
            yield from every_command(command, (*names, name))
        else:
            yield (*names, name), command


def is_written(param):
    return param.name in WRITTEN and not isinstance(param.type, Folder)


COMMANDS = {" ".join(names): command for names, command in every_command() if names[0] != "serve"}
PAIRS = [
    (name, written.name, read.name)
    for name, command in COMMANDS.items()
    for written in command.params if is_written(written)
    for read in command.params if is_read(read)
]  # fmt: skip
OUTPUTS = [(name, param.name) for name, command in COMMANDS.items() for param in command.params if is_written(param)]


def arguments(command, given):
    """A command line with all that is required and all that is given, by name."""
    out = []
    for param in command.params:
        value = given.get(param.name)
        if value is None and param.required:
            is_choice = isinstance(param.type, click.Choice)
            value = "file" if is_read(param) else param.type.choices[0] if is_choice else "3"
        if value is not None:
            out += (
                [param.opts[-1] if param.opts[-1].startswith("-") else "--" + param.name]
                if isinstance(param, click.Option)
                else []
            )
            out.append(str(value))
    return out


def call(name, given):
    commands(name.split() + arguments(COMMANDS[name], given), standalone_mode=False)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The working folder, with a file that no command can understand."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_every_command_is_careful_and_every_output_is_known():
    assert len(COMMANDS) > 20
    assert all(isinstance(command, Careful) for command in COMMANDS.values())
    assert len(PAIRS) > 20
    options = {
        p.name
        for c in COMMANDS.values()
        for p in c.params
        if isinstance(p, click.Option) and isinstance(p.type, click.Path)
    }
    assert options - WRITTEN == {
        "plan_path",
        "data",
        "values",
        "candidates",
        "words",
        "new_key",
        "contest",
        "key",
        "store",
        "submission",
        "vertices",
        "authority",
        "ca",
        "token_file",
        "listed",
        "into",  # a folder: what is fetched into it is called by its number
    }, "read or written?"


@pytest.mark.parametrize(("name", "written", "read"), PAIRS)
@pytest.mark.parametrize("as_link", [False, True])
def test_no_command_overwrites_what_it_reads(here, name, written, read, as_link):
    """Under its name, or under a link to it."""
    (here / "link").symlink_to("file")
    with pytest.raises(SourceError, match="must not overwrite"):
        call(name, {read: "file", written: "link" if as_link else str(here / "." / "file")})
    assert (here / "file").read_text("utf-8") == TEXT


@pytest.mark.parametrize(("name", "written"), OUTPUTS)
@pytest.mark.parametrize("kind", ["a folder", "a pipe", "a link to nothing", "a device", "no folder"])
def test_no_command_writes_where_no_file_can_be(here, name, written, kind):
    place = here / "place"
    if kind == "a folder":
        place.mkdir()
    elif kind == "a pipe":
        os.mkfifo(place)
    elif kind == "a link to nothing":
        place.symlink_to("nowhere")
    elif kind == "a device":
        place = Path("/dev/null")
    else:
        place = place / "inside"
    with pytest.raises(SourceError):
        call(name, {written: place})
    assert (here / "file").read_text("utf-8") == TEXT


@pytest.mark.parametrize("name", ["collect design", "collect estimate"])
def test_two_outputs_of_a_command_are_two_files(here, name):
    with pytest.raises(SourceError, match="--picture must not overwrite --output"):
        call(name, {"output": "new", "picture": "NEW" if name.endswith("estimate") else "./new"})


@pytest.mark.parametrize("name", [n for n, c in COMMANDS.items() if any(isinstance(p.type, Folder) for p in c.params)])
def test_a_folder_of_outputs_is_a_folder(here, name):
    (here / "nothing").symlink_to("nowhere")
    for place in ("file", "nothing"):
        with pytest.raises(SourceError, match="folder"):
            call(name, {"output": place})


def test_a_folder_of_outputs_holds_nothing_that_is_read(here):
    (here / "sweep.csv").write_text(TEXT, encoding="utf-8")
    with pytest.raises(SourceError, match="must not overwrite PLAN"):
        call("sweep", {"output": ".", "plan": "sweep.csv", "vary": "k=2..3"})


@pytest.mark.parametrize(("name", "given"), [
    ("draft", {"source": "plan.toml"}),
    ("draft", {"source": "file", "words": "plan.toml"}),
    ("report", {"result": "plan.html"}),
])  # fmt: skip
def test_a_default_output_overwrites_nothing_either(here, name, given):
    for text in ("plan.toml", "plan.html"):
        (here / text).write_text(TEXT, encoding="utf-8")
    with pytest.raises(SourceError, match="must not overwrite"):
        commands(
            [name, *arguments(COMMANDS[name], given), *(["--force"] if name == "draft" else [])], standalone_mode=False
        )


PLAN = {
    "sfumato": 1,
    "source": {"path": "t.csv"},
    "columns": {
        "age": {"role": "quasi-identifying", "hierarchy": {"file": "ages.csv"}},
        "name": {"role": "identifying", "perturb": {"method": "pseudonym", "key": {"file": "key"}}},
        "ill": {"role": "sensitive"},
    },
    "promise": [{"model": "k-anonymity", "k": 2}],
    "method": {"name": "full-domain"},
}


@pytest.mark.parametrize("read", ["t.csv", "ages.csv", "key", "plan.toml"])
@pytest.mark.parametrize("output", ["path", "report", "result"])
def test_no_plan_overwrites_what_it_reads(here, read, output):
    import tomlkit

    for name in ("t.csv", "ages.csv", "key"):
        (here / name).write_text(TEXT, encoding="utf-8")
    outputs = {"path": "out.csv", "kind": "csv", "report": "r.html", "result": "r.json"} | {output: read}
    (here / "plan.toml").write_text(tomlkit.dumps(PLAN | {"output": outputs}), encoding="utf-8")
    before = (here / read).read_bytes()
    with pytest.raises(SourceError, match="must not overwrite"):
        sfumato.run(here / "plan.toml")
    assert (here / read).read_bytes() == before


@pytest.mark.parametrize(("output", "same"), [("report", "out.csv"), ("result", "OUT.csv"), ("result", "r.html")])
def test_no_output_of_a_plan_is_another_one(here, output, same):
    outputs = {"path": "out.csv", "report": "r.html", "result": "r.json"} | {output: same}
    with pytest.raises(SourceError, match="must not overwrite the re"):
        sfumato.run(sfumato.plan_from(PLAN | {"output": outputs}, folder=here))


def test_an_answer_overwrites_neither_the_private_table_nor_the_ledger(here, monkeypatch):
    from sfumato.cli.answer import _check_output
    from sfumato.table.source import FileSource

    tables = {"the private table": FileSource(Path("a.csv")), "a public table": FileSource(Path("p.csv"))}
    declared = ("sqlite:///l.csv", tables)
    for name in ("a.csv", "l.csv", "p.csv"):
        (here / name).write_text(TEXT, encoding="utf-8")
        with pytest.raises(SourceError, match="must not overwrite"):
            _check_output(*declared, Path(name))
    with pytest.raises(SfumatoError, match="suffix"):
        _check_output(*declared, Path("new.xyz"))
    _check_output(*declared, Path("new.csv"))


@pytest.mark.parametrize("output", ["t.csv", "key", "names.toml"])
def test_pseudonymized_tables_overwrite_nothing_that_is_read(here, output):
    from sfumato.release.pseudonymize import pseudonymize

    for name in ("t.csv", "key"):
        (here / name).write_text(TEXT, encoding="utf-8")
    text = f"""
sfumato_pseudonyms = 1
key = {{ file = "key" }}
[[table]]
path = "t.csv"
output = "{output}"
[table.pseudonyms]
name = {{}}
"""
    (here / "names.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match="must not overwrite"):
        pseudonymize(here / "names.toml")


def test_internal_documents_are_for_their_owner_and_others_follow_the_umask(here):
    """A plan, a hierarchy and an attack may hold values of the original; a picture of public parameters does not."""
    (here / "t.csv").write_text("age,ill\n30,x\n40,y\n50,x\n", encoding="utf-8")
    (here / "kept.csv").write_text("", encoding="utf-8")
    (here / "kept.csv").chmod(0o644)
    before = os.umask(0o027)
    try:
        call("draft", {"source": "t.csv", "output": "plan.toml"})
        for name in ("ages.csv", "kept.csv"):
            call("hierarchy", {"source": "t.csv", "column": "age", "output": name})
        call("collect recommend", {"epsilon": "1", "values": "3", "persons": "9", "picture": "p.svg"})
        call("convert", {"source": "t.csv", "output": "copy.csv"})
    finally:
        os.umask(before)
    modes = {
        name: (here / name).stat().st_mode & 0o777
        for name in ("plan.toml", "ages.csv", "kept.csv", "p.svg", "copy.csv")
    }
    assert modes == {"plan.toml": 0o600, "ages.csv": 0o600, "kept.csv": 0o644, "p.svg": 0o640, "copy.csv": 0o640}

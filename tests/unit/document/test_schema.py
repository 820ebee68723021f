"""Every document that is read is one that its schema accepts; what is wrong by shape is refused by both."""

import json
import re
import tomllib
from copy import deepcopy
from datetime import date, time
from pathlib import Path

import jsonschema
import pytest
from tests.app import documents

from sfumato.document.catalog import (
    RESULTS,
    WRITTEN,
    class_named,
    kind_of,
    pointer_to,
    schema_file,
    schema_named,
    schema_text,
)
from sfumato.document.codec import read
from sfumato.document.header import without_header
from sfumato.document.spec import hints_of, meanings, tables_of
from sfumato.errors import ParameterError, PlanError

ROOT = Path(__file__).parents[3]
BLOCKS = re.compile(r"```toml\n(.*?)```", re.DOTALL)
VALIDATORS = {name: jsonschema.Draft7Validator(schema_named(name)) for name in [*WRITTEN, *RESULTS]}


def plain(value):
    """A parsed document as JSON has it."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, (date, time)) else value


def texts():
    """TOML of the repository: files, blocks of the pages, constants of tests."""
    for path in [*ROOT.glob("examples/**/*.toml"), *ROOT.glob("tests/data/**/*.toml")]:
        yield str(path.relative_to(ROOT)), path.read_text("utf-8")
    for path in sorted((ROOT / "docs").rglob("*.md")):
        for number, block in enumerate(BLOCKS.findall(path.read_text("utf-8"))):
            yield f"{path.relative_to(ROOT)}[{number}]", block
    for name, text in vars(documents).items():
        if isinstance(text, str) and text.startswith("\n"):
            yield f"documents.{name}", text


def found():
    """Those of a kind that has a schema."""
    for name, text in texts():
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError:  # a part of a document, with … in it
            continue
        kind = kind_of(document)
        if kind is not None:
            yield pytest.param(kind, document, id=name)


DOCUMENTS = list(found())


def is_read(kind, document):
    """Whether the codec takes a document."""
    cls, header = class_named(kind)
    try:
        read(cls, without_header(document, header, "it"), "it")
    except (PlanError, ParameterError):
        return False
    return True


def test_there_are_documents_of_every_kind():
    assert len(DOCUMENTS) >= 15
    assert {one.values[0] for one in DOCUMENTS} == set(WRITTEN)


@pytest.mark.parametrize(("kind", "document"), DOCUMENTS)
def test_a_document_that_is_read_is_accepted(kind, document):
    assert is_read(kind, document)
    assert [error.message for error in VALIDATORS[kind].iter_errors(plain(document))] == []


def places(document, path=()):
    """The path of every key and of every table in a list."""
    for key, value in document.items() if isinstance(document, dict) else enumerate(document):
        yield (*path, key)
        if isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], dict)):
            yield from places(value, (*path, key))


def put(document, path, key, value):
    """A copy in which the value at a path stands under a key."""
    out = deepcopy(document)
    table = out
    for step in path[:-1]:
        table = table[step]
    del table[path[-1]]
    table[key] = value
    return out


@pytest.mark.parametrize(("kind", "document"), DOCUMENTS)
def test_what_is_wrong_by_shape_is_refused_by_both(kind, document):
    """A key that is not known, and a list of lists of texts where no key takes one."""
    for path in places(document):
        if isinstance(path[-1], int) or {"groups", "tree"} & set(path[:-1]):  # members are read with the hierarchy
            continue
        table = document
        for step in path[:-1]:
            table = table[step]
        for changed in (put(document, path, path[-1], [[["no"]]]), put(document, path, "nonsense", table[path[-1]])):
            assert is_read(kind, changed) == VALIDATORS[kind].is_valid(plain(changed)), (path, changed)


@pytest.mark.parametrize("name", [*WRITTEN, *RESULTS])
def test_a_schema_is_one(name):
    schema = json.loads(schema_text(name))
    jsonschema.Draft7Validator.check_schema(schema)
    words = set(re.findall(r'"(\$?[a-zA-Z]+)":', schema_text(name)))
    assert not words & {"const", "if", "$defs", "dependentRequired", "unevaluatedProperties"}


@pytest.mark.parametrize("name", WRITTEN)
def test_every_key_is_explained(name):
    """Every class below a document says what each of its keys means."""
    seen, waiting = set(), [class_named(name)[0]]
    while waiting:
        cls = waiting.pop()
        if cls in seen:
            continue
        seen.add(cls)
        assert set(hints_of(cls)) == set(meanings(cls)), cls
        for hint in hints_of(cls).values():
            waiting += [inner for one in (hint, *getattr(hint, "__args__", ())) for inner in tables_of(one)]


def test_an_unknown_kind_is_named():
    with pytest.raises(ParameterError, match="'plane'"):
        schema_named("plane")


def test_the_pointer_names_the_file():
    assert schema_file("plan") in pointer_to("plan")

"""Errors: templates with named values, whole out of another process, and no message that is no template."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path

import pytest

import sfumato
from sfumato import errors
from sfumato.errors import InternalError, PlanError, SfumatoError, SourceError

KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, SfumatoError)]
HOUSE = Path(sfumato.__file__).parent


def test_texts_without_values_are_taken_as_they_are() -> None:
    error = PlanError("A {brace} stays.", "write `dates = { day = 1 }`.")
    assert str(error) == "A {brace} stays. Remedy: write `dates = { day = 1 }`."


def test_a_value_with_braces_is_not_read_as_a_template() -> None:
    assert PlanError("{given!r} is wrong.", "none.", given="{x}").problem == "'{x}' is wrong."


def test_what_stands_before_keeps_the_braces_of_an_error_without_values() -> None:
    error = PlanError.of(SourceError("{x} is odd.", "write { x = 1 }."), "Column {column}: ", column="age")
    assert (error.problem, error.remedy) == ("Column age: {x} is odd.", "write { x = 1 }.")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_error_comes_whole_out_of_another_process(kind: type[SfumatoError]) -> None:
    error = kind("{n} of {m}.", n=1, m=2) if kind is InternalError else kind("{n} of {m}.", "{n} more.", n=1, m=2)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(again) is kind
    assert (again.templates, again.values, str(again)) == (error.templates, error.values, str(error))


def test_no_message_is_put_together_before_it_is_a_template() -> None:
    """An f-string as problem or remedy could not be translated."""
    names, found = {kind.__name__ for kind in KINDS}, []
    texts = {path: path.read_text("utf-8") for path in HOUSE.rglob("*.py")}
    made = re.compile(rf"\b({'|'.join(names)})\(")
    for path in [path for path, text in texts.items() if made.search(text)]:
        for node in ast.walk(ast.parse(texts[path])):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                parts = [part for argument in node.args for part in ast.walk(argument)]
                if any(isinstance(part, ast.JoinedStr) for part in parts):
                    found.append(f"{path.relative_to(HOUSE)}:{node.lineno}")
    assert found == []

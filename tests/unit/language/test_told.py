"""Every error has its French, with the same values."""

import importlib.util
from pathlib import Path
from string import Formatter

from sfumato.errors import ParameterError, PlanError, SourceError
from sfumato.language.catalogue import catalogue
from sfumato.language.told import told
from sfumato.language.words import words

_SPEC = importlib.util.spec_from_file_location("collected", Path(__file__).with_name("collected.py"))
collected = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(collected)

SAID = catalogue("sfumato.language", "fr", "errors.po")


def names(text):
    """Names of the values of a template; None: it is no template."""
    try:
        return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})
    except ValueError:
        return None


def test_every_error_has_its_french():
    """Wherever it is raised; and no translation is left of an error that nobody raises."""
    errors = {text for path in collected.HERE.iterdir() for text in collected.error_texts(path.name)}
    assert sorted(errors - set(SAID)) == []
    assert sorted(set(SAID) - errors) == []


def test_a_translation_has_the_same_values():
    """Whatever its order."""
    assert len(SAID) > 2000
    assert {text: said for text, said in SAID.items() if names(said) != names(text)} == {}


def test_values_stand_as_they_were():
    """Quoted names, counts with the separators of the language."""
    error = SourceError(
        "A table must have at most {most_columns:,} columns; this one has {n_columns:,}.",
        "give the columns that you need, or put them into rows (name, value).",
        most_columns=10000,
        n_columns=20000,
    )
    assert "10\u202f000" in told(error, "fr").problem
    error = PlanError(
        "`{key}` must be {format!r}, alone; got {said!r}.", "choose one.", key="a", format="{x}", said="b"
    )
    assert told(error, "fr").problem == "`a` doit être '{x}', seul\u00a0; reçu\u00a0: 'b'."


def test_an_error_in_another_is_told_too():
    """As where a plan says where it stands, and where a child of the studio hands over texts."""
    inner = SourceError("The file must hold rows; it holds none.", "check the source.")
    outer = PlanError.of(inner, "Column {column!r}: ", column="age")
    assert (
        told(outer, "fr").problem == "Column 'age': Le fichier doit contenir des lignes\u00a0; il n'en contient aucune."
    )
    assert words("fr").say(str(inner.problem)).startswith("Le fichier")


def test_what_has_no_french_stays_english():
    """Whole."""
    error = ParameterError("Something new: {n}.", "do it.", n=1)
    assert told(error, "fr").problem == "Something new: 1."

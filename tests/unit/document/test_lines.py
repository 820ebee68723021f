"""Errors of documents in files point to the line of the key."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.app import documents

from sfumato.document.lines import line_of
from sfumato.document.loading import load, under
from sfumato.errors import PlanError
from sfumato.release.plan_reader import read_plan

PLANS = [documents.PLAN, documents.MONDRIAN, documents.MICRO, documents.SAFEPUB]
TEXT = '''# a comment = no key
a = 1
"b c".d = """
[no.table]
x = 1"""  # [more]
'e' = 'it''s' # e
[t]
k = { x = 1, "y z" = [1, # [z]
  { w = 2 }] }

[[l]]
x.y = 1
[l.inner]
z = 2
[[l]]
x = "\\"[q]\\n"
[[l.deep]]
v = 1e3
[u.v."w.x"]
m = 1979-05-27
"\\u0061bc" = true
'''.replace("'it''s'", "'its'")
LINES = {
    ("a",): 2, ("b c", "d"): 3, ("e",): 6, ("t",): 7, ("t", "k"): 8, ("t", "k", "x"): 8, ("t", "k", "y z"): 8,
    ("t", "k", "y z", 0): 8, ("t", "k", "y z", 1): 9, ("t", "k", "y z", 1, "w"): 9, ("l",): 11, ("l", 0): 11,
    ("l", 0, "x", "y"): 12, ("l", 0, "inner"): 13, ("l", 0, "inner", "z"): 14, ("l", 1): 15, ("l", 1, "x"): 16,
    ("l", 1, "deep", 0): 17, ("l", 1, "deep", 0, "v"): 18, ("u", "v", "w.x"): 19, ("u", "v", "w.x", "m"): 20,
    ("u", "v", "w.x", "abc"): 21,
}  # fmt: skip


@pytest.mark.parametrize(("path", "line"), LINES.items())
def test_every_form_of_a_key_has_its_line(path, line):
    tomllib.loads(TEXT)
    assert line_of(TEXT, path) == line
    assert line_of(TEXT.replace("\n", "\r\n"), path) == line


def test_what_is_absent_has_the_line_of_its_table():
    assert line_of(TEXT, ("l", 1, "no", "thing")) == 15
    assert line_of(TEXT, ()) is line_of(TEXT, ("no",)) is None


def keys_in(table, path=()):
    """Every path of a parsed document that ends in a key."""
    for key, value in table.items():
        yield (*path, key)
        for place, inner in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(inner, dict):
                yield from keys_in(inner, (*path, key) if place is None else (*path, key, place))


@pytest.mark.parametrize("text", PLANS)
def test_a_key_that_is_not_known_is_found_on_its_line(text, tmp_path):
    """Each line that has a key: the key is misspelled, and the error names that line or that of what needs it."""
    plan = tmp_path / "plan.toml"
    for path in keys_in(tomllib.loads(text)):
        if (len(path) == 2 and path[0] == "columns") or {"dialect", "digits", "centers"} & set(path[:-1]):  # free names
            continue
        number = line_of(text, path)
        lines = text.split("\n")
        whole = lines[number - 1]
        lines[number - 1] = misspelled(whole, str(path[-1]))
        if lines[number - 1] == whole:
            continue
        plan.write_text("\n".join(lines), "utf-8")
        with pytest.raises((PlanError, ValueError)) as caught:
            read_plan(plan)
        where = {number, *(line_of(text, path[:n]) for n in range(1, len(path)))}
        assert caught.value.place in {f"line {one} of 'plan.toml'" for one in where} | {""}, (path, caught.value)
        assert caught.value.place or "must say" in caught.value.problem, (path, caught.value)


def misspelled(line, key):
    """A line in which a key has two more letters; the same line where it is not written as a bare word."""
    for before in ("", "[", "[[", "{ ", ", ", "."):
        for after in (" =", "]", ".", " = "):
            if f"{before}{key}{after}" in line and (before or line.startswith(key)):
                return line.replace(f"{before}{key}{after}", f"{before}{key}zz{after}", 1)
    return line


@given(st.dictionaries(st.text("ab", min_size=1), st.integers(), min_size=1), st.text("#[]{}=\"' x\n", max_size=20))
def test_texts_hide_nothing(table, text):
    """Signs of TOML inside of texts and comments are none."""
    shown = "".join(f"{key} = {number}\n" for key, number in table.items())
    quoted = "first = " + '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '" # ' + text.replace("\n", " ") + "\n"  # fmt: skip
    whole = quoted + shown
    tomllib.loads(whole)
    for number, key in enumerate(table, 2):
        assert line_of(whole, (key,)) == number


def test_an_error_of_a_value_has_the_line_of_its_key(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text("a = 1\n\n[b]\nc = 2\n", "utf-8")

    def read(tables):
        with under("b", "c"):
            raise PlanError("`c` must be {n}.", "correct it.", n=tables["a"])

    with pytest.raises(PlanError) as caught:
        load(path, "plan", read)
    assert str(caught.value) == "`c` must be 1. Remedy: correct it. See line 4 of 'own.toml'."
    assert (caught.value.problem, caught.value.place) == ("`c` must be 1.", "line 4 of 'own.toml'")

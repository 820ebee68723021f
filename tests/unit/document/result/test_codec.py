"""A result is checked before it is trusted, and written the same way each time."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.document.result import codec
from sfumato.document.result.codec import json_of, plain_of
from sfumato.document.result.keys import Key
from sfumato.errors import ResultError
from sfumato.report import check_result, read_result

SAMPLE = Path(__file__).parents[3] / "app" / "sample_result.json"

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["source", "rows", "done", "x"]), inner)
    ),
    max_leaves=10,
)


@pytest.fixture
def sample():
    return json.loads(SAMPLE.read_text("utf-8"))


def test_the_sample_has_the_documented_shape(sample):
    assert check_result(sample) == ()


def test_writing_and_reading_returns_the_document(sample):
    found = read_result(json.dumps(sample))
    assert read_result(found.to_json()) == found


def test_every_key_of_a_document_is_kept_and_those_that_it_lacks_are_as_absent(sample):
    told = read_result(json.dumps(sample)).to_dict()
    assert {name: told["source"][name] for name in sample["source"]} == sample["source"]
    assert {name: told[name] for name in ("plan", "columns", "promise", "files", "distributions")} == {
        name: sample[name] for name in ("plan", "columns", "promise", "files", "distributions")
    }
    assert (told["paid"], told["loss_by_wish"], "insertion" in told) == (None, [], False)


def test_equal_documents_are_equal_bytes_whatever_the_order_of_keys(sample):
    assert json_of(dict(reversed(sample.items()))) == json_of(sample)


def test_keys_that_are_left_out_are_left_out_and_others_are_null(sample):
    (promise, *_) = read_result(json.dumps(sample)).promise
    told = plain_of(replace(promise, holds=None, measured=None))
    assert "holds" not in told
    assert told["measured"] is None


@given(json_values)
def test_any_json_value_is_judged_without_failing(value):
    assert isinstance(check_result(value), tuple)


@given(
    st.lists(st.lists(json_values | st.text(max_size=2), max_size=3) | json_values, max_size=3),
    st.sampled_from(
        [
            Key("text"),
            Key("text", choices=("a",)),
            Key("number"),
            Key("number", nullable=True),
            Key("count"),
            Key("any"),
        ]
    ),
)
def test_lists_are_judged_at_a_glance_as_one_by_one(items, item):
    whole, key = list(items), item
    if items and all(isinstance(one, list) for one in items):
        whole, key = [part for one in items for part in one], Key("list", of=item)
    slow = [problem for one in whole for problem in codec._in_value(one, item, "")]
    assert bool(list(codec._in_value(items, Key("list", of=key), ""))) == bool(slow)


def test_unknown_keys_are_allowed(sample):
    assert check_result(sample | {"later": 1}) == ()


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (("source", "rows"), -1, "`source.rows` must be a whole number >= 0"),
        (("source", "rows"), True, "`source.rows` must be a whole number >= 0"),
        (("source", "rows"), 1.5, "`source.rows` must be a whole number >= 0"),
        (("done", "suppressed", "share"), 1.2, "`done.suppressed.share` must be a number in [0, 1]"),
        (("promise", 0, "kind"), "guessed", "`promise[0].kind` must be one of checked, proved, idealized"),
        (("wp216", 0, "verdict"), None, "`wp216[0].verdict` must not be null"),
        (("class_sizes", "before"), {}, "`class_sizes.before` must be a list"),
        (("columns",), "age", "`columns` must be a list"),
        (("distributions", "age"), [], "`distributions['age']` must be an object"),
    ],
)
def test_a_wrong_value_is_named_by_its_key(sample, path, value, problem):
    place = sample
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert check_result(sample) == (problem,)


def test_a_missing_required_key_is_named(sample):
    del sample["done"]["method"]
    assert check_result(sample) == ("`done.method` is missing",)


def test_problems_never_repeat_what_stands_in_the_document(sample):
    sample["source"]["rows"] = "secret"
    assert "secret" not in " ".join(check_result(sample))


def test_text_that_is_no_json_is_refused_with_its_place():
    with pytest.raises(ResultError, match="line 1, column 1"):
        read_result("<html>")


def test_a_newer_version_is_refused_by_name():
    with pytest.raises(ResultError, match=r"'sfumato.release/1'; got 'sfumato.release/9'"):
        read_result('{"format": "sfumato.release/9"}')


@pytest.mark.parametrize("text", ["[]", "{}", '{"format": 1}', '"sfumato.release/1"'])
def test_another_document_is_refused(text):
    with pytest.raises(ResultError, match="it does not"):
        read_result(text)


def test_a_damaged_document_is_refused_with_its_problems(sample):
    del sample["sfumato"]
    with pytest.raises(ResultError, match="`sfumato` is missing"):
        read_result(json.dumps(sample))


def test_infinite_numbers_are_not_written():
    with pytest.raises(ResultError, match="finite"):
        json_of({"value": float("inf")})

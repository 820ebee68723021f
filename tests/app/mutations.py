"""Documents made absurd: one place of a document, or one place of its text, is changed at random from a seed."""

import copy
import datetime as dt
import json
import math
import re

MANY = 10**400
HUGE = 10**9
DEEP = 60

ABSURD = (
    math.nan, math.inf, -math.inf, 0, -1, 1, 2, 3, 2**63, -(2**63) - 1, MANY, HUGE, 10**15, 1e308, -1e308, 5e-324, 0.5, True, False,
    "", "\0", "a\0b", "\ud83d\ude00", "undefined", "nan", "1e999999", "1/0", "9" * 5000, "x" * 300, "../..", "/", "/dev/null", "*",
    "utf-16", "%", "%Y%", "{}", [], {}, [[]], [None], [math.nan], [{}], {"": ""}, {"a": {"b": []}}, ["a", 1], [HUGE], [-1, 0],
    dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.datetime(2020, 1, 1, 1, tzinfo=dt.UTC), dt.time(1),
)  # fmt: skip
"""Values that no document should hold where they stand, and some that it may."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def deep(depth):
    """A list in a list in a list."""
    value = 1
    for _ in range(depth):
        value = [value]
    return value


def places(value, path=()):
    """The path of every value in a document, the document itself left out."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def mutated(document, rng):
    """A copy of a document with one to three places changed, and what was changed."""
    changed, told = copy.deepcopy(document), []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        known = list(places(changed))
        if not known:
            break
        told.append(_change(changed, rng.choice(known), known, rng))
    return changed, "; ".join(told)


def _change(document, path, known, rng):
    """One change."""
    parent = _at(document, path[:-1])
    key, how = path[-1], rng.choice(("set",) * 8 + ("near", "near", "delete", "swap", "add", "deep", "double"))
    if how == "set":
        parent[key] = copy.deepcopy(rng.choice(ABSURD))
    elif how == "near":
        parent[key] = _near(parent[key], rng)
    elif how == "delete":
        del parent[key]
    elif how == "swap":
        parent[key] = copy.deepcopy(_at(document, rng.choice(known)))
    elif how == "deep":
        parent[key] = deep(DEEP)
    elif how == "double" and isinstance(parent, list):
        parent.insert(key, copy.deepcopy(parent[key]))
    elif isinstance(parent, dict):
        parent[rng.choice(("x", "\0", "", "é" * 99, "name", "path"))] = copy.deepcopy(rng.choice(ABSURD))
    return f"{how} {'.'.join(map(str, path))}"


def _near(value, rng):
    """A value of the same type that is out of its range or order."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return rng.choice((-value, value + 1, value * 10**6, float(value), 1 / (abs(value) + 3)))
    if isinstance(value, str):
        at = rng.randrange(len(value) + 1)
        return rng.choice((value + "\0", value[:at], value[:at] + "\0" + value[at:], value.upper(), value + "x" * 5000))
    if isinstance(value, list):
        return rng.choice((value[::-1], value[:1], value * 2, [*value, None], [value]))
    return {}


def _at(document, path):
    for key in path:
        document = document[key]
    return document


def scrambled(text, rng):
    """A text with a few places overwritten, cut or doubled."""
    for _ in range(rng.choice((1, 2, 4))):
        at, n = rng.randrange(len(text) + 1), rng.choice((0, 1, 1, 5, 40))
        put = rng.choice(
            ("", "\0", "\n", '"', "[", "{", "= ", "'''", "\ud83d\ude00", "9" * 30, "nan", "[" * 300, text[at : at + 30])
        )
        text = text[:at] + put + text[at + n :]
    return text


def toml(document):
    """A document as TOML, every table inside in one line; what TOML cannot say (null) is left out."""
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in document.items() if value is not None)


def _key(key):
    return str(key) if _BARE.fullmatch(str(key)) else json.dumps(str(key))


def _value(value):
    """One value."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items() if v is not None) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value if item is not None) + "]"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=isinstance(value, str) and "\0" in value)
    if isinstance(value, int) and abs(value) >= MANY:
        return "1" + "0" * 400
    return str(value)

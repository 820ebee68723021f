"""Keys, canonical names, periods, and how many names there can be."""

import base64
import hashlib
import hmac
import pickle

import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.pseudonym.canonical import canonical
from sfumato.mechanism.pseudonym.period import Period, period_of
from sfumato.mechanism.pseudonym.space import bits_at_most, refuse_small, seconds_to_try
from sfumato.mechanism.secret import Secret, new_key, parse_key, prefixed
from sfumato.testing.seeded_bits import SeededBits

KEY = Secret(bytes(range(32)))


def slow_hkdf(material, info):
    """RFC 5869 with SHA-256, an empty salt and 32 bytes: extract, then one block of expand."""
    extracted = hmac.new(bytes(32), material, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()


def test_derived_keys_are_those_of_the_standard():
    info = prefixed("sfumato.pseudonym/1") + prefixed("token") + prefixed("patients")
    assert KEY.derive("token", "patients") == slow_hkdf(KEY.material, info)


def test_the_twin_without_lengths_mixes_contexts_up_and_ours_does_not():
    def broken(*context):
        return slow_hkdf(KEY.material, "".join(context).encode())

    assert broken("x", "y") == broken("", "xy")
    contexts = [("x", "y"), ("", "xy"), ("xy", ""), ("xy",), ("x", "y", "")]
    assert len({KEY.derive(*context) for context in contexts}) == len(contexts)


def test_a_key_is_never_shown():
    shown = repr(KEY) + str(KEY) + f"{KEY}"
    assert shown == "Secret()" * 3
    assert KEY.material.hex() not in shown


def test_keys_are_read_in_both_spellings_and_made_new():
    made = new_key(SeededBits(1))
    raw = bytes.fromhex(made)
    assert len(raw) == 32
    assert parse_key(f" {made}\n", "x").material == parse_key(base64.b64encode(raw).decode(), "x").material == raw
    assert new_key(SeededBits(1)) != new_key(SeededBits(2))


@pytest.mark.parametrize(
    "text", ["", "secret", "00" * 32, "ab" * 31, base64.b64encode(b"a" * 40).decode(), "zz" * 32, "é" * 40]
)
def test_what_is_no_random_key_is_refused_without_showing_it(text):
    with pytest.raises(ParameterError, match="32 random bytes") as refused:
        parse_key(text, "'KEY'")
    assert not text or text not in str(refused.value)


@pytest.mark.parametrize(
    ("one", "other", "fold"),
    [(" Ann  Lee", "Ann Lee", False), ("Zoe\u0308", "Zoë", False), ("STRASSE", "straße", True), ("ANN", "ann", True)],
)
def test_texts_that_mean_one_name_become_one(one, other, fold):
    assert canonical(one, fold_case=fold) == canonical(other, fold_case=fold)


def test_case_counts_unless_told_otherwise():
    assert canonical("ANN", fold_case=False) != canonical("ann", fold_case=False)


@pytest.mark.parametrize(
    ("day", "week", "month", "year"),
    [(0, "1970-W01", "1970-01", "1970"), (-1, "1970-W01", "1969-12", "1969"), (14608, "2009-W53", "2009-12", "2009"),
     (14613, "2010-W01", "2010-01", "2010"), (20457, "2026-W01", "2026-01", "2026")],
)  # fmt: skip
def test_weeks_are_those_of_iso_8601(day, week, month, year):
    assert [period_of(day, period) for period in Period] == [week, month, year]


def test_how_names_are_written_bounds_how_many_there_are():
    assert bits_at_most(["0612345678"]) == pytest.approx(33.22, abs=0.01)
    assert bits_at_most(["AB-1", "c9-x"]) == pytest.approx(2 * 5.7 + 5.17, abs=0.6)
    assert bits_at_most([]) == 0
    assert bits_at_most(["b3d9f6a2-7c1e-4f58-9a6d-2e8b1c4f7d05"]) > 100
    assert bits_at_most(["1", "12"]) == pytest.approx(6.64 + 1, abs=0.01)
    assert seconds_to_try(1e9) > 1e200


@pytest.mark.parametrize("bits", [0.0, 33.2, 64.0, 99.9])
def test_small_spaces_are_refused_with_the_time_they_hold(bits):
    with pytest.raises(ParameterError, match=r"tried in about .* Remedy: use `method"):
        refuse_small("phone", bits)
    refuse_small("phone", 100.0)


def test_secrets_travel_to_other_machines():
    assert pickle.loads(pickle.dumps(KEY)).derive("a") == KEY.derive("a")  # noqa: S301

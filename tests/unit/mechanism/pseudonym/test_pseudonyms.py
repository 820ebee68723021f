"""Tokens, FF1, tables of correspondence, and what is promised of them."""

import hashlib
import hmac
import pickle

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.pseudonym.column import frequency_risk
from sfumato.mechanism.pseudonym.correspondence import Correspondence, unseal
from sfumato.mechanism.pseudonym.keyed import Form, FormatPreserving, Keyed
from sfumato.mechanism.pseudonym.token import ALPHABET, Token, Unkeyed, check_length
from sfumato.mechanism.secret import Secret
from sfumato.testing.seeded_bits import SeededBits

SECRET = Secret(bytes(range(32)))
ALNUM = "0123456789abcdefghijklmnopqrstuvwxyz"
AES128 = "2B7E151628AED2A6ABF7158809CF4F3C"
AES192 = AES128 + "EF4359D8D580AA4F"
AES256 = AES192 + "7F036D6F04FC6A94"


def test_tokens_are_the_first_bits_of_hmac():
    bits = "".join(f"{byte:08b}" for byte in hmac.new(b"k" * 32, b"Ann", hashlib.sha256).digest())
    slow = "".join(ALPHABET[int(bits[i : i + 5], 2)] for i in range(0, 5 * 26, 5))
    assert Token(b"k" * 32, 26, fold_case=False).texts(["Ann"]) == [slow]
    assert Token(b"k" * 32, 10, fold_case=False).texts(["Ann"]) == [slow[:10]]


def test_the_key_is_not_in_the_repr_of_what_is_sent_to_an_engine():
    shown = repr(Token(b"k" * 32, 26, fold_case=False)) + repr(FormatPreserving(b"k" * 32, "01", "", fold_case=False))
    assert "kkk" not in shown
    assert "Ann" not in repr(Correspondence("d", {"Ann": "x"}, fold_case=False))


def test_collisions_are_bounded_by_the_length():
    check_length(26, 10**9)
    check_length(10, 2)
    with pytest.raises(ParameterError, match="at least 16"):
        check_length(10, 10**6)
    with pytest.raises(ParameterError, match="characters"):
        Token(b"k" * 32, 9, fold_case=False)


@pytest.mark.parametrize(
    ("key", "alphabet", "name", "pseudonym"),
    [
        (AES128, ALNUM[:10], "0123456789", "2433477484"),
        (AES192, ALNUM[:10], "0123456789", "2830668132"),
        (AES256, ALNUM[:10], "0123456789", "6657667009"),
    ],
)
def test_ff1_gives_the_samples_of_nist_without_a_tweak(key, alphabet, name, pseudonym):
    pytest.importorskip("ffx")
    ff1 = FormatPreserving(bytes.fromhex(key), alphabet, "", fold_case=False)
    assert ff1.texts([name]) == [pseudonym]
    assert ff1.names([pseudonym]) == [name]


@pytest.mark.parametrize(
    ("key", "radix", "tweak", "name", "pseudonym"),
    [
        (AES128, 10, "39383736353433323130", "0123456789", "6124200773"),
        (AES128, 36, "3737373770717273373737", "0123456789abcdefghi", "a9tv40mll9kdu509eum"),
        (AES192, 10, "39383736353433323130", "0123456789", "2496655549"),
        (AES256, 10, "39383736353433323130", "0123456789", "1001623463"),
    ],
)
def test_the_library_gives_the_samples_of_nist_with_a_tweak(key, radix, tweak, name, pseudonym):
    ffx = pytest.importorskip("ffx")
    assert ffx.FF1(bytes.fromhex(key), radix=radix).encrypt(name, tweak=bytes.fromhex(tweak)) == pseudonym


def test_ff1_keeps_the_form_and_gives_different_names_to_different_persons():
    pytest.importorskip("ffx")
    ff1 = FormatPreserving(bytes(32), "0123456789", "- ", fold_case=False)
    names = [f"{i:04d}-{i * 7 % 10000:04d}" for i in range(500)]
    given = ff1.texts(names)
    assert len(set(given)) == 500
    assert all(len(text) == 9 and text[4] == "-" and text.replace("-", "").isdigit() for text in given)
    assert ff1.names(given) == names
    assert sum(a == b for a, b in zip(names, given, strict=True)) == 0


def test_ff1_refuses_few_possible_names_and_strange_signs_without_showing_them():
    ff1 = FormatPreserving(bytes(32), "0123456789", "", fold_case=False)
    with pytest.raises(ParameterError, match="a million possible texts of each length; 1 names") as refused:
        ff1.check("id", ["12345", "123456"])
    assert "12345" not in str(refused.value)
    with pytest.raises(ParameterError, match="1 are not") as refused:
        ff1.check("id", ["12345X7", "1234567"])
    assert "X7" not in str(refused.value)
    for alphabet, kept in (("0", ""), ("00", ""), ("01", "1")):
        with pytest.raises(ParameterError, match="two different signs"):
            FormatPreserving(bytes(32), alphabet, kept, fold_case=False)


def test_domains_editions_forms_and_periods_have_keys_of_their_own():
    keyed = [
        Keyed(SECRET, "a", Form.TOKEN),
        Keyed(SECRET, "b", Form.TOKEN),
        Keyed(SECRET, "a", Form.TOKEN, edition="2"),
    ]
    texts = [one.names(period).texts(["Ann"])[0] for one in keyed for period in ("", "2026-01")]
    assert len(set(texts)) == 6
    assert keyed[0].names("").texts(["Ann"]) == Keyed(SECRET, "a", Form.TOKEN).names("").texts([" Ann"])
    assert keyed[0].promise("id").parameters["domain"] == "a"
    assert "still personal data" in keyed[0].promise("id").statement


def test_a_table_keeps_what_it_gave_and_adds_what_is_new():
    first = Correspondence("p", {}, fold_case=True).with_names(["Ann", "ANN", "Bob"], 26, bits=SeededBits(1))
    again = first.with_names(["ann", "Eve"], 26, bits=SeededBits(2))
    assert len(first.entries) == 2
    assert len(set(again.entries.values())) == 3
    assert again.texts(["Bob"]) == first.texts(["BOB"])
    assert again.names([*again.texts(["Eve"]), "unknown"]) == ["eve", None]


def test_a_stored_table_is_unreadable_without_key_domain_and_every_byte():
    table = Correspondence("p", {"Ann": "x"}, fold_case=False)
    sealed = table.seal(SECRET, bits=SeededBits(1))
    assert b"Ann" not in sealed
    assert sealed != table.seal(SECRET, bits=SeededBits(2))
    assert unseal(sealed, "p", SECRET) == table
    wrong = [
        (sealed, "q", SECRET), (sealed, "p", Secret(bytes(range(1, 33)))), (sealed[:-1] + b"\x00", "p", SECRET),
        (b"X" + sealed[1:], "p", SECRET), (b"", "p", SECRET), (sealed[:30], "p", SECRET),
    ]  # fmt: skip
    for raw, domain, key in wrong:
        with pytest.raises(ParameterError, match="right file"):
            unseal(raw, domain, key)


def test_names_are_found_by_how_often_they_occur():
    figure = frequency_risk(["Ann", "ann", "Bob", "Eve", None], np.array([2, 1, 3, 5, 9]), fold_case=True)[0]
    assert figure.value == pytest.approx(1 / 3)  # Ann 3, Bob 3, Eve 5
    assert frequency_risk([None], np.array([3]), fold_case=False)[0].value is None


def test_an_unkeyed_hash_is_what_anybody_computes():
    assert Unkeyed(fold_case=True).texts([" ABC "]) == [hashlib.sha256(b"abc").hexdigest()]


def test_names_travel_to_other_machines():
    namings = [
        Correspondence("p", {"Ann": "x"}, fold_case=False),
        Token(b"k" * 32, 26, fold_case=False),
        Unkeyed(fold_case=False),
    ]
    for naming in namings:
        assert pickle.loads(pickle.dumps(naming)).texts(["Ann"]) == naming.texts(["Ann"])  # noqa: S301

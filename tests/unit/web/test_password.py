"""What is kept of passwords."""

import hashlib

import pytest

from sfumato.errors import PlanError
from sfumato.web.password import LEAST, MOST, USUAL, Cost, check_chosen, digest, is_of, parts

CHEAP, SALT = Cost(2, 1, 1), b"0123456789abcdef"


def test_the_digest_is_that_of_the_standard():
    """RFC 7914, section 12: the second test vector, of which the first 32 bytes are kept."""
    raw = bytes.fromhex("fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162")
    kept = digest("password", b"NaCl" * 4, Cost(1024, 8, 16))
    assert parts(kept)[0] == Cost(1024, 8, 16)
    assert hashlib.scrypt(b"password", salt=b"NaCl", n=1024, r=8, p=16, dklen=32, maxmem=1 << 26) == raw
    assert hashlib.scrypt(b"password", salt=b"NaCl" * 4, n=1024, r=8, p=16, dklen=32, maxmem=1 << 26) == parts(kept)[2]


def test_the_usual_cost_is_what_guessing_costs():
    """32 MiB, three times."""
    assert 128 * USUAL.n * USUAL.r == 32 << 20
    assert is_of(digest("four words nobody guesses", SALT), "four words nobody guesses")


@pytest.mark.parametrize("password", ["", "pässword", "p" * MOST, "\ud800", "\x00"])
def test_a_password_is_its_own_and_no_other(password):
    """Also one that is empty or no text; one that is longer than is ever tried is none."""
    kept = digest(password, SALT, CHEAP)
    assert is_of(kept, password)
    assert not is_of(kept, password + "x")
    assert not is_of(digest("x" * (MOST + 1), SALT, CHEAP), "x" * (MOST + 1))


def test_two_ways_to_type_a_letter_are_one():
    """One keyboard sends é, another e and an accent."""
    assert is_of(digest("caf\u00e9", SALT, CHEAP), "cafe\u0301")


@pytest.mark.parametrize(
    "kept",
    [
        "", "scrypt", "plain$2$1$1$" + "A" * 24 + "$" + "A" * 44, "scrypt$3$1$1$x$y", "scrypt$1073741824$8$1$MDEy$MDEy", "scrypt$2$1$1$MA==$MA==",
        digest("x", SALT, CHEAP).replace("scrypt$2$", "scrypt$262144$"), digest("x", SALT, CHEAP)[:-4], digest("x", SALT, CHEAP) + "$",
    ],
)  # fmt: skip
def test_what_is_no_digest_is_refused(kept):
    """Or one that costs more than a server can bear; the message does not repeat it."""
    with pytest.raises(PlanError, match="scrypt") as met:
        parts(kept)
    assert len(kept) < 10 or kept not in str(met.value)


@pytest.mark.parametrize(
    ("password", "good"), [("x" * LEAST, True), ("x" * (LEAST - 1), False), ("é" * 512, True), ("é" * 513, False)]
)
def test_a_password_has_some_length(password, good):
    """In characters at least, in bytes at most."""
    if good:
        check_chosen(password)
        return
    with pytest.raises(PlanError) as met:
        check_chosen(password)
    assert password not in str(met.value)

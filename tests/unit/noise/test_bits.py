"""Secure words, words that a key repeats, and their parts."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.noise.bits import SystemBits, keyed_bits, narrow
from sfumato.testing.seeded_bits import SeededBits


def test_words_have_the_asked_number_and_type():
    """`words(n)` gives n unsigned 64-bit integers, none for n = 0."""
    words = SystemBits().words(5)
    assert (5,) == words.shape
    assert np.uint64 == words.dtype
    assert (0,) == SystemBits().words(0).shape


def test_two_sources_do_not_repeat_each_other():
    """Every source has a key of its own."""
    assert not np.array_equal(SystemBits().words(4), SystemBits().words(4))


def test_a_source_goes_on_across_blocks():
    """Many words, drawn at once or in parts, never repeat (a repeat has probability below 2^-30)."""
    bits = SystemBits()
    words = np.concatenate([bits.words(100_000), bits.words(3)])
    assert len(words) == len(np.unique(words))


def test_a_forked_child_draws_other_words_than_its_parent():
    """A child process gets a key of its own."""
    bits = SystemBits()
    bits.words(1)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, bits.words(4).tobytes())
        os._exit(0)
    os.waitpid(child, 0)
    theirs = np.frombuffer(os.read(read, 32), np.uint64)
    os.close(read)
    os.close(write)
    assert not np.array_equal(theirs, bits.words(4))


def test_threads_that_share_a_source_get_different_words():
    """Sixteen times 50,000 words: a repeat by chance has probability below 2^-25."""
    bits = SystemBits()
    with ThreadPoolExecutor(4) as pool:
        words = np.concatenate(list(pool.map(bits.words, [50_000] * 16)))
    assert len(words) == len(np.unique(words))


KEY = bytes(range(32))


def words(*context, key=KEY):
    return keyed_bits(key, *context).words(4).tolist()


def test_the_same_key_and_context_give_the_same_words():
    assert words(b"a", b"b") == words(b"a", b"b")


def test_words_do_not_depend_on_how_many_are_asked_at_a_time():
    parts = keyed_bits(KEY, b"a")
    one_by_one = np.concatenate([parts.words(n) for n in (1, 0, 9000, 3)])
    assert np.array_equal(one_by_one, keyed_bits(KEY, b"a").words(9004))


def test_different_contexts_and_keys_give_different_words():
    contexts = [(), (b"",), (b"", b""), (b"ab", b"c"), (b"a", b"bc"), (b"abc",)]
    streams = [words(*context) for context in contexts] + [words(b"abc", key=KEY[::-1])]
    assert len(streams) == len({tuple(stream) for stream in streams})


def test_the_stream_is_the_standard_ciphers_of_the_standard_hash():
    """The same by hand: keyed BLAKE2b of the length-prefixed parts, AES-256-CTR of zeros."""
    from hashlib import blake2b

    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    content = (2).to_bytes(8, "big") + b"ab" + (1).to_bytes(8, "big") + b"c"
    stream_key = blake2b(content, key=KEY, digest_size=32, person=b"sfumato.keyed/1").digest()
    stream = Cipher(algorithms.AES(stream_key), modes.CTR(bytes(16))).encryptor().update(bytes(32))
    assert np.frombuffer(stream, np.uint64).tolist() == words(b"ab", b"c")


def test_a_keyed_source_is_secure_while_its_key_is_secret():
    assert keyed_bits(KEY).is_secure


@pytest.mark.parametrize("key", [b"", bytes(15), bytes(65), "0" * 32, None, bytearray(32)])
def test_a_bad_key_is_refused_and_not_shown(key):
    with pytest.raises(ParameterError, match="16 to 64 bytes; got another length or type"):
        keyed_bits(key)


def test_a_context_of_text_is_refused():
    with pytest.raises(ParameterError, match="context must be bytes"):
        keyed_bits(KEY, "color")


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_parts_are_those_of_the_words_in_order(kind):
    parts = narrow(11, kind, bits=SeededBits(1))
    assert kind == parts.dtype
    assert parts.tolist() == SeededBits(1).words(11).view(kind)[:11].tolist()


def test_no_more_words_are_drawn_than_needed():
    bits = SeededBits(1)
    narrow(9, np.uint8, bits=bits)
    assert bits.words(1)[0] == SeededBits(1).words(3)[2]


def test_none_are_drawn_for_none():
    assert (0,) == narrow(0, np.uint16, bits=SeededBits(1)).shape

"""Words that belong to a key and a context."""

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.noise.keyed import keyed_bits

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

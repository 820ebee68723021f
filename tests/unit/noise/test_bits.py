"""Secure words."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from sfumato.noise.bits import SystemBits


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

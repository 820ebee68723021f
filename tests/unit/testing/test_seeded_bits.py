"""Words that a test can repeat."""

from sfumato.testing.seeded_bits import SeededBits


def test_a_seed_gives_always_the_same_words():
    """A frozen value: a change would silently change every seeded test."""
    assert [14386732473666894119, 9867104436101621026] == SeededBits(1).words(2).tolist()


def test_seeds_give_different_words():
    assert SeededBits(1).words(2).tolist() != SeededBits(2).words(2).tolist()


def test_a_seeded_source_is_not_secure():
    assert not SeededBits(1).is_secure

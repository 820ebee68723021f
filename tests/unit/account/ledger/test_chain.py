"""Every edit, removal, insertion and exchange breaks the chain."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.account.ledger.chain import GENESIS, Head, canonical, follow, seal
from sfumato.errors import LedgerError


def chain(bodies):
    """The links and the head after them."""
    head, links = GENESIS, []
    for body in bodies:
        links.append(seal(head, {"text": body}))
        head = follow(head, links[-1])
    return links, head


def walk(links):
    head = GENESIS
    for link in links:
        head = follow(head, link)
    return head


@given(st.lists(st.text(max_size=3), min_size=2, max_size=6, unique=True), st.data())
def test_any_other_list_of_links_is_refused_or_ends_elsewhere(bodies, data):
    links, head = chain(bodies)
    assert walk(links) == head
    other = data.draw(st.one_of(st.permutations(links), st.lists(st.sampled_from(links))))
    if other != links:
        with suppress(LedgerError):
            assert walk(other) != head


@given(st.lists(st.text(max_size=3), min_size=1, max_size=4), st.data())
def test_every_field_of_every_link_counts(bodies, data):
    links, _ = chain(bodies)
    i = data.draw(st.integers(0, len(links) - 1))
    changed = data.draw(
        st.sampled_from(
            [{"body": links[i].body + " "}, {"digest": "0" * 64}, {"previous": "0" * 64}, {"sequence": i + 2}]
        )
    )
    with pytest.raises(LedgerError, match=f"Entry {i + 1}"):
        walk([*links[:i], replace(links[i], **changed), *links[i + 1 :]])


def test_canonical_json_is_ascii_and_refuses_floats_without_a_number():
    assert canonical({"é": 1}) == '{"\\u00e9":1}'
    with pytest.raises(ValueError, match="JSON"):
        canonical({"x": float("nan")})


def test_the_digest_is_what_anyone_can_compute():
    """The format is documented: SHA-256 of the previous digest, a newline, the text."""
    import hashlib

    genesis = hashlib.sha256(b"sfumato.ledger/1").hexdigest()
    link = seal(GENESIS, {"kind": "x"})
    assert (link.previous, link.digest) == (genesis, hashlib.sha256(f'{genesis}\n{{"kind":"x"}}'.encode()).hexdigest())


@pytest.mark.parametrize("text", ["", "1", "1:ab", "-1:" + "a" * 64, "1:" + "g" * 64, "²:" + "a" * 64, "x:" + "a" * 64])
def test_a_head_is_written_in_one_way(text):
    with pytest.raises(LedgerError, match="entries:digest"):
        Head.parse(text)

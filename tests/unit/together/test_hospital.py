"""Hospitals and a publisher in one process: the release is that of the plain plan on all rows, and nobody's row is seen."""

import csv
import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.together import parties

from sfumato.errors import Caught
from sfumato.front.run import run
from sfumato.table.source import FileSink, FileSource
from sfumato.together import caught
from sfumato.together import holder as holder_module
from sfumato.together import hospital as hospital_module
from sfumato.together import publisher as publisher_module
from sfumato.together.holder import Done
from sfumato.together.wire import Kind, packed, unpacked


def rows_of(path):
    """Rows of a file, in no order."""
    with path.open(encoding="utf-8", newline="") as file:
        return Counter(tuple(sorted(row.items())) for row in csv.DictReader(file))


@pytest.mark.parametrize(
    "method",
    [
        {"name": "mondrian"},
        {"name": "full-domain", "suppression_limit": 0.2},
        {"name": "local-recoding"},
    ],
    ids=lambda method: method["name"],
)
def test_the_release_is_that_of_the_plain_plan_on_all_rows(method, tmp_path):
    """Class by class and row by row, for each method without chance."""
    zips = {"zip": {"role": "quasi-identifying", "hierarchy": {"mask": "right"}}}
    plan, files = parties.plan(tmp_path, method=method, **zips), parties.patients(tmp_path)
    ended = parties.carried_out(*parties.publication(parties.terms(plan), files))
    assert {one.rows for one in ended.values()} <= set(range(31))
    plain = replace(
        plan,
        source=FileSource(tmp_path / "all.csv"),
        output=replace(plan.output, sink=FileSink(tmp_path / "plain.csv")),
    )
    run(plain)
    assert rows_of(tmp_path / "release.csv") == rows_of(tmp_path / "plain.csv")


def test_everybody_keeps_their_own_k_and_who_asks_for_more_than_can_be_met_is_left_out(tmp_path):
    """Nine ask for 12, one for 1,000: the one is left out and counted, the classes of the nine hold 12 persons."""
    asks = {"asked": {"role": "identifying"}}
    personal = {"model": "personal-k", "column": "asked"}
    plan = parties.plan(tmp_path, (parties.K, personal), **asks)
    files = parties.patients(tmp_path, asked=lambda i: 1000 if i == 4 else 12 if i % 10 == 0 else 0)
    publisher, holders = parties.publication(parties.terms(plan), files)
    ended = parties.carried_out(publisher, holders)
    assert sum(one.rows for one in ended.values()) == 89
    told = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert (told["variant"], told["rows"], told["unmet"], told["left_out"]) == ("hospitals", 89, 1, 0)
    assert told["smallest"] >= 3
    assert {one["name"] for one in told["holders"]} == set(parties.NAMES)
    assert all(one["approved"] and one["bytes"] for one in told["holders"])
    assert {one["name"]: one["received"] for one in told["holders"]} == {
        name: one.board.received - len(publisher.store.get(Kind.PUBLISHED, "Press", 0).to_bytes())
        for name, one in holders.items()
    }
    assert [one["who"] for one in told["learns"]] == ["publisher", "hospitals", "recipients"]
    released = rows_of(tmp_path / "release.csv")
    assert "note-00004" not in {dict(row)["note"] for row in released}
    sizes = Counter()
    for row, n in released.items():
        sizes[dict(row)["age"], dict(row)["zip"]] += n
    asking = {f"note-{i:05}" for i in range(0, 90, 10) if i % 7}
    of = {dict(row)["note"]: (dict(row)["age"], dict(row)["zip"]) for row in released}
    assert min(sizes.values()) < 12 <= min(sizes[of[note]] for note in asking)


def test_classes_that_break_a_promise_about_values_are_left_out_and_the_others_are_those_without_it(tmp_path):
    """ℓ-diversity is judged by the holders on classes that were made for k."""
    files = parties.patients(tmp_path)
    ended = parties.carried_out(
        *parties.publication(parties.terms(parties.plan(tmp_path, (parties.K, parties.L))), files)
    )
    kept = rows_of(tmp_path / "release.csv")
    parties.carried_out(*parties.publication(parties.terms(parties.plan(tmp_path)), files))
    whole = rows_of(tmp_path / "release.csv")
    classes = {}
    for row, n in whole.items():
        classes.setdefault((dict(row)["age"], dict(row)["zip"]), Counter())[row] += n
    good = [one for one in classes.values() if len({dict(row)["illness"] for row in one}) >= 2]
    assert kept == sum(good, Counter())
    assert ended["East"].left_out == len(classes) - len(good) > 0


def test_long_messages_go_in_pieces(tmp_path, monkeypatch):
    """Tuples, counts, labels and slots of any length: with pieces of some hundred bytes the release is the same."""
    files, agreed = parties.patients(tmp_path), parties.terms(parties.plan(tmp_path, (parties.K, parties.L)))
    parties.carried_out(*parties.publication(agreed, files))
    whole = rows_of(tmp_path / "release.csv")
    for module, most in ((publisher_module, 700), (hospital_module, 700), (holder_module, 300)):
        monkeypatch.setattr(module, "PIECE", most)
    publisher, holders = parties.publication(agreed, files)
    ended = parties.carried_out(publisher, holders)
    assert not [one for one in ended.values() if isinstance(one, Exception)]
    pieces = {
        kind: max(n for _, _, n, _ in publisher.store.listed(kind)) for kind in (Kind.TUPLES, Kind.COUNTS, Kind.SLOTS)
    }
    assert min(pieces.values()) > 1
    assert rows_of(tmp_path / "release.csv") == whole


@pytest.mark.parametrize(
    "kind", [Kind.TUPLES, Kind.CONTRIBUTION, Kind.COUNTS, Kind.VERDICT, Kind.SLOTS, Kind.COMPLAINT]
)
def test_a_message_of_a_wrong_form_ends_the_publication_for_all(kind, tmp_path):
    """A holder that somebody vouches for, and what it says holds nothing: all are told, and nobody waits for ever."""
    for body in (
        b"",
        b"[3]",
        b"{}",
        packed({}),
        packed({"rows": "x", "widths": [[]]}, {"member": np.zeros((2, 2), np.int32)}),
    ):
        publisher, holders = parties.publication(parties.terms(parties.plan(tmp_path)), parties.patients(tmp_path))
        board, key = holders["East"].board, parties.HOLDERS["East"].signing()

        def post(message, board=board, key=key, body=body):
            good = message.kind is not kind
            parties.Board.post(board, message if good else replace(message, pieces=1, body=body).signed(key))

        board.post = post
        if kind is Kind.COMPLAINT:
            next(holders["East"].steps())
            holders["East"]._complain(caught.unsigned("Press", "enrol"))
        ended = parties.carried_out(publisher, holders)
        assert not any(isinstance(one, Done) for one in ended.values()), (kind, body)
        why, _ = unpacked(publisher.whole(Kind.ABANDONED, publisher.name))
        assert why["by"] in ("East", "North", "South", "Press")
    assert not (tmp_path / "release.csv").exists()


def test_what_is_short_is_said_in_one_piece(tmp_path):
    """Else the card of one who is vouched for could be absent when the others look for it."""
    publisher, holders = parties.publication(parties.terms(parties.plan(tmp_path)), parties.patients(tmp_path))
    board, key = holders["East"].board, parties.HOLDERS["East"].signing()
    board.post = lambda message: publisher.receive(replace(message, pieces=2).signed(key))
    with pytest.raises(Caught, match="one piece"):
        next(holders["East"].steps())
    assert publisher.enrolled() == []

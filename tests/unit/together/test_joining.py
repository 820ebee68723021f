"""Classes whose values break a promise are joined with those beside them: as a slow twin does on the pooled table."""

import csv
import json
from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from tests.unit.together import parties
from tests.unit.together import test_dishonest as dishonest
from tests.unit.together import test_tokens as tokens

from sfumato.errors import Caught, PlanError
from sfumato.front.run import run
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.table.source import FileSink, FileSource
from sfumato.together.check import Check
from sfumato.together.checks import Watch
from sfumato.together.hospital import Hospital
from sfumato.together.joining import halved, joined
from sfumato.together.publisher import Publisher
from sfumato.together.terms import check_values, digest_of
from sfumato.together.token_publisher import TokenPublisher
from sfumato.together.wire import Kind as Said
from sfumato.together.wire import packed, unpacked

BOTH = (parties.K, parties.L)


def slow_order(middles, which=None):
    """Sets are halved at the middle of the attribute in which their middles are furthest apart; the first of equals."""
    which = list(range(len(middles))) if which is None else which
    if len(which) == 1:
        return which
    widths = [max(middles[i][j] for i in which) - min(middles[i][j] for i in which) for j in range(len(middles[0]))]
    j = widths.index(max(widths))
    which = sorted(which, key=lambda i: middles[i][j])
    half = len(which) // 2
    return slow_order(middles, which[:half]) + slow_order(middles, which[half:])


def slow_join(classes, good):
    """The classes as lists of rows, joined; None: not even all of them together keep the promises."""
    if len(classes) == 1:
        return classes if good(classes[0]) else None
    half = len(classes) // 2
    left, right = slow_join(classes[:half], good), slow_join(classes[half:], good)
    if left is not None and right is not None:
        return left + right
    whole = [row for one in classes for row in one]
    return [whole] if good(whole) else None


def broken_join(classes, good):
    """A class that fails goes to the next one, whatever becomes of it."""
    out = []
    for one in classes:
        if out and not good(one):
            out[-1] = out[-1] + one
        else:
            out.append(one)
    return out


def diverse(rows, least=2):
    return len({row["illness"] for row in rows}) >= least


def threefold(rows):
    return diverse(rows, 3)


def in_class(row, labels):
    """Whether the labels of a class hold a row."""
    age, area = labels
    ends = [int(end) for end in age.strip("[]").split(", ")]
    return ends[0] <= int(row["age"]) <= ends[-1] and (area == "*" or row["zip"] in area.strip("{}").split(", "))


def middle(values, rank):
    """Of some values, in 0 … 1."""
    own = [rank.index(value) for value in values]
    return (min(own) + max(own)) / (2 * (len(rank) - 1))


def pooled(folder):
    """The rows of all, and their classes by sizes alone: the plain plan's, in the order of the slow twin."""
    plan = parties.plan(folder)
    output = replace(plan.output, sink=FileSink(folder / "plain.csv"), result=None)
    run(replace(plan, source=FileSource(folder / "all.csv"), output=output))
    labels = list(dict.fromkeys((row["age"], row["zip"]) for row in read(folder / "plain.csv")))
    rows = read(folder / "all.csv")
    classes = [[row for row in rows if in_class(row, one)] for one in labels]
    assert sum(map(len, classes)) == len(rows)
    ages, zips = sorted({row["age"] for row in rows}, key=int), sorted({row["zip"] for row in rows})
    middles = [
        [middle([row["age"] for row in one], ages), middle([row["zip"] for row in one], zips)] for one in classes
    ]
    return [classes[i] for i in slow_order(middles)], zips


def spelled(classes, zips):
    """The release of these classes."""
    out = Counter()
    for rows in classes:
        ages, own = sorted(int(row["age"]) for row in rows), sorted({row["zip"] for row in rows})
        age = str(ages[0]) if ages[0] == ages[-1] else f"[{ages[0]}, {ages[-1]}]"
        area = own[0] if len(own) == 1 else "*" if len(own) == len(zips) else "{" + ", ".join(own) + "}"
        out.update((age, area, row["illness"], row["note"]) for row in rows)
    return out


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def released(folder):
    return Counter((row["age"], row["zip"], row["illness"], row["note"]) for row in read(folder / "release.csv"))


def test_the_release_is_that_of_a_slow_twin_on_the_pooled_table(tmp_path):
    """No row is lost, where leaving classes out loses some; a twin that joins otherwise makes another release."""
    files, plan = parties.patients(tmp_path), parties.plan(tmp_path, (parties.K, parties.L | {"l": 3}))
    publisher, holders = parties.publication(parties.terms(plan, values="joined"), files)
    ended = parties.carried_out(publisher, holders)
    classes, zips = pooled(tmp_path)
    twin = slow_join(classes, threefold)
    found = released(tmp_path)
    assert found == spelled(twin, zips)
    assert found != spelled(broken_join(classes, threefold), zips)
    failing = [len(one) for one in classes if not threefold(one)]
    told = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert (told["rows"], told["left_out"], told["joined"]) == (90, 0, len(classes) - len(twin))
    assert told["classes"] == len(twin)
    assert len(failing) > 0
    assert {(one.joined, one.classes, one.left_out) for one in ended.values()} == {(told["joined"], told["classes"], 0)}
    assert "joined because the values of one" in " ".join(told["learns"][0]["what"])
    shown = b"".join(
        m.body for (kind, *_), m in publisher.store.messages.items() if kind in (Said.VERDICT, Said.COUNTS)
    )
    assert not any(value.encode() in shown for value in ("flu", "rheumatism"))


def test_local_recoding_joins_too_and_loses_no_row(tmp_path):
    files = parties.patients(tmp_path)
    zips = {"zip": {"role": "quasi-identifying", "hierarchy": {"mask": "right"}}}
    method = {"name": "local-recoding", "publish": "nodes"}
    lost = {}
    for values in ("afterwards", "joined"):
        agreed = parties.terms(parties.plan(tmp_path, (parties.K, parties.L | {"l": 3}), method, **zips), values=values)
        ended = parties.carried_out(*parties.publication(agreed, files))
        assert all(isinstance(one.rows, int) for one in ended.values()), ended
        lost[values] = 90 - sum(released(tmp_path).values())
    by_class = {}
    for row in read(tmp_path / "release.csv"):
        by_class.setdefault((row["age"], row["zip"]), set()).add(row["illness"])
    assert min(map(len, by_class.values())) == 3
    assert lost["joined"] == 0 < lost["afterwards"]


def random_classes(rng, n):
    """Classes of tuples of two attributes, with sizes."""
    member = np.concatenate((np.arange(n), rng.integers(0, n, n)))
    codes = np.stack((rng.integers(0, 9, 2 * n), rng.integers(0, 4, 2 * n)), axis=1)
    sizes = rng.integers(1, 6, n)
    return member, codes, Classes(np.arange(n)[:, None], rows=sizes, alone=sizes)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 40])
def test_order_and_joins_are_those_of_the_slow_twin(n):
    rng = np.random.default_rng(n)
    ages = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), [str(9 - i) for i in range(9)])
    sexes = bind(Column("sex", Role.QUASI_IDENTIFYING), list("abcd"))
    for least in (3, 8, 1000):
        member, codes, classes = random_classes(rng, n)
        ranks = np.stack((8 - np.array([9 - int(t) for t in ages.hierarchy.labels[0]])[codes[:, 0]], codes[:, 1]), 1)
        middles = [
            [(own[:, j].min() + own[:, j].max()) / (16, 6)[j] for j in (0, 1)]
            for own in (ranks[member == i] for i in range(n))
        ]
        assert halved(member, codes, [ages, sexes]).tolist() == slow_order(middles)
        into = joined(classes, lambda found, least=least: found.rows >= least)
        twin = slow_join([[i] for i in range(n)], lambda one: sum(classes.rows[one]) >= least)  # noqa: B023
        expected = np.full(n, -1)
        for one in twin or ():
            expected[one] = one[0]
        assert into.tolist() == expected.tolist()


class Relabelling(Publisher):
    """Moves the labels of joined classes by one."""

    def say_list(self, kind, of, found, after, arrays=None, **more):
        if arrays:
            arrays = {"codes": np.roll(arrays["codes"], 1, axis=0)}
        super().say_list(kind, of, found, after, arrays, **more)


class RelabellingTokens(Relabelling, TokenPublisher):
    """The same among tokens."""


def test_labels_of_joined_classes_are_seen_to_and_so_is_who_joins_otherwise(tmp_path):
    """Before a row leaves; without the check rows would be published under what they are not."""
    files, agreed = parties.patients(tmp_path), parties.terms(parties.plan(tmp_path, BOTH), values="joined")
    publisher, holders = parties.publication(agreed, files, kind=Relabelling)
    found = parties.carried_out(publisher, holders)
    assert {(one.check, one.who) for one in found.values()} == {("labels are true", "Press")}
    assert not publisher.store.listed(Said.SLOTS)
    blind = dict.fromkeys(parties.NAMES, Watch().without(Check.LABELS))
    found = parties.carried_out(*parties.publication(agreed, files, kind=Relabelling, watches=blind))
    assert not any(isinstance(one, Exception) for one in found.values())
    classes, zips = pooled(tmp_path)
    assert released(tmp_path) != spelled(slow_join(classes, diverse), zips)

    for watch, expected in ((Watch(), "same classes left out"), (Watch().without(Check.AGREED), "")):
        publisher, holders = parties.publication(agreed, files, watches=dict.fromkeys(parties.NAMES, watch))
        south = holders["South"]
        holders["South"] = dishonest.Lenient(
            south.terms, south.identity, south.held, south.board, south.memory, south.watch
        )
        found = parties.carried_out(publisher, holders)
        assert getattr(found["East"], "check", "") == expected
        assert getattr(found["East"], "who", "South") == "South"


def test_a_class_that_cannot_be_joined_with_all_others_leaves_nothing(tmp_path):
    """Five values in each class, where the table has three: all rows are left out."""
    plan = parties.plan(tmp_path, (parties.K, parties.L | {"l": 5}))
    ended = parties.carried_out(*parties.publication(parties.terms(plan, values="joined"), parties.patients(tmp_path)))
    assert {(one.rows, one.classes, one.joined) for one in ended.values()} == {(0, 0, 0)}
    assert read(tmp_path / "release.csv") == []


def tokens_joining(folder, **how):
    """Three carriers of tokens whose terms join classes."""
    publisher, carriers = tokens.publication(folder, promises=BOTH, **how)
    agreed = replace(publisher.terms, said=replace(publisher.terms.said, values="joined"))
    agreed = replace(agreed, digest=digest_of(agreed.said, agreed.plan))
    object.__setattr__(publisher, "terms", agreed)
    publisher.store.messages.clear()
    publisher.invite(b"nonce" * 6)
    for one in carriers.values():
        one.terms = agreed
    return publisher, carriers


def test_a_token_joins_classes_of_its_partition(tmp_path):
    """As the slow twin within each partition; labels are seen to by all tokens before they approve."""
    publisher, carriers = tokens_joining(tmp_path)
    ended = parties.carried_out(publisher, carriers)
    classes, zips = pooled(tmp_path)
    cuts = unpacked(publisher.whole(Said.ECHOES, "Press"))[0]["cuts"]
    twin = [one for low, high in cuts for one in slow_join(classes[low:high], diverse) or []]
    assert released(tmp_path) == spelled(twin, zips)
    assert {one.joined for one in ended.values()} == {len(classes) - len(twin)}
    told = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert (told["rows"], told["left_out"], told["joined"]) == (90, 0, len(classes) - len(twin))
    assert told["joined"] > 0
    (tmp_path / "release.csv").unlink()
    found = parties.carried_out(*tokens_joining(tmp_path, kind=RelabellingTokens))
    assert {(one.check, one.who) for one in found.values()} == {("labels are true", "Press")}
    assert not (tmp_path / "release.csv").exists()
    blind = Watch().without(Check.LABELS)
    found = parties.carried_out(*tokens_joining(tmp_path, kind=RelabellingTokens, watch=blind))
    assert not any(isinstance(one, Caught) for one in found.values())


def test_terms_that_join_where_it_means_nothing_are_refused(tmp_path):
    full = {"name": "full-domain"}
    for plan, words in ((parties.plan(tmp_path, BOTH, full), "writes each value in one way"),):
        with pytest.raises(PlanError, match=words):
            check_values(parties.terms(plan, values="joined"))
    check_values(parties.terms(parties.plan(tmp_path, BOTH), values="joined"))
    check_values(parties.terms(parties.plan(tmp_path, (parties.K,), full), values="joined"))


def test_holders_that_say_of_classes_what_cannot_be_end_it(tmp_path):
    """Numbers of classes that are not there."""
    agreed = parties.terms(parties.plan(tmp_path, BOTH), values="joined")

    class Wild(Hospital):
        def _verdict(self, *counted):
            return super()._verdict(*counted) + 1000

    publisher, holders = parties.publication(agreed, parties.patients(tmp_path))
    east = holders["East"]
    holders["East"] = Wild(east.terms, east.identity, east.held, east.board, east.memory, east.watch)
    parties.carried_out(publisher, holders)
    why, _ = unpacked(publisher.whole(Said.ABANDONED, "Press"))
    assert "under which one" in why["problem"]
    assert packed({})


def view_of(folder, illnesses):
    """What a publisher sees of values where persons of 20, 21, 22 and of 40, 41, … have these: the labels, and the rows."""
    ages = [20, 21, 22, *range(40, 40 + len(illnesses) - 3)]
    rows = [f'P{i},{age},75000,{one},""' for i, (age, one) in enumerate(zip(ages, illnesses, strict=True))]
    files = {name: folder / f"{name}.csv" for name in parties.NAMES}
    for i, path in enumerate(files.values()):
        path.write_text("\n".join(["name,age,zip,illness,note", *rows[i::3]]) + "\n", "utf-8")
    agreed = parties.terms(parties.plan(folder, BOTH), values="joined")
    publisher, holders = parties.publication(agreed, files)
    ended = parties.carried_out(publisher, holders)
    assert {one.joined for one in ended.values()} == {1}, ended
    labels, codes = publisher.labels()
    return labels, codes.tolist(), released(folder)


def test_a_publisher_sees_the_values_of_a_union_and_may_conclude_those_of_a_part(tmp_path):
    """Which of two classes has which value it does not see; where only one value can fill a class that fails, it knows."""
    assert view_of(tmp_path, ["flu"] * 3 + ["gout"] * 3) == view_of(tmp_path, ["gout"] * 3 + ["flu"] * 3)
    told = ["flu", "flu", "flu", "gout", "gout", "asthma", "asthma"]
    assert sum(view_of(tmp_path, told)[2].values()) == 7
    rows = [[{"illness": one} for one in history] for history in set(permutations(told))]
    alike = [one for one in rows if len(slow_join([one[:3], one[3:]], diverse)) == 1]
    assert 0 < len(alike) < len(rows)
    assert {row["illness"] for one in alike for row in one[:3]} == {"flu"}, "all histories agree on it"

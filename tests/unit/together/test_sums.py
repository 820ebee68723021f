"""Publication by sums: the release is that of the plain plan on all rows, and the publisher sees sums alone."""

import csv
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.postgres_server import fresh_database
from tests.unit.together import parties

from sfumato.document.together import DomainTable, SumsTable
from sfumato.errors import Caught, ParameterError, PlanError, ReportError, SchemaError, SourceError
from sfumato.front.run import run
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.safepub import SafePub
from sfumato.mechanism.secure_sum import publisher as rounds
from sfumato.mechanism.secure_sum.noise import SharedNoise
from sfumato.mechanism.secure_sum.wire import Kind as SumKind
from sfumato.noise.bernoulli import bernoulli
from sfumato.noise.bits import KeyedBits, SystemBits
from sfumato.table.source import FileSink, FileSource
from sfumato.together.check import Check
from sfumato.together.checks import Watch
from sfumato.together.demonstrating import ADDED, COUNTED, prepare
from sfumato.together.holder import Done
from sfumato.together.publisher import Publisher
from sfumato.together.store import PostgresStore, SqliteStore
from sfumato.together.sums import joint
from sfumato.together.sums.carrying import of_holder, said_by
from sfumato.together.sums.declared import Cells, cells_of
from sfumato.together.sums.hospital import SumHospital
from sfumato.together.sums.joint import counted
from sfumato.together.sums.publisher import SumPublisher
from sfumato.together.sums.releasing import write_counts
from sfumato.together.sums.run import again
from sfumato.together.sums.session import TUPLES, sums_of
from sfumato.together.table import read_held
from sfumato.together.terms import Terms, check_counted, check_plan, check_values, digest_of, read_terms
from sfumato.together.wire import Kind, packed, unpacked

WAIT = 10.0
ILLNESS = ("flu", "rheumatism", 'é,"x')
ZIPS = tuple(f"{a}{b:03}" for a in ("75", "69", "13") for b in range(3))
DOMAIN = (
    DomainTable(column="age", between=(18, 60)),
    DomainTable(column="zip", values=ZIPS),
    DomainTable(column="illness", values=ILLNESS),
)
HIDDEN = {"note": {"role": "identifying"}, "zip": {"role": "quasi-identifying", "hierarchy": {"mask": "right"}}}
MONDRIAN, FULL = {"name": "mondrian"}, {"name": "full-domain", "suppression_limit": 0.2}


L3 = parties.L | {"l": 3}
CLOSE = {"model": "t-closeness", "column": "illness", "t": 0.25, "distance": "equal", "reference": "original"}


def plan_of(folder, method=FULL, promises=(parties.K,)):
    return parties.plan(folder, promises, method, **HIDDEN)


def terms(plan, values="construction", **changes):
    """Terms that say [sums]: two of three must answer."""
    bare = parties.terms(plan, values=values)
    sums = SumsTable(threshold=2, colluding=0, most_rows=1000, wait=WAIT, domain=DOMAIN)
    said = replace(bare.said, sums=replace(sums, **changes))
    return Terms(said, plan, digest_of(said, plan))


def tuples_of(agreed, file):
    """How many rows of a file are in each cell of quasi-identifiers."""
    held, cells = read_held(FileSource(file), agreed, parties.ENGINE, SystemBits()), sums_of(agreed).known
    return np.bincount(cells.coded(held.known, held.n_rows), minlength=cells.n)


class Clock:
    """Time that passes when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def publisher_of(agreed, shelf, clock):
    sums = sums_of(agreed)
    base = Publisher(agreed, parties.PUBLISHER, shelf, parties.TOOLS, lambda *_: {})
    return SumPublisher(base, sums, clock, lambda released: write_counts(base, sums, released, parties.ENGINE))


class Scene:
    """A publisher and its hospitals; `silent(name, message)` tells from when on one says nothing more."""

    def __init__(self, agreed, files, silent=lambda name, message: False, shelf=None, watch=Watch()):  # noqa: B008
        self.agreed, self.files, self.silent, self.clock = agreed, files, silent, Clock()
        self.shelf, self.watch, self.gone, self.ended = shelf or parties.Shelf(), watch, set(), {}
        self.memories = {name: parties.Memory() for name in files}
        self.begin()
        self.publisher.invite(b"nonce" * 6)
        self.steps = {name: self.hospital(name).steps() for name in files}

    def begin(self):
        """A publisher with nothing but its store: as after a kill."""
        self.publisher = publisher_of(self.agreed, self.shelf, self.clock)

    def hospital(self, name):
        """A hospital with nothing but what it kept."""
        held = read_held(FileSource(self.files[name]), self.agreed, parties.ENGINE, SystemBits())
        parts = (self.agreed, parties.HOLDERS[name], held, Line(self, name), self.memories[name], self.watch)
        return SumHospital(*parts, sums=sums_of(self.agreed), bits=SystemBits())

    def step(self, name):
        if name in self.ended:
            return
        try:
            next(self.steps[name])
        except StopIteration as end:
            self.ended[name] = end.value
        except Gone:
            self.gone.add(name)
        except Exception as error:  # noqa: BLE001 - it is looked at
            self.ended[name] = error

    def carried_out(self, between=lambda scene: None):
        for _ in range(60):
            for name in self.files:
                if name not in self.ended and name not in self.gone:
                    self.step(name)
            while self.publisher.advance():
                pass
            between(self)
            if len(self.ended) + len(self.gone) == len(self.files):
                while self.publisher.advance():
                    pass
                break
            self.clock.now += WAIT / 2
        return self.ended

    @property
    def why(self):
        """Why it was abandoned."""
        found = self.shelf.get(Kind.ABANDONED, parties.PUBLISHER.name, 0)
        return None if found is None else unpacked(found.body)[0]["problem"]


class Gone(Exception):
    """A hospital fell silent."""


class Line(parties.Board):
    """Its line to the publisher."""

    def __init__(self, scene, me):
        self.scene, self.me, self.twist, self.received = scene, me, None, 0

    @property
    def publisher(self):
        return self.scene.publisher

    def post(self, message):
        if self.scene.silent(self.me, message):
            raise Gone
        self.publisher.receive(message)

    def get(self, kind, sender, number):
        if self.scene.why is not None:
            raise ReportError(self.scene.why, "see why.")
        return super().get(kind, sender, number)


def first_sum(scene):
    """What a publisher can compute from its store."""
    names, agreed = scene.publisher._sum_terms(TUPLES)
    return again(scene.publisher.base, TUPLES, names, agreed, scene.clock)


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return Counter(tuple(sorted(row.items())) for row in csv.DictReader(file))


def plain_of(plan, folder, names=("all",)):
    """The release of the plain plan on the rows of these files together."""
    lines = [(folder / f"{name}.csv").read_text("utf-8").splitlines(keepends=True) for name in names]
    (folder / "union.csv").write_text("".join([lines[0][0], *(line for one in lines for line in one[1:])]), "utf-8")
    output = replace(plan.output, sink=FileSink(folder / "plain.csv"))
    run(replace(plan, source=FileSource(folder / "union.csv"), output=output))
    return rows_of(folder / "plain.csv")


@pytest.mark.parametrize("method", [FULL, MONDRIAN], ids=lambda method: method["name"])
def test_the_release_is_that_of_the_plain_plan_on_all_rows(method, tmp_path):
    plan, files = plan_of(tmp_path, method), parties.patients(tmp_path)
    ended = Scene(terms(plan), files).carried_out()
    assert all(isinstance(one, Done) for one in ended.values()), ended
    told = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert (told["variant"], told["smallest"] >= 3, told["left_out"], told["unmet"]) == ("sums", True, 0, 0)
    assert told["rows"] + told["suppressed"] == 90
    assert rows_of(tmp_path / "release.csv") == plain_of(plan, tmp_path)
    assert sum(one.rows for one in ended.values()) == sum(rows_of(tmp_path / "release.csv").values())


PHASES = [Kind.ENROL, *((number, kind) for number in (1, 2) for kind in list(SumKind)[::2]), Kind.COUNTS, Kind.APPROVAL]
WITHOUT = {(1, SumKind.KEYS), (1, SumKind.SHARES), (1, SumKind.MASKED)}
"""Phases before which silence leaves a hospital out of the sum."""
AFTER = {(1, SumKind.OPENED), (1, SumKind.AGREED)}
"""The tuples of who falls silent here are in the sum, and nobody of the sum may be missing later."""
BORNE = {(2, SumKind.AGREED), (2, SumKind.OPENED), Kind.APPROVAL}
"""All that it holds was added."""


def phase_of(message):
    return said_by(message.number)[:2] if message.kind is Kind.SUM else message.kind


@pytest.mark.parametrize("phase", PHASES, ids=str)
def test_a_hospital_that_falls_silent_in_a_phase(phase, tmp_path):
    """It is left out, or borne, or nothing is published; never is a part of it published. Values steer meanwhile."""
    plan, files = plan_of(tmp_path, promises=(parties.K, parties.L)), parties.patients(tmp_path)
    scene = Scene(terms(plan), files, lambda name, message: name == "North" and phase_of(message) == phase)
    ended = scene.carried_out()
    path = tmp_path / "release.csv"
    assert scene.gone == {"North"}
    if phase in WITHOUT:
        assert rows_of(path) == plain_of(plan, tmp_path, ("East", "South"))
    elif phase in BORNE:
        assert rows_of(path) == plain_of(plan, tmp_path)
    else:
        assert not path.exists()
        assert phase is Kind.ENROL or scene.why is not None
        assert not any(isinstance(one, Done) for one in ended.values())


def killed(scene):
    """Publisher and hospitals begin again with what they kept, after each turn."""
    scene.begin()
    scene.steps |= {name: scene.hospital(name).steps() for name in scene.files if name not in scene.ended}
    scene.clock.now -= WAIT / 2


def test_everybody_is_killed_again_and_again(tmp_path, postgres):
    """While values steer: the release is the same."""
    plan, files = plan_of(tmp_path, promises=(parties.K, parties.L)), parties.patients(tmp_path, n=45)
    store = PostgresStore(fresh_database(postgres), "sums")
    ended = Scene(terms(plan), files, shelf=store).carried_out(killed)
    store.close()
    assert all(isinstance(one, Done) for one in ended.values()), ended
    assert rows_of(tmp_path / "release.csv") == plain_of(plan, tmp_path)


def test_a_release_that_cannot_be_written_is_tried_again(tmp_path):
    """A full disk at the end does not throw away what all hospitals added."""
    plan, files = plan_of(tmp_path), parties.patients(tmp_path)
    scene = Scene(terms(plan), files)
    right = scene.publisher.write

    def refused(released):
        raise SourceError("The disk is full.", "make room.")

    scene.publisher.write = refused
    with pytest.raises(SourceError, match="full"):
        scene.carried_out()
    assert scene.why is None
    scene.publisher.write = right
    assert all(isinstance(one, Done) for one in scene.carried_out().values())
    assert rows_of(tmp_path / "release.csv") == plain_of(plan, tmp_path)


def test_a_table_that_changed_is_not_added_again(tmp_path):
    """Two vectors of one hospital behind the same masks would tell their difference."""
    plan, files = plan_of(tmp_path), parties.patients(tmp_path)
    scene = Scene(terms(plan), files)
    scene.carried_out(lambda one: one.ended.update(dict.fromkeys(files)) if one.shelf.listed(Kind.SUM) else None)
    lines = files["North"].read_text("utf-8").splitlines(keepends=True)
    files["North"].write_text("".join(lines[:-1]), "utf-8")
    scene.ended = {}
    scene.steps["North"] = scene.hospital("North").steps()
    for _ in range(5):
        scene.step("North")
    assert "must not change" in str(scene.ended["North"])


def lying(monkeypatch, kind, change):
    """The publisher says something else of a kind, to everybody."""
    honest = Publisher.say

    def said(self, told, body, after, session=None):
        honest(self, told, packed(*change(*unpacked(body))) if told is kind else body, after, session)

    monkeypatch.setattr(Publisher, "say", said)


def larger(said, arrays):
    """Classes seem larger than they are."""
    return said, arrays | {"sizes": arrays["sizes"] + 1}


def fewer(said, arrays):
    return said | {"holders": [name for name in said["holders"] if name != "North"]}, arrays


def moved(said, arrays):
    """Every tuple of the first class is put into the second one."""
    return said, arrays | {"member": np.where(arrays["member"] == 0, 1, arrays["member"])}


def one_less(said, arrays):
    table = arrays["table"].copy()
    table[0, np.argmax(table[0])] -= 1
    return said, arrays | {"table": table}


def exchanged(said, arrays):
    """As many rows of each class, with other values."""
    return said, arrays | {"table": np.roll(arrays["table"], 1, axis=1)}


def without_one(said, arrays):
    """A class that keeps all promises is left out."""
    return said, {name: array[1:] for name, array in arrays.items()}


LIES = {
    "left out": (Kind.OUTCOME, without_one, "rows as sent"),
    "sizes": (Kind.CONSTRUCTION, larger, "size of classes"),
    "holders": (Kind.CONSTRUCTION, fewer, "membership"),
    "classes": (Kind.CONSTRUCTION, moved, "labels are true"),
    "rows": (Kind.OUTCOME, one_less, "rows as sent"),
    "values": (Kind.OUTCOME, exchanged, "rows as sent"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_publisher_that_lies_is_caught_and_named(lie, tmp_path, monkeypatch):
    kind, change, check = LIES[lie]
    lying(monkeypatch, kind, change)
    plan, files = plan_of(tmp_path), parties.patients(tmp_path)
    scene = Scene(terms(plan), files)
    caught = scene.carried_out()["North"]
    assert isinstance(caught, Caught), caught
    assert (caught.who, caught.check) == (parties.PUBLISHER.name, check)
    assert not (tmp_path / "release.csv").exists()
    assert scene.why is not None


@pytest.mark.parametrize("lie", ["sizes", "rows", "values", "classes", "left out"])
def test_hospitals_without_the_check_would_go_on(lie, tmp_path, monkeypatch):
    """Broken twins: each lacks the check that caught the lie, and what is published is not what they hold."""
    kind, change, check = LIES[lie]
    lying(monkeypatch, kind, change)
    plan, files = plan_of(tmp_path), parties.patients(tmp_path)
    watch = Watch().without(next(one for one in Watch().made if one.value == check))
    ended = Scene(terms(plan), files, watch=watch).carried_out()
    if lie == "classes":  # an empty class is too small
        assert {one.check for one in ended.values()} == {"size of classes"}
        return
    assert all(isinstance(one, Done) for one in ended.values()), ended
    assert (rows_of(tmp_path / "release.csv") == plain_of(plan, tmp_path)) == (lie == "sizes")


@pytest.mark.parametrize("promises", [(parties.K,), (parties.K, parties.L)], ids=["sizes", "values"])
def test_what_a_publisher_sees_is_sums(promises, tmp_path):
    """Two hospitals exchange their tables: the sums, classes and the release are the same, and all that differs is masked.

    Where values steer it sees how often each stands in each tuple, of all together: of who is alone in one, the value.
    """
    plan = plan_of(tmp_path, promises=promises)
    views = []
    for order in (("East", "North", "South"), ("North", "East", "South")):
        files = parties.patients(tmp_path)
        given = {name: files[order[i]] for i, name in enumerate(parties.NAMES)}
        scene = Scene(terms(plan), given)
        scene.carried_out()
        run_of = first_sum(scene)
        assert isinstance(run_of.state, rounds.Sum)
        vector = scene.shelf.get(Kind.SUM, "East", of_holder(TUPLES, SumKind.MASKED, 0)).body
        own = tuples_of(terms(plan), given["East"])
        assert own.astype("<u2").tobytes()[:200] not in vector
        said = b"".join(m.body for (kind, *_), m in scene.shelf.messages.items() if kind is not Kind.OUTCOME)
        assert not any(value.encode() in said for value in ILLNESS)
        views.append((run_of.state.counts.tolist(), rows_of(tmp_path / "release.csv")))
        held = [read_held(FileSource(file), scene.agreed, parties.ENGINE, SystemBits()) for file in given.values()]
        assert views[-1][0] == sum(sums_of(scene.agreed).counts_of(one) for one in held).tolist()
    assert views[0] == views[1]
    assert len(views[0][0]) == 43 * 9 * (3 if len(promises) > 1 else 1)


def test_noise_in_shares_hides_the_sum_and_the_promise_is_kept(tmp_path):
    """Sizes are counted without noise, and classes that are too small are left out."""
    plan, files = plan_of(tmp_path, FULL | {"suppression_limit": 0.9}), parties.patients(tmp_path, n=300)
    agreed = terms(plan, epsilon=Fraction(2))
    scene = Scene(agreed, files)
    ended = scene.carried_out()
    assert all(isinstance(one, Done) for one in ended.values()), ended
    exact = sum(tuples_of(agreed, file) for file in files.values())
    seen = first_sum(scene).state.counts
    assert not np.array_equal(seen, exact)
    assert {one.left_out for one in ended.values()} == {0}, "too small is not left out for its values"
    classes = Counter()
    for row, n in rows_of(tmp_path / "release.csv").items():
        classes[tuple(cell for cell in row if cell[0] != "illness")] += n
    assert min(classes.values()) >= 3


def test_classes_whose_values_break_a_promise_are_left_out_where_they_are_judged_afterwards(tmp_path):
    plan, files = plan_of(tmp_path, MONDRIAN, (parties.K, L3)), parties.patients(tmp_path)
    ended = Scene(terms(plan, values="afterwards"), files).carried_out()
    values = {}
    for row in rows_of(tmp_path / "release.csv"):
        values.setdefault(tuple(cell for cell in row if cell[0] != "illness"), set()).add(dict(row)["illness"])
    assert min(map(len, values.values())) >= 3
    assert {one.classes for one in ended.values()} == {len(values)}
    assert min(one.left_out for one in ended.values()) > 0
    assert rows_of(tmp_path / "release.csv") != plain_of(plan, tmp_path)


@pytest.mark.parametrize(
    ("method", "promise"),
    [(MONDRIAN, L3), (MONDRIAN, CLOSE), (FULL, CLOSE)],
    ids=lambda one: one.get("name", one.get("model")),
)
def test_promises_about_values_steer_and_the_release_is_that_of_the_plain_plan(method, promise, tmp_path):
    """No class is left out; where rows are suppressed, closeness is still to the whole table."""
    plan, files = plan_of(tmp_path, method, (parties.K, promise)), parties.patients(tmp_path)
    scene = Scene(terms(plan), files)
    ended = scene.carried_out()
    assert all(isinstance(one, Done) for one in ended.values()), ended
    assert {one.left_out for one in ended.values()} == {0}
    table, (_, totals) = scene.publisher.released().table, scene.publisher._counted()
    judged = counted(sums_of(scene.agreed), table, totals).histograms[0]
    assert (judged.count.sum(), judged.total.sum()) == (table.sum(), 90)
    released = rows_of(tmp_path / "release.csv")
    assert released == plain_of(plan, tmp_path)
    assert released != plain_of(replace(plan, promises=plan.promises[:1]), tmp_path), "the promise changed nothing"


@pytest.mark.parametrize("method", [FULL, MONDRIAN], ids=lambda one: one["name"])
def test_everybodys_own_k_is_kept_by_sums_and_who_asks_for_too_much_is_left_out(method, tmp_path):
    """Nine ask for 12, one for 1,000: the release is that of the plain plan on all others."""
    personal = {"model": "personal-k", "column": "asked"}
    hidden = HIDDEN | {"asked": {"role": "identifying"}}
    plan = parties.plan(tmp_path, (parties.K, parties.L, personal), method, **hidden)
    files = parties.patients(tmp_path, asked=lambda i: 1000 if i == 4 else 12 if i % 10 == 0 else 0)
    domain = (*DOMAIN, DomainTable(column="asked", values=("0", "12", "1000")))
    scene = Scene(terms(plan, domain=domain), files)
    ended = scene.carried_out()
    assert all(isinstance(one, Done) for one in ended.values()), ended
    told = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert (told["unmet"], told["left_out"], told["rows"] + told["suppressed"]) == (1, 0, 89)
    assert [
        sum("each declared tuple" in what or "ask for" in what for what in one["what"]) for one in told["learns"]
    ] == [3, 0, 0]
    released = rows_of(tmp_path / "release.csv")
    for name, path in files.items():
        lines = path.read_text("utf-8").splitlines(keepends=True)
        (tmp_path / f"{name}-met.csv").write_text("".join(line for line in lines if '"1000"' not in line), "utf-8")
    assert released == plain_of(plan, tmp_path, [f"{name}-met" for name in files])
    with pytest.raises(PlanError, match="personal-k"):
        sums_of(terms(plan, domain=domain, epsilon=Fraction(1)))


@pytest.mark.parametrize("watch", [Watch(), Watch().without(Check.SIZE)], ids=["watched", "blind"])
def test_a_publisher_that_forgets_what_persons_ask_for_is_caught(watch, tmp_path, monkeypatch):
    """Each hospital sees to its own persons; one that does not look would publish them in classes that are too small."""
    plan = parties.plan(
        tmp_path,
        (parties.K, {"model": "personal-k", "column": "asked"}),
        MONDRIAN,
        **HIDDEN | {"asked": {"role": "identifying"}},
    )
    files = parties.patients(tmp_path, asked=lambda i: 12 if i % 10 == 0 else 0)
    honest = joint.construct

    def forgetful(agreed, seen, tools, attributes):
        tuples = seen[0].tuples * [*[1] * (seen[0].tuples.shape[1] - 1), 0]
        return honest(agreed, [replace(seen[0], tuples=tuples)], tools, attributes)

    monkeypatch.setattr(joint, "construct", forgetful)
    scene = Scene(terms(plan, domain=(*DOMAIN, DomainTable(column="asked", values=("0", "12")))), files, watch=watch)
    ended = scene.carried_out()
    if watch == Watch():
        assert {(one.who, one.check) for one in ended.values()} == {(parties.PUBLISHER.name, "size of classes")}
        return
    assert all(isinstance(one, Done) for one in ended.values()), ended


def test_terms_say_when_promises_about_values_are_judged(tmp_path):
    plan = plan_of(tmp_path, promises=(parties.K, parties.L))
    with pytest.raises(PlanError, match="must say when"):
        check_values(terms(plan, values=None))
    with pytest.raises(PlanError, match=r"add \[sums\]"):
        check_values(parties.terms(plan, values="construction"))
    with pytest.raises(PlanError, match="exact counts"):
        sums_of(terms(plan, epsilon=Fraction(1)))
    check_values(terms(plan))
    check_values(terms(plan_of(tmp_path), values=None))


def test_values_that_nobody_declared_are_refused_and_not_shown(tmp_path):
    plan, files = plan_of(tmp_path), parties.patients(tmp_path)
    short = tuple(replace(one, values=ILLNESS[:1]) if one.column == "illness" else one for one in DOMAIN)
    caught = Scene(terms(plan, domain=short), files).carried_out()["East"]
    assert isinstance(caught, SchemaError)
    assert "'illness' must be declared; 2" in str(caught)
    assert "rheumatism" not in str(caught)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"domain": DOMAIN[1:]}, "'age' must be declared"),
        ({"domain": (replace(DOMAIN[0], between=(0, 10**6)), *DOMAIN[1:])}, "`between` must be"),
        ({"domain": (replace(DOMAIN[0], between=(0, 200_000)), *DOMAIN[1:])}, "at most 1,000,000 cells"),
        ({"threshold": 1}, "raise `threshold` to 2"),
        ({"threshold": 2, "colluding": 1}, "raise `threshold` to 3"),
    ],
)
def test_terms_that_cannot_be_carried_out_are_refused(change, words, tmp_path):
    with pytest.raises((PlanError, ParameterError), match=words):
        sums_of(terms(plan_of(tmp_path), **change))


def test_files_and_groups_name_their_values(tmp_path):
    """A hierarchy in a file, groups, and a missing cell: the domain does not depend on a table."""
    (tmp_path / "zip.csv").write_text("75000;75;*\n69000;69;*\n", "utf-8")
    columns = {
        "zip": {"role": "quasi-identifying", "hierarchy": {"file": "zip.csv"}},
        "age": {"role": "quasi-identifying", "hierarchy": {"groups": [["1", "2"], ["3"]]}},
    }
    plan = parties.plan(tmp_path, **columns)
    said = SumsTable(threshold=2, colluding=0, most_rows=1, domain=(DomainTable(column="age", missing=True),))
    cells = cells_of(plan.schema.quasi_identifiers, said)
    assert dict(zip(cells.names, cells.values, strict=True)) == {
        "age": ("1", "2", "3", None),
        "zip": ("75000", "69000"),
    }
    every = np.arange(cells.n)
    assert cells.numbers_of(cells.tuples_of(every)).tolist() == every.tolist()
    assert Cells((), ()).n == 1


def test_what_is_no_message_of_a_round_is_not_kept(tmp_path):
    """Pieces without end, other kinds, other senders and late answers: each is refused, and nothing of it is stored."""
    plan, files = plan_of(tmp_path), parties.patients(tmp_path)
    scene = Scene(terms(plan), files)
    scene.carried_out(lambda one: one.ended.update(dict.fromkeys(files)) if one.shelf.listed(Kind.SUM) else None)
    good = scene.shelf.get(Kind.SUM, "East", of_holder(TUPLES, SumKind.KEYS, 0))
    before = len(scene.shelf.messages)
    for number, body in (
        (of_holder(TUPLES, SumKind.MASKED, 0), b"\0\1vector"),
        (of_holder(TUPLES, SumKind.SHARES, 0), b"\0\2half"),
        (of_holder(TUPLES, SumKind.SHARES, 5), b"\xff\xffpiece"),
        (of_holder(2, SumKind.KEYS, 0), good.body),
        (of_holder(TUPLES, SumKind.KEYS, 0), good.body + b"x"),
        (3, b""),
    ):
        forged = replace(good, number=number, body=body)
        for message in (forged, forged.signed(parties.HOLDERS["East"].signing())):
            with pytest.raises(ReportError):
                scene.publisher.receive(message)
    with pytest.raises(ReportError, match="signed by a holder"):
        scene.publisher.receive(replace(good, sender="West"))
    scene.publisher.receive(good)
    assert len(scene.shelf.messages) == before


def test_the_tutorial_declares_all_values_of_its_patients(tmp_path):
    """Each hospital adds all its rows, and illnesses steer or are counted with noise."""
    for shown, n, valued in ((ADDED, 78 * 2 * 5 * 5, [("illness",)]), (COUNTED, 2 * 5 * 5, [])):
        folder = tmp_path / str(n)
        prepare(folder, None, None, SystemBits(), shown)
        agreed = read_terms(folder / "terms.toml")
        sums = sums_of(agreed)
        assert (sums.n_counted, [one.names for one in sums.valued]) == (n, valued)
        for name in parties.NAMES:
            held = read_held(FileSource(folder / f"{name}.csv"), agreed, parties.ENGINE, SystemBits())
            assert sums.counts_of(held).sum() == 200


SAFE = {"model": "differential-privacy", "kind": "safepub", "epsilon": 1, "delta": "5e-2", "search_epsilon": 0}
LEVELS = {"age": 1, "zip": 3}


def sampled_plan(folder, **method):
    """Two quasi-identifiers with hierarchies that do not depend on a table, and nothing else is published."""
    columns = {
        "age": {"role": "quasi-identifying", "kind": "integer", "hierarchy": {"width": 10, "then": [20]}},
        "zip": {"role": "quasi-identifying", "hierarchy": {"mask": "right", "width": 5}},
        "illness": {"role": "identifying"},
        "note": {"role": "identifying"},
    }
    chosen = {"name": "safepub", "levels": LEVELS} | method
    return parties.plan(folder, (SAFE,), chosen, output={"row_order": "shuffled"}, **columns)


def agreed_on(plan, **changes):
    bare = parties.terms(plan, values=None, with_sums=True)
    said = replace(
        bare.said, sums=SumsTable(threshold=2, colluding=0, most_rows=1000, wait=WAIT, domain=DOMAIN[:2], **changes)
    )
    return Terms(said, plan, digest_of(said, plan))


def coarse_label(row):
    low = int(row["age"]) // 10 * 10
    return f"[{low}, {low + 10}[", row["zip"][:2] + "***"


def test_hospitals_sample_their_own_rows_and_the_release_is_every_class_of_enough_of_them(tmp_path):
    """SafePub with given levels: nobody but its hospital knows who was sampled, and the publisher draws nothing; however
    often all are killed, there is one sample. That no class keeps its 10 rows has a chance below 1e-30.
    """
    plan, files = sampled_plan(tmp_path), parties.patients(tmp_path, n=400)
    store = SqliteStore(tmp_path / "store.db", "sums")
    scene, promise = Scene(agreed_on(plan), files, shelf=store), SafePub(1, "5e-2", 0)
    ended = scene.carried_out(killed)
    assert all(isinstance(one, Done) for one in ended.values()), ended
    classes, n_sampled = Counter(), 0
    for name, path in files.items():
        rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
        key = KeyedBits(scene.memories[name]["sample"], is_secure=True)
        coins = bernoulli(len(rows), promise.beta, bits=key)
        classes.update(coarse_label(row) for row, stays in zip(rows, coins.tolist(), strict=True) if stays)
        n_sampled += int(coins.sum())
    assert n_sampled == sum(classes.values()) < 400
    large = {one: n for one, n in classes.items() if n >= promise.k}
    assert 0 < len(large) < len(classes)
    released = {tuple(dict(row)[c] for c in ("age", "zip")): n for row, n in rows_of(tmp_path / "release.csv").items()}
    assert released == large
    seen = first_sum(scene).state.counts
    store.close()
    assert (len(seen), seen.sum()) == (6 * 3, n_sampled), "levels of the plan, and nothing below"
    told = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert (told["suppressed"], told["left_out"]) == (None, 0)
    assert len({scene.memories[name]["sample"] for name in files}) == 3, "each hospital has coins of its own"


@pytest.mark.parametrize("watch", [Watch(), Watch().without(Check.LABELS)], ids=["watched", "blind"])
def test_a_publisher_that_chooses_levels_from_the_table_is_caught(watch, tmp_path, monkeypatch):
    """It joins two classes under a true label of a higher level, which the table told it to do."""
    plan, files = sampled_plan(tmp_path), parties.patients(tmp_path, n=400)

    def coarser(said, arrays):
        return said | {"labels": [["*"] for _ in said["labels"]]}, arrays | {
            "codes": np.zeros((1, 2), np.int32), "sizes": arrays["sizes"].sum(keepdims=True),
            "member": np.where(arrays["member"] >= 0, 0, -1).astype(np.int32),
        }  # fmt: skip

    lying(monkeypatch, Kind.CONSTRUCTION, coarser)
    ended = Scene(agreed_on(plan), files, watch=watch).carried_out()
    if watch == Watch():
        assert {(one.who, one.check) for one in ended.values()} == {(parties.PUBLISHER.name, "labels are true")}
    else:
        assert all(isinstance(one, Done) for one in ended.values()), ended


def test_a_sample_where_it_would_promise_nothing_is_refused(tmp_path):
    plan = sampled_plan(tmp_path)
    with pytest.raises(PlanError, match="without"):
        check_plan(plan)
    searched = replace(plan, method=replace(plan.method, options={"search": "whole", "score": "classes"}))
    with pytest.raises(PlanError, match="chance is not"):
        check_plan(searched, with_sums=True)
    for change, words in (({"epsilon": Fraction(1)}, "either sampled"), ({"levels": {"age": 1}}, "says the levels")):
        with pytest.raises(PlanError, match=words):
            sums_of(agreed_on(sampled_plan(tmp_path), **change))


def test_values_below_a_declared_level_are_counted_by_nobody(tmp_path):
    """The publisher sees tuples of these levels; the release is that of a plain plan with the levels that it chose."""
    zips = {"zip": {"role": "quasi-identifying", "hierarchy": {"mask": "right"}}}
    ages = {"age": {"role": "quasi-identifying", "kind": "integer", "hierarchy": {"width": 10, "then": [20]}}}
    promises, columns = (parties.K, parties.L), HIDDEN | zips | ages
    plan, files = parties.plan(tmp_path, promises, FULL, **columns), parties.patients(tmp_path)
    scene = Scene(terms(plan, levels={"age": 1, "zip": 3}), files)
    ended = scene.carried_out()
    assert all(isinstance(one, Done) for one in ended.values()), ended
    assert len(first_sum(scene).state.counts) == 6 * 3 * 3, "six decades, three areas, three illnesses"
    released = rows_of(tmp_path / "release.csv")
    one = dict(next(iter(released)))
    levels = {"age": {"[": 1, "*": 3}[one["age"][0]], "zip": one["zip"].count("*")}
    assert levels["zip"] >= 3
    fixed = {"name": "fixed", "levels": levels, "suppression_limit": 0.2}
    assert released == plain_of(parties.plan(tmp_path, promises, fixed, **columns), tmp_path)
    for levels, words in (({"age": 9}, "hierarchies; 'age'"), ({"illness": 0}, "hierarchies; 'illness'")):
        with pytest.raises(PlanError, match=words):
            sums_of(terms(plan, levels=levels))
    with pytest.raises(PlanError, match="nobody knows the ranges"):
        sums_of(terms(plan_of(tmp_path, MONDRIAN), levels={"zip": 1}))


@pytest.mark.parametrize("method", [MONDRIAN, {"name": "local-recoding"}], ids=lambda one: one["name"])
def test_nodes_above_a_declared_level_are_those_of_a_table_that_was_recoded_before(method, tmp_path):
    """Classes of their own labels: the same plan on a table whose values are the labels of these levels."""
    nodes = method | {"publish": "nodes"}
    zips = {"role": "quasi-identifying", "hierarchy": {"mask": "right"}}
    ages = {"role": "quasi-identifying", "kind": "integer", "hierarchy": {"width": 10, "then": [20]}}
    promises, columns = (parties.K, parties.L), HIDDEN | {"zip": zips, "age": ages}
    plan, files = parties.plan(tmp_path, promises, nodes, **columns), parties.patients(tmp_path)
    scene = Scene(terms(plan, levels={"age": 1, "zip": 3}), files)
    ended = scene.carried_out()
    assert all(isinstance(one, Done) for one in ended.values()), ended
    released = rows_of(tmp_path / "release.csv")

    coarse = parties.plan(tmp_path, promises, {"name": "fixed", "levels": {"age": 1, "zip": 3}}, **columns)
    plain_of(replace(coarse, promises=(KAnonymity(1),)), tmp_path)
    fixed = list(csv.DictReader((tmp_path / "plain.csv").read_text("utf-8").splitlines()))
    with (tmp_path / "coarse.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["name", "age", "zip", "illness", "note"])
        writer.writeheader()
        writer.writerows(row | {"name": "", "note": ""} for row in fixed)
    for attribute in sums_of(scene.agreed).coarse.attributes:
        tree = attribute.hierarchy
        paths = [[tree.labels[i][a[v]] for i, a in enumerate(tree.ancestors)] for v in range(tree.n_leaves)]
        (tmp_path / f"{attribute.name}.txt").write_text("\n".join(";".join(one) for one in paths), "utf-8")
    above = {
        name: {"role": "quasi-identifying", "hierarchy": {"file": f"{name}.txt", "delimiter": ";"}}
        for name in ("age", "zip")
    }
    twin = parties.plan(tmp_path, promises, nodes, **HIDDEN | above)
    assert released == plain_of(twin, tmp_path, ("coarse",))
    assert {dict(row)["zip"] for row in released} <= {"75***", "69***", "13***", "*****", "*"}
    assert len({(dict(row)["age"], dict(row)["zip"]) for row in released}) > 3


def counted_terms(folder, **changes):
    plan = parties.plan(folder, (), {"name": "none"}, **HIDDEN)
    check_counted(plan, Fraction(1))
    sums = SumsTable(
        threshold=3, colluding=1, most_rows=1000, wait=WAIT, domain=DOMAIN, epsilon=Fraction(1), publish="counts"
    )
    said = replace(parties.terms(parties.plan(folder)).said, values=None, sums=replace(sums, **changes))
    return Terms(said, plan, digest_of(said, plan))


def test_noisy_counts_are_published_as_the_hospitals_added_them(tmp_path):
    """Every declared tuple has one, whoever occurs; their noise is that of the shares, and the publisher sees no more."""
    agreed, files = counted_terms(tmp_path), parties.patients(tmp_path, n=300)
    scene = Scene(agreed, files)
    ended = scene.carried_out(killed)
    assert all(isinstance(one, Done) for one in ended.values()), ended
    sums, noisy = sums_of(agreed), first_sum(scene).state
    assert scene.publisher._sum_terms(TUPLES)[1].noise == SharedNoise(Fraction(1), 1, among=2)
    held = [read_held(FileSource(file), agreed, parties.ENGINE, SystemBits()) for file in files.values()]
    exact = sum(sums.counts_of(one) for one in held)
    assert exact.sum() == 300
    assert (noisy.counts != exact).sum() > 300, "of 1,161 cells; by chance below 1e-30"
    released = list(csv.DictReader((tmp_path / "release.csv").read_text("utf-8").splitlines()))
    assert [int(row["count"]) for row in released] == noisy.counts.tolist()
    assert len({(row["age"], row["zip"], row["illness"]) for row in released}) == 43 * 9 * 3 == len(released)
    told = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert "e^1 " in told["promise"][0]["statement"]
    assert "At least 2 of the hospitals" in told["promise"][0]["assumptions"][0]
    assert (told["rows"], told["classes"], told["smallest"], told["suppressed"]) == (1161, 0, None, None)


@pytest.mark.parametrize("watch", [Watch(), Watch().without(Check.RELEASED)], ids=["watched", "blind"])
def test_counts_of_other_tuples_are_not_approved(watch, tmp_path, monkeypatch):
    """A publisher that leaves out tuples, such as those with small counts, is caught; other numbers nobody can see."""
    lying(monkeypatch, Kind.OUTCOME, lambda said, arrays: (said, {"table": arrays["table"][arrays["table"] > 0]}))
    scene = Scene(counted_terms(tmp_path), parties.patients(tmp_path), watch=watch)
    ended = scene.carried_out()
    if watch == Watch():
        assert {(one.who, one.check) for one in ended.values()} == {(parties.PUBLISHER.name, "rows as sent")}
    else:
        assert scene.shelf.listed(Kind.APPROVAL)


def test_counts_without_noise_or_with_classes_are_refused(tmp_path):
    for plan, epsilon, words in (
        (parties.plan(tmp_path, (), {"name": "none"}), None, "with noise only"),
        (parties.plan(tmp_path), Fraction(1), "without classes"),
        (parties.plan(tmp_path, (), {"name": "none"}, count={"role": "insensitive"}), Fraction(1), "named 'count'"),
    ):
        with pytest.raises(PlanError, match=words):
            check_counted(plan, epsilon)

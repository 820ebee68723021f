"""Values moved between groups by dragging, by keys and by a form alone; groups of about equal counts in one click."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect
from tests.studio.conftest import let_in
from tests.studio.furnished import begun

from sfumato.studio.groups import NEW, TOP, moved, named
from sfumato.table.hierarchy.groups import Group, Groups

TOWNS = {"Bordeaux": 40, "Lille": 10, "Lyon": 20, "Marseille": 30, "<b>Paris": 20}
TABLE = "age;town;illness\n" + "".join(
    f"{20 + i % 40};{town};{'xyz'[i % 3]}\n" for town, n in TOWNS.items() for i in range(n)
)
LEAVES = st.sampled_from([Groups((Group(("a", Group(("b", "c"), "bc")), "abc"), Group(("d",), None), "e", "f"))])
PLACES = [(0,), (0, 0), (0, 1), (0, 1, 0), (0, 1, 1), (1,), (1, 0), (2,), (3,)]


def values(member):
    """All of a member."""
    return [member] if isinstance(member, str) else [value for one in member.members for value in values(one)]


@given(LEAVES, st.sets(st.sampled_from(PLACES), min_size=1), st.sampled_from([NEW, TOP, (0,), (0, 1), (1,)]))
def test_nothing_is_lost_by_moving(groups, taken, into):
    """Every value stands once afterwards, and what was moved stands where it was put; or it is refused."""
    inside = isinstance(into, tuple) and any(into[: len(one)] == one for one in taken)
    if inside:
        with pytest.raises(Exception, match="into itself"):
            moved(groups, taken, into)
        return
    made = moved(groups, taken, into, "new one")
    assert sorted(value for member in made.members for value in values(member)) == list("abcdef")
    gone = {(0, 0): "a", (0, 1, 0): "b", (0, 1, 1): "c", (1, 0): "d", (2,): "e", (3,): "f"}
    wanted = {value for place, value in gone.items() if any(place[: len(one)] == one for one in taken)}
    label = {NEW: "new one", (0,): "abc", (0, 1): "bc", (1,): None}.get(into)
    if into != TOP:
        every = [group for member in made.members for group in inner(member)]
        assert any(group.label == label and wanted <= set(values(group)) for group in every)


def inner(member):
    """All groups of a member."""
    return [] if isinstance(member, str) else [member, *(group for one in member.members for group in inner(one))]


def test_names_are_given_and_taken():
    groups = Groups((Group(("a", Group(("b", "c"), "bc")), "abc"), "d"))
    made = named(groups, {(0,): " ", (0, 1): "other"})
    assert made == Groups((Group(("a", Group(("b", "c"), "other"))), "d"))


@pytest.fixture
def room(hand):
    """A town beside an age."""
    made = begun(hand, "towns.csv", TABLE.encode())
    made.done("table/roles", **{"role-0": "quasi-identifying", "role-1": "quasi-identifying", "role-2": "sensitive"})
    made.done("hierarchy/save", column="town")
    return made


def said(room, column="town"):
    """The hierarchy that the plan declares."""
    return tomllib.loads(room.project.plan_path.read_text("utf-8"))["columns"][column].get("hierarchy")


def test_without_scripts_a_form_does_it(room):
    """Ticked, named, moved back; what is none, an empty choice, a name twice and another plan are refused."""
    assert "&lt;b&gt;Paris" in room.hand.get(room.path("hierarchy?column=town&form=groups")).text
    room.done("hierarchy/move", column="town", into="new", label="south", **{"take-1": "on", "take-4": "on"})
    assert said(room) == {
        "groups": ["<b>Paris", "Lille", "Lyon", {"label": "south", "members": ["Bordeaux", "Marseille"]}]
    }
    room.done("hierarchy/move", column="town", into="3", **{"take-2": "on"})
    assert said(room)["groups"][-1]["members"] == ["Bordeaux", "Marseille", "Lyon"]
    room.done("hierarchy/move", column="town", do="names", **{"label-2": "warm"})
    plan = room.project.plan_path.read_bytes()
    for wrong in (
        {}, {"take-9": "on"}, {"take-0.0": "on"}, {"take-x": "on"}, {"take-2": "on", "into": "2.0"}, {"take-2": "on", "into": "2"},
        {"take-0": "on", "into": "new", "label": "warm"}, {"take-0": "on", "column": "illness"}, {"take-" + "9" * 5000: "on"},
    ):  # fmt: skip
        answer = room.post("hierarchy/move", **{"column": "town", "into": "new", **wrong})
        assert (answer.status_code, "What to do:" in answer.text) == (422, True), wrong
    assert room.post("hierarchy/move", column="town", into="new", seen="another", **{"take-0": "on"}).status_code == 409
    assert room.project.plan_path.read_bytes() == plan
    room.done("hierarchy/move", column="town", into="", **{"take-2": "on"})
    assert said(room)["groups"][-1]["label"] == "warm"


def test_groups_of_equal_counts_in_one_click(room):
    """By frequency as equal as the values allow, in order as neighbors; ages become ranges."""
    room.done("hierarchy/balance", column="town", by="frequency", fanout="3")
    sizes = sorted(sum(TOWNS[value] for value in values_of(one)) for one in said(room)["groups"])
    assert sizes == [60, 60]
    room.done("hierarchy/balance", column="town", by="order", fanout="3")
    assert said(room)["groups"] == [["<b>Paris", "Bordeaux"], ["Lille", "Lyon", "Marseille"]]
    room.done("hierarchy/balance", column="age", by="order", fanout="4")
    assert "intervals" in said(room, "age")
    for wrong in ({"fanout": "1"}, {"fanout": "x"}, {"fanout": ""}, {"column": "illness"}):
        assert (
            room.post("hierarchy/balance", **{"column": "town", "by": "order", "fanout": "2", **wrong}).status_code
            == 422
        )


def values_of(member):
    """All values of a group as the plan writes it."""
    if isinstance(member, str):
        return [member]
    return [value for one in (member["members"] if isinstance(member, dict) else member) for value in values_of(one)]


def test_a_value_is_dragged_and_moved_by_keys(room, chromium):
    """Dragged onto the place of a new group; then another is ticked by Space and moved by Enter; the console stays empty."""
    with let_in(chromium, room.hand, locale="en-GB", viewport={"width": 1280, "height": 900}) as tab:
        heard = []
        tab.on("console", lambda message: heard.append(message.text))
        tab.goto(room.hand.studio.root + room.path("hierarchy?column=town&form=groups"))
        tab.locator(".grouped li:has-text('Lyon')").drag_to(tab.locator(".grouped .new"))
        expect(tab.locator(".grouped li.group")).to_have_count(1)
        tab.locator(".grouped li:has-text('Lille')").drag_to(tab.locator(".grouped li.group"))
        expect(tab.locator(".grouped li.group li")).to_have_count(2)
        tab.locator(".grouped li:has-text('Marseille') input").focus()
        tab.keyboard.press("Space")
        tab.locator("#into").select_option("3")
        tab.locator("#label").focus()
        tab.keyboard.press("Enter")
        expect(tab.locator(".grouped li.group li")).to_have_count(3)
    assert heard == []
    assert said(room)["groups"] == ["<b>Paris", "Bordeaux", ["Lyon", "Lille", "Marseille"]]

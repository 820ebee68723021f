"""The page of all levels: its numbers are those of the document, keys suffice, what is taken stands in the plan."""

import html
import json
import re
import tomllib
from dataclasses import replace

import pytest
from playwright.sync_api import expect
from tests.studio.conftest import let_in
from tests.studio.furnished import begun, copied
from tests.studio.test_access import pressed

from sfumato.document.result.lattice import LatticeColumn, LatticeNode, LatticeResult
from sfumato.studio.nodes import MOST_HELD, drawn, lattice_of, nodes_of, ordered, wanted

TABLE = ("age;sex;illness\n" + "".join(f"{20 + i % 40};{'FM'[i % 2]};{'xyz'[i % 3]}\n" for i in range(240))).encode()


@pytest.fixture(scope="module")
def made(hand):
    """A project with two quasi-identifiers and a promise, whose levels were searched."""
    made = begun(hand, "stays.csv", TABLE)
    roles = ("quasi-identifying", "quasi-identifying", "sensitive")
    made.done("table/roles", **{f"role-{i}": role for i, role in enumerate(roles)})
    made.done("hierarchy/save", column="age", form="width", width="10", then="20", **{"from": "0"})
    made.done("promise/propose", scenario="inside")
    made.done("promise/add", kind="k-anonymity", k="10", place="0")
    made.done("promise/method", name="full-domain", suppression_limit="0.1")
    made.done("lattice/search")
    made.finished("lattice")
    return made


@pytest.fixture
def room(made):
    """A copy of it that may be changed."""
    return copied(made)


def shown(room, query=""):
    """What each button of the page says, by node."""
    page = room.hand.get(room.path("lattice") + query)
    assert page.status_code == 200
    found = re.findall(r'<button form="judge" name="node" value="([\d-]+)"[^>]*aria-label="([^"]*)"', page.text)
    return {key: html.unescape(told) for key, told in found}


@pytest.mark.parametrize("kind", ["diagram", "list", "tiles"])
def test_the_page_says_what_the_document_says(room, kind):
    """Every judged node with its state and loss; the optimum is marked."""
    found, told = lattice_of(room.project), shown(room, f"?as={kind}")
    assert len(told) == found.size
    for node in found.nodes:
        text = told["-".join(map(str, node.levels))]
        assert ("not anonymous" in text) != node.anonymous
        assert ("optimum" in text) == (node.levels == found.optimum)
        number = float(re.search(r"loss (?:≥ )?([\d.e-]+)", text)[1])
        assert number == pytest.approx(node.loss if node.anonymous else node.loss_at_least, rel=1e-3)
    assert not any("loss" in text for key, text in told.items() if tuple(map(int, key.split("-"))) not in {one.levels for one in found.nodes})  # fmt: skip


def test_filters_let_through_what_they_say(room):
    found = lattice_of(room.project)
    assert {key[0] for key in shown(room, "?level-0=1")} == {"1"}
    assert set(shown(room, "?state=kept")) == set()
    key = "-".join(map(str, found.optimum))
    room.done("lattice/note", node=key, note="the best")
    assert set(shown(room, "?state=kept")) == {key}
    least = min(one.loss for one in found.nodes if one.anonymous)
    assert all("≥" not in text for text in shown(room, f"?most={least * 2}").values())
    room.done("lattice/note", node=key, note="")
    assert set(shown(room, "?state=kept")) == set()


def test_an_opened_node_joins_the_document_and_a_refused_one_is_not_taken(room):
    """The finest node is not anonymous: it has no release, and the plan does not get it."""
    before = len(lattice_of(room.project).nodes)
    for key in ("0-0", "3-1"):
        room.done("lattice/judge", node=key)
        room.finished("node")
        assert tuple(map(int, key.split("-"))) in {one.levels for one in lattice_of(room.project).nodes}
    assert len(lattice_of(room.project).nodes) >= before
    answer = room.post("lattice/take", node="0-0")
    assert answer.status_code == 422
    assert "judged" in answer.text


def test_a_node_is_taken_unless_somebody_else_changed_the_plan(room):
    """Fixed levels, the limit of the search, and a lattice that is still that of the plan."""
    found = lattice_of(room.project)
    key = "-".join(map(str, found.optimum))
    stale = room.hand.post(room.path("lattice/take"), seen="another", node=key)
    assert stale.status_code == 409
    room.done("lattice/take", node=key)
    method = tomllib.loads(room.project.plan_path.read_text("utf-8"))["method"]
    names = [column.name for column in found.columns]
    assert method == {"name": "fixed", "levels": dict(zip(names, found.optimum, strict=True)), "suppression_limit": 0.1}
    assert "chosen" in shown(room)[key]
    assert "the plan has changed since" not in room.hand.get(room.path("lattice")).text


@pytest.fixture
def window(hand, chromium):
    """A page of the studio with the cookie of the hand; the entrance is for one only."""
    with let_in(chromium, hand, viewport={"width": 1280, "height": 900}, locale="en-GB") as tab:
        yield tab


def test_keys_open_and_take_a_node(room, window):
    """Tab to the optimum, Enter, see both tables, Tab to the button, Enter."""
    tab = window
    tab.goto(room.hand.studio.root + room.path("lattice"))
    pressed(tab, "button.node.optimum")
    tab.keyboard.press("Enter")
    expect(tab.locator("#opened table")).to_have_count(4)
    expect(tab.locator("#opened td.changed").first).to_be_visible()
    assert json.loads((room.project.hidden / "node/opened.json").read_text("utf-8"))["node"]["anonymous"]
    pressed(tab, "#opened form[action$=take] button")
    tab.keyboard.press("Enter")
    expect(tab.locator("#method")).to_be_visible()
    assert 'name = "fixed"' in room.project.plan_path.read_text("utf-8")


def test_on_a_phone_the_node_that_matters_is_in_view(room, window):
    """The picture is wider than its box: it opens at the optimum, then at the node that was opened; the page stays above."""
    found = large((9, 9), node(9, 4, loss=0.25), node(1, 1))
    (room.project.hidden / "lattice/lattice.json").write_text(replace(found, optimum=(9, 4)).to_json(), "utf-8")
    tab = window
    tab.set_viewport_size({"width": 400, "height": 800})
    tab.goto(room.hand.studio.root + room.path("lattice") + "?as=diagram")
    seen = """one => { const at = one.getBoundingClientRect(), box = one.closest(".scroll").getBoundingClientRect();
        return at.left >= box.left && at.right <= box.right && at.top >= box.top && at.bottom <= box.bottom; }"""
    assert tab.locator(".scroll.tall").evaluate("box => box.scrollWidth > 2 * box.clientWidth")
    assert tab.locator("button.node.optimum").evaluate(seen)
    assert tab.evaluate("scrollY") == 0


def large(heights, *judged):
    """A lattice of some heights in which a few nodes were judged."""
    columns = tuple(LatticeColumn(name=f"c{i}", lowest=0, highest=high) for i, high in enumerate(heights))
    size = 1
    for high in heights:
        size *= high + 1
    return LatticeResult(
        sfumato="", plan={}, loss="loss", rows=9, suppression_limit=0, columns=columns, size=size, nodes=judged,
        settled_anonymous=None, settled_not=None, optimum=None, proved=False, statement="",
    )  # fmt: skip


def node(*levels, loss=None):
    return LatticeNode(levels=levels, anonymous=loss is not None, suppressed_rows=None if loss is None else 0, loss=loss, loss_at_least=loss or 0.1, settles=True)  # fmt: skip


def test_ten_thousand_nodes_are_told_in_pages(room):
    """The page of a large lattice holds one page of its list, with the judged nodes first."""
    heights = (10, 10, 10, 10)
    found = large(heights, node(5, 5, 5, 5, loss=0.25), node(1, 1, 1, 1))
    (room.project.hidden / "lattice/lattice.json").write_text(found.to_json(), "utf-8")
    page = room.hand.get(room.path("lattice"))
    assert page.status_code == 200
    assert len(page.text) < 100_000
    told = shown(room)
    assert (len(told), next(iter(told))) == (50, "5-5-5-5")
    assert not set(told) & set(shown(room, "?part=2"))
    assert len(shown(room, "?as=tiles")) == 300
    assert len(shown(room, "?level-0=0&level-1=0&as=diagram")) == 121


def test_a_lattice_too_large_to_hold_shows_what_was_judged():
    found = large((9,) * 9, node(*(5,) * 9, loss=0.2), node(*(1,) * 9))
    assert found.size > MOST_HELD
    nodes = nodes_of(found)
    assert nodes.levels.tolist() == [[5] * 9, [1] * 9]
    assert wanted(nodes, "anonymous", 0.3, {}, ()).tolist() == [0]
    assert ordered(nodes, "sum", down=False).tolist() == [1, 0]


def test_edges_join_nodes_that_differ_in_one_level():
    """A square of four nodes has four edges, each from a lower to a higher rank; no two nodes overlap."""
    picture = drawn([(0, 0), (0, 1), (1, 0), (1, 1)])
    assert len(picture.edges) == 4
    assert all(y1 > y2 for _, y1, _, y2 in picture.edges)
    assert abs(picture.places[1][0] - picture.places[2][0]) > picture.box
    assert picture.places[0][1] > picture.places[1][1] == picture.places[2][1] > picture.places[3][1]

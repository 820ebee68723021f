"""How many decisions somebody takes who has never been here, from a file to its report: clicks and keys, counted and printed.

ARX needs about 60 for the same on Adult: nine columns get a role and a hierarchy each, then come the model, its parameters, the
search, a node, and the export.
"""

import json
import sys

import pytest
from playwright.sync_api import expect

MOST_OF_ADULT = 25
MOST_OF_OTHERS = 12


class Hand:
    """A hand at a tab; each choice, click and key is counted.

    Args:
        tab: where it is.
    """

    def __init__(self, tab):
        self.tab, self.said = tab, []

    def choose(self, *paths):
        """Files in the dialog of the browser; each of them is a choice."""
        self.said += [f"choose {path.name}" for path in paths]
        self.tab.set_input_files("#table", paths)

    def click(self, where):
        """One click."""
        self.said.append(f"click {where}")
        self.tab.locator(where).first.click()

    def press(self, key):
        """One key, once the page listens to keys."""
        self.said.append(f"press {key}")
        self.tab.wait_for_load_state()
        self.tab.keyboard.press(key)


def walked(hand, path, hierarchies, *, k):
    """From the list of projects to the report; without files of hierarchies all suggestions are taken."""
    tab = hand.tab
    opened(hand, path)
    if hierarchies:
        hand.click("text=Roles are right")
        expect(tab.locator("button:has-text('Take the files')")).to_be_visible()
        hand.choose(*hierarchies)
        with tab.expect_navigation():  # the page before has a preview too
            hand.click("button:has-text('Take the files')")
        expect(tab.locator("text=Level 2").first).to_be_visible()
        hand.click("text=Hierarchies are right")
    else:
        hand.press("a")
    expect(tab.locator("#method")).to_be_visible()
    hand.click(f"button:has-text('Promise k = {k}')")
    hand.click("button:has-text('Run')")
    expect(tab.locator(".four")).to_be_visible()
    hand.click("a:text-is('Report')")
    expect(tab.locator("h1")).to_contain_text("Release of")


def opened(hand, path):
    """The page of the table; a file whose footnotes are no rows is read again as its error proposes."""
    hand.choose(path)
    hand.click("button:has-text('Open')")
    expect(hand.tab.locator(".column, button:has-text('Read it again')").first).to_be_visible()
    if not hand.tab.locator(".column").count():
        hand.click("button:has-text('Read it again')")
    expect(hand.tab.locator(".column").first).to_be_visible()


FILES = {
    "adult_arx/adult.csv.gz": (20, MOST_OF_ADULT),
    "dirty_csv/08_german_title_lines.csv": (3, MOST_OF_OTHERS),
    "france_surveys/hdv2003.csv": (5, MOST_OF_OTHERS),
}
"""By file, the k of the scenario that is chosen, and decisions at most. Adult gets ARX's own hierarchies, eight files."""


HEIGHTS = {
    "sex": 1, "age": 4, "race": 1, "marital-status": 2, "education": 3, "native-country": 2, "workclass": 2, "occupation": 2,
    "salary-class": 1,
}  # fmt: skip
"""Levels above the values in ARX's files; the secret has none of its own."""


@pytest.mark.parametrize("name", FILES)
def test_decisions_from_a_file_to_its_report(studio, tab, shared, name, capsys):
    """Few enough, and the release keeps what the last of them promised."""
    k, most = FILES[name]
    hand = Hand(tab)
    place = shared / "data" / name
    levels = [one for one in sorted(place.parent.glob("hierarchies/*.csv")) if "salary" not in one.name]
    walked(hand, place, levels, k=k)
    with capsys.disabled():
        sys.stdout.write(f"\n{name}: {len(hand.said)} decisions, k = {k} (ARX on Adult: about 60)\n")
    assert len(hand.said) <= most, hand.said
    (project,) = studio.folder.iterdir()
    result = json.loads((project / "runs/001/result.json").read_text("utf-8"))
    assert result["promise"][0]["parameters"] == {"k": k}
    heights = {column["name"]: column["height"] for column in result["columns"]}
    assert not levels or heights == HEIGHTS
    assert all(promise["holds"] for promise in result["promise"])
    assert next((project / "runs/001").glob("*release*")).stat().st_size > 0

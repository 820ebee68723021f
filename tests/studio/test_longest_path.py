"""From a dirty French file to the report, by clicks and keys only: the path that most people walk."""

import json
import re

import pytest
from playwright.sync_api import expect

PERSONS = "Département;Âge;Sexe;Maladie\r\n" + "".join(
    f"{(13, 69, 75)[i % 3]};{20 + i % 40};{'FM'[i % 2]};{('grippe', 'asthme', 'diabète')[i % 3 - i % 2]}\r\n"
    for i in range(240)
)
MOST_DECISIONS = 25


class Counted:
    """A tab whose clicks and choices are counted as decisions."""

    def __init__(self, tab):
        self.tab, self.n = tab, 0

    def click(self, where):
        """One click."""
        self.n += 1
        self.tab.locator(where).first.click()


@pytest.fixture
def persons(tmp_path):
    """A table as a French spreadsheet writes it."""
    path = tmp_path / "Séjours 2024.csv"
    path.write_bytes(PERSONS.encode("cp1252"))
    return path


def test_from_a_french_file_to_the_report(studio, tab, persons, picture):
    """Role, hierarchy, promise, run, report: within 25 decisions, and each number on the page is one of the result."""
    hand = Counted(tab)
    tab.set_input_files("#table", persons)
    hand.click("button.main-action")
    expect(tab.locator(".column")).to_have_count(4)
    assert tab.locator(".column h2").all_text_contents() == ["Département", "Âge", "Sexe", "Maladie"]
    with tab.expect_response("**/table/roles"):
        hand.click(".column:has(h2:text-is('Département')) label.insensitive")
    picture("table")
    hand.click("text=Roles are right")
    hand.click("a:text-is('Sexe (only *)')")
    expect(tab.locator("#edit")).to_have_text("Sexe")  # the column before has a preview too
    expect(tab).to_have_url(re.compile("column=Sexe"))
    picture("hierarchy")
    hand.click("text=Hierarchies are right")
    hand.click("button:has-text('Promise k = 3')")
    expect(tab.locator("#p0-k")).to_have_value("3")
    picture("promise")
    hand.click("button:has-text('Run')")
    expect(tab.locator(".four")).to_be_visible()
    picture("result")
    result = json.loads((studio.folder / "Séjours 2024/runs/001/result.json").read_text("utf-8"))
    assert result["promise"][0]["parameters"] == {"k": 3}
    assert all(promise["holds"] for promise in result["promise"])
    shown = tab.locator(".four section").nth(0).inner_text()
    assert f"{result['done']['classes']['min']}" in shown
    assert f"{result['done']['suppressed']['rows']} of 240" in shown
    released = (studio.folder / "Séjours 2024/runs/001").glob("*release.csv")
    assert next(released).read_bytes().count(b"\n") == 241
    report = tab.locator("a:text-is('Report')").get_attribute("href")
    answer = tab.request.get(studio.root.rpartition("/")[0] + report)
    assert answer.status == 200
    assert "Anonymization report" in answer.text()
    answer = tab.request.get(f"{studio.root.rpartition('/')[0]}{report}.pdf")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    assert answer.body().startswith(b"%PDF-")
    assert hand.n <= MOST_DECISIONS


def test_a_plan_that_changed_on_disk_is_not_overwritten(studio, tab, persons):
    """Both are shown; what is on disk stays."""
    tab.set_input_files("#table", persons)
    tab.locator("button.main-action").first.click()
    expect(tab.locator(".column")).to_have_count(4)
    plan = studio.folder / "Séjours 2024/plan.toml"
    theirs = plan.read_text("utf-8").replace("k = 5", "k = 7")
    plan.write_text(theirs, "utf-8")
    with tab.expect_response("**/table/roles") as met:
        tab.locator(".column label.insensitive").first.click()
    assert met.value.status == 409
    expect(tab.locator("h1")).to_have_text("Somebody changed the plan meanwhile.")
    assert "k = 7" in tab.locator("pre").first.inner_text()
    assert plan.read_text("utf-8") == theirs


def test_a_point_of_many_becomes_the_plan_and_is_run(studio, tab, persons, picture):
    """What a point would be is what its run is: the same figures, in a release."""
    tab.set_input_files("#table", persons)
    tab.locator("button.main-action").first.click()
    expect(tab.locator(".column")).to_have_count(4)
    tab.goto(studio.page("Séjours 2024", "explore"))
    tab.locator("#key-0").fill("k")
    tab.locator("#values-0").fill("2, 4")
    tab.locator("#key-1").fill("")
    tab.locator("text=Make them all").click()
    expect(tab.locator("#point-1")).to_be_visible()
    picture("explore")
    row = tab.locator("#point-1")
    worth = row.locator("td").nth(1).inner_text()
    row.locator("input[name=note]").fill("for the ethics board")
    row.locator("button:has-text('Keep')").click()
    expect(tab.locator("#point-1 input[name=note]")).to_have_attribute("value", "for the ethics board")
    tab.locator("#point-1 button:has-text('Run it')").click()
    expect(tab.locator(".four")).to_be_visible()
    project = studio.folder / "Séjours 2024"
    assert "k = 4" in project.joinpath("plan.toml").read_text("utf-8")
    swept = json.loads((project / ".studio/sweep/sweep.json").read_text("utf-8"))
    made = json.loads((project / "runs/001/result.json").read_text("utf-8"))
    figure = next(one for one in made["worth"] if one["name"] == swept["worth"]["name"])
    assert figure["value"] == swept["points"][1]["worth"]
    assert worth == f"{figure['value']:.4g}"

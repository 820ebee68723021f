"""Who cannot see well, has a small screen or no pointer: axe finds nothing serious, nothing is wider than the window, keys suffice."""

import hashlib
import re
import tomllib

import pytest
from playwright.sync_api import expect
from tests.eyes import AXE, WIDTHS, has_run, heard, judging, looked_at
from tests.studio.conftest import let_in
from tests.studio.furnished import copied, pages, troubled
from tests.studio.of_persons import beside, connected, walked

MOST_TABS = 80


def test_axe_is_what_its_notice_says():
    """The digest, so that nobody changes the judge unseen."""
    digest = hashlib.sha256((AXE / "axe.min.js").read_bytes()).hexdigest()
    assert digest in (AXE / "NOTICE.md").read_text("utf-8")


WRONG = """<!doctype html><html lang="fr"><title>wrong</title><main><h1>One</h1><h3>Pourquoi ?</h3>
<p style="color: #bbb; background: #fff">pale</p><input><img src="data:,"><p style="width: 3000px">`key`</p>
<table><tr><td>1</table><p style="margin: 0">at its foot</p><dl><dt>n<dd>1.5</dl></main>"""
"""What eyes must see."""


def test_eyes_see_what_is_wrong(chromium):
    """Each kind of it; and of what is serious axe finds as much as with all of its rules."""
    context = judging(chromium.new_context())
    tab = context.new_page()
    tab.route("**/*", lambda route: route.fulfill(body=WRONG, content_type="text/html; charset=utf-8"))
    tab.goto("http://wrong.example/")
    found = {what: told for _, what, told in looked_at(tab, 400, (400,))}
    told = {one.split(":")[0] for one in found["axe"]}
    every = tab.evaluate("axe.run().then(found => found.violations.map(one => [one.id, one.impact]))")
    context.close()
    assert {"wider than the window", "no gap above", "not French", "spaces", "backticks", "levels"} <= set(found)
    assert told >= {"color-contrast", "image-alt", "label"}
    assert told == {name for name, impact in every if impact in {"serious", "critical"}}
    assert len(every) > len(told)


@pytest.mark.parametrize(("language", "scheme"), [("en-GB", "light"), ("fr-FR", "dark")])
def test_every_page_is_for_everybody(furniture, chromium, language, scheme):
    """Each page, of work and of a conflict too: narrow, usual and dark in French, usual, widest and light in English. Axe judges
    it narrow and dark in French, and light in English at the usual width or (every other page) at the widest.

    Names, cells and the folder would like to be more than text: nothing of them is run, and the console stays empty.
    """
    root, wrong = furniture.hand.studio.root, {}
    with let_in(chromium, furniture.hand, locale=language, color_scheme=scheme) as tab:
        said = heard(tab)

        def look(name):
            assert tab.locator("html").get_attribute("lang") == language[:2]
            found = ["run"] if has_run(tab) else []
            judged = WIDTHS[0] if scheme == "dark" else WIDTHS[1 + len(wrong) % 2]
            wrong[name] = [*found, *looked_at(tab, judged, WIDTHS[:2] if scheme == "dark" else WIDTHS[1:])]

        for name, path in pages(furniture).items():
            tab.goto(root + path)
            look(name)
        with troubled(furniture) as shown:
            for name, path in shown.items():
                tab.goto(root + path)
                look(f"{name} in trouble")
        tab.goto(root + furniture.path("table"))
        tab.evaluate("document.querySelector('form[action$=roles] [name=seen]').value = 'another'")
        tab.locator("#role-3-sensitive + *, label:has(#role-3-sensitive)").first.click()
        expect(tab.locator("pre")).to_have_count(2)
        look("conflict")
    assert {name: found for name, found in wrong.items() if found} == {}
    assert [text for text in said if not re.search("status of 4(04|09)", text)] == []


def test_pages_of_traces_and_of_a_graph_are_for_everybody(hand, chromium):
    """Their plans, with something added, their results and history: axe judges each in both languages."""
    wrong, shown = {}, beside(walked(hand), connected(hand))
    for language, scheme, judged in (("en-GB", "light", 1), ("fr-FR", "dark", 0)):
        with let_in(chromium, hand, locale=language, color_scheme=scheme) as tab:
            said = heard(tab)
            for name, path in shown.items():
                tab.goto(hand.studio.root + path)
                assert tab.locator("html").get_attribute("lang") == language[:2]
                wrong[name, language] = looked_at(tab, WIDTHS[judged], WIDTHS[judged : judged + 2])
        assert said == []
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.parametrize(("language", "scheme", "width"), [("en-GB", "light", 1280), ("fr-FR", "dark", 400)])
def test_pages_about_where_a_table_comes_from_are_for_everybody(hand, chromium, language, scheme, width):
    """A password, a server, and a file that must be read again, whose footnotes would like to be more than text."""
    served = hand.studio.folder / f"served-{scheme}"
    served.mkdir()
    plan = (
        'format = "sfumato.plan/1"\n[source]\nurl = "postgresql://ada@host/<img src=x>"\nquery = "stays"\n[columns]\n'
    )
    (served / "plan.toml").write_text(plan, "utf-8")
    notes = "a;b\n" + "1;2\n" * 30 + "<img src=x onerror=window.pwned=1>\n"
    told = hand.drop("/", f"notes-{scheme}.csv", notes.encode()).headers["location"]
    with let_in(chromium, hand, locale=language, color_scheme=scheme) as tab:
        said = heard(tab)
        tab.goto(hand.studio.root + told[told.index("/p/") :])
        expect(tab.locator("#d-footer")).to_have_value("1")
        assert (has_run(tab), looked_at(tab, width)) == (False, [])
        for path, where in ((f"/p/served-{scheme}/password", "#password"), ("/", "#url")):
            tab.goto(hand.studio.root + path)
            for closed in tab.locator("summary").all():
                closed.click()
            expect(tab.locator(where)).to_be_visible()
            assert (has_run(tab), looked_at(tab, width)) == (False, []), path
    assert said == []


def pressed(tab, where):
    """Go to an element with the key Tab alone, and see that the focus is shown."""
    for _ in range(MOST_TABS):
        tab.keyboard.press("Tab")
        if tab.evaluate("where => document.activeElement.matches(where)", where):
            assert tab.evaluate("document.activeElement.matches(':focus-visible')")
            return
    pytest.fail(f"no key leads to {where}")


def asked_for_a_file(tab, where):
    """Space on an input of a file clicks it, which is what opens the dialog; the dialog itself is the browser's, not ours."""
    pressed(tab, where)
    tab.evaluate(
        "where => document.querySelector(where).addEventListener('click', event => { event.preventDefault(); window.asked = true })",
        where,
    )
    tab.keyboard.press("Space")
    tab.wait_for_function("window.asked")


def test_from_the_file_to_the_result_with_keys_only(studio, tab, tmp_path):
    """No click: Tab, arrows, Enter, and the letters that the buttons name; the focus stays where it was."""
    table = tmp_path / "stays.csv"
    table.write_text("age;sex;illness\n" + "".join(f"{20 + i % 40};{'FM'[i % 2]};{'xyz'[i % 3]}\n" for i in range(120)))
    asked_for_a_file(tab, "#table")
    tab.set_input_files("#table", table)
    pressed(tab, ".drop button")
    tab.keyboard.press("Enter")
    expect(tab.locator(".column")).to_have_count(3)
    tab.wait_for_load_state()  # letters mean something once the scripts of the page have run
    tab.keyboard.press("n")
    expect(tab.locator("#role-0-quasi-identifying")).to_be_focused()
    seen = tab.locator("form[action$=roles] [name=seen]")
    for role in ("sensitive", "insensitive"):
        before = seen.input_value()
        tab.keyboard.press("ArrowRight")
        expect(seen).not_to_have_value(before)
        expect(tab.locator(f"#role-0-{role}")).to_be_checked()
        expect(tab.locator(f"#role-0-{role}")).to_be_focused()
    tab.keyboard.press("u")
    expect(tab.locator("#role-0-sensitive")).to_be_checked()
    tab.keyboard.press("u")
    expect(tab.locator("#role-0-quasi-identifying")).to_be_checked()
    pressed(tab, ".bar a.main-action")
    tab.keyboard.press("Enter")
    expect(tab.locator("#preview")).to_be_visible()
    pressed(tab, ".bar > a.main-action")
    tab.keyboard.press("Enter")
    expect(tab.locator("#method")).to_be_visible()
    pressed(tab, "button[value=inside]")
    tab.keyboard.press("Space")
    expect(tab.locator("#p0-k")).to_have_value("3")
    tab.wait_for_load_state()
    tab.keyboard.press("r")
    expect(tab.locator(".four")).to_be_visible()
    expect(tab.locator("h1")).to_have_text(re.compile("Run 1"))
    pressed(tab, "a[href$=report]")


def test_a_release_from_elsewhere_with_keys_only(furniture, chromium):
    """No click: Space asks for the file, Enter compares, and Enter measures again."""
    room = copied(furniture)
    release = next(room.project.comparison("1").dropped.iterdir())
    with let_in(chromium, room.hand, locale="en-GB") as tab:
        tab.goto(room.hand.studio.root + room.path("compare"))
        asked_for_a_file(tab, "#table")
        tab.set_input_files("#table", release)
        pressed(tab, ".drop button")
        tab.keyboard.press("Enter")
        expect(tab.locator("#worth")).to_be_visible()
        expect(tab.locator("main h2.cut")).to_have_text(release.name)
        pressed(tab, "form[action$=again] button")
        with tab.expect_response("**/compare/again") as answer:  # the page before has figures too
            tab.keyboard.press("Enter")
        assert answer.value.status == 303
        expect(tab.locator("#worth")).to_be_visible()


def test_a_collection_with_keys_only(studio, tab):
    """No click: a name, a question, a protocol that is recommended, and it is saved."""
    for where, text in (("#collection", "colors"),):
        pressed(tab, where)
        tab.keyboard.type(text)
    tab.keyboard.press("Enter")
    expect(tab.locator("#design")).to_be_visible()
    for where, text in (("#epsilon-asked", "1"), ("#values-asked", "3"), ("#persons-asked", "1000")):
        pressed(tab, where)
        tab.keyboard.press("ControlOrMeta+a")
        tab.keyboard.type(text)
    tab.keyboard.press("Enter")
    expect(tab.locator("#protocols")).to_be_visible()
    pressed(tab, "#protocols a")
    tab.keyboard.press("Enter")
    expect(tab.locator("#p-name")).to_have_value("GRR")
    for where, text in (("[name=column-0]", "color"), ("[name=values-0]", "red\nblue\ngreen"), ("#p-epsilon", "1")):
        pressed(tab, where)
        tab.keyboard.type(text)
    tab.keyboard.press("Enter")
    expect(tab.locator("#address")).to_be_visible()
    said = tomllib.loads((studio.folder / "colors/collection.toml").read_text("utf-8"))
    assert said["question"] == [{"column": "color", "values": ["red", "blue", "green"]}]
    assert said["protocol"] == {"name": "GRR", "epsilon": 1}


def test_choices_in_quick_succession_are_all_saved(studio, tab, tmp_path):
    """Somebody who does not wait for the page: the last choice of each column stands in the plan."""
    table = tmp_path / "stays.csv"
    table.write_text("age;sex;illness\n" + "".join(f"{20 + i % 40};{'FM'[i % 2]};{'xyz'[i % 3]}\n" for i in range(120)))
    tab.set_input_files("#table", table)
    tab.locator(".drop button").first.click()
    expect(tab.locator(".column")).to_have_count(3)
    for place, role in ((0, "sensitive"), (1, "insensitive"), (2, "identifying"), (0, "insensitive"), (1, "sensitive")):
        tab.evaluate(f"document.querySelector('#role-{place}-{role}').click()")
    wanted = ["insensitive", "sensitive", "identifying"]
    saved = f"() => {wanted}.every((role, i) => document.querySelector(`#role-${{i}}-${{role}}`).defaultChecked)"
    tab.wait_for_function(saved)
    plan = tomllib.loads((studio.folder / "stays/plan.toml").read_text("utf-8"))
    assert [plan["columns"][name]["role"] for name in ("age", "sex", "illness")] == wanted

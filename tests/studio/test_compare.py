"""A release from elsewhere beside its original: every figure on the page is one of the result, and the command says the same."""

import json
import math
import re
import shlex
from fractions import Fraction
from html import unescape

import pytest
from playwright.sync_api import expect
from tests.commands import ran
from tests.eyes import has_run, heard
from tests.studio.conftest import let_in
from tests.studio.furnished import begun, compared, copied

from sfumato.studio import jobs
from sfumato.studio.shelf import safe_name

TABLE = "âge;sexe;maladie\n" + "".join(f"{20 + i % 40};{'FM'[i % 2]};{'xyz'[i % 3]}\n" for i in range(240))
RELEASE = "âge,sexe,maladie\n" + "".join(
    f"{'*' if i % 40 < 3 else 20 + i % 40},{'FM'[i % 2]},{'xyz'[i % 3]}\n" for i in range(240)
)
HOSTILE = """âge,sexe,maladie,<script>window.pwned=1</script>,'`{{ 7 * 7 }}<b>x\n""" + "".join(
    f"{('*', '<img src=x onerror=window.pwned=1>')[i % 2]},{'FM'[i % 2]},{'xyz'[i % 3]},{{{{ 7 * 7 }}}},</td></table><b>x\n"
    for i in range(240)
)
ROW = re.compile(r'<tr><th scope="row"><span class="label">(.*?)</span>.*?</th>(.*?)</tr>')
CELL = re.compile(r"<td[^>]*>(.*?)</td>")


@pytest.fixture(scope="module")
def made(hand):
    """A project whose plan knows ages, sexes and illnesses."""
    made = begun(hand, "stays.csv", TABLE.encode())
    roles = ("quasi-identifying", "quasi-identifying", "sensitive")
    made.done("table/roles", **{f"role-{i}": role for i, role in enumerate(roles)})
    return made


@pytest.fixture
def room(made):
    """A copy of it that may be changed."""
    return copied(made)


def shown(room, language="en", **query):
    """The page as text."""
    address = "?" + "&".join(f"{key}={value}" for key, value in query.items()) if query else ""
    answer = room.hand.client.get(
        room.hand.studio.root + room.path("compare") + address, headers={"accept-language": language}
    )
    assert answer.status_code == 200, answer.text[-1500:]
    return answer.text


def rows(page, table):
    """By label, the texts of the cells of a table of the page."""
    part = page.split(f'<table id="{table}" class="figures">')[1].split("</table>")[0]
    found = [(unescape(label), [unescape(cell) for cell in CELL.findall(cells)]) for label, cells in ROW.findall(part)]
    assert len(dict(found)) == len(found)
    return dict(found)


def number(text):
    """The number that a cell spells; None: a dash."""
    plain = text.replace(",", "").replace("\u00a0", "").replace(" ", "")
    if plain == "–":
        return None
    return Fraction(plain.removesuffix("%")) / 100 if plain.endswith("%") else Fraction(plain)


def agrees(text, value, better="lower"):
    """Whether a cell spells a value, rounded by less than one in the fourth digit, and to its bad side."""
    found = number(text)
    if found is None or value is None:
        return found is value
    off = (found - Fraction(str(value))) * (1 if better == "lower" else -1)
    return 0 <= off <= max(abs(Fraction(str(value))), Fraction(1, 10)) / 1000


@pytest.mark.parametrize("release", [RELEASE, HOSTILE])
def test_every_figure_is_one_of_the_result(room, release):
    """Worth, risks before and after, the three questions, rows and cells: all of the document, and nothing else."""
    compared(room, "theirs.csv", release.encode())
    page = shown(room)
    found = json.loads(room.project.comparison("1").result.read_text("utf-8"))
    worth = rows(page, "worth")
    assert list(worth) == [one["label"] for one in found["worth"]]
    assert all(agrees(*worth[one["label"]], one["value"], one["better"]) for one in found["worth"])
    risks = rows(page, "risks")
    sides = [{one["label"]: one["value"] for one in found["risk"][side]} for side in ("before", "after")]
    assert set(risks) == {*sides[0], *sides[1]}
    for label, cells in risks.items():
        assert [agrees(cell, side.get(label)) for cell, side in zip(cells, sides, strict=True)] == [True, True], label
    questions = rows(page, "questions")
    assert len(questions) == len(found["wp216"])
    for one, (value, threshold, verdict) in zip(found["wp216"], questions.values(), strict=True):
        assert agrees(value, one["value"])
        assert agrees(threshold, one["threshold"], "higher")
        assert re.sub("<.*?>", "", verdict) == one["verdict"]
    cells = page.split('id="cells">')[1].split("</dl>")[0]
    names, counts = (re.findall(f"<{tag}>(.*?)</{tag}>", cells) for tag in ("dt", "dd"))
    told = {name: n for name, n in found["suppressed"]["cells_by_column"].items() if n}
    assert dict(zip(map(unescape, names), map(int, counts), strict=True)) == told
    assert f"{found['release']['rows']} of {found['original']['rows']} rows" in page
    assert all(note in unescape(page) for note in found["notes"])


def test_the_figures_are_the_same_in_french(room):
    """With the separators of French, and with French labels."""
    compared(room, "theirs.csv", RELEASE.encode())
    pages = [shown(room, language) for language in ("en", "fr")]
    for table in ("worth", "risks"):
        english, french = (list(rows(page, table).values()) for page in pages)
        spelled = [[cell.translate(str.maketrans({",": ".", "\u202f": ","})) for cell in cells] for cells in french]
        assert spelled == english
        assert list(rows(pages[0], table)) != list(rows(pages[1], table))


def test_the_command_says_the_same(room):
    """What the page shows is typed into a shell, in the folder of the project; also after the plan asks for more."""
    compared(room, "their's & more.csv", RELEASE.encode())
    for change in ({}, {"risk_threshold": "0.1", "target": "maladie"}):
        if change:
            room.done("promise/measure", queries="0", **change)
            assert "the plan has changed since" in shown(room)
            room.done("compare/again", release="1")
            room.finished("compared-1")
        page = shown(room)
        assert "the plan has changed since" not in page
        command = unescape(re.search(r'<code id="command">(.*?)</code>', page)[1])
        words = shlex.split(command)
        assert words.pop(0) == "sfumato"
        said = ran(*words, "--json", cwd=room.project.folder)
        assert said.code == 0, said.err
        assert said.json == json.loads(room.project.comparison("1").result.read_text("utf-8"))


def test_a_release_of_a_reserved_name_overwrites_nothing(room):
    """Names of the files of a comparison and of a project, and names that would be paths."""
    plan = room.project.plan_path.read_bytes()
    for name in ("job.json.csv", "plan.toml", "../plan.toml", "lock", "stays.csv", "comparison.json"):
        answer = room.hand.drop(room.path("compare/add"), name, RELEASE.encode())
        assert answer.status_code == 303
        one = room.project.comparisons()[0]
        assert [path.name for path in one.dropped.iterdir()] == [safe_name(name)]
    assert room.project.plan_path.read_bytes() == plan
    assert (room.project.folder / "stays.csv").read_text("utf-8") == TABLE


def test_what_cannot_be_compared_is_told(room):
    """No table, other columns, nothing at all, a path elsewhere: a sentence with its remedy."""
    for content in (b"", b"\x00\xff" * 400, b"a,b\n1,2\n"):
        room.hand.drop(room.path("compare/add"), "theirs.csv", content)
        number = str(room.project.comparisons()[0].number)
        jobs.wait(room.project.comparison(number).folder, math.inf)
        page = shown(room, release=number)
        assert 'role="alert"' in page
        assert "What to do:" in page
    for form, told in (({}, "needs a release"), ({"path": "../secret.csv"}, "must lie in the folder")):
        answer = room.hand.post(room.path("compare/add"), **form)
        assert (answer.status_code, told in answer.text) == (422, True)
    assert room.hand.get(room.path("compare?release=99")).status_code == 422


def test_a_release_may_be_named_by_its_path(room):
    """It is read where it is."""
    (room.hand.studio.folder / "theirs.csv").write_text(RELEASE, "utf-8")
    room.done("compare/add", path="theirs.csv")
    room.finished("compared-1")
    assert rows(shown(room), "worth")
    assert not room.project.comparison("1").dropped.exists()


def test_by_drop_and_in_french(room, chromium):
    """A file is chosen and compared; nothing of its names and cells is run, and the sentences are French."""
    with let_in(chromium, room.hand, locale="fr-FR") as tab:
        said = heard(tab)
        tab.goto(room.hand.studio.root + room.path("compare"))
        expect(tab.locator("h1")).to_have_text("Une publication faite ailleurs vaut-elle quelque chose ?")
        tab.set_input_files("#table", {"name": "la leur.csv", "mimeType": "text/csv", "buffer": HOSTILE.encode()})
        tab.locator(".drop button").first.click()
        expect(tab.locator("#worth")).to_be_visible()
        assert has_run(tab) is False
        assert "{{ 7 * 7 }}" in tab.locator(".two table").nth(1).inner_text()
    assert said == []

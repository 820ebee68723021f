"""The pages of a private table: nothing exact stands on them, what is spent is in the ledger, and is spent once."""

import json
import re

import httpx
import pytest
from tests.studio.conftest import cookies

from sfumato.account.ledger.ledger import Ledger

AGES = [31] * 977 + [64] * 23
"""Rows of each age: numbers that no public text holds."""
CANARIES = ("977", "39.", "canary", "1,000", "1000 rows")


@pytest.fixture
def private(studio):
    """A project with a private table, declared and opened through its pages."""
    folder = studio.folder / "private"
    folder.mkdir()
    rows = "".join(f"{age},{'FM'[i % 2]},canary{i}\n" for i, age in enumerate(AGES))
    (folder / "t.csv").write_text("age,sex,name\n" + rows)
    columns = "".join(f'[columns.{name}]\nrole = "quasi-identifying"\n' for name in ("age", "sex", "name"))
    (folder / "plan.toml").write_text(
        'format = "sfumato.plan/1"\n[source]\npath = "t.csv"\n' + columns
        + '[[promise]]\nmodel = "k-anonymity"\nk = 2\n[method]\nname = "full-domain"\n'
    )  # fmt: skip
    own, origin = cookies(studio), studio.root.rpartition("/")[0]

    class Hand:
        """Somebody at the pages of this project."""

        def get(self, page, **query):
            """A page as text."""
            return httpx.get(studio.page("private", page), params=query, cookies=own, timeout=60)

        def in_french(self, page):
            """A page for a French reader."""
            return httpx.get(studio.page("private", page), cookies=own, timeout=60, headers={"accept-language": "fr"})

        def post(self, page, **form):
            """An action, followed to where it leads."""
            return httpx.post(
                studio.page("private", page), data=form, cookies=own, headers={"origin": origin}, timeout=60,
                follow_redirects=True,
            )  # fmt: skip

    return Hand()


DECLARED = {
    "form-0": "range", "low-0": "0", "high-0": "120", "step-0": "1", "form-1": "values", "values-1": "F\nM",
    "neighbors": "add or remove", "measure": "epsilon", "amount": "1", "dataset": "persons",
}  # fmt: skip


def test_from_the_declaration_to_an_answer_nothing_exact_is_shown(studio, private):
    """Every page on the way is searched for cells and exact figures; the ledger holds what was paid, once."""
    pages = [private.get("declare"), private.post("declare/save", **DECLARED)]
    assert pages[-1].status_code == 200
    pages.append(private.get("ask"))
    assert "open the account first" in pages[-1].text
    assert private.post("declare/open").status_code == 422
    pages.append(private.post("declare/open", sure="yes"))
    assert "What do you want to know?" in pages[-1].text
    asked = {"statement": "SELECT sex, AVG(age) FROM t GROUP BY sex", "measure": "epsilon", "amount": "1/4"}
    pages.append(private.get("ask", **asked, error="5", rows="500", **{"try": "1"}))
    assert "Tried on synthetic rows" in pages[-1].text
    assert private.post("ask/pay", **asked).status_code == 422
    ledger = f"sqlite:///{studio.folder / 'private/ledger.db'}"
    with Ledger.open(ledger) as book:
        assert book.statement("persons").charges == ()
    first = private.post("ask/pay", **asked, sure="yes")
    again = private.post("ask/pay", **asked, sure="yes")
    told = json.loads((studio.folder / "private/answers/0001.json").read_text("utf-8"))
    assert told["answers"] == json.loads((studio.folder / "private/answers/0002.json").read_text("utf-8"))["answers"]
    with Ledger.open(ledger) as book:
        assert len(book.statement("persons").charges) == 1
    french = private.in_french("ask").text
    assert re.search(r"<td>mean\(age\)[^<]* pour epsilon 1/4", french)
    assert re.search(r"<td>mean\(age\)[^<]* for epsilon 1/4", first.text)
    shown = re.findall(r'<td class="n">(-?[0-9.,]+)</td>', first.text)
    assert f"{told['answers'][0]['values'][0][0]:,.6g}" in shown
    noise = [cell for row in (told["answers"][0][key] for key in ("values", "low", "high")) for cell in row]
    for page in (*pages, first, again):
        text = page.text
        for number in (one for cells in noise for one in cells):
            text = text.replace(f"{number:,.6g}", "")
        assert not [canary for canary in CANARIES if canary in re.sub(r"<svg.*?</svg>", "", text)], page.url


REFUSED = (
    ("SELECT MAX(age) FROM t", "1/4", "one person"),
    ("SELECT COUNT(*) FROM t WHERE name = 'canary7'", "1/4", "name"),
    ("SELECT COUNT(*) FROM t", "0", "epsilon"),
    ("SELECT COUNT(*) FROM t", "100", "budget"),
)
"""A question, what it would cost, and what the refusal names."""


def test_what_cannot_be_answered_is_told_and_costs_nothing(studio, private):
    """As the command tells it."""
    private.post("declare/save", **DECLARED)
    private.post("declare/open", sure="yes")
    for statement, amount, why in REFUSED:
        answer = private.post("ask/pay", statement=statement, measure="epsilon", amount=amount, sure="yes")
        assert (answer.status_code, why in answer.text) == (422, True), (statement, amount)
        with Ledger.open(f"sqlite:///{studio.folder / 'private/ledger.db'}") as book:
            assert book.statement("persons").charges == ()
        assert not (studio.folder / "private/answers").exists()


def test_a_declaration_that_is_wrong_is_not_saved(studio, private):
    """The page shows what was typed, with what is wrong."""
    answer = private.post("declare/save", **{**DECLARED, "high-0": "-5"})
    assert answer.status_code == 422
    assert 'value="-5"' in answer.text
    assert not (studio.folder / "private/data.toml").exists()

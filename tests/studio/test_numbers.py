"""Every number of a result page is a number of the result document: parsed from the page, compared with what was written.

Pages that have this in files of their own: Explore (`test_longest_path`), Compare, Collect, Strings, Ask, All levels.
"""

import json
import re
from html import unescape


def plain(text):
    """What somebody reads of a piece of a page."""
    return unescape(re.sub("<[^>]+>", "", text)).strip()


def close(text, value):
    """Whether a printed number is this one, rounded to its last digit or the one beside it (to the bad side)."""
    if value is None:
        return text in {"–", ""}
    said = text.replace(",", "").replace("\u00a0", "").strip()
    share = 0.01 if said.endswith("%") else 1.0
    number = said.strip("<% ")
    if said.startswith("<"):
        return 0 <= value < float(number) * share
    digits = len(number.partition("e")[0].partition(".")[2])
    exponent = int(number.partition("e")[2] or 0)
    return abs(float(number) * share - value) <= 1.0000001 * share * 10.0 ** (exponent - digits)


ROW = r'<tr><th scope="row">(.*?)<span class="definition">.*?</th>(.*?)</tr>'


def rows(page):
    """Label and numbers of each row of a table of figures."""
    for label, rest in re.findall(ROW, page.split('<table class="figures">')[1], re.DOTALL):
        yield plain(label), [plain(one) for one in re.findall(r"<td[^>]*>.*?</td>", rest, re.DOTALL)]


def test_figures_of_a_result_are_those_of_its_document(furniture):
    """Label by label, before and after, each figure once and none beside; and the heads of the four questions."""
    for run in (1, 2):
        said = json.loads((furniture.project.folder / f"runs/{run:03}/result.json").read_text("utf-8"))
        page = furniture.hand.get(furniture.path(f"result?run={run}")).text
        shown, written = list(rows(page)), said["worth"]
        assert [label for label, _ in shown] == [one.get("label", one["name"]) for one in written]
        for (label, (before, after)), one in zip(shown, written, strict=True):
            assert close(after, one["value"]), (label, after, one["value"])
            assert close(before, one["before"]), (label, before, one["before"])
        done = re.search(r'aria-labelledby="q1">(.*?)</section>', page, re.DOTALL)[1]
        assert f"<dd>{said['done']['suppressed']['rows']} of {said['source']['rows']}</dd>" in done
        assert f"<dd>{said['done']['classes']['min']}</dd>" in done


def test_figures_of_the_risk_are_those_of_its_document(furniture):
    """Every figure once, and the columns that single out."""
    said = json.loads((furniture.project.hidden / "risk/risk.json").read_text("utf-8"))
    shown = list(rows(furniture.hand.get(furniture.path("risk")).text))
    assert [label for label, _ in shown] == [one["label"] for one in said["risk"]]
    for (label, (value,)), one in zip(shown, said["risk"], strict=True):
        assert close(value, one["value"]), (label, value, one["value"])


def test_figures_of_the_history_are_those_of_each_run(furniture):
    """Three of worth and three of risk for each run, the newest first."""
    page = furniture.hand.get(furniture.path("history")).text
    parts = page.split("<fieldset>")[1:]
    for part, run in zip(parts, (2, 1), strict=True):
        said = json.loads((furniture.project.folder / f"runs/{run:03}/result.json").read_text("utf-8"))
        wanted = [*said["worth"][:3], *said["risk"]["after"][:3]]
        found = [tuple(map(plain, one)) for one in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", part, re.DOTALL)]
        assert len(found) == len(wanted) == 6
        assert all(close(value, one["value"]) for (_, value), one in zip(found, wanted, strict=True)), (found, wanted)

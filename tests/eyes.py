"""What is wrong with a page for somebody: axe finds nothing serious, nothing is wider than the window, nothing foreign is run."""

import os
from pathlib import Path

AXE = Path(__file__).parent / "data/axe"
WIDTHS = (400, 1280, 2560)
JUDGE = f"window.judge = () => {{{(AXE / 'axe.min.js').read_text('utf-8')}}}"
"""What a page holds unread until it is judged; see `judging`."""
SERIOUS = """(() => {
    judge();
    const isSerious = one => ["serious", "critical"].includes(one.impact);
    const rules = Object.fromEntries(axe._audit.rules.filter(one => !isSerious(one)).map(one => [one.id, {enabled: false}]));
    return axe.run(document, {resultTypes: ["violations"], rules, preload: false}).then(found => found.violations.filter(isSerious)
        .map(one => `${one.id}: ${one.help}: ${one.nodes.map(node => node.html).join(" | ")}`)); })()"""
"""What axe finds that is serious. The impact of a rule is that of what it finds: the others need not run."""
OUTSIDE = """[...document.querySelectorAll("body *")].filter(one => one.getBoundingClientRect().right > innerWidth + 1)
    .map(one => one.outerHTML.slice(0, 80))"""
LETTERS = """[...document.querySelectorAll("svg.chart")].filter(one => one.checkVisibility())
    .map(one => 12 * one.getBoundingClientRect().width / one.viewBox.baseVal.width)
    .filter(size => size < 9 || size > 17)"""
"""Pixels of the labels of pictures that shrink or swell."""
TOUCHING = """[...document.querySelectorAll("main :is(table, .facts, form)")].map(one => [one, one.nextElementSibling])
    .filter(([one, next]) => next?.matches("p, code, table, .bar, .facts, .charts") && next.offsetHeight && one.offsetHeight
        && next.getBoundingClientRect().left < one.getBoundingClientRect().right
        && Math.abs(next.getBoundingClientRect().top - one.getBoundingClientRect().bottom) < 4)
    .map(([one, next]) => next.outerHTML.slice(0, 80))"""
"""What stands at the foot of a table, of facts or of a form without a gap."""
ENGLISH = """document.documentElement.lang === "fr"
    ? [...document.querySelectorAll("main .n, main dd")].map(one => one.innerText).filter(text => /^[-<> ]*\\d+\\.\\d/.test(text)) : []"""
"""Numbers of a French page that are written as in English."""
SPACES = """document.documentElement.lang !== "fr" ? [] : [...document.querySelectorAll(
    "main :is(h1, h2, h3, p, a, button, label, legend, caption, dt, th, figcaption, li, summary)")]
    .filter(one => !one.querySelector("pre, code, textarea, p, table"))
    .map(one => one.textContent.match(/.{0,20}(\\w [:;?!»]|« ).{0,20}/)?.[0]).filter(text => text)"""
"""Where a French line could break before a sign that belongs to its word."""
BACKTICKS = """(() => { const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT), found = [];
    while (walk.nextNode()) if (/`\\w[^`]*`/.test(walk.currentNode.data) && !walk.currentNode.parentElement.closest("pre, code, textarea, td"))
        found.push(walk.currentNode.data.slice(0, 80));
    return found; })()"""
"""Names of keys that stand between backticks instead of looking like code."""
CUT = """[...document.querySelectorAll("svg.chart")].filter(one => one.checkVisibility()).flatMap(svg => {
    const frame = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("text")].filter(one => { const box = one.getBoundingClientRect();
        return box.left < frame.left - 1 || box.right > frame.right + 1; }).map(one => one.textContent); })"""
"""Labels of pictures that are cut at a side."""
BROKEN = """[...document.querySelectorAll("main :is(.tag, .four dt)")].filter(one => one.checkVisibility()).filter(one =>
    one.getClientRects().length && one.textContent.trim().length < 30 && !/\\s/.test(one.textContent.trim())
    && one.getBoundingClientRect().height > 1.9 * parseFloat(getComputedStyle(one).fontSize)).map(one => one.textContent)"""
"""Single words of the four answers that are broken at some letter."""
FOREIGN = (
    "[...document.querySelectorAll('main img, main b, main script, script:not([src]), [onerror], [onload]')].length"
)


BY_WIDTH = {
    "wider than the window": f"document.documentElement.scrollWidth > innerWidth ? [true, ...{OUTSIDE}] : []",
    "letters of a picture": LETTERS,
    "no gap above": TOUCHING,
    "not French": ENGLISH,
    "a label is cut": CUT,
    "a word is broken": BROKEN,
}
LEVELS = """(levels => levels[0] === 1 && levels.lastIndexOf(1) === 0 && levels.every((one, i) => !i || one <= levels[i - 1] + 1) ? []
    : levels.length ? levels : [0])([...document.querySelectorAll("h1, h2, h3")].map(one => Number(one.tagName[1])))"""
"""Of the headings, unless the first alone is the highest, and none skips one."""
AT_ANY = {"spaces": SPACES, "backticks": BACKTICKS, "levels": LEVELS}


def judging(context):
    """The same context of a browser, whose pages can be judged: axe is sent to it once, and not to each page."""
    context.add_init_script(JUDGE)
    return context


def _asked(scripts):
    """Several scripts as one: the page is asked once."""
    said = ", ".join(f'"{what}": await ({script.rstrip(";")})' for what, script in scripts.items())
    return f"(async () => ({{{said}}}))()"


def looked_at(tab, judged, widths=WIDTHS):
    """What is wrong with the page that a tab shows, by width, from the one on that it has; axe judges one of them.

    Args:
        tab: of a context that is `judging`.
        judged: the width at which axe does.
        widths: all of them.
    """
    wrong, size = [], tab.viewport_size
    for i, width in enumerate(sorted(widths, key=lambda one: one != size["width"])):
        if i or size != {"width": width, "height": 900}:
            tab.set_viewport_size({"width": width, "height": 900})
        asked = BY_WIDTH | ({"axe": SERIOUS} if width == judged else {}) | ({} if i else AT_ANY)
        found = tab.evaluate(_asked(asked))
        wrong += [(width, what, one) for what, one in found.items() if one]
    return wrong


def heard(tab):
    """A list that hears what the console of a tab says, mistakes of scripts, and questions of a page."""
    said = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("dialog", lambda dialog: said.append(dialog.message))
    return said


def has_run(tab):
    """Whether something of a hostile table became more than text on the page that a tab shows."""
    return tab.evaluate(f"!!window.pwned || {FOREIGN} > 0")


WORDS = "main :is(h1, h2, h3, a, button, label, legend, caption, dt, p)"
"""What a page says of itself, without the values that it shows."""
PICTURES = Path(__file__).parents[1] / "docs/pictures"


def pictured(tab, file):
    """Compare what a page says with what stands beside its picture in the documentation.

    `make pictures` names a folder in SFUMATO_TEST_PICTURES: then pictures and words are made anew.
    """
    said = "\n".join(tab.locator(WORDS).all_inner_texts()) + "\n"
    if folder := os.environ.get("SFUMATO_TEST_PICTURES"):
        tab.screenshot(path=Path(folder) / f"{file}.png", caret="initial")  # hiding it would apply a style
        (Path(folder) / f"{file}.txt").write_text(said, "utf-8")
    assert said == (PICTURES / f"{file}.txt").read_text("utf-8"), f"{file} has aged: run `make pictures`"

"""The report page as a tree of elements and texts, for those who draw it elsewhere than in a browser."""

from __future__ import annotations

import re
from dataclasses import field
from html import escape
from html.parser import HTMLParser

from sfumato.frozen import dataclass
from sfumato.report.chart.standalone import standalone

_BLOCKS = frozenset(
    [
        "article",
        "body",
        "dd",
        "div",
        "dl",
        "dt",
        "figcaption",
        "figure",
        "h1",
        "h2",
        "h3",
        "h4",
        "header",
        "html",
        "li",
        "main",
        "ol",
        "p",
        "section",
        "table",
    ]
)
_BLOCKS |= frozenset(["tbody", "td", "th", "thead", "tr", "ul", "blockquote", "caption"])
_ALONE = frozenset({"br", "meta"})
_UNSEEN = frozenset({"head", "nav"})
_SPACE = re.compile(r"[ \t\r\n]+")


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a page.

    Args:
        tag: its name.
        classes: how it looks.
        width: share of the whole that a bar is wide, in percent; 0 where it is no bar.
        drawn: the picture as an SVG file with its colors; "" where it is none.
        tall: height of the picture by its width.
        alt: its text alternative.
        inner: elements and texts in it.
    """

    tag: str
    classes: tuple[str, ...] = ()
    width: float = 0.0
    drawn: str = ""
    tall: float = 0.0
    alt: str = ""
    inner: list[Element | str] = field(default_factory=list)


def outline_of(page: str) -> Element:
    """The visible part of a page of this house, as a tree. Spaces are as a browser shows them.

    Args:
        page: what `render_html` made.

    Example:
        >>> body = outline_of("<body><p class='lead'>a &lt;b&gt;  <em>c</em></p> </body>")
        >>> [(one.tag, one.classes, one.inner[0]) for one in body.inner], body.inner[0].inner[1].inner
        ([('p', ('lead',), 'a <b> ')], ['c'])
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    body = next((one for one in _all(reader.root) if one.tag == "body"), reader.root)
    _trim(body)
    return body


class _Reader(HTMLParser):
    """Builds the tree; pictures are kept as they are written."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("page")
        self._open = [self.root]
        self._svg: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A new element; its parts come into it until it ends."""
        if tag == "svg" or self._svg:
            self._svg.append(self.get_starttag_text() or "")
            return
        said = {name: value or "" for name, value in attrs}
        width = said.get("style", "").removeprefix("width:").removesuffix("%")
        element = Element(tag, tuple(said.get("class", "").split()), float(width or 0))
        self._open[-1].inner.append(element)
        if tag not in _ALONE:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without parts, which only pictures have."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """The end of the innermost element, or of a picture."""
        if self._svg:
            self._svg.append(f"</{tag}>")
            if tag == "svg":
                self._open[-1].inner.append(_picture("".join(self._svg)))
                self._svg = []
        elif tag not in _ALONE:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        """A text."""
        if self._svg:
            self._svg.append(escape(data))
        elif self._open[-1].tag == "pre":
            self._open[-1].inner.append(data)
        else:
            self._open[-1].inner.append(_SPACE.sub(" ", data))


def _picture(svg: str) -> Element:
    """A picture of `chart` with its shape and its text alternative."""
    from html import unescape

    width, height = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)[0]
    alt = re.findall(r'aria-label="([^"]*)"', svg)[0]
    return Element("svg", drawn=standalone(svg), tall=float(height) / float(width), alt=unescape(alt))


def _all(element: Element) -> list[Element]:
    """An element and all that are in it."""
    inner = [one for one in element.inner if isinstance(one, Element)]
    return [element, *(deep for one in inner for deep in _all(one))]


def _trim(element: Element) -> None:
    """Leave out what paper does not show, and spaces that no browser shows: beside blocks, and at their ends."""
    if element.tag == "pre":
        return
    kept = [one for one in element.inner if isinstance(one, str) or one.tag not in _UNSEEN]
    for one in kept:
        if isinstance(one, Element):
            _trim(one)
    beside = [False, *(isinstance(one, Element) and one.tag in _BLOCKS | {"br", "pre"} for one in kept), False]
    ends = element.tag in _BLOCKS
    last = len(kept) - 1
    for i, one in enumerate(kept):
        if isinstance(one, str):
            text = one.lstrip(" ") if beside[i] or (ends and i == 0) else one
            kept[i] = text.rstrip(" ") if beside[i + 2] or (ends and i == last) else text
    element.inner[:] = [one for one in kept if one != ""]

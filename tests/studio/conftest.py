"""A studio that runs, and a browser that opens it."""

import asyncio
import re
import shutil
import subprocess
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.eyes import judging, pictured

from sfumato.web.pages.gate import COOKIE

MAIN = "from sfumato.cli.main import main; main()"
ROOT = Path(__file__).parents[2]
COPIES = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.studio.copies import main; main()"
"""A studio whose jobs begin sooner."""


@dataclass
class Studio:
    """A studio in a process of its own.

    Args:
        folder: its projects.
        entrance: the address that it printed.
        process: it.
        first: the answer to the first who entered, once somebody has: the address lets in once.
    """

    folder: Path
    entrance: str
    process: subprocess.Popen
    first: object = None

    @property
    def root(self) -> str:
        """Where all pages are."""
        return self.entrance.rpartition("/")[0]

    def page(self, project: str, name: str) -> str:
        """Address of a page."""
        return f"{self.root}/p/{project}/{name}"


def opened(folder: Path, *options: str, begin=(MAIN, "studio")) -> Studio:
    """Start a studio on a folder."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-c", *begin, str(folder), "--no-browser", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    told = process.stderr.readline()
    return Studio(folder, re.search(r"http\S+", told).group(), process)


def closed(studio: Studio) -> None:
    """Stop a studio; no error of ours may stand in what it said."""
    studio.process.terminate()
    said = studio.process.communicate()[1]
    assert "Traceback" not in said, said


@pytest.fixture(scope="session")
def empty(tmp_path_factory):
    """A studio that tests share which begin with an empty folder."""
    one = opened(tmp_path_factory.mktemp("empty") / "shelf", begin=(COPIES,))
    yield one
    closed(one)


@pytest.fixture
def studio(empty):
    """A studio on an empty folder, which is emptied again: its process keeps nothing of what was there."""
    yield empty
    for made in empty.folder.iterdir():
        shutil.rmtree(made) if made.is_dir() else made.unlink()


@pytest.fixture(scope="session")
def hand(tmp_path_factory):
    """Somebody who is let in at a studio that tests share: each works in a project of its own there."""
    from tests.studio.furnished import Hand

    one = opened(tmp_path_factory.mktemp("studio") / "shelf", begin=(COPIES,))
    with Hand.of(one) as made:
        yield made
    closed(one)


@pytest.fixture(scope="session")
def furniture(hand):
    """A project in which every page has something to show, of a hostile table; tests look at it and change nothing."""
    from tests.studio.furnished import hostile

    return hostile(hand)


@contextmanager
def let_in(chromium, hand, **options):
    """A page of a browser with the cookie of somebody who is let in."""
    context = judging(entered(chromium, hand.studio, hand.client.cookies, **options))
    try:
        yield context.new_page()
    finally:
        context.close()


def entered(chromium, studio, cookies, **options):
    """A context of a browser with the cookies of somebody who is let in."""
    context = chromium.new_context(**options)
    context.set_default_timeout(120_000)
    root = studio.root + "/"
    context.add_cookies([{"name": name, "value": value, "url": root} for name, value in cookies.items()])
    return context


@pytest.fixture
def tab(chromium, studio):
    """The list of projects, let in; whatever the console says is a failure."""
    context = entered(chromium, studio, cookies(studio), viewport={"width": 1280, "height": 900}, locale="en-GB")
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{studio.root}/")
    yield page
    context.close()
    assert [text for text in said if "status of 409" not in text] == []


@pytest.fixture
def picture(tab, chromium):
    """Compare what a page says, in both languages, with what stands beside its picture in the tutorials.

    See `pictured`.
    """
    context = chromium.new_context(
        viewport=tab.viewport_size, locale="fr-FR", storage_state=tab.context.storage_state()
    )
    context.set_default_timeout(120_000)
    french = context.new_page()

    def keep(name):
        french.goto(tab.url)
        for page, file in ((tab, f"studio-{name}"), (french, f"studio-{name}.fr")):
            pictured(page, file)

    yield keep
    context.close()


def finished(work: Coroutine):
    """What a coroutine comes to, in a thread of its own: a browser of this process has the loop of this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def first_answer(studio: Studio):
    """Enter as a browser does, unless somebody has: what the first was answered."""
    import httpx

    studio.first = studio.first or httpx.get(studio.entrance)
    assert studio.first.status_code == 303
    return studio.first


def cookies(studio: Studio) -> dict[str, str]:
    """The cookie of whoever is let in."""
    return {COOKIE: first_answer(studio).cookies[COOKIE]}

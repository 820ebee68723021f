"""Pictures of every page, to be looked at: three widths, light and dark, English and French. `make looks` writes them.

Run: python -m tests.studio.looks FOLDER [NAME …]      only pages whose name begins with one of these
"""

import shutil
import sys
import tempfile
from itertools import product
from pathlib import Path

from playwright.sync_api import sync_playwright
from tests.eyes import WIDTHS
from tests.studio.conftest import closed, let_in, opened
from tests.studio.furnished import Hand, furnished, pages, troubled
from tests.studio.of_persons import beside, connected, walked

SCHEMES, LANGUAGES = ("light", "dark"), ("en-GB", "fr-FR")
DISEASES, TOWNS = ("grippe", "asthme", "diabète"), ("Bordeaux", "Lille", "Lyon", "Marseille", "Paris")
PERSONS = "âge;ville;maladie;commentaire\n" + "".join(
    f"{18 + (7 * i) % 71};{TOWNS[i * i % 5]};{DISEASES[(i // 3) % 3]};visite {i % 9}\n" for i in range(600)
)
"""Who stood in a hospital's table, as a French spreadsheet writes it."""


def keep(tab, folder, name, address):
    """A page at every width, from its head to its foot."""
    tab.goto(address)
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 900})
        tab.screenshot(path=folder / f"{name}-{width}.png", full_page=True)


def main(folder, *only):
    """All of them."""
    studio = opened(Path(tempfile.mkdtemp()) / "shelf")
    try:
        with Hand.of(studio) as hand, sync_playwright() as playwright:
            binary = shutil.which("chromium") or shutil.which("google-chrome")
            chromium = playwright.chromium.launch(executable_path=binary, args=["--no-sandbox"])
            look(chromium, hand, folder, only or ("",))
            chromium.close()
    finally:
        closed(studio)


def look(chromium, hand, folder, only):
    """All pages whose names begin so, in each scheme and language."""
    room = furnished(hand, "Séjours 2024.csv", PERSONS.encode("cp1252"), "\n".join(TOWNS))
    shown, root = {**pages(room), **beside(walked(hand), connected(hand))}, hand.studio.root
    for scheme, language in product(SCHEMES, LANGUAGES):
        place = folder / f"{language[:2]}-{scheme}"
        place.mkdir(parents=True, exist_ok=True)
        with let_in(chromium, hand, locale=language, color_scheme=scheme) as tab:
            for name, path in shown.items():
                if name.startswith(only):
                    keep(tab, place, name, root + path)
            with troubled(room) as found:
                for name, path in found.items():
                    if f"trouble-{name}".startswith(only):
                        keep(tab, place, f"trouble-{name}", root + path)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])

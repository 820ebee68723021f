"""The pictures of a contest in the documentation, made by a contest of three teams whose persons live near each other."""

import numpy as np
import pytest
from tests.arena.conftest import House, made, phase, serving
from tests.arena.test_browser import entered
from tests.eyes import pictured

from sfumato.noise.bits import KeyedBits

NOISES = {"Les Bleus": (0.005, 0.02), "Les Rouges": (0.01,), "Les Verts": (0.002, 0.05)}
"""Degrees by which each team moves the positions of its submissions."""


def moved(lines, degrees, seed):
    """Lines whose positions are moved by normal noise."""
    rng = np.random.default_rng(seed)
    cells = [line.split("\t") for line in lines]
    return [
        f"{who}\t{when}\t{float(north) + rng.normal(0, degrees):.6f}\t{float(east) + rng.normal(0, degrees):.6f}"
        for who, when, north, east in cells
    ]


@pytest.fixture(scope="module")
def neighbors(tmp_path_factory):
    """The contest, and the number of a submission that was refused."""
    folder = tmp_path_factory.mktemp("pictured") / "c"
    made(folder, phase("Hide", "defence", -48, 27.5), phase("Seek", "attack", -24, 96.5)).store.close()
    rows = [line.split("\t")[:2] for line in (folder / "original.tsv").read_text().splitlines()]
    near = moved([f"{who}\t{when}\t{45.75 + int(who) / 400}\t4.85" for who, when in rows], 0.012, 3)
    (folder / "original.tsv").write_text("\n".join(near) + "\n")
    house = House(folder)
    base = house.judge.defend("renamed", KeyedBits(bytes(32), is_secure=False)).decode().splitlines()
    for name in NOISES:
        house.team(name)
    for name, noises in NOISES.items():
        for degrees in noises:
            number = house.submitted(name, "\n".join([*moved(base, degrees, 5), ""]).encode(), publish=True)
            found = house.store.file(number).result["attacks"]["heat-map"]
            for other in NOISES:
                if other != name:
                    house.attacked(other, number, found / 2)
    wrong = [line.split("\t") for line in base]
    wrong[11][3], wrong[43][1], wrong[120][2] = "E 4.85", "04/03/2015 03:21", "45,7501"
    text = "\n".join(["\t".join(cells) for cells in wrong]) + "\n"
    return house, house.submitted("Les Bleus", text.encode())


def test_the_pictures_say_what_the_pages_say(neighbors, chromium):
    """The faults of a refused submission at their lines, and the board; in both languages."""
    house, refused = neighbors
    with serving(house) as root:
        for language, ending in (("en-GB", ""), ("fr-FR", ".fr")):
            with entered(chromium, root, house.tokens["Les Bleus"], locale=language) as tab:
                for path, name in ((f"/files/{refused}", "faults"), ("/board", "board")):
                    tab.goto(root + path)
                    pictured(tab, f"arena-{name}{ending}")

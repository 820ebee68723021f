"""Everything that a contest says of files, metrics, attacks and defences, and every refusal of its server, has its French."""

import ast
import importlib.util
import re
from pathlib import Path

import numpy as np

from sfumato.arena.seat import _REMEDIES
from sfumato.contest.darc.game import DARC
from sfumato.contest.insanonym.game import INSAnonym
from sfumato.contest.pwscup.game import PWSCup
from sfumato.contest.pwscup.regions import Grid
from sfumato.contest.telling import faults_told
from sfumato.language.words import words
from sfumato.table.lines import LineFault

_SPEC = importlib.util.spec_from_file_location("collected", Path(__file__).with_name("collected.py"))
collected = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(collected)

FRENCH = words("fr")
GRID = Grid(np.zeros(4), np.zeros(4), np.ones(4), 2)


def has_french(text):
    """Whether a sentence, filled in or a template with numbers for its values, is told in French, nothing of it in English."""
    said = FRENCH.say(re.sub(r"\{\w+\}", "7", text))
    return said != text and re.search(r"\b(must|the|no|there)\b", re.sub("`[^`]*`", "", said)) is None


def test_every_fault_of_a_line_has_its_french():
    rooms = ("contest", "table/lines.py", "engine/duckdb/lines.py")
    faults = {text for room in rooms for text in collected.texts(room) if text.startswith("must ")}
    assert len(faults) > 35
    assert [text for text in faults if not has_french(text)] == []


def test_faults_are_told_by_line_and_column():
    faults = [LineFault(3, "x", "must stay in its month."), LineFault(0, None, "must not delete more than a share of 0.5 of the lines.")]  # fmt: skip
    assert faults_told(faults, FRENCH) == (
        "Ligne 3, x\u00a0: doit rester dans son mois.\nLe fichier\u00a0: ne doit pas supprimer plus d'une part de 0,5 des lignes."
    )
    assert faults_told(faults, words("en")).splitlines() == [one.sentence for one in faults]


def test_all_that_comes_with_a_contest_says_in_french_what_it_is():
    for game in (INSAnonym(), DARC(), PWSCup(GRID, "identity"), PWSCup(GRID, "trace")):
        told = [one.says for kind in (game.attacks, game.defences, game.metrics) for one in kind.values()]
        told += [one.differs for one in game.metrics.values() if one.differs]
        assert [text for text in told if not has_french(text)] == []


def test_every_refusal_of_a_server_of_contests_has_its_french():
    found = set()
    for room in ("arena", "web"):
        for _, tree in collected.modules(room):
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and collected.name_of(node) == "Refused":
                    found |= {
                        collected.template(arg)
                        for arg in node.args[1:3]
                        if isinstance(arg, (ast.Constant, ast.JoinedStr))
                    }
    found |= set(_REMEDIES.values())
    assert len(found) > 25
    assert [text for text in found if not has_french(text.replace("{kind}", "attack"))] == []

"""Every sentence that reports and terminals say has its French."""

import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import get_args

from sfumato.language.catalogue import catalogue
from sfumato.report import panels
from sfumato.report.section import promised, traces
from sfumato.report.section.base import all_sections
from sfumato.risk.wp216 import Criterion, Verdict
from sfumato.table.schema import Kind, Role

_SPEC = importlib.util.spec_from_file_location("collected", Path(__file__).with_name("collected.py"))
collected = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(collected)

SAID = catalogue("sfumato.language", "fr", "report.po")
TERMINAL = ("arena/organiser.py", "arena/hand.py", "arena/packing.py", "arena/exchange.py")
"""Commands of other rooms."""
ELSEWHERE = (
    *get_args(Criterion), *get_args(Verdict), *promised._KNOWN.values(), *promised._HOLDS.values(),
    *traces._WRONG.values(), *traces._PERSONS.values(),
    panels.OTHER, panels.STAR, "(missing)", "(empty)", "lower is better", "higher is better",
    "No solution loses less.", "A better solution may exist.", "release", "report", "result",
    *(f"SHA-256 of the {name}" for name in ("result", "release", "plan")),
    *(section.heading for section in all_sections() if section.heading),
    *(role.value for role in Role), *(kind.value for kind in Kind),
)  # fmt: skip


@cache
def sentences():
    """All of them, each once."""
    found = [
        *collected.of_templates("sfumato.report"),
        *collected.marked("report"),
        *(text for room in ("cli", "contest", "account", *TERMINAL) for text in collected.marked(room)),
        *ELSEWHERE,
    ]
    return list(dict.fromkeys(text for text in found if text))


def test_every_sentence_has_its_french():
    """And no translation is left of a sentence that nobody says."""
    wanted = sentences()
    assert [text for text in wanted if text not in SAID] == []
    assert sorted(set(SAID) - set(wanted)) == []


def test_a_translation_has_the_same_places():
    """A name that is filled in stands in both."""
    names = re.compile(r"%\(\w+\)s|\{\w*\}")
    filled = [text for text in sentences() if "%(" in text or "{" in text]
    assert filled
    assert [text for text in filled if sorted(names.findall(SAID[text])) != sorted(names.findall(text))] == []

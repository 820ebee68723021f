"""Options of perturbed columns that do not suit each other are refused when the method is built."""

import re

import pytest

from sfumato.document import perturb
from sfumato.document.codec import read
from sfumato.errors import PlanError
from sfumato.mechanism.secret import new_key
from sfumato.noise.bits import SystemBits
from sfumato.release.perturb_methods import column_method
from sfumato.release.plan import PerturbChoice
from sfumato.release.tools import Tools
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.seeded_bits import SeededBits

KEY = {"env": "NAMES"}


def built(cls, options, kind=Kind.DECIMAL, role=Role.SENSITIVE):
    """The method of a column with these options."""
    tools = Tools(SeededBits(1), lambda: 0.0, lambda *_: None, {"NAMES": new_key(SystemBits())})
    choice = PerturbChoice("x", read(cls, options, "the plan"), options)
    return column_method(choice, Column("x", role, kind, bounds=(0.0, 10.0)), tools)


@pytest.mark.parametrize(
    ("cls", "options", "unknown", "known"),
    [
        (perturb.Pram, {"keep": 0.5, "values": ["a", "b"], "strata_values": ["n"]}, "strata_values",
         ["invariant", "keep", "strata", "values"]),
        (perturb.IndividualRanking, {"k": 3, "rows": "ranked"}, "rows", ["digits", "epsilon", "k"]),
        (perturb.Local, {"mechanism": "grr", "epsilon": 1, "values": ["a", "b"], "steps": 9}, "steps",
         ["epsilon", "mechanism", "values"]),
        (perturb.Local, {"mechanism": "laplace", "epsilon": 1, "values": []}, "values",
         ["epsilon", "mechanism", "outside", "steps"]),
        (perturb.Pseudonym, {"key": KEY, "period": "week"}, "period",
         ["alphabet", "characters", "date", "domain", "edition", "fold_case", "form", "keep", "key", "table"]),
        (perturb.Pseudonym, {"key": KEY, "table": "t", "form": "token"}, "form",
         ["characters", "date", "domain", "fold_case", "key", "table"]),
    ],
)  # fmt: skip
def test_an_option_that_says_nothing_beside_the_others_is_refused(cls, options, unknown, known):
    text = f"[columns.x.perturb] must hold known keys only; unknown: ['{unknown}']; known here: {known}."
    with pytest.raises(PlanError, match=re.escape(text)):
        built(cls, options)
    assert built(cls, {name: value for name, value in options.items() if name != unknown}) is not None


@pytest.mark.parametrize(
    ("cls", "options", "absent", "kind"),
    [
        (perturb.Noise, {"law": "gaussian", "deviation": 1}, "step", "a number"),
        (perturb.IndividualRanking, {"k": 3, "epsilon": 1}, "rows", "text"),
        (perturb.Pseudonym, {"key": KEY, "date": "day"}, "period", "text"),
    ],
)
def test_an_option_that_others_make_necessary_is_asked_for(cls, options, absent, kind):
    with pytest.raises(PlanError) as caught:
        built(cls, options)
    assert str(caught.value) == f"[columns.x.perturb] must say `{absent}`. Remedy: add `{absent} = …` ({kind})."


def test_an_identifying_column_gets_pseudonyms_only():
    with pytest.raises(PlanError, match="'x' asks for 'noise'"):
        built(perturb.Noise, {"law": "gaussian", "deviation": 1, "step": 1}, role=Role.IDENTIFYING)
    assert built(perturb.Pseudonym, {"key": KEY}, role=Role.IDENTIFYING).keyed.domain == "x"


@pytest.mark.parametrize("place", [{}, {"env": "NAMES", "file": "names.key"}])
def test_a_key_has_one_place(place):
    with pytest.raises(PlanError, match=r"`key` in \[columns.x.perturb\] must name one place"):
        built(perturb.Pseudonym, {"key": place})

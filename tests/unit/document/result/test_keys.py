"""Every key of every result is described by its class."""

import pytest

from sfumato.document.result.answers import SimulatedResult
from sfumato.document.result.attack import AttackResult, VersionsResult
from sfumato.document.result.budget import BudgetResult
from sfumato.document.result.experiment import ExperimentResult, ExperimentsResult
from sfumato.document.result.judged import ComparisonResult, RiskResult
from sfumato.document.result.keys import keys_of, lines
from sfumato.document.result.lattice import LatticeResult
from sfumato.document.result.release import ReleaseResult
from sfumato.document.result.sweep import SweepResult

RESULTS = [ReleaseResult, RiskResult, ComparisonResult, AttackResult, VersionsResult, SweepResult, LatticeResult, SimulatedResult, ExperimentsResult, ExperimentResult, BudgetResult]  # fmt: skip


@pytest.mark.parametrize("cls", RESULTS)
def test_every_key_has_a_meaning(cls):
    assert [path for path, key in lines(cls) if not key.meaning] == []


@pytest.mark.parametrize("cls", RESULTS)
def test_paths_are_distinct(cls):
    paths = [path for path, _ in lines(cls)]
    assert len(set(paths)) == len(paths)


def test_items_of_lists_and_free_names_are_marked():
    paths = {path for path, _ in lines(ReleaseResult)}
    assert {"promise[].statement", "distributions.*.before", "risk.after[].value"} <= paths


@pytest.mark.parametrize("cls", RESULTS)
def test_the_format_is_the_only_one_allowed(cls):
    assert keys_of(cls)["format"].choices == (cls.tag[1],)


def test_kinds_are_read_off_the_types():
    keys = dict(lines(ReleaseResult))
    told = {path: (keys[path].kind, keys[path].required, keys[path].nullable) for path in (
        "source.rows", "done.suppressed.share", "promise[].holds", "distributions", "paid", "class_sizes.before",
    )}  # fmt: skip
    assert told == {
        "source.rows": ("count", True, True),
        "done.suppressed.share": ("share", False, True),
        "promise[].holds": ("flag", False, False),
        "distributions": ("map", False, False),
        "paid": ("object", False, True),
        "class_sizes.before": ("list", False, False),
    }

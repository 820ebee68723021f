"""Both selections find the strings that are surely there, and few others."""

import sys

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.decode.candidates import candidates_from
from sfumato.mechanism.local.rappor.decode.corrected import corrected
from sfumato.mechanism.local.rappor.decode.decode import decode
from sfumato.mechanism.local.rappor.decode.select import Selection, forward, lasso
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.mechanism.local.rappor.simulate import simulate_counts

PARAMS = RapporParams("home", bits=64, hashes=2, cohorts=8, f="1/4", p="1/4", q="3/4")
NAMES = [f"v{i}" for i in range(300)]
DESIGN = design_bits(PARAMS, NAMES)
PERSONS = np.array([40_000, 30_000, 15_000, 10_000, 5_000] + [0] * 295)


def counts(seed=1, persons=PERSONS):
    return simulate_counts(PARAMS, persons, DESIGN, rng=np.random.default_rng(seed))


def test_forward_selects_every_large_string_and_tells_its_progress():
    seen = []
    data, candidates = corrected(PARAMS, counts()), candidates_from(NAMES, DESIGN, 64)
    found = forward(data, candidates, background=True, progress=lambda *now: seen.append(now[0]))
    assert {0, 1, 2, 3, 4} <= set(found.selected)
    assert len(found.selected) < 12
    assert seen[0] == 1
    assert seen[-1] == len(found.selected)


def test_the_lasso_selects_every_large_string():
    pytest.importorskip("sklearn")
    found = lasso(corrected(PARAMS, counts()), candidates_from(NAMES, DESIGN, 64), background=True)
    assert {0, 1, 2, 3, 4} <= set(found.selected)
    assert len(found.selected) < 60


def test_both_selections_give_nearly_the_same_estimates():
    pytest.importorskip("sklearn")
    one, other = (decode(PARAMS, counts(), NAMES, design=DESIGN, selection=selection) for selection in Selection)
    assert one.found[:5].all()
    assert other.found[:5].all()
    assert np.abs(one.share - other.share)[:5].max() < one.error[:5].max()


def test_the_lasso_without_scikit_learn_names_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(ParameterError, match="learn"):
        lasso(corrected(PARAMS, counts()), candidates_from(NAMES, DESIGN, 64), background=True)


def test_selection_ends_where_rows_end():
    """One cohort of four bits and fifty candidates: at most half of the rows are used."""
    params = RapporParams("small", bits=4, hashes=2, cohorts=1, f="1/4", p="1/4", q="3/4")
    design = np.random.default_rng(3).integers(0, 4, (50, 1, 2))
    seen = simulate_counts(params, np.arange(50) * 10, design, rng=np.random.default_rng(1))
    found = forward(
        corrected(params, seen), candidates_from(NAMES[:50], design, 4), background=True, progress=lambda *_: None
    )
    assert len(found.selected) <= 1

"""Personal k and l under every method, against rows in a loop and all nodes of the lattice."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from tests.unit.mechanism.recode.raw_tables import attributes, classes_of_labels, few, labels_of_rows, raws

from sfumato.errors import NoSolution
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.personal_k import PersonalK
from sfumato.guarantee.personal_l import PersonalL
from sfumato.mechanism.recode.full_domain.fixed import FixedLevels
from sfumato.mechanism.recode.full_domain.method import FullDomain
from sfumato.mechanism.recode.local_recoding import LocalRecoding
from sfumato.mechanism.recode.microaggregation.centers import Spelling
from sfumato.mechanism.recode.microaggregation.method import Microaggregation
from sfumato.mechanism.recode.mondrian.mondrian import Mondrian
from sfumato.testing.examples import asking
from sfumato.utility.loss.precision import PrecisionLoss

WISHES = {kind: (PersonalK("asked"), PersonalL("illness", "wish", kind)) for kind in ("distinct", "frequency")}
fewer = settings(few, max_examples=6)
kinds = pytest.mark.parametrize("kind", WISHES)


def wish(raw):
    """(n,) the l that each row asks for: 0, 1 or 2."""
    return raw.asks % 3


def summary(raw):
    """What an engine would make, the wishes for l included."""
    classes = raw.classes()
    asks = np.zeros(classes.n_classes, np.int64)
    member = np.unique(raw.codes, axis=0, return_inverse=True)[1].ravel()
    np.maximum.at(asks, member, wish(raw))
    return asking(classes, "wish", asks.tolist())


def content(raw, rows, kind):
    """Whether everybody in a class has what they ask for, person by person."""
    values = raw.illness[rows].tolist()
    ask = int(wish(raw)[rows].max())
    diverse = len(set(values)) >= ask if kind == "distinct" else max(map(values.count, values)) * ask <= len(values)
    return len(set(raw.person[rows].tolist())) >= raw.asks[rows].max() and diverse


def hidden_rows(raw, levels, kind):
    """Rows in classes that do not content everybody, at one node of the lattice."""
    groups = {}
    for i, row in enumerate(raw.codes.tolist()):
        key = tuple(int(a.hierarchy.ancestors[level][v]) for a, level, v in zip(attributes(), levels, row, strict=True))
        groups.setdefault(key, []).append(i)
    return sum(len(rows) for rows in groups.values() if not content(raw, rows, kind))


@kinds
@fewer
@given(raws())
def test_the_full_domain_search_finds_the_best_node_that_contents_everybody(kind, raw):
    n, finest = len(raw.person), summary(raw)
    limit = Fraction(1, 4)
    losses = []
    for levels in product(*(range(a.hierarchy.height + 1) for a in attributes())):
        named = {a.name: level for a, level in zip(attributes(), levels, strict=True)}
        fixed = FixedLevels(WISHES[kind], limit, PrecisionLoss(), named)
        hidden = hidden_rows(raw, levels, kind)
        if hidden <= limit * n and hidden < n:
            decision = fixed.decide(finest, attributes())
            assert decision.suppressed_rows == hidden
            losses.append(decision.loss)
        else:
            with pytest.raises(NoSolution):
                fixed.decide(finest, attributes())
    search = FullDomain(criteria=WISHES[kind], suppression_limit=limit, loss=PrecisionLoss())
    if losses:
        assert search.decide(finest, attributes()).loss == pytest.approx(min(losses))
    else:
        with pytest.raises(NoSolution):
            search.decide(finest, attributes())


@kinds
@pytest.mark.parametrize(
    "method",
    [
        Mondrian,
        LocalRecoding,
        lambda criteria: Microaggregation((KAnonymity(2), *criteria), Spelling({}, {})),
    ],
    ids=["mondrian", "local-recoding", "microaggregation"],
)
@fewer
@given(raw=raws(persons=True))
def test_classes_of_the_other_methods_content_everybody(kind, method, raw):
    everybody = np.arange(len(raw.person))
    assume(content(raw, everybody, kind) and len(set(raw.person.tolist())) >= 2)
    decision = method(WISHES[kind]).decide(summary(raw), attributes())
    groups = classes_of_labels(raw, labels_of_rows(raw, decision))
    assert all(content(raw, np.array(rows), kind) for rows in groups.values())

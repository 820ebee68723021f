"""m-invariance against its definition, person by person."""

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.guarantee.m_invariance import MInvariance, Version, changed, invariance


def counts(version):
    """The table of all classes and values."""
    out = np.zeros((version.n_classes, 4), np.int64)
    out[version.owner, version.value] = version.count
    return out


def twin(versions):
    """The largest m by the definition."""
    sizes = []
    for version in versions:
        for row in counts(version):
            if row.sum():
                if row.max() > 1:
                    return 0
                sizes.append(int(row.sum()))
    for person in range(len(versions[0].host)):
        seen = {tuple(counts(v)[v.host[person]] > 0) for v in versions if v.host[person] >= 0}
        if len(seen) > 1:
            return 0
    return min(sizes, default=0)


def test_it_is_the_definition():
    rng, met = np.random.default_rng(1), set()
    for _ in range(600):
        classes = [np.array([[1, 1, 0, 0], [0, 0, 1, 1]]), np.array([[1, 1, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0]])]
        series = [Version.of_table(c, rng.integers(-1, len(c), 2)) for c in (classes[i] for i in rng.integers(0, 2, 2))]
        met.add(twin(series))
        assert invariance(series) == twin(series)
    assert met == {0, 2}


def test_the_same_signature_again_rules_nothing_out():
    same = Version.of_table(np.array([[1, 1, 1], [1, 1, 1]]), np.array([0, 1]))
    other = Version.of_table(np.array([[1, 1, 1]]), np.array([0, -1]))
    assert invariance([same, other]) == 3
    assert MInvariance(3).holds([same, other])
    assert not MInvariance(4).holds([same, other])


def test_a_repeated_value_or_a_lost_one_breaks_it():
    good, lost = (
        Version.of_table(np.array([[1, 1, 1]]), np.array([0])),
        Version.of_table(np.array([[1, 1, 0]]), np.array([0])),
    )
    assert invariance([good, lost]) == 0
    assert changed([good, lost]).tolist() == [True]
    assert invariance([Version.of_table(np.array([[2, 1, 1]]), np.array([0]))]) == 0


def test_the_promise_is_said():
    found = MInvariance(3).guarantee()
    assert "at least 3 rows" in found.statement
    assert found.kind == "checked"


@pytest.mark.parametrize("m", [1, 2.0, True])
def test_m_is_a_whole_number_from_two(m):
    with pytest.raises(ParameterError, match="`m` must be a whole number from 2"):
        MInvariance(m)


def test_releases_list_the_same_persons():
    one = Version.of_table(np.array([[1, 1]]), np.array([0]))
    for series in ([], [one, Version.of_table(np.array([[1, 1]]), np.array([0, 0]))]):
        with pytest.raises(ParameterError, match="the same persons"):
            invariance(series)

"""What every scheme for several attributes must do."""

import numpy as np
import pytest

from sfumato.errors import ParameterError, ReportError
from sfumato.mechanism.local.several.catalog import LABELS, scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.mechanism.local.several.simulate import simulate
from sfumato.study.reproduce.mse import expected_mse
from sfumato.testing.seeded_bits import SeededBits

SIZES = (2, 9, 3)
PRIORS = ((0.25, 0.75), (0.2, *([0.1] * 8)), (0.5, 0.25, 0.25))
VALUES = np.column_stack([np.arange(90) % k for k in SIZES])


class NoBits:
    """A source that must not be asked."""

    is_secure = False

    def words(self, n):
        raise AssertionError("chance was drawn")


def scheme_of(label, epsilon=1.0):
    return scheme_by_label(label, epsilon, SIZES, calibration=Calibration.TUPLE_LEVEL, priors=PRIORS)


@pytest.fixture(params=LABELS)
def scheme(request):
    return scheme_of(request.param)


def test_it_is_named_as_it_was_asked_for(scheme):
    assert scheme.label in LABELS


def test_it_prints_its_name_and_all_epsilons(scheme):
    assert str(scheme) == f"{scheme.label}: {scheme.epsilons}"


def test_its_two_promises_have_its_exact_epsilons(scheme):
    whole, one = scheme.guarantees()
    assert whole.parameters["epsilon"] == scheme.epsilons.tuple_level
    assert one.parameters["epsilon"] == scheme.epsilons.one_attribute


def test_counts_of_parts_add_up_to_counts_of_the_whole(scheme):
    reports = [scheme.randomize(VALUES, bits=SeededBits(seed)) for seed in (1, 2)]
    total = scheme.count_support(reports[0]) + scheme.count_support(reports[1])
    whole = [scheme.from_bytes(scheme.to_bytes(r)) for r in reports]
    again = scheme.count_support(whole[0]) + scheme.count_support(whole[1])
    assert [a.tolist() for a in total.support] == [b.tolist() for b in again.support]
    assert total.reports == again.reports


def test_numbers_of_another_type_make_the_same_scheme(scheme):
    sizes, priors = [np.int64(k) for k in SIZES], [np.array(prior) for prior in PRIORS]
    again = scheme_by_label(scheme.label, np.float64(1), sizes, calibration=Calibration.TUPLE_LEVEL, priors=priors)
    reports = scheme.randomize(VALUES, bits=SeededBits(1))
    assert (
        scheme.count_support(again.from_bytes(scheme.to_bytes(reports))).reports
        == scheme.count_support(reports).reports
    )


def test_bytes_of_another_epsilon_are_refused(scheme):
    data = scheme.to_bytes(scheme.randomize(VALUES, bits=SeededBits(1)))
    with pytest.raises(ReportError):
        scheme_of(scheme.label, epsilon=1.5).from_bytes(data)


@pytest.mark.parametrize("damage", [lambda d: d[:-1], lambda d: d + b"x", lambda d: b"", lambda d: b"\x07" + d[1:]])
def test_damaged_bytes_are_refused(scheme, damage):
    data = scheme.to_bytes(scheme.randomize(VALUES, bits=SeededBits(1)))
    with pytest.raises(ReportError):
        scheme.from_bytes(damage(data))


@pytest.mark.parametrize(
    "values", [[[0, 9, 0]], [[-1, 0, 0]], [[0, 0]], [0, 0, 0], [[0.5, 0.0, 0.0]], [["a", "b", "c"]]]
)
def test_persons_outside_the_domain_are_refused_before_chance_is_drawn(scheme, values):
    with pytest.raises(ParameterError):
        scheme.randomize(np.array(values), bits=NoBits())


def test_a_refusal_does_not_repeat_the_value(scheme):
    with pytest.raises(ParameterError) as caught:
        scheme.randomize(np.array([[0, 777, 0]]), bits=NoBits())
    assert "777" not in str(caught.value)


def test_nobody_is_a_report_of_nobody(scheme):
    reports = scheme.randomize(np.zeros((0, 3), np.int64), bits=SeededBits(1))
    assert scheme.count_support(reports).reports == (0, 0, 0)


def test_the_whole_record_is_protected_as_asked(scheme):
    asked = 3.0 if scheme.name == "every attribute" else 1.0
    assert scheme.epsilons.one_attribute <= scheme.epsilons.tuple_level <= asked


def test_simulated_estimates_err_as_much_as_the_exact_variance_says(scheme):
    held = [np.array([3000, 1000]), np.array([2000, *([250] * 8)]), np.array([2500, 1000, 500])]
    truth = [h / h.sum() for h in held]
    runs = [scheme.estimate(counts) for counts in simulate(scheme, held, 400, rng=np.random.default_rng(5))]
    each = [np.mean([((e - f) ** 2).mean() for e, f in zip(run, truth, strict=True)]) for run in runs]
    error = np.std(each, ddof=1) / 20
    assert abs(np.mean(each) - expected_mse(scheme, held)) < 6 * error


@pytest.mark.parametrize("sizes", [(), (1,), (2, 1), (2, 0)])
def test_a_domain_without_a_choice_is_refused(sizes):
    with pytest.raises(ParameterError):
        scheme_by_label("SMP[GRR]", 1.0, sizes, calibration=Calibration.TUPLE_LEVEL)


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(ParameterError, match="SMP"):
        scheme_by_label("SMP[XYZ]", 1.0, (2,), calibration=Calibration.TUPLE_LEVEL)


def test_realistic_fakes_need_priors():
    with pytest.raises(ParameterError, match="prior"):
        scheme_by_label("RS+RFD[GRR]", 1.0, (2, 3), calibration=Calibration.TUPLE_LEVEL)

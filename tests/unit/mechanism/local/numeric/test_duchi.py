import math

import numpy as np
import pytest

from sfumato.mechanism.local.numeric.duchi import Duchi
from sfumato.mechanism.local.numeric.estimate import report_variance
from sfumato.mechanism.local.numeric.grid import Grid


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_its_variance_is_that_of_the_paper(epsilon):
    """((e^ε+1)/(e^ε-1))² - x², on [-1, 1]."""
    values = np.array([-1.0, -0.3, 0.0, 0.8])
    reach = (math.exp(epsilon) + 1) / (math.exp(epsilon) - 1)
    found = report_variance(Duchi(Grid(-1.0, 1.0, steps=10), epsilon), values)
    assert np.allclose(found, reach**2 - values**2)


def test_its_bit_does_not_depend_on_the_resolution():
    coarse, fine = (Duchi(Grid(0.0, 1.0, steps), 1.0) for steps in (1, 1000))
    assert coarse.coin == fine.coin
    assert coarse.outputs().tolist() == fine.outputs().tolist()

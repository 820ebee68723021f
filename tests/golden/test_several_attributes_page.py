"""The tables of docs/concepts/several-attributes.md are what the code computes."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests.golden.ldp_tables import histograms_of

from sfumato.mechanism.local.several.catalog import scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.study.reproduce.mse import expected_mse

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "concepts" / "several-attributes.md"
LN = {"ln 2": math.log(2), "ln 4": math.log(4), "ln 7": math.log(7)}


def rows(width, second):
    """Rows of the page's tables: cells, where there are so many and the second begins so."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(("| RS", "| S", "| every"))]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if len(row) == width and row[1].startswith(second)]


@pytest.fixture(scope="module")
def adult(shared):
    return histograms_of(shared)["adult"]


def test_true_epsilons_of_published_calibrations(adult):
    found = rows(4, "ln")
    assert len(found) == 10
    for label, published, whole, one in found:
        priors = [(held / held.sum()).tolist() for held in adult]
        sizes = [len(held) for held in adult]
        scheme = scheme_by_label(label, LN[published], sizes, calibration=Calibration.AS_PUBLISHED, priors=priors)
        assert str(scheme.epsilons).startswith(f"epsilon of the whole record {whole}; of one attribute {one};")


def test_errors_at_equal_true_epsilon(adult):
    found = [*rows(5, "whole record"), *rows(5, "one attribute")]
    assert len(found) == 8
    for label, neighbors, *errors in found:
        calibration = Calibration.TUPLE_LEVEL if neighbors == "whole record" else Calibration.ONE_ATTRIBUTE
        sizes = [len(held) for held in adult]
        for epsilon, shown in zip(LN.values(), errors, strict=True):
            scheme = scheme_by_label(label, epsilon, sizes, calibration=calibration)
            assert f"{expected_mse(scheme, adult):.2e}" == shown


def test_accuracies_of_the_attack_are_the_benchs():
    lines = json.loads((ROOT / "bench" / "results" / "sampled_attribute.json").read_text("utf-8"))["rows"]
    found = rows(4, "2") + rows(4, "3")
    assert len(found) == 3
    for label, *accuracies in found:
        for epsilon, shown in zip((1, 6, 10), accuracies, strict=True):
            [best] = [
                line["accuracy"]
                for line in lines
                if (line["who"], line["scheme"], line["epsilon"]) == ("closed form", label, epsilon)
            ]
            assert f"{np.round(100 * best):.0f} %" == shown

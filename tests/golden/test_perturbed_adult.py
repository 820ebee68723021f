"""What perturbing the ages of Adult leaves: the table of the guide, and the same from every row."""

import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from tests.golden.adult import columns

from sfumato.mechanism.perturb.coding import coded_pairs
from sfumato.mechanism.perturb.noise import Noise
from sfumato.mechanism.perturb.noise_law import NoiseName
from sfumato.recipe.steps import Round, TopBottom
from sfumato.release.perturbing import Left
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.seeded_bits import SeededBits

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "perturb-columns.md"


@pytest.fixture(scope="module")
def ages(shared):
    """The column bound, its counts, and the ages of all rows."""
    texts, counts = np.unique(columns(shared)["age"], return_counts=True)
    attribute = bind(Column("age", Role.SENSITIVE, Kind.INTEGER), texts.tolist())
    place = [texts.tolist().index(label) for label in attribute.hierarchy.labels[0]]
    return attribute, counts[place], columns(shared)["age"].astype(float)


def shown(name):
    """Error, unchanged and within 10 % as the guide shows them."""
    line = next(line for line in GUIDE.read_text("utf-8").splitlines() if line.startswith(f"| {name} |"))
    return [float(number) for number in re.findall(r"([\d.]+)", line.removeprefix(f"| {name} |"))[:3]]


@pytest.mark.parametrize(
    ("name", "steps"),
    [("rounding to 5", [Round("age", 5)]), ("rounding to 10", [Round("age", 10)]),
     ("ages above 70 become 70", [TopBottom("age", None, "", 70, "70")])],
)  # fmt: skip
def test_coding_leaves_what_the_rows_say(ages, name, steps):
    attribute, counts, rows = ages
    left = Left.of(attribute, counts, coded_pairs(attribute.positions, counts, steps))
    figures = {figure.name: figure.value for figure in (*left.worth, *left.risk)}
    base = getattr(steps[0], "base", None)
    published = np.minimum(rows, 70) if base is None else np.floor(rows / base + 0.5) * base
    by_row = (
        np.sqrt(np.mean((rows - published) ** 2)),
        np.mean(rows == published),
        np.mean(np.abs(rows - published) <= published / 10),
    )
    found = figures["root_error"], figures["unchanged"], figures["within_10_percent"]
    assert found == pytest.approx(by_row)
    assert [round(found[0], 2), round(100 * found[1], 1), round(100 * found[2], 1)] == shown(name)


@pytest.mark.parametrize(
    ("name", "law", "deviation"),
    [("Gaussian noise, deviation 2", "gaussian", 2), ("Gaussian noise, deviation 5", "gaussian", 5),
     ("Laplace noise, deviation 5", "laplace", 5)],
)  # fmt: skip
def test_noise_leaves_what_the_guide_says(ages, name, law, deviation):
    """And what one draw for every row shows, within six deviations of a share of 30,162 rows."""
    attribute, counts, rows = ages
    decision = Noise(NoiseName(law), Fraction(deviation), Decimal(1), None).decide(
        attribute, counts, bits=SeededBits(1)
    )
    left = Left.of(attribute, counts, decision.blur)
    figures = {figure.name: figure.value for figure in (*left.worth, *left.risk)}
    error, same, near = figures["root_error"], figures["unchanged"], figures["within_10_percent"]
    assert [round(error, 2), round(100 * same, 1), round(100 * near, 1)] == shown(name)
    drawn = rows + decision.step.draw.law.draw(len(rows), bits=SeededBits(2))
    slack = 6 * 0.5 / np.sqrt(len(rows))
    assert np.mean(drawn == rows) == pytest.approx(same, abs=slack)
    assert np.mean(np.abs(rows - drawn) <= np.abs(drawn) / 10) == pytest.approx(near, abs=slack)

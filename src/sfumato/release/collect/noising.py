"""How is a whole table noised person by person? Every column declares its mechanism, bounds and epsilon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from sfumato.engine.duckdb.columns import codes, texts, write_columns
from sfumato.engine.duckdb.scan import scan
from sfumato.errors import PlanError, SchemaError
from sfumato.mechanism.local.numeric.base import NumericMechanism
from sfumato.mechanism.local.numeric.duchi import Duchi
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.hybrid import Hybrid
from sfumato.mechanism.local.numeric.laplace import BoundedLaplace
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.mechanism.local.numeric.square_wave import SquareWave
from sfumato.mechanism.local.numeric.staircase import CalibratedStaircase, NaiveStaircase
from sfumato.mechanism.local.registry import oracles
from sfumato.mechanism.local.sanitize import ColumnMechanism, Sanitized, sanitize
from sfumato.release.document import Section, load_toml

if TYPE_CHECKING:
    from sfumato.engine.base import Receipt
    from sfumato.mechanism.local.numeric.grid import Outside
    from sfumato.noise.bits import Bits
    from sfumato.table.source import Sink, Source
    from sfumato.types import FloatArray

VERSION = 1
"""Version of the noising document."""
STEPS = 256
"""Steps of the grid between two bounds where a document does not say."""

_NUMERIC = {
    "laplace": BoundedLaplace,
    "staircase": CalibratedStaircase,
    "naive staircase": NaiveStaircase,
    "piecewise": Piecewise,
    "duchi": Duchi,
    "hybrid": Hybrid,
    "square wave": SquareWave,
}


@dataclass(frozen=True, slots=True)
class Noising:
    """What happens to each column.

    Args:
        mechanisms: by column, in the order in which they are published.
        values: the declared domain of each column of categories.
        dropped: columns that are left out; a column that is neither blocks the work.
    """

    mechanisms: Mapping[str, ColumnMechanism]
    values: Mapping[str, tuple[str, ...]]
    dropped: tuple[str, ...]


def read_noising(path: Path) -> Noising:
    """Read a noising document from TOML.

    Raises:
        PlanError: the file cannot be read, or says something unknown.
    """
    return noising_from(load_toml(path, "noising document"))


def noising_from(document: Mapping[str, object]) -> Noising:
    """Build from a document: `sfumato_noising = 1`, `drop`, and `[columns.*]`.

    A column of numbers says `mechanism`, `epsilon`, `bounds` and, if it wants, `steps`, `integers` and
    `outside`; a column of categories says `mechanism = "grr"`, `epsilon` and `values`. Nothing that
    protects has a default.

    Raises:
        PlanError: a key is absent, unknown or of the wrong type.

    Example:
        >>> asked = {"sfumato_noising": 1, "columns": {"age": {"mechanism": "laplace", "epsilon": 1, "bounds": [0, 99]}}}
        >>> noising_from(asked).mechanisms["age"].epsilon <= 1
        True
    """
    top = Section("the document", document)
    if top.required("sfumato_noising", int) != VERSION:
        raise PlanError("`sfumato_noising` must be {version}.", "correct it.", version=VERSION)
    reporting = {name.lower(): oracle for name, oracle in oracles().items() if oracle.reports_values}
    mechanisms: dict[str, ColumnMechanism] = {}
    values: dict[str, tuple[str, ...]] = {}
    for name, items in top.required("columns", dict).items():
        section = Section(f"[columns.{name}]", items)
        kind, epsilon = section.required("mechanism", str), section.required("epsilon", float)
        if kind in reporting:
            values[name] = section.texts("values")
            mechanisms[name] = reporting[kind](epsilon, len(values[name]))
        elif kind in _NUMERIC:
            mechanisms[name] = _NUMERIC[kind](_grid(section), epsilon)
        else:
            raise PlanError(
                "`mechanism` in {where} must be one of {given}; got {kind!r}.",
                "choose one.",
                where=section.where,
                given=[*reporting, *_NUMERIC],
                kind=kind,
            )
        section.finish()
    noising = Noising(mechanisms, values, top.texts("drop"))
    top.finish()
    return noising


def _grid(section: Section) -> Grid:
    """The declared bounds and resolution of a column of numbers."""
    bounds = section.required("bounds", list)
    if len(bounds) != 2:
        raise PlanError(
            "`bounds` in {where} must be [lowest, highest].", "declare what is possible.", where=section.where
        )
    outside = cast("Outside", section.default("outside", str, "refuse"))
    if section.default("integers", bool, value=False):
        return Grid.integers(bounds[0], bounds[1], outside=outside)
    return Grid(bounds[0], bounds[1], section.default("steps", int, STEPS), outside)


def _is_whole(mechanism: NumericMechanism) -> bool:
    """Whether whole numbers were declared and everything that can be published is one."""
    grid, published = mechanism.grid, mechanism.outputs()
    return grid.step == 1 and grid.low.is_integer() and bool(np.all(published == np.rint(published)))


def noise_table(noising: Noising, source: Source, sink: Sink, *, bits: Bits) -> tuple[Sanitized, Receipt]:
    """Noise every row on its own and write the table.

    Args:
        noising: what happens to each column.
        source: one row for each person.
        sink: where the noised table goes.
        bits: secure chance.

    Raises:
        SchemaError: an undeclared column, or cells that are no number or lie outside their domain.
    """
    table = scan(source)
    undeclared = [n for n in table.header.names if n not in noising.mechanisms and n not in noising.dropped]
    if undeclared:
        raise SchemaError(
            "Every column must be declared; undeclared: {undeclared}.",
            "add a mechanism, or list them in `drop`.",
            undeclared=undeclared,
        )
    columns = {
        name: codes(table, name, noising.values[name]) if name in noising.values else _numbers(name, texts(table, name))
        for name in noising.mechanisms
    }
    noised = sanitize(columns, noising.mechanisms, bits=bits)
    written: dict[str, Sequence[object]] = {}
    for name, column in noised.columns.items():
        domain = noising.values.get(name)
        mechanism = noising.mechanisms[name]
        if isinstance(mechanism, NumericMechanism) and _is_whole(mechanism):
            written[name] = np.rint(column).astype(np.int64).tolist()
        else:
            written[name] = column.tolist() if domain is None else [domain[code] for code in column.tolist()]
    return noised, write_columns(written, sink)


def _numbers(name: str, cells: Sequence[str | None]) -> FloatArray:
    """(n,) float64: the cells of a column of numbers."""
    try:
        numbers = np.array([float(cell.replace(",", ".")) if cell is not None else np.nan for cell in cells])
    except ValueError:
        numbers = np.array([np.nan])
    if np.isnan(numbers).any():
        raise SchemaError(
            "Every cell of {name!r} must be a number; some are missing or are none.",
            "leave those rows out beforehand.",
            name=name,
        )
    return numbers

"""What can be asked of a private table? A question as plain data, the same from Python and from SQL."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.summary.bounded import Condition, Keyed


class Aggregate(Enum):
    """What is computed over the rows of each group."""

    COUNT = "count"
    """Rows, each person's rows bounded."""
    PERSONS = "persons"
    """Distinct persons."""
    SUM = "sum"
    MEAN = "mean"
    VARIANCE = "variance"
    """Mean squared distance from the mean (divisor n)."""
    DEVIATION = "deviation"
    """Square root of the variance."""
    COVARIANCE = "covariance"
    """Covariance matrix of several columns (divisor n)."""
    PAIR = "pair covariance"
    """Covariance of two columns alone (divisor n)."""
    QUANTILES = "quantiles"


@dataclass(frozen=True, slots=True)
class Query:
    """One question.

    Args:
        aggregate: what is computed.
        columns: of which columns; () for COUNT and PERSONS, or one that must not be missing.
        by: grouping columns, in order.
        where: public conditions, all of which a row must meet.
        quantiles: increasing, in (0, 1); only for QUANTILES.
        method: name of the quantile method; "": chosen by a rule that does not read the data.
        expected: declared guess of the number of rows, for choices made before reading; None: no guess.
        join: name of the public table that is joined first; None: none.
        inner: whether rows without a public row are left out (INNER JOIN); else what it adds is missing there (LEFT JOIN).
    """

    aggregate: Aggregate
    columns: tuple[str, ...] = ()
    by: tuple[Keyed, ...] = ()
    where: tuple[Condition, ...] = ()
    quantiles: tuple[Fraction, ...] = ()
    method: str = ""
    expected: int | None = None
    join: str | None = None
    inner: bool = False

    @property
    def sentence(self) -> str:
        """The question in one canonical line: equal questions have equal lines.

        Example:
            >>> from sfumato.summary.bounded import Comparison, Condition
            >>> Query(Aggregate.MEAN, ("age",), where=(Condition("sex", Comparison.EQUAL, ("F",)),)).sentence
            "mean(age) where sex = 'F'"
        """
        inside = [*self.columns, *(str(q) for q in self.quantiles)]
        parts = [f"{self.aggregate.value}({', '.join(inside)})"]
        if self.method:
            parts.append(f"method {self.method}")
        if self.expected is not None:
            parts.append(f"expecting {self.expected} rows")
        if self.join is not None:
            parts.append(f"{'inner ' if self.inner else ''}join {self.join}")
        if self.by:
            parts.append("by " + ", ".join(_group(keyed) for keyed in self.by))
        if self.where:
            parts.append("where " + " and ".join(_condition(one) for one in self.where))
        return " ".join(parts)


def _group(keyed: Keyed) -> str:
    """A grouping column with its declared groups."""
    if isinstance(keyed.domain, Range):
        edges = "" if keyed.edges is None else f" at {', '.join(str(keyed.domain.value(e)) for e in keyed.edges)}"
        return f"{keyed.column}{edges}"
    if isinstance(keyed.domain, Categories):
        return f"{keyed.column} in {list(keyed.domain.values)}"
    return f"{keyed.column} (keys from the table)"


def _condition(condition: Condition) -> str:
    """A condition with its public values."""
    values = ["'" + value.replace("'", "''") + "'" for value in condition.values]
    right = values[0] if len(values) == 1 else f"({', '.join(values)})"
    return f"{condition.column} {condition.comparison.value} {right}"

"""The method that [columns.NAME.perturb] names, built of its typed options before any data are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sfumato.document import perturb as document
from sfumato.errors import PlanError
from sfumato.mechanism.perturb.individual_ranking import IndividualRanking, Private
from sfumato.mechanism.perturb.individual_ranking import Rows as RankedRows
from sfumato.mechanism.perturb.noise import Noise
from sfumato.mechanism.perturb.noise_law import NoiseName
from sfumato.mechanism.perturb.pram_column import PramColumn
from sfumato.mechanism.perturb.pram_strata import StratifiedPram
from sfumato.mechanism.perturb.rank_swap import RankSwapping
from sfumato.mechanism.perturb.record_swap import RecordSwapping
from sfumato.release.perturb_local import local
from sfumato.release.pseudonyms import hashed, pseudonym
from sfumato.table.schema import Kind, Role

if TYPE_CHECKING:
    from sfumato.mechanism.perturb.column_method import ColumnMethod, TupleMethod
    from sfumato.release.plan import PerturbChoice
    from sfumato.release.tools import Tools
    from sfumato.table.schema import Column

Builder = Callable[["Column", Any, "PerturbChoice", "Tools"], "ColumnMethod | TupleMethod"]


def column_method(choice: PerturbChoice, column: Column, tools: Tools) -> ColumnMethod | TupleMethod:
    """The method of one column.

    Args:
        choice: as written in the plan.
        column: its declaration.
        tools: where keys are found.

    Raises:
        PlanError: an option that does not suit the column or the others, or a role that does not allow it.
    """
    if column.role is Role.IDENTIFYING and not isinstance(choice.said, _NAMING):
        raise PlanError(
            "An identifying column can be published as pseudonyms only; {column!r} asks for {method!r}.",
            "leave the column out, or give it a pseudonym.",
            column=choice.column,
            method=choice.method,
        )
    return _BUILDERS[type(choice.said)](column, choice.said, choice, tools)


def _pram(column: Column, said: document.Pram, choice: PerturbChoice, tools: Tools) -> ColumnMethod | TupleMethod:
    """Post-randomization, by strata where a column of them is named."""
    del column, tools
    plain = PramColumn(said.values, said.keep, said.invariant)
    if said.strata is not None:
        return StratifiedPram(plain, said.strata, said.strata_values)
    choice.check_only("keep", "values", "invariant", "strata")
    return plain


def _noise(column: Column, said: document.Noise, choice: PerturbChoice, tools: Tools) -> ColumnMethod:
    """Added noise; its deviation in units of the column, or as a share of the declared range."""
    del tools
    deviation, share = said.deviation, said.relative
    if (deviation is None) == (share is None):
        raise PlanError("{where} must say either `deviation` or `relative`.", "give one of them.", where=choice.where)
    if (share is not None or said.clamp) and column.bounds is None:
        raise PlanError(
            "`relative` and `clamp` in {where} need the declared range of the column.",
            "add `bounds = [lowest, highest]` to [columns.{name}].",
            where=choice.where,
            name=column.name,
        )
    low, high = (Fraction(str(end)) for end in column.bounds or (0.0, 0.0))
    spread = Fraction(str(deviation)) if share is None else Fraction(str(share)) * (high - low)
    return Noise(NoiseName(said.law), spread, _step(column, said, choice), (low, high) if said.clamp else None)


def _step(column: Column, said: document.Noise, choice: PerturbChoice) -> Decimal:
    """In which steps numbers are published: 1 for whole numbers and days."""
    if column.kind is Kind.DECIMAL:
        return Decimal(str(choice.needed("step", said.step, float)))
    step = 1.0 if said.step is None else said.step
    if step != int(step):
        raise PlanError(
            "`step` in {where} must be whole for whole numbers and days.", "give such as 1.", where=choice.where
        )
    return Decimal(int(step))


def _rank_swapping(column: Column, said: document.RankSwapping, choice: PerturbChoice, tools: Tools) -> ColumnMethod:
    """Exchange of values that are near in rank."""
    del column, choice, tools
    return RankSwapping(Fraction(str(said.share)))


def _individual_ranking(
    column: Column, said: document.IndividualRanking, choice: PerturbChoice, tools: Tools
) -> ColumnMethod:
    """Means of the cells that are near in rank; noisy ones where `epsilon` is given."""
    del tools
    if said.epsilon is None:
        method = IndividualRanking(said.k, said.digits, None)
        choice.check_only("k", "digits", "epsilon")
        return method
    if column.bounds is None:
        raise PlanError(
            "`epsilon` in {where} needs the declared range of the column.",
            "add `bounds = [lowest, highest]` to [columns.{name}].",
            where=choice.where,
            name=column.name,
        )
    low, high = (Fraction(str(end)) for end in column.bounds)
    rows = RankedRows(choice.needed("rows", said.rows, str))
    return IndividualRanking(said.k, said.digits, Private(Fraction(str(said.epsilon)), (low, high), rows))


def _record_swapping(column: Column, said: document.RecordSwapping, choice: PerturbChoice, tools: Tools) -> TupleMethod:
    """Exchange of regions between rows that look alike."""
    del column, choice, tools
    return RecordSwapping(said.match, said.key, said.at_risk, Fraction(str(said.share)))


_NAMING = (document.Pseudonym, document.Hash)
"""Methods that give pseudonyms, also to identifying columns."""

_BUILDERS: Mapping[type, Builder] = MappingProxyType(
    {
        document.Pram: _pram,
        document.Noise: _noise,
        document.RankSwapping: _rank_swapping,
        document.RecordSwapping: _record_swapping,
        document.IndividualRanking: _individual_ranking,
        document.Pseudonym: pseudonym,
        document.Hash: hashed,
        document.Local: local,
    }
)

"""Which method does [columns.NAME.perturb] name? Built here, with all options read, before any data are."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import PlanError
from sfumato.mechanism.perturb.individual_ranking import IndividualRanking, Private
from sfumato.mechanism.perturb.individual_ranking import Rows as RankedRows
from sfumato.mechanism.perturb.noise import Noise
from sfumato.mechanism.perturb.noise_law import NoiseName
from sfumato.mechanism.perturb.pram_column import PramColumn
from sfumato.mechanism.perturb.pram_strata import StratifiedPram
from sfumato.mechanism.perturb.rank_swap import RankSwapping
from sfumato.mechanism.perturb.record_swap import RecordSwapping
from sfumato.release.document import Section
from sfumato.release.perturb_local import local
from sfumato.release.pseudonyms import hashed, pseudonym
from sfumato.table.schema import Kind, Role

if TYPE_CHECKING:
    from sfumato.mechanism.perturb.column_method import ColumnMethod, TupleMethod
    from sfumato.release.plan import PerturbChoice
    from sfumato.release.tools import Tools
    from sfumato.table.schema import Column

Builder = Callable[["Column", Section, "PerturbChoice", "Tools"], "ColumnMethod | TupleMethod"]


def column_method(choice: PerturbChoice, column: Column, tools: Tools) -> ColumnMethod | TupleMethod:
    """The method of one column.

    Args:
        choice: as written in the plan.
        column: its declaration.
        tools: where keys are found.

    Raises:
        PlanError: an unknown method or option, or a role that does not allow it.
    """
    if choice.method not in _BUILDERS:
        raise PlanError(
            "`method` in [columns.{column}.perturb] must be one of {builders}; got {method!r}.",
            "choose one of them.",
            column=choice.column,
            builders=sorted(_BUILDERS),
            method=choice.method,
        )
    if column.role is Role.IDENTIFYING and choice.method not in _NAMING:
        raise PlanError(
            "An identifying column can be published as pseudonyms only; {column!r} asks for {method!r}.",
            "leave the column out, or give it a pseudonym.",
            column=choice.column,
            method=choice.method,
        )
    section = Section(f"[columns.{choice.column}.perturb]", choice.options)
    method = _BUILDERS[choice.method](column, section, choice, tools)
    section.finish()
    return method


def _pram(column: Column, section: Section, choice: PerturbChoice, tools: Tools) -> ColumnMethod | TupleMethod:
    """Post-randomization, by strata where a column of them is named."""
    del column, choice, tools
    plain = PramColumn(section.texts("values"), section.required("keep", float), section.optional("invariant", float))
    strata = section.optional("strata", str)
    return plain if strata is None else StratifiedPram(plain, strata, section.texts("strata_values"))


def _noise(column: Column, section: Section, choice: PerturbChoice, tools: Tools) -> ColumnMethod:
    """Added noise; its deviation in units of the column, or as a share of the declared range."""
    del choice, tools
    deviation, share = section.optional("deviation", float), section.optional("relative", float)
    if (deviation is None) == (share is None):
        raise PlanError("{where} must say either `deviation` or `relative`.", "give one of them.", where=section.where)
    clamp = section.default("clamp", bool, value=False)
    if (share is not None or clamp) and column.bounds is None:
        raise PlanError(
            "`relative` and `clamp` in {where} need the declared range of the column.",
            "add `bounds = [lowest, highest]` to [columns.{name}].",
            where=section.where,
            name=column.name,
        )
    low, high = (Fraction(str(end)) for end in column.bounds or (0.0, 0.0))
    spread = Fraction(str(deviation)) if share is None else Fraction(str(share)) * (high - low)
    return Noise(section.choice("law", NoiseName), spread, _step(column, section), (low, high) if clamp else None)


def _step(column: Column, section: Section) -> Decimal:
    """In which steps numbers are published: 1 for whole numbers and days."""
    if column.kind is Kind.DECIMAL:
        return Decimal(str(section.required("step", float)))
    step = section.default("step", float, 1.0)
    if step != int(step):
        raise PlanError(
            "`step` in {where} must be whole for whole numbers and days.", "give such as 1.", where=section.where
        )
    return Decimal(int(step))


def _rank_swapping(column: Column, section: Section, choice: PerturbChoice, tools: Tools) -> ColumnMethod:
    """Exchange of values that are near in rank."""
    del column, choice, tools
    return RankSwapping(Fraction(str(section.required("share", float))))


def _individual_ranking(column: Column, section: Section, choice: PerturbChoice, tools: Tools) -> ColumnMethod:
    """Means of the cells that are near in rank; noisy ones where `epsilon` is given."""
    del choice, tools
    k, digits = section.required("k", int), section.optional("digits", int)
    epsilon = section.optional("epsilon", float)
    private = None
    if epsilon is not None:
        if column.bounds is None:
            raise PlanError(
                "`epsilon` in {where} needs the declared range of the column.",
                "add `bounds = [lowest, highest]` to [columns.{name}].",
                where=section.where,
                name=column.name,
            )
        low, high = (Fraction(str(end)) for end in column.bounds)
        private = Private(Fraction(str(epsilon)), (low, high), section.choice("rows", RankedRows))
    return IndividualRanking(k, digits, private)


def _record_swapping(column: Column, section: Section, choice: PerturbChoice, tools: Tools) -> TupleMethod:
    """Exchange of regions between rows that look alike."""
    del column, choice, tools
    share = Fraction(str(section.default("share", float, 0.0)))
    return RecordSwapping(section.texts("match"), section.texts("key"), section.required("at_risk", int), share)


_NAMING = frozenset({"pseudonym", "hash"})
"""Methods that give pseudonyms, also to identifying columns."""

_BUILDERS: dict[str, Builder] = {
    "pram": _pram,
    "noise": _noise,
    "rank-swapping": _rank_swapping,
    "record-swapping": _record_swapping,
    "individual-ranking": _individual_ranking,
    "pseudonym": pseudonym,
    "hash": hashed,
    "local": local,
}

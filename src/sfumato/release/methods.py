"""Which mechanism does a plan name? Built here, because mechanisms and losses meet only here.

Each builder imports its own: a run loads the method that it uses, not all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import PlanError, SfumatoError
from sfumato.mechanism.recode.decision import Limits
from sfumato.release.document import Section
from sfumato.release.losses import loss_of
from sfumato.release.plan import MethodName

if TYPE_CHECKING:
    from sfumato.mechanism.recode.decision import Progress, RecodeMethod
    from sfumato.noise.bits import Bits
    from sfumato.release.plan import Plan


@dataclass(frozen=True, slots=True)
class Tools:
    """What a mechanism is handed beside its options.

    Args:
        bits: secure chance, for those whose promise rests on it.
        clock: seconds from any fixed moment, for time limits.
        progress: called now and then.
        environment: where keys may stand, by name; empty: only in files.
    """

    bits: Bits
    clock: Callable[[], float]
    progress: Progress
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)


Builder = Callable[["Plan", Section, Tools], "RecodeMethod"]


def method_of(plan: Plan, tools: Tools) -> RecodeMethod:
    """The mechanism that a plan names, with its options.

    Raises:
        PlanError: an option is unknown or of the wrong type.
    """
    section = Section("[method]", plan.method.options)
    if plan.method.name not in _BUILDERS:
        raise PlanError(
            "The method {method!r} publishes two tables and recodes nothing.",
            "use `sfumato.run`.",
            method=plan.method.name.value,
        )
    method = _BUILDERS[plan.method.name](plan, section, tools)
    unknown, known = sorted(section.rest()), section.known()
    if unknown:
        raise PlanError(
            'The method "{method}" does not know {unknown}{elsewhere}; it knows {known}.',
            "remove {unknown} from [method], or choose a method that knows them.",
            method=plan.method.name.value,
            unknown=", ".join(unknown),
            elsewhere=_elsewhere(plan, unknown, tools),
            known=", ".join(known) or "no further key",
        )
    return method


def _elsewhere(plan: Plan, keys: Sequence[str], tools: Tools) -> str:
    """The methods that know some keys, in brackets."""
    knowing = []
    for name, build in _BUILDERS.items():
        section = Section("[method]", {})
        with suppress(SfumatoError):  # a key that it needs is absent here
            build(replace(plan, method=replace(plan.method, name=name)), section, tools)
        if set(keys) <= set(section.known()):
            knowing.append(name.value)
    return f" (of {', '.join(knowing)})" if knowing else ""


def unread_options(plan: Plan, tools: Tools) -> frozenset[str]:
    """Options of a plan's [method] that its mechanism does not know; all of them for methods that recode nothing."""
    section = Section("[method]", plan.method.options)
    if plan.method.name in _BUILDERS:
        _BUILDERS[plan.method.name](plan, section, tools)
    return frozenset(section.rest())


def _full_domain(plan: Plan, section: Section, tools: Tools) -> RecodeMethod:
    """Optimal or best-found levels, with record suppression."""
    from sfumato.mechanism.recode.full_domain.method import FullDomain

    return FullDomain(
        criteria=plan.promises,
        suppression_limit=_share(section),
        loss=loss_of(section.default("loss", str, "loss"), section.default("loss_options", dict, {})),
        limits=_limits(section),
        progress=tools.progress,
        clock=tools.clock,
    )


def _fixed(plan: Plan, section: Section, tools: Tools) -> RecodeMethod:
    """Given levels."""
    from sfumato.mechanism.recode.full_domain.fixed import FixedLevels

    del tools
    loss = loss_of(section.default("loss", str, "loss"), section.default("loss_options", dict, {}))
    return FixedLevels(plan.promises, _share(section), loss, section.required("levels", dict))


def _local(plan: Plan, section: Section, tools: Tools) -> RecodeMethod:
    """Local recoding."""
    from sfumato.mechanism.recode.local_recoding import LocalRecoding
    from sfumato.mechanism.recode.partition.axes import Publish

    publish = section.choice("publish", Publish, Publish.COVERS)
    return LocalRecoding(plan.promises, publish, _limits(section), tools.clock, tools.progress)


def _mondrian(plan: Plan, section: Section, tools: Tools) -> RecodeMethod:
    """Mondrian."""
    from sfumato.mechanism.recode.mondrian.mondrian import Halving, Mondrian
    from sfumato.mechanism.recode.partition.axes import Publish

    halving = section.choice("split", Halving, Halving.STRICT)
    publish = section.choice("publish", Publish, Publish.COVERS)
    return Mondrian(plan.promises, halving, publish, _limits(section), tools.clock, tools.progress)


def _cells(plan: Plan, section: Section, tools: Tools) -> RecodeMethod:
    """Cell suppression; a suppressed cell is a value of its own, as it is verified."""
    from sfumato.mechanism.recode.cell_suppression import CellSuppression

    return CellSuppression(plan.promises, limits=_limits(section), clock=tools.clock, progress=tools.progress)


def _unchanged(plan: Plan, section: Section, tools: Tools) -> RecodeMethod:
    """Nothing is recoded."""
    from sfumato.mechanism.recode.unchanged import Unchanged

    del section, tools
    return Unchanged(plan.promises)


def _safepub(plan: Plan, section: Section, tools: Tools) -> RecodeMethod:
    """SafePub, with the k and the sampling of its promise."""
    from sfumato.mechanism.recode.safepub.method import SafePubMethod
    from sfumato.release.private import choice_of, safepub_promise

    promise = safepub_promise(plan)
    return SafePubMethod(promise.k, promise.beta, choice_of(plan, section), tools.bits, tools.progress)


def _microaggregation(plan: Plan, section: Section, tools: Tools) -> RecodeMethod:
    """Groups of near rows, and their centers."""
    from sfumato.mechanism.recode.microaggregation.centers import Center, Spelling
    from sfumato.mechanism.recode.microaggregation.method import ROWS_AT_ONCE, Microaggregation

    centers, digits = section.table("centers"), section.table("digits")
    names = [column.name for column in plan.schema.quasi_identifiers]
    chosen = {name: centers.choice(name, Center, Center.MEAN) for name in names}
    places = {name: digits.optional(name, int) for name in names}
    centers.finish()
    digits.finish()
    spelling = Spelling(
        {name: center for name, center in chosen.items() if center is not Center.MEAN},
        {name: n for name, n in places.items() if n is not None},
    )
    rows_at_once = section.default("rows_at_once", int, ROWS_AT_ONCE)
    return Microaggregation(plan.promises, spelling, rows_at_once, tools.progress)


def _share(section: Section) -> Fraction:
    """The suppression limit as the exact decimal that was written; 0 where none is."""
    return Fraction(str(section.default("suppression_limit", float, 0.0)))


def _limits(section: Section) -> Limits:
    """Time and node limits."""
    return Limits(section.optional("seconds", float), section.optional("nodes", int))


_BUILDERS: dict[MethodName, Builder] = {
    MethodName.FULL_DOMAIN: _full_domain,
    MethodName.LOCAL_RECODING: _local,
    MethodName.MONDRIAN: _mondrian,
    MethodName.CELL_SUPPRESSION: _cells,
    MethodName.FIXED: _fixed,
    MethodName.MICROAGGREGATION: _microaggregation,
    MethodName.NONE: _unchanged,
    MethodName.SAFEPUB: _safepub,
}

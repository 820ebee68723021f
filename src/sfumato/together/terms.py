"""What all parties agree on before it begins: the plan without places, who takes part, who vouches for whom."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from sfumato.document.codec import read
from sfumato.document.header import TOGETHER, without_header
from sfumato.document.loading import load
from sfumato.document.together import TogetherDocument
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Criterion, Need
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.safepub import SafePub
from sfumato.recipe.recipe import Suppressed
from sfumato.release.method.recoding import Recoding
from sfumato.release.method.registry import method_named
from sfumato.release.places import plan_reads
from sfumato.release.plan_reader import read_plan
from sfumato.release.record import plain
from sfumato.web.settings import check_digest, check_limits

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.release.plan import Plan
    from sfumato.table.schema import Column
    from sfumato.table.values import Table

_TITLE = "the terms"
_METHODS = ("mondrian", "full-domain", "local-recoding", "fixed")
"""Methods without chance that decide on sizes of classes, and give all rows of a tuple to one class."""
_JOINABLE = ("mondrian", "local-recoding")
"""Methods whose classes may be joined: labels of one say nothing of those of another."""
_PRIVATE_PLACES = ("source", "output", "measure", "engine")
"""Tables of a plan that each party has for itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The terms, read.

    Args:
        said: the document.
        plan: the plan.
        digest: of plan, hierarchies and parties, in hexadecimal; equal for all who agree.
    """

    said: TogetherDocument
    plan: Plan
    digest: str

    @property
    def sized(self) -> tuple[Criterion, ...]:
        """Promises that sizes of classes, and what persons ask for, tell."""
        return tuple(one for one in self._promises if Need.HISTOGRAM not in one.needs)

    @property
    def judged(self) -> tuple[Criterion, ...]:
        """Promises that need the values of sensitive columns: judged by the holders on the classes of the others."""
        return tuple(one for one in self._promises if Need.HISTOGRAM in one.needs)

    @property
    def sampling(self) -> SafePub | None:
        """The promise for which each hospital samples its rows; None: all rows take part."""
        return next((one for one in self.plan.promises if isinstance(one, SafePub)), None)

    @property
    def steering(self) -> tuple[Criterion, ...]:
        """Promises about values that steer the construction; those judged afterwards are not among them."""
        return self.judged if self.said.values == "construction" else ()

    @property
    def joins(self) -> bool:
        """Whether classes that break a promise about values are joined with others, and not left out."""
        return bool(self.judged) and self.said.values == "joined"

    @property
    def counted(self) -> tuple[str, ...]:
        """Sensitive columns whose values are counted by class."""
        return tuple(dict.fromkeys(name for one in self.judged for name in one.columns))

    @property
    def carried(self) -> tuple[Column, ...]:
        """Columns that are published as they are."""
        hidden = {column.name for column in self.plan.schema.quasi_identifiers}
        return tuple(c for c in self.plan.schema.columns if c.name not in hidden and c.role.value != "identifying")

    @property
    def _promises(self) -> tuple[Criterion, ...]:
        return tuple(one for one in self.plan.promises if isinstance(one, Criterion))


def read_terms(path: Path) -> Terms:
    """Read the terms of a joint publication; paths in it are relative to its folder.

    Raises:
        PlanError: a key is absent, unknown or out of range, or the plan cannot be carried out by parties that do not
            trust the publisher.
    """
    said = load(path, "terms", _said)
    plan = read_plan(path.parent / said.plan)
    if said.sums is not None and said.sums.publish == "counts":
        check_counted(plan, said.sums.epsilon)
    else:
        check_plan(plan, with_sums=said.sums is not None)
    terms = Terms(said, plan, digest_of(said, plan))
    check_values(terms)
    return terms


def digest_of(said: TogetherDocument, plan: Plan) -> str:
    """By which parties know that they agree: of the plan without each party's places, of hierarchies, and of who takes part."""
    document = {key: value for key, value in plain(plan.document).items() if key not in _PRIVATE_PLACES}
    files = {
        place.role: hashlib.sha256(place.path.read_bytes()).hexdigest()
        for place in plan_reads(plan)
        if place.role.startswith("the hierarchy of")
    }
    order = [column.name for column in plan.schema.columns]
    who = [
        said.kind,
        said.holders,
        said.publisher,
        said.authority,
        sorted((h.name, h.fingerprint) for h in said.holder),
        said.values,
    ]
    sums = None if said.sums is None else str(said.sums)
    text = json.dumps([document, files, order, who, sums], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def check_plan(plan: Plan, *, with_sums: bool = False) -> None:
    """Refuse a plan that parties who do not trust the publisher cannot carry out.

    Args:
        plan: what is asked.
        with_sums: whether hospitals add counts, so that each may sample its own rows.

    Raises:
        PlanError: in the message.
    """
    method = method_named(plan.method.name)
    if plan.method.name == "safepub":
        _check_sampling(plan, with_sums=with_sums)
    elif plan.method.name not in _METHODS or not isinstance(method, Recoding):
        raise PlanError(
            "A joint publication needs a method of {methods}; the plan says {method!r}.", "choose one of them.",
            methods=list(_METHODS), method=plan.method.name,
        ).below("method", "name")  # fmt: skip
    if plan.method.options.get("split") == "relaxed":
        raise PlanError(
            "All rows of one tuple must go to one class; relaxed halving parts them.", "leave `split` out."
        ).below("method", "split")
    if plan.method.name != "safepub":
        _check_promises(plan)
    _check_rest(plan)


def check_counted(plan: Plan, epsilon: object) -> None:
    """Refuse a plan of which no noisy counts can be published.

    Raises:
        PlanError: in the message.
    """
    where = ("sums", "publish")
    if epsilon is None:
        raise PlanError("Counts are published with noise only; [sums] has no `epsilon`.", "add it.").below(*where)
    if plan.method.name != "none" or plan.promises:
        raise PlanError(
            "Counts are published without classes; the plan makes some.",
            'say `name = "none"` in [method], and leave [[promise]] out: the promise is `epsilon`.',
        ).below(*where)
    if any(column.name == "count" for column in plan.schema.columns):
        raise PlanError("The column of numbers is named 'count'; the plan has one of that name.", "rename it.").below(
            *where
        )
    _check_rest(plan)


def _check_rest(plan: Plan) -> None:
    """Nothing that holders do not share."""
    for bad, key in (
        (plan.schema.person is not None, "unit"),
        (bool(plan.perturb), "columns"),
        (plan.sample is not None, "sample"),
        (plan.population.subset is not None, "population"),
        (plan.account is not None, "account"),
    ):
        if bad:
            raise PlanError(
                "A joint publication has no [{key}] of this kind: holders share no persons, no chance and no ledger.",
                "take it out of the plan.",
                key=key,
            ).below(key)
    if plan.output.suppressed is not Suppressed.DROP:
        raise PlanError(
            "Rows that are suppressed must be left out: among few rows of `*` the publisher would know each.",
            'say `suppressed = "drop"` in [output].',
        ).below("output", "suppressed")


def _check_sampling(plan: Plan, *, with_sums: bool) -> None:
    """Differential privacy by a sample holds where nobody who sees the table has a choice.

    Each hospital samples its own rows by its own coins; levels stand in the plan. A search would be by the publisher's
    chance, and a publisher that cheats with it would choose levels that tell what it likes.
    """
    if not with_sums:
        raise PlanError(
            "Rows are sampled where hospitals add counts; without [sums] the publisher would see who was sampled.",
            "add [sums] to the terms.",
        ).below("method", "name")
    if plan.method.options.get("levels") is None:
        raise PlanError(
            "Where the publisher is not trusted its chance is not: levels that it searches are no private choice.",
            "give `levels` in [method], and 0 as `search_epsilon`.",
        ).below("method")


def check_values(terms: Terms) -> None:
    """Promises about values are judged when the terms say it: it is a choice between more rows and less that is told.

    Raises:
        PlanError: in the message.
    """
    said = terms.said
    if terms.judged and said.values is None:
        raise PlanError(
            "Terms must say when promises about sensitive values are judged; the plan has {n}.",
            'say `values = "construction"` for the classes of the plain plan, `values = "afterwards"` to tell less of values '
            'and leave out the classes that fail, or `values = "joined"` to join these with others.',
            n=len(terms.judged),
        ).below("values")
    if terms.steering and said.sums is None:
        raise PlanError(
            "Promises about values steer the construction where hospitals add counts by [sums]; without, nobody may see "
            "which values stand in a tuple.",
            'add [sums], or say `values = "joined"` or `"afterwards"`.',
        ).below("values")
    if terms.joins and said.sums is not None:
        raise PlanError(
            "Classes are joined by holders who count values themselves; with [sums] the construction sees to values.",
            'say `values = "construction"`.',
        ).below("values")
    if terms.joins and terms.plan.method.name not in _JOINABLE:
        raise PlanError(
            "Classes can be joined where each has its own ranges and sets; {method!r} writes each value in one way.",
            'choose a method of {methods}, or say `values = "afterwards"`.',
            method=terms.plan.method.name,
            methods=list(_JOINABLE),
        ).below("values")


def _check_promises(plan: Plan) -> None:
    """One class at a time, by sizes or by values of sensitive columns; and a k."""
    for i, one in enumerate(plan.promises):
        if not isinstance(one, Criterion) or one.needs - {Need.HISTOGRAM, Need.PERSONAL_K}:
            raise PlanError(
                "Holders can judge promises about sizes of single classes and their sensitive values; promise {number} is "
                "of another kind.",
                "take it out, or publish with a trusted publisher.",
                number=i + 1,
            ).below("promise", i)
    if not any(isinstance(one, KAnonymity) for one in plan.promises):
        raise PlanError(
            "A joint publication must promise k-anonymity: no holder counts in classes of fewer persons.",
            'add a [[promise]] with `model = "k-anonymity"`.',
        ).below("promise")


def _said(document: Table) -> TogetherDocument:
    said = read(TogetherDocument, without_header(document, TOGETHER, _TITLE), _TITLE)
    check_limits(said.limits)
    check_digest("publisher", said.publisher, _TITLE)
    check_digest("authority", said.authority or "", _TITLE)
    for one in said.holder:
        check_digest("fingerprint", one.fingerprint, "[[holder]]")
    if said.holders < 2:
        raise PlanError(
            "A joint publication needs two holders at least; got {n}.", "correct it.", n=said.holders
        ).below("holders")
    if said.partition < 1:
        raise PlanError("`partition` must be at least 1; got {n}.", "such as 500.", n=said.partition).below("partition")
    if said.authority is None and not said.holder:
        raise PlanError(
            "Somebody must vouch for holders: an `authority`, or the list [[holder]] with fingerprints.",
            "add one of them.",
        ).below("authority")
    names = {one.name for one in said.holder}
    if said.kind == "hospitals" and said.holder and len(names) != said.holders:
        raise PlanError("[[holder]] must list each of the {n} holders once.", "correct it.", n=said.holders).below(
            "holder"
        )
    return said

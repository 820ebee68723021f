"""SafePub: rows sampled, recoded and published where enough of them are alike, under differential privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.account.event import ApproxDP, Composed, PureDP
from sfumato.document import method
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.guarantee.safepub import SafePub
from sfumato.release.method.recoding import Recoding
from sfumato.release.private import check_columns, check_rows

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.mechanism.recode.decision import RecodeMethod
    from sfumato.mechanism.recode.safepub.method import GivenLevels, Searched
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools


@dataclass(frozen=True, slots=True, kw_only=True)
class _SafePub(Recoding[method.SafePub]):
    """Recoding that costs, and that tells nothing by the rows it leaves out."""

    def check(self, plan: Plan) -> None:
        """The promise, columns that can be recoded without a look at the table, and rows that tell nothing."""
        from sfumato.mechanism.recode.safepub.public import check_public

        promise_of(plan)
        check_public(plan.schema.quasi_identifiers, with_shares=False)
        check_columns(plan)
        check_rows(plan)

    def event(self, plan: Plan) -> Event:
        """The sampling, and the search where there is one."""
        return event_of(promise_of(plan))


def promise_of(plan: Plan) -> SafePub:
    """The promise from which k and β of a SafePub plan follow.

    Raises:
        PlanError: another promise, or several. Remedy: give this one alone.
    """
    promise = plan.promises[0] if len(plan.promises) == 1 else None
    if not isinstance(promise, SafePub):
        raise PlanError(
            'The method "safepub" keeps one promise: `differential-privacy` of kind `safepub`.',
            "give it as the only [[promise]], with `epsilon`, `delta` and `search_epsilon`.",
        )
    return promise


def event_of(promise: SafePub) -> Event:
    """What is charged for the promise.

    Example:
        >>> event_of(SafePub(1, "1e-6", 0))
        ApproxDP(epsilon=Fraction(1, 1), delta=Fraction(1, 1000000))
    """
    sampling, search = ApproxDP(promise.sampled.epsilon, Fraction(promise.delta)), Fraction(promise.search_epsilon)
    return Composed((PureDP(search), sampling)) if search else sampling


def _mechanism(plan: Plan, options: method.SafePub, tools: Tools) -> RecodeMethod:
    """SafePub, with the k and the sampling of its promise."""
    from sfumato.mechanism.recode.safepub.method import SafePubMethod

    promise = promise_of(plan)
    return SafePubMethod(promise.k, promise.beta, _choice_of(plan, options), tools.bits, tools.progress)


def _choice_of(plan: Plan, options: method.SafePub) -> GivenLevels | Searched:
    """How levels are chosen: `levels`, or `search` with `score`, `steps` and `target`.

    Raises:
        PlanError: both, neither, or an epsilon of the search that does not fit.
    """
    from sfumato.mechanism.recode.safepub.method import GivenLevels, Searched
    from sfumato.mechanism.recode.safepub.public import check_public
    from sfumato.mechanism.recode.safepub.search import NodeSearch, Walk

    epsilon = Fraction(promise_of(plan).search_epsilon)
    if options.levels is not None:
        if epsilon:
            raise PlanError(
                "Given levels cost nothing, so `search_epsilon` must be 0.", "set it to 0, or give `search`."
            )
        _refuse_search(options)
        return GivenLevels(options.levels)
    walk, score = _needed("search", options.search), _needed("score", options.score)
    if not epsilon:
        raise PlanError(
            "A search reads the table, so `search_epsilon` of the promise must be above 0.",
            "give it a part of epsilon.",
        )
    chosen = Searched(NodeSearch(Walk(walk), epsilon, options.steps), score, options.target)
    _check_score(plan, chosen)
    check_public(plan.schema.quasi_identifiers, with_shares=chosen.score == "loss")
    return chosen


def _needed(key: str, value: str | None) -> str:
    """An option that must be there, unless levels are given."""
    if value is None:
        raise PlanError("[method] must say `{key}`.", "add `{key} = …` (text).", key=key)
    return value


def _refuse_search(options: method.SafePub) -> None:
    given = ((key, getattr(options, key)) for key in ("score", "search", "steps", "target"))
    unknown = [key for key, value in given if value is not None]
    if unknown:
        raise PlanError(
            'The method "safepub" does not know {unknown}; it knows levels.',
            "remove {unknown} from [method], or choose a method that knows them.",
            unknown=", ".join(unknown),
        )


def _check_score(plan: Plan, chosen: Searched) -> None:
    """Refuse a score or a target that would only be refused after the charge."""
    from sfumato.mechanism.recode.safepub.scores import Score

    Score(chosen.score, 2, None if chosen.target is None else 0)
    names = [column.name for column in plan.schema.quasi_identifiers]
    if chosen.target is not None and chosen.target not in names:
        raise PlanError(
            "`target` must be one of {names}; got {target!r}.", "name one of them.", names=names, target=chosen.target
        )


METHOD = _SafePub(
    name="safepub",
    title="SafePub: sampled and recoded",
    done=(
        "Each row was sampled by a coin, every value recoded to one level of its hierarchy, and only classes "
        "with enough sampled rows were published; the other rows were left out and the rest shuffled."
    ),
    why=(
        "The published rows are true, and yet nobody can tell from them whether a person was in the table: "
        "the promise is differential privacy and does not depend on what an intruder knows."
    ),
    private=True,
    options=method.SafePub,
    mechanism=_mechanism,
    fixes_levels=True,
)

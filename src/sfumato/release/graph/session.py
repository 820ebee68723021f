"""Questions to one private graph under one budget: charged, answered once, stored."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from sfumato.account.event import to_data
from sfumato.account.ledger.ledger import Ledger, Order
from sfumato.noise.bits import SystemBits
from sfumato.release.answer.answer import Answer
from sfumato.release.answer.price import CONFIDENCE, shown_confidence
from sfumato.release.answer.query import digest_of
from sfumato.release.engines import engine_of
from sfumato.release.graph.question import question_of
from sfumato.release.graph.reading import edges_of

if TYPE_CHECKING:
    from fractions import Fraction
    from typing import Self, Unpack

    from sfumato.noise.bits import Bits
    from sfumato.release.answer.price import Offer
    from sfumato.release.graph.declared import DeclaredGraph
    from sfumato.release.graph.statistic import Found, Statistic


class GraphSession:
    """Questions of one analyst to a declared graph.

    The same question at the same price is the same request: asked again it costs nothing and gives the stored answer.

    Args:
        declared: the private table of edges.
        analyst: who asks.
        engine: where the table is read; None: as the document says.
        bits: chance; None: the system's.

    Raises:
        LedgerError: there is no ledger, or it does not know the data set, or knows it otherwise.
    """

    def __init__(
        self, declared: DeclaredGraph, analyst: str, *, engine: object = None, bits: Bits | None = None
    ) -> None:
        self._declared, self._analyst, self._bits = declared, analyst, bits or SystemBits()
        self._engine = engine or declared.said.engine
        with ExitStack() as opened:
            self._ledger = opened.enter_context(Ledger.open(declared.ledger))
            self._ledger.open_dataset(declared.dataset, declared.unit, declared.budget)
            self._ledger.open_analyst(declared.dataset, analyst, declared.analysts.get(analyst, declared.budget))
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        """The session itself, closed at the end of a `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @property
    def left(self) -> tuple[Fraction, ...]:
        """What the data set's budget still holds."""
        return self._ledger.left(self._declared.dataset)

    def answers(self, question: str, **offer: Unpack[Offer]) -> tuple[Answer, ...]:
        """The answer to one question: a statistic as in [[statistics]] of a plan, such as `degrees, most = 100`, or a SELECT.

        A SELECT is answered by a statistic: both are the same request, and either is answered from the other's.

        Raises:
            QueryError: no such question, or an attribute that is not declared.
            BudgetExceeded: too little is left; nothing was charged or read.
            LedgerError: the name of the request was used for another question.
        """
        price: dict[str, str] = {key: str(offer[key]) for key in ("epsilon", "delta", "rho") if key in offer}
        asked = question_of(question, self._declared.said, price)
        statistic = asked.statistic
        confidence, version = shown_confidence(offer.get("confidence", CONFIDENCE)), self._declared.said.ledger.version
        meaning = digest_of(
            {"question": [statistic.title, repr(statistic.event)], "said": asked.keys, "dataset": self._declared.dataset,
             "analyst": self._analyst, "version": version, "unit": self._declared.unit, "confidence": str(confidence)}
        )  # fmt: skip
        note = f"{statistic.title} for {statistic.price}"
        order = Order(offer.get("request") or meaning, statistic.event, None, meaning, version, note)
        self._ledger.charge_all(self._declared.dataset, self._analyst, [order])
        stored = self._ledger.answer(order.request)
        if stored is None:
            stored = self._ledger.store_answer(order.request, self._answered(statistic, confidence).to_json())
        return (asked.of(Answer.from_json(stored)),)

    def _answered(self, statistic: Statistic, confidence: float) -> Answer:
        """Read and decide; the charge is durable."""
        declared = self._declared
        with engine_of(self._engine) as engine:
            table = engine.scan(declared.source)
            named = edges_of(engine, table, declared.said.graph, declared.vertices).named
        found = statistic.found(named, confidence=confidence, bits=self._bits)
        return answer_of(found, self._declared.unit.sentence, is_secure=self._bits.is_secure)


def answer_of(found: Found, unit: str, *, is_secure: bool) -> Answer:
    """Released numbers of a graph as an answer.

    Args:
        found: the numbers.
        unit: what they protect, in words.
        is_secure: whether the chance protects anybody.
    """
    statistic, numbers = found.statistic, range(len(found.values))
    rows = [tuple((float(part[i]),) for i in numbers) for part in (found.values, found.low, found.high)]
    return Answer(
        question=statistic.title, by=tuple(name for name, _ in statistic.axes),
        keys=tuple(tuple(str(key[i]) for key in found.keys) for i in numbers), cells=(statistic.number,),
        values=rows[0], low=rows[1], high=rows[2], confidence=found.confidence if found.confidence == found.confidence else None,
        mechanism=found.mechanism.name, cost=to_data(found.mechanism.event), price=statistic.price,
        sensitivity=found.mechanism.argument, unit=unit, seeded=not is_secure, notes=statistic.notes,
    )  # fmt: skip

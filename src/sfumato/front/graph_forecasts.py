"""How wrong questions to a graph would be, and at which price they are right enough: nothing private is read or paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.result.answers import AccuracyResult, PricedQuestion, SimulatedResult
from sfumato.document.result.graph import CoresRecommended, CoresTried
from sfumato.mechanism.central.accuracy import Accuracy
from sfumato.numbers.exact import bounded
from sfumato.release.answer.price import in_words, keys_of
from sfumato.release.engines import engine_of
from sfumato.release.graph.forecast import Size, price_for, simulate
from sfumato.release.graph.question import question_of
from sfumato.release.graph.reading import vertices_of

if TYPE_CHECKING:
    import numpy as np

    from sfumato.account.event import Price
    from sfumato.document.graph import VerticesTable
    from sfumato.release.graph.declared import DeclaredGraph
    from sfumato.table.source import Source


def size_of(said: VerticesTable | None, table: Source | None, size: Size, engine: object = None) -> Size:
    """What is public of a graph: its vertices, where a public table lists them, and what is guessed.

    Args:
        said: columns of the table of vertices; None: there is none.
        table: where it is.
        size: what is guessed.
        engine: where the public table is read.
    """
    if said is None or table is None:
        return size
    with engine_of(engine) as where:
        listed = vertices_of(where, table, said.vertex, said.attributes)
    return size if listed is None else Size(len(listed.names), size.edges, listed)


def graph_priced(declared: DeclaredGraph, question: str, error: str, *, confidence: float = 0.95) -> AccuracyResult:
    """What a question to a graph costs if half of its interval shall be at most an error; nothing is read.

    Args:
        declared: the private graph.
        question: a statistic as in a plan, or a SELECT.
        error: the largest tolerated error of each number.
        confidence: with which it is kept.

    Raises:
        QueryError: the error depends on the graph. Remedy: simulate it at some prices.
    """
    prices = price_for(lambda price: question_of(question, declared.said, keys_of(price)), Accuracy(error, confidence))
    title = question_of(question, declared.said, keys_of(prices[0])).statistic.title
    told = tuple(PricedQuestion(question=title, price=in_words(price)) for price in prices)
    return AccuracyResult(error=error, confidence=confidence, prices=told)


def graph_simulated(  # noqa: PLR0913
    declared: DeclaredGraph, question: str, price: Price, size: Size, *, runs: int, confidence: float, rng: np.random.Generator
) -> SimulatedResult:  # fmt: skip
    """How wrong the answer to a question would be, tried on public random graphs; the private one stays closed.

    Args:
        declared: the private graph.
        question: a statistic as in a plan, or a SELECT.
        price: of the answer.
        size: about how many edges there are, and how many vertices where no public table lists them.
        runs: repetitions on each graph.
        confidence: of each interval.
        rng: simulated chance, which protects nobody.
    """
    said = declared.said
    known = size_of(said.graph.vertices, declared.vertices, size, said.engine)
    asked = question_of(question, said, keys_of(price))
    return SimulatedResult(answers=(simulate(asked, said.unit, known, runs=runs, confidence=confidence, rng=rng),))


def cores_recommended(vertices: int, edges: int, epsilon: str, *, local: bool = False) -> CoresRecommended:
    """Which private core numbers err least, tried on public random graphs of a size.

    Args:
        vertices: public number of vertices.
        edges: about how many edges there are: a public guess, or a noisy number that was paid for.
        epsilon: for one edge.
        local: whether nobody may be trusted.

    Raises:
        ParameterError: a number out of range.

    Example:
        >>> found = cores_recommended(200, 800, "4", local=True)
        >>> found.tried[0].error < found.zero
        True
    """
    from sfumato.mechanism.graph.cores.recommend import Model, recommend

    found = recommend(vertices, edges, bounded("epsilon", epsilon), Model.LOCAL if local else Model.CENTRAL)
    tried = tuple(
        CoresTried(name=one.mechanism.name, error=one.error, local=one.mechanism.is_local) for one in found.candidates
    )
    return CoresRecommended(
        vertices=vertices, edges=edges, epsilon=epsilon, tried=tried, zero=found.of_zero, degrees=found.of_degrees
    )

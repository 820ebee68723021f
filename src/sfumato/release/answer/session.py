"""Sessions: a private table answers questions. The price is durable before data are read."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.account.ledger.ledger import Ledger, Order
from sfumato.engine.folders import temporary_folder
from sfumato.errors import QueryError
from sfumato.frozen import dataclass
from sfumato.noise.bits import SystemBits
from sfumato.release.answer.answer import Answer
from sfumato.release.answer.checked import check_query
from sfumato.release.answer.prepared import prepared_query, scope_of
from sfumato.release.answer.price import CONFIDENCE, in_words, known_only, names_of, offered, shown_confidence
from sfumato.release.answer.public import public_rows
from sfumato.release.answer.query import digest_of, meaning_of
from sfumato.release.answer.questions import Questions
from sfumato.release.answer.scopes import distinct_cells, immutable_of, keys_of
from sfumato.release.answer.sql import queries_of
from sfumato.release.answer.sql_names import Joinable
from sfumato.release.engines import engine_of
from sfumato.summary.ask import Canonical
from sfumato.summary.bounded import BoundedAsk, Join
from sfumato.table.source import source_from

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from fractions import Fraction
    from typing import Self, Unpack

    from sfumato.account.budget import Budget
    from sfumato.account.event import Price
    from sfumato.account.ledger.statement import Statement
    from sfumato.noise.bits import Bits
    from sfumato.release.answer.prepared import PreparedQuery
    from sfumato.release.answer.price import Offer
    from sfumato.release.answer.query import Query
    from sfumato.table.domain import Domain
    from sfumato.table.unit import Unit


@dataclass(frozen=True, slots=True)
class _Public:
    """A public table that questions may join."""

    join: Join
    columns: Mapping[str, Domain]
    digest: str
    """Of the whole table."""


class Session(Questions):
    """Questions to one private table under one budget.

    The same question at the same price is the same request: asked again, in this process or another, it costs nothing
    and gives the stored answer. The same question has the same bounds, domains, conditions, joined table and version of
    the data. A `request` of another name draws anew, and pays; one that was used for another question is refused.

    Args:
        source: pandas, Polars, Arrow, a DuckDB relation, a Spark DataFrame, a path, or a source.
        columns: declared domain of every column that may be used; others cannot be.
        unit: whom each answer protects, and the most one person contributes.
        budget: what all analysts together may spend on this data set.
        ledger: URL of the ledger (`sqlite:///file`, `postgresql://…`) or an open one; None: a ledger of this session
            alone, which forgets what was spent when it is closed.
        create: whether to make the ledger if there is none at the URL, and the account of the data set if the ledger
            does not know it: once, by whoever grants the budget.
        dataset: name of the data set in the ledger. Changed data are the same data set: their answers add up.
        version: public name of this version of the data, such as "2026-03"; None: it has none, and then answers about
            disjoint categories add up, since a person may have moved from one to the other.
        immutable: columns in which no person ever changes category, in no version: their answers about disjoint
            categories share a price whatever was changed. Recorded in the ledger; the same in every session.
        analyst: who asks.
        analyst_budget: what this analyst may spend; None: the budget of the data set.
        engine: where the table is read: an engine, a `SparkSession`, "duckdb", "spark", or the URL of a Spark cluster
            (its session is stopped when this one is closed); None: Spark for a Spark DataFrame, else DuckDB.
        bits: chance of the noise; None: the system's. Answers under another one say that they are seeded.

    Raises:
        LedgerError: there is no ledger, it does not know the data set (the message tells the nearest name), or knows
            the data set or the analyst with another unit, budget or other immutable columns.
        SourceError, SchemaError: the table cannot be read, or two declared categories of a column are one cell.

    Example:
        >>> import pyarrow as pa
        >>> from sfumato.account.budget import Budget
        >>> from sfumato.table.domain import Categories, Range
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> table = pa.table({"age": [30, 40, 50] * 1000, "sex": ["F", "M", "F"] * 1000})
        >>> schema = {"age": Range(0, 120, step=1), "sex": Categories(("F", "M"))}
        >>> with Session(table, schema, unit=Unit.row(Neighbors.ADD_REMOVE), budget=Budget.pure(1)) as session:
        ...     count = session.count(epsilon="1/2")
        ...     mean = session.mean("age", by="sex", epsilon="1/4")
        ...     left = session.left
        >>> abs(count.value - 3000) < 60, mean.keys, str(left[0])
        (True, (('F',), ('M',)), '1/4')
    """

    def __init__(  # noqa: PLR0913
        self,
        source: object,
        columns: Mapping[str, Domain],
        *,
        unit: Unit,
        budget: Budget,
        ledger: Ledger | str | None = None,
        create: bool = False,
        dataset: str = "table",
        version: str | None = None,
        immutable: Collection[str] = (),
        analyst: str = "analyst",
        analyst_budget: Budget | None = None,
        engine: object = None,
        bits: Bits | None = None,
    ) -> None:
        self.unit, self.dataset, self.analyst, self.version = unit, dataset, analyst, version
        self._immutable = immutable_of(immutable, columns)
        self._columns, self._public = dict(columns), dict[str, _Public]()
        self._bits = bits or SystemBits()
        place = source_from(source)
        with ExitStack() as opened:
            self._opened = opened
            self._engine = opened.enter_context(engine_of(engine, getattr(place, "frame", None)))
            self._table = self._engine.scan(place)
            self._keys = keys_of(self._engine, self._table, self._columns)
            self._ledger = ledger if isinstance(ledger, Ledger) else self._own(ledger, create=create)
            create = create or ledger is None
            self._ledger.open_dataset(dataset, unit, budget, create=create, immutable=self._immutable)
            self._ledger.open_analyst(dataset, analyst, analyst_budget or budget)
            self._opened = opened.pop_all()

    def _own(self, url: str | None, *, create: bool) -> Ledger:
        """A ledger that is closed with the session."""
        if url is None:
            folder = self._opened.enter_context(temporary_folder())
            url, create = f"sqlite:///{folder / 'ledger.db'}", True
        return self._opened.enter_context(Ledger.open(url, create=create))

    def __enter__(self) -> Self:
        """The session itself, closed at the end of a `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the ledger, and stop the session of a cluster, that this session opened."""
        self._opened.close()

    @property
    def statement(self) -> Statement:
        """Budgets, charges, and what is left."""
        return self._ledger.statement(self.dataset)

    @property
    def left(self) -> tuple[Fraction, ...]:
        """What the data set's budget still holds."""
        return self._ledger.left(self.dataset)

    def join(self, name: str, source: object, *, on: str, columns: Mapping[str, Domain]) -> None:
        """Allow questions to join a public table: each private row gets the columns of the public row with its `on`.

        Args:
            name: by which questions name it.
            source: public; read in full, now.
            on: the common column, unique in the public table.
            columns: declared domains of what it adds.

        Raises:
            QueryError: a column that the private table declares too.
            ParameterError: several public rows for one value of `on`, or columns that the private table has.
            SchemaError: `on` is not in both tables, or two of its values are one cell of the private column.
        """
        taken = sorted(set(columns) & set(self._columns))
        if taken:
            raise QueryError(
                "A public table adds columns of its own; {taken} are declared already.", "rename them.", taken=taken
            )
        names = (on, *(column for column in columns if column != on))
        rows = public_rows(self._engine, source_from(source), names)
        joined = Join(rows, names, on)
        self._engine.check(self._table, BoundedAsk(self.unit, (), join=joined))
        keys = tuple(row[0] for row in rows if row[0] is not None)
        distinct_cells(on, keys, self._engine.summarize(self._table, Canonical(on, keys)))
        self._public[name] = _Public(joined, dict(columns), digest_of(joined))

    @known_only
    def sql(self, text: str, **offer: Unpack[Offer]) -> tuple[Answer, ...]:
        """The answers of a SELECT, one for each aggregate in it; each costs the offered price, all are charged or none.

        Where there are several, their requests are named after the one that is given: "name (1 of 2)" and so on.

        Raises:
            QueryError: a statement whose answer cannot be bounded; the message says why.
        """
        public = {name: Joinable(public.join.on, public.columns) for name, public in self._public.items()}
        queries = queries_of(text, self._columns, self.unit.person, public)
        price = offered(offer)
        prepared = [self.prepared(query, price) for query in queries]  # all are refused, or none
        confidence, names = offer.get("confidence", CONFIDENCE), names_of(offer.get("request"), len(queries))
        return self._paid([*zip(queries, prepared, names, strict=True)], price, confidence)

    def prepared(self, query: Query, price: Price) -> PreparedQuery:
        """The mechanism of a question, before anything is charged or read.

        All that can be refused without a private value is refused here: after the charge nothing fails but the machine.

        Raises:
            QueryError: the question cannot be bounded.
            ParameterError: the price does not suit the mechanism, or a public value is none.
            SchemaError: a column that the table has not, or of a type that cannot be asked about.
        """
        columns = self._domains(query.join)
        check_query(query, columns, self.unit)
        join = None if query.join is None else replace(self._public[query.join].join, is_inner=query.inner)
        ready = prepared_query(query, columns, self.unit, price, join=join)
        self._engine.check(self._table, ready.ask)
        return ready

    def ask(self, query: Query, price: Price, *, confidence: float = CONFIDENCE, request: str | None = None) -> Answer:
        """Charge, read, decide, store; or the stored answer of a request that was answered before.

        Args:
            query: the question.
            price: what is offered.
            confidence: of each interval.
            request: its name in the ledger; None: the digest of all that decides the answer.

        Raises:
            BudgetExceeded: too little is left; nothing was charged or read.
            LedgerError: the name was used for another question; nothing was charged or read.
            QueryError, ParameterError: the question or the price; nothing was charged or read.
        """
        return self._paid([(query, self.prepared(query, price), request)], price, confidence)[0]

    def _paid(
        self, asked: Sequence[tuple[Query, PreparedQuery, str | None]], price: Price, confidence: float
    ) -> tuple[Answer, ...]:
        """Charge prepared questions, all or none; then read, decide and store each, unless its answer is stored."""
        confidence = shown_confidence(confidence)
        orders = [self._order(query, ready, price, confidence, request) for query, ready, request in asked]
        self._ledger.charge_all(self.dataset, self.analyst, orders)
        answers = []
        for (query, ready, _), order in zip(asked, orders, strict=True):
            stored = self._ledger.answer(order.request)
            if stored is None:
                found = self._answered(query, price, ready, confidence)
                stored = self._ledger.store_answer(order.request, found.to_json())
            answers.append(Answer.from_json(stored))
        return tuple(answers)

    def _order(self, query: Query, ready: PreparedQuery, price: Price, confidence: float, request: str | None) -> Order:
        """What is charged for a question: its name in the ledger is given, or the digest of all that it means."""
        meaning = meaning_of(
            query, self._domains(query.join), dataset=self.dataset, analyst=self.analyst, version=self.version,
            unit=self.unit, price=price, confidence=confidence, event=ready.mechanism.event,
            mechanism=ready.mechanism.name,
            joined=None if query.join is None else self._public[query.join].digest,
        )  # fmt: skip
        scope, note = scope_of(query, self._keys, self._immutable), f"{query.sentence} for {in_words(price)}"
        return Order(request or meaning, ready.mechanism.event, scope, meaning, self.version, note)

    def _answered(self, query: Query, price: Price, ready: PreparedQuery, confidence: float) -> Answer:
        """Read and decide; the charge is durable."""
        from sfumato.account.event import to_data

        found = ready.run(self._engine, self._table, confidence=confidence, bits=self._bits)
        return Answer(
            question=query.sentence, by=tuple(keyed.column for keyed in query.by), keys=found.keys, cells=ready.cells,
            values=found.values, low=found.low, high=found.high, confidence=found.confidence, mechanism=ready.mechanism.name,
            cost=to_data(ready.mechanism.event), price=in_words(price), sensitivity=ready.mechanism.argument, unit=self.unit.sentence,
            seeded=not self._bits.is_secure, notes=found.notes,
        )  # fmt: skip

    def _offered(self, query: Query, offer: Offer) -> Answer:
        """A question with what is offered for it."""
        return self.ask(
            query, offered(offer), confidence=offer.get("confidence", CONFIDENCE), request=offer.get("request")
        )

    def _domains(self, join: str | None) -> dict[str, Domain]:
        """Declared domains, with those of a joined table."""
        if join is None:
            return self._columns
        if join not in self._public:
            raise QueryError(
                "Public tables are {public}; got {join!r}.",
                "declare it with `session.join`.",
                public=sorted(self._public),
                join=join,
            )
        return {**self._columns, **self._public[join].columns}

"""Questions to a private table: how right an answer would be at each price, before anything is charged; then the answer.

No exact figure of the private table stands on this page: only declared knowledge, synthetic trials, and answers with noise
that were charged to the ledger.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from math import ceil, isfinite
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.account.ledger.ledger import Ledger
from sfumato.document.result.answers import AnswersResult
from sfumato.document.result.codec import read
from sfumato.errors import PlanError, SfumatoError
from sfumato.front.answers import priced, simulated, told
from sfumato.front.session import session_of
from sfumato.frozen import dataclass
from sfumato.language.asked import parts_of
from sfumato.release.answer.document import read_data_document
from sfumato.release.answer.opening import budget_of, told_of
from sfumato.release.answer.price import price_of
from sfumato.release.stage import staged
from sfumato.studio.databases import SOURCE, keys_of, opening_of
from sfumato.studio.pages.base import Asked, Page, Turn
from sfumato.studio.shelf import DATA_FILE, whole
from sfumato.studio.vault import Locked
from sfumato.table.domain import Categories, Range
from sfumato.table.source import SqlSource

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.account.event import Price
    from sfumato.document.result.answers import AccuracyResult, AnswerTold, SimulatedResult
    from sfumato.document.result.budget import BudgetResult
    from sfumato.release.answer.document import DataDocument

_RUNS, _ROWS, _MOST_ROWS, _MOST_CHARGES = 200, 1000, 100_000, 200
ASKABLE = ("COUNT(*)", "SUM", "AVG", "STDDEV", "QUANTILE")


@dataclass(frozen=True, slots=True)
class ShownNumber:
    """One number of an answer with its interval.

    Args:
        label: its group and what it is.
        value: the noisy number.
        low, high: ends of the interval; "": none is proven.
        bar: place of the number and of the interval's ends, in percent of the picture: (low, value, high); None: none.
    """

    label: str
    value: str
    low: str
    high: str
    bar: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """One answer."""

    question: str
    price: str
    mechanism: str
    unit: str
    confidence: str
    numbers: tuple[ShownNumber, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownCharge:
    """One charge of the ledger; a note that is a question and its price stands in both parts, any other in the first."""

    sequence: int
    analyst: str
    note: str
    price: str
    cost: str
    is_answered: bool


@dataclass(frozen=True, slots=True)
class View:
    """What can be asked, what it costs, and what was answered.

    Args:
        statement: the SELECT of the form.
        measure, amount: of its price.
        error: the largest tolerated error; "": none is said.
        numbers, categories: columns that can be asked about.
        analysts: who may be chosen as asking; (): nobody need be.
        analyst: who asks.
        budget, spent, left: of the data set, in words.
        share: spent over the budget, in percent.
        charges: the newest first.
        accuracy: prices for the error; None: not asked.
        trial: errors on synthetic rows; None: not tried.
        answers: the answer that the address names; (): none.
        trouble: why nothing can be asked yet; None: it can.
        is_locked: whether it is a password that was not typed.
        command: what does the same in a shell.
    """

    statement: str
    measure: str
    amount: str
    error: str
    numbers: tuple[str, ...]
    categories: tuple[str, ...]
    analysts: tuple[str, ...]
    analyst: str
    budget: str
    spent: str
    left: str
    share: int
    charges: tuple[ShownCharge, ...]
    accuracy: AccuracyResult | None
    trial: SimulatedResult | None
    answers: tuple[ShownAnswer, ...]
    trouble: SfumatoError | None
    is_locked: bool
    command: str


def view(asked: Asked) -> View:
    """The page; with `try`, what a question would cost and how wrong it would be."""
    declared = _declared(asked)
    statement, trouble = _statement(asked)
    sql = asked.wanted("statement", "SELECT COUNT(*) FROM t")
    measure, amount, error = asked.wanted("measure", "epsilon"), asked.wanted("amount", "1/10"), asked.wanted("error")
    accuracy, trial = _tried(asked, declared, sql, trouble)
    account = statement.dataset if statement else None
    return View(
        statement=sql,
        measure=measure,
        amount=amount,
        error=error,
        numbers=tuple(name for name, one in declared.columns.items() if isinstance(one, Range)),
        categories=tuple(name for name, one in declared.columns.items() if isinstance(one, Categories)),
        analysts=() if asked.who.name else tuple(declared.analysts),
        analyst=asked.wanted("analyst"),
        budget=", ".join(account.budget.limit) if account else "",
        spent=", ".join(account.spent) if account else "",
        left=", ".join(account.left) if account else "",
        share=_share(statement) if statement else 0,
        charges=_charges(statement) if statement else (),
        accuracy=accuracy,
        trial=trial,
        answers=_answers(asked),
        trouble=trouble,
        is_locked=isinstance(trouble, Locked),
        command=f"sfumato query data.toml {json.dumps(sql, ensure_ascii=False)} --{measure} {amount}",
    )


def _declared(asked: Asked) -> DataDocument:
    return read_data_document(asked.project.folder / DATA_FILE)


def _statement(asked: Asked) -> tuple[BudgetResult | None, SfumatoError | None]:
    """What was spent; or why the ledger cannot be read."""
    try:
        statement, readings = budget_of(opening_of(asked), None)
        return told_of(statement, readings, None), None
    except SfumatoError as error:
        return None, error


def _tried(
    asked: Asked, declared: DataDocument, sql: str, trouble: SfumatoError | None
) -> tuple[AccuracyResult | None, SimulatedResult | None]:
    """What the question would cost for an error, and how wrong it would be at its price; no row is read."""
    if trouble is not None or asked.query.get("try") is None:
        return None, None
    rows = min(whole(asked.wanted("rows")) or _ROWS, _MOST_ROWS)
    error = asked.wanted("error").strip().replace(",", ".")
    accuracy = priced(declared, sql, error, rows=rows) if error else None
    price = _price(asked)
    trial = simulated(
        declared, sql, price, rows=rows, runs=_RUNS, confidence=0.95, rng=np.random.default_rng(1)
    )  # fmt: skip
    return accuracy, trial


def _opened(asked: Asked, declared: DataDocument) -> DataDocument:
    """The declarations, with the password of their database where it needs one."""
    if not isinstance(declared.source, SqlSource):
        return declared
    password = keys_of(asked, "data", SOURCE).get(declared.source.url, "")
    return replace(declared, source=replace(declared.source, password=password))


def _price(asked: Asked) -> Price:
    """What the form offers for each answer."""
    amount = asked.wanted("amount").strip().replace(",", ".")
    is_rho = asked.wanted("measure") == "rho"
    return price_of(None if is_rho else amount, None, amount if is_rho else None)


def pay(asked: Asked) -> Turn:
    """The question is charged, asked and answered; the answer is kept, for it is public."""
    if asked.posted.get("sure") != "yes":
        raise PlanError("An answer is paid for, and nothing gives it back.", "tick the box if this is what you want.")
    declared = _declared(asked)
    key, amount = asked.posted.get("measure", "epsilon"), asked.posted.get("amount", "").strip().replace(",", ".")
    private, key_to_ledger = _opened(asked, declared), opening_of(asked).password
    with (
        Ledger.open(declared.ledger, password=key_to_ledger) as ledger,
        session_of(private, _who(asked), ledger=ledger) as session,
    ):
        sql = asked.posted.get("statement", "")
        answers = session.sql(sql, rho=amount) if key == "rho" else session.sql(sql, epsilon=amount)
        found = told(session, answers)
    number = _next(asked.project.folder / "answers")
    with staged() as stage:
        stage.write(asked.project.folder / "answers" / f"{number:04}.json", found.to_json(), internal=False)
        stage.commit()
    return Turn("ask", {"answer": str(number), "statement": sql, "measure": key, "amount": amount}, "answer")


def _who(asked: Asked) -> str | None:
    """Who asks, for the ledger: of a team whoever signed in, else whom the form names."""
    return asked.who.name or asked.posted.get("analyst") or None


def _next(folder: Path) -> int:
    folder.mkdir(exist_ok=True)
    return max((int(one.stem) for one in folder.glob("[0-9]*.json") if one.stem.isdecimal()), default=0) + 1


def _answers(asked: Asked) -> tuple[ShownAnswer, ...]:
    """The answers that the address names."""
    number = whole(asked.query.get("answer", ""))
    path = None if number is None else asked.project.folder / "answers" / f"{number:04}.json"
    if path is None or not path.is_file():
        return ()
    return tuple(_shown(one) for one in read(AnswersResult, path.read_text("utf-8"), "`sfumato query`").answers)


def _shown(answer: AnswerTold) -> ShownAnswer:
    flat = [
        (" · ".join((*key, cell)), (_number(value), _number(low), _number(high)))
        for key, values, lows, highs in zip(answer.keys, answer.values, answer.low, answer.high, strict=True)
        for cell, value, low, high in zip(answer.cells, values, lows, highs, strict=True)
    ]
    seen = [0.0, *(end for _, ends in flat for end in ends if end is not None)]
    scale = min(seen), (max(seen) - min(seen)) or 1.0
    return ShownAnswer(
        question=answer.question,
        price=answer.price,
        mechanism=answer.mechanism,
        unit=answer.unit,
        confidence="" if answer.confidence is None else f"{100 * answer.confidence:g} %",
        numbers=tuple(_bar(label, ends, scale) for label, ends in flat),
        notes=answer.notes,
    )


Ends: TypeAlias = tuple[float | None, float | None, float | None]
"""A number and the ends of its interval."""


def _bar(label: str, ends: Ends, scale: tuple[float, float]) -> ShownNumber:
    """A number with its interval, and where both stand in a picture that begins at scale[0] and is scale[1] wide."""
    value, low, high = ("" if end is None else f"{end:,.6g}" for end in ends)
    place = [100 * (end - scale[0]) / scale[1] for end in (ends[1], ends[0], ends[2]) if end is not None]
    return ShownNumber(label, value, low, high, (place[0], place[1], place[2]) if len(place) == 3 else None)


def _number(value: object) -> float | None:
    """A number of an answer; None where it has no meaning or no end."""
    found = float(value) if isinstance(value, (int, float)) else None
    return found if found is not None and isfinite(found) else None


def _charges(statement: BudgetResult) -> tuple[ShownCharge, ...]:
    return tuple(
        ShownCharge(one.sequence, one.analyst, *parts_of(one.note), one.words, one.answered)
        for one in reversed(statement.charges[-_MOST_CHARGES:])
    )


def _share(statement: BudgetResult) -> int:
    """Spent over the budget, rounded up, of the number that is nearest to its end."""
    account = statement.dataset
    pairs = [
        (Fraction(spent), Fraction(limit)) for spent, limit in zip(account.spent, account.budget.limit, strict=True)
    ]
    return min(100, max(ceil(100 * spent / limit) if limit else 0 for spent, limit in pairs))


PAGE = Page(
    name="ask",
    place=120,
    title="Ask",
    document="data",
    command="sfumato query data.toml",
    view=view,
    acts={"pay": pay},
    for_analysts=True,
)

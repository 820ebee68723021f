"""A session opened from a data document: its ledger, table and analysts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import PlanError
from sfumato.release.answer.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.account.budget import Budget
    from sfumato.account.ledger.ledger import Ledger
    from sfumato.release.answer.document import DataDocument
    from sfumato.release.graph.declared import DeclaredGraph
    from sfumato.release.graph.session import GraphSession


def session_of(
    document: DataDocument, analyst: str | None, engine: object = None, ledger: Ledger | None = None
) -> Session:
    """A session of one analyst, with the public tables of the document.

    Args:
        document: the declarations.
        analyst: who asks; None: the only one that is listed, or "analyst" with the whole budget.
        engine: where the private table is read, as in `Session`; None: as the document says.
        ledger: one that is open already, and is not closed with the session; None: that of the document.

    Raises:
        PlanError: an analyst who is not listed, or none where several are.
    """
    name = analyst_of(document.analysts, analyst)
    session = Session(
        document.source, document.columns, unit=document.unit, budget=document.budget, ledger=ledger or document.ledger,
        dataset=document.dataset, analyst=name, analyst_budget=document.analysts.get(name), engine=engine or document.engine,
        version=document.version, immutable=document.immutable,
    )  # fmt: skip
    for table, public in document.public.items():
        session.join(table, public.source, on=public.on, columns=public.columns)
    return session


def graph_session_of(declared: DeclaredGraph, analyst: str | None, engine: object = None) -> GraphSession:
    """A session of one analyst with a private graph.

    Args:
        declared: the declarations.
        analyst: who asks; None: as for `session_of`.
        engine: where the table is read; None: as the document says.
    """
    from sfumato.release.graph.session import GraphSession

    return GraphSession(declared, analyst_of(declared.analysts, analyst), engine=engine)


def analyst_of(listed: Mapping[str, Budget], analyst: str | None) -> str:
    """Who asks.

    Raises:
        PlanError: an analyst who is not listed, or none where several are.
    """
    if analyst is None and len(listed) > 1:
        raise PlanError("Several analysts may ask: {listed}.", "say who does, with --analyst.", listed=sorted(listed))
    name = analyst or next(iter(listed), "analyst")
    if listed and name not in listed:
        raise PlanError(
            "Analyst {name!r} is not listed; listed: {listed}.",
            "add [analysts.NAME] with a budget.",
            name=name,
            listed=sorted(listed),
        )
    return name

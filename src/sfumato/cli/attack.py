"""`sfumato attack`: tries every attack on a release and prints how often each succeeds, beside its control.

Traces are attacked as traces: where the plan has [traces], or where their columns are named.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.careful import Careful
from sfumato.cli.options import CONFIDENCE, JSON, MISSING, QUASI_IDENTIFIER, SENSITIVE
from sfumato.cli.trace_options import TRACES, columns_of
from sfumato.report.columns import aligned

if TYPE_CHECKING:
    from sfumato.document.result.attack import AttackResult, TriedAttack
    from sfumato.document.result.trace_attack import TraceAttackResult


@click.command(cls=Careful)
@click.argument("original")
@click.argument("release")
@click.option("--control", help="Persons of the same population who are not in the original.")
@click.option("--plan", "plan_path", type=click.Path(path_type=Path), help="Roles, hierarchies, promises, tolerance.")
@QUASI_IDENTIFIER
@SENSITIVE
@MISSING
@click.option("--guesses", type=click.IntRange(1), default=500, show_default=True, help="Most guesses of each attack.")
@CONFIDENCE
@TRACES
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the documented result as JSON.")
@JSON
def attack(  # noqa: PLR0913, PLR0917
    original: str, release: str, control: str | None, plan_path: Path | None, quasi_identifiers: tuple[str, ...],
    sensitive: tuple[str, ...], missing: tuple[str, ...], guesses: int, confidence: float,
    output: Path | None, as_json: bool, **traces: Any,
) -> None:  # fmt: skip
    """Attack RELEASE, whoever made it, and score each attack against ORIGINAL and a control group.

    Traces are attacked where the plan has [traces], or where --person, --time, --latitude, --longitude, --zone and
    --written are given.
    """
    from sfumato.cli.work import plan_at, where, write_text
    from sfumato.document.traces import TracesDocument
    from sfumato.front.tables import attack_release
    from sfumato.front.trace_attacks import attack_traces

    plan, columns = plan_at(plan_path), columns_of(traces)
    tables = where(original, missing=missing), where(release, missing=missing)
    found: AttackResult | TraceAttackResult
    if columns is not None or (plan is not None and isinstance(plan.method.said, TracesDocument)):
        found = attack_traces(
            *tables, columns, plan=plan, renamed=not traces["same_names"], cells=traces["check_ins"],
            guesses=guesses, confidence=confidence,
        )  # fmt: skip
    else:
        found = attack_release(
            *tables,
            control=None if control is None else where(control, missing=missing),
            quasi_identifiers=quasi_identifiers,
            sensitive=sensitive,
            plan=plan,
            guesses=guesses,
            confidence=confidence,
        )
    if output is not None:
        write_text(output, found.to_json())
    click.echo(found.to_json() if as_json else "\n".join(table(found)) + "\n", nl=False)
    if output is not None and not as_json:
        click.echo(f"  result: {output}")


def table(found: AttackResult | TraceAttackResult) -> list[str]:
    """The lines that a person reads: one for each attack, then the matching, then what to know."""
    from sfumato.document.result.attack import AttackResult

    head = ("attack", "on", "persons", "right", "control", "risk", "interval", "")
    cells: list[tuple[str, ...]] = [head, *(_line(one) for one in found.attacks)]
    lines = [*aligned(cells, {0, 1, 7}), ""]
    matches = found.matches if isinstance(found, AttackResult) else ()
    lines += ["Every original row known, and matched with a released one:"] if matches else []
    lines += [
        f"  {match.expected:,.1f} of {match.published:,} expected right by {', '.join(match.known)}"
        for match in matches
    ]
    lines += [f"note: {note}" for note in found.notes]
    return [*lines, f"Accepted risk: {_share(found.risk_threshold)}; low only if the whole interval is."]


def _line(one: TriedAttack) -> tuple[str, ...]:
    """Name, target, persons, both rates, risk, interval and verdict."""
    return (
        one.attack,
        one.target,
        "" if one.judged_on is None else f"{one.judged_on.persons:,}",
        *("" if rate is None else _share(rate.value) for rate in (one.main, one.control)),
        "" if one.risk is None else _share(one.risk.value),
        "" if one.risk is None else f"{_share(one.risk.low)} … {_share(one.risk.high)}",
        one.verdict,
    )


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"

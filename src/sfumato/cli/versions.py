"""`sfumato versions`: intersects several releases of the same people and prints what is left of their secrets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.cli.careful import Careful
from sfumato.cli.options import JSON, MISSING, QUASI_IDENTIFIER, SENSITIVE
from sfumato.report.columns import aligned

if TYPE_CHECKING:
    from sfumato.document.result.attack import Secret, VersionsResult

_LINES = (
    ("mean_values", "possible values, on average"),
    ("fewest_values", "possible values, of the person with the fewest"),
    ("mean_rows", "rows that could be the person's, on average"),
    ("fewest_rows", "rows that could be the person's, at least"),
    ("determined", "persons whose value is certain"),
    ("guessed", "persons whose value is guessed right"),
    ("ruled_out", "persons whose own value is ruled out"),
)
_SHARES = frozenset({"determined", "guessed", "ruled_out"})


@click.command(cls=Careful)
@click.argument("original")
@click.argument("releases", nargs=-1, required=True)
@click.option("--plan", "plan_path", type=click.Path(path_type=Path), help="Roles, kinds and hierarchies.")
@QUASI_IDENTIFIER
@SENSITIVE
@MISSING
@JSON
def versions(  # noqa: PLR0913, PLR0917
    original: str, releases: tuple[str, ...], plan_path: Path | None, quasi_identifiers: tuple[str, ...], sensitive: tuple[str, ...],
    missing: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Say what two or more RELEASES of the people in ORIGINAL tell together that none tells alone."""
    from sfumato.cli.work import plan_at, where
    from sfumato.front.tables import versions as intersect

    found = intersect(
        where(original, missing=missing),
        [where(release, missing=missing) for release in releases],
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        plan=plan_at(plan_path),
    )
    click.echo(found.to_json() if as_json else "\n".join(lines(found, releases)) + "\n", nl=False)


def lines(found: VersionsResult, names: Sequence[str]) -> list[str]:
    """The lines that a person reads: for each secret, one column for each release and one for all together.

    Args:
        found: what they tell.
        names: what the releases are called.
    """
    out = []
    for secret in found.secrets:
        each = (*secret.alone, secret.together)
        head = [secret.column, *(Path(name).name for name in names), "together"]
        rows = [head, *([text, *(_shown(key, getattr(one, key)) for one in each)] for key, text in _LINES)]
        out += aligned(rows, {0})
        out += [f"{_share(secret.most_frequent)} have the most frequent value.", _series(secret), ""]
    return [*out[:-1], *_notes(found, names)]


def _notes(found: VersionsResult, names: Sequence[str]) -> list[str]:
    """What a reader should know about a release before believing the numbers."""
    return [
        f"note: {one.labels_not_understood} labels of {Path(name).name} could not be understood (is the kind of each "
        "column declared?): no person is found in their classes."
        for one, name in zip(found.releases, names, strict=True)
        if one.labels_not_understood
    ]


def _series(secret: Secret) -> str:
    """The verdict of m-invariance."""
    if secret.m is None or secret.signature_changed is None:
        return "m-invariance: not defined where the classes of a release overlap."
    if secret.m:
        return f"m-invariance: m = {secret.m}."
    part = _share(secret.signature_changed)
    return f"m-invariance: none; the possible values change for {part} of the persons."


def _shown(key: str, value: float) -> str:
    """A share in percent, a mean with two digits, a whole number."""
    if key in _SHARES:
        return _share(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"

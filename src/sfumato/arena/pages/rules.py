"""The first page: what the contest asks, as its document says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from sfumato.frozen import dataclass
from sfumato.language.words import in_language

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request

    from sfumato.arena.pages.site import Site
    from sfumato.contest.judge import Judge
    from sfumato.table.lines import LineShape

_SEPARATORS = {"\t": "tabs", ",": "commas", ";": "semicolons", " ": "blanks"}
PERIODS = {
    "all": "one pseudonym for each person",
    "week": "one pseudonym for each person and ISO week",
    "month": "one pseudonym for each person and month",
}
TOGETHER = {
    "mean": "the weighted mean of the metrics",
    "median": "the median of the metrics",
    "min": "the least of the metrics",
}
SAID = (*PERIODS.values(), *TOGETHER.values(), *_SEPARATORS.values(), "defence", "attack")
"""Words of this page that stand in no template."""


@dataclass(frozen=True, slots=True, eq=False)
class RulesPages:
    """The rules, and the table that teams anonymise.

    Args:
        site: what pages need.
        table: file that teams anonymise.
        reference: file that attackers have; None: the same.
    """

    site: Site
    table: Path
    reference: Path | None

    async def show(self, request: Request) -> Response:
        """The rules."""
        language = self.site.words(request).language
        view = rules_view(self.site.judge)
        contest = self.site.arena.contest
        said = in_language(contest.welcome, language, "")
        return self.site.answer(
            request, "rules.html", here="", view=view, welcome=said.split("\n\n") if said else [], quota=contest.quota,
            limits=contest.limits, has_reference=self.reference is not None,
        )  # fmt: skip

    async def file(self, request: Request) -> Response:
        """The table, or what attackers have of it, for those who have signed in."""
        path = {"original": self.table, "reference": self.reference or self.table}.get(request.path_params["table"])
        if path is None:
            raise HTTPException(404)
        return FileResponse(path, media_type="application/octet-stream", filename=path.name)


def rules_view(judge: Judge) -> dict[str, Any]:
    """What the page shows of a judge; nothing of its tables but how many lines there are."""
    rules, is_compat = judge.rules, not judge.rules.is_fixed
    total = sum(judge.weights.values())
    metrics = [
        {"name": name, "share": weight / total, "says": judge.game.metrics[name].says, "differs": (is_compat and judge.game.metrics[name].differs) or ""}
        for name, weight in judge.weights.items()
    ]  # fmt: skip
    attacks = [(name, judge.game.attacks[name].says) for name in judge.attacks]
    return {
        "game": judge.game.name, "version": rules.version, "lines": judge.original.rows, "metrics": metrics,
        "attacks": attacks, "period": PERIODS[rules.period], "most_deleted": rules.most_deleted, "most_guesses": rules.most_guesses,
        "together": TOGETHER[judge.worth], "has_weights": judge.worth == "mean", "submitted": _shape(judge.game.submitted), "published": _shape(judge.game.published),
        "deletes": judge.game.submitted.deleted,
    }  # fmt: skip


def _shape(shape: LineShape) -> dict[str, Any]:
    """How lines are written."""
    return {
        "columns": [column.name for column in shape.columns],
        "separator": _SEPARATORS.get(shape.separator, shape.separator),
        "header": shape.header,
    }

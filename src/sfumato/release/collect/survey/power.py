"""What a survey will see, and when enough have answered."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sfumato.mechanism.local.survey.power import deviation, needed

if TYPE_CHECKING:
    from sfumato.release.collect.survey.survey import Survey


def share_asked(survey: Survey) -> float:
    """Share of the phones that ask a question."""
    return survey.asks / len(survey.asked)


def enough(survey: Survey) -> int | None:
    """Phones after which nobody is asked any more: known before the first answer, so looking often misleads nobody."""
    stop = survey.document.stop
    if stop is None:
        return None
    least = [] if stop.respondents is None else [stop.respondents]
    if stop.half_width is not None:
        widest = max(deviation(one.reports) for one in survey.asked)
        least.append(math.ceil(needed(widest, stop.half_width) / share_asked(survey)))
    return min(least)

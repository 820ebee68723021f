"""When enough have answered a survey."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sfumato.mechanism.local.survey.power import deviation, needed

if TYPE_CHECKING:
    from sfumato.release.collect.survey.survey import Survey


def enough(survey: Survey) -> int | None:
    """Phones after which nobody is asked any more: known before the first answer, so looking often misleads nobody."""
    stop = survey.document.stop
    if stop is None:
        return None
    least = [] if stop.respondents is None else [stop.respondents]
    if stop.half_width is not None:
        widest = max(deviation(one.reports) for one in survey.asked)
        least.append(math.ceil(needed(widest, stop.half_width) / (survey.asks / len(survey.asked))))
    return min(least)

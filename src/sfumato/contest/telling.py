"""Faults of files in the words of whoever reads them: the line, the column, and what must be true there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.document.result.contest import FaultTold
    from sfumato.language.words import Words
    from sfumato.table.lines import LineFault


def fault_told(fault: FaultTold | LineFault, say: Words) -> str:
    r"""A fault as a sentence.

    Args:
        fault: of a file.
        say: the words of a language.

    Example:
        >>> from sfumato.language.words import words
        >>> from sfumato.table.lines import LineFault
        >>> one = LineFault(12, "latitude", "must be a finite number.")
        >>> fault_told(one, words("en")), fault_told(one, words("fr"))
        ('Line 12, latitude: must be a finite number.', 'Ligne 12, latitude\xa0: doit être un nombre fini.')
    """
    _ = say.gettext
    place = _("Line {line}").format(line=fault.line) if fault.line else _("The file")
    where = f"{place}, {fault.column}" if fault.column else place
    return _("{place}: {must}").format(place=where, must=say.say(fault.must))


def faults_told(faults: Iterable[FaultTold | LineFault], say: Words) -> str:
    """Faults, a line each."""
    return "\n".join(fault_told(one, say) for one in faults)

"""Faults of files in the words of whoever reads them: the line, the column, and what must be true there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.document.result.contest import FaultTold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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


def verdict_told(said: Mapping[str, Any], say: Words) -> str:
    """What the judge said of a submission or an attack, a line each; "": nothing but that it keeps the rules.

    Args:
        said: a result as a document, or what stands in place of one: faults alone, or why there is none.
        say: the words of a language.
    """
    _ = say.gettext
    if said.get("faults"):
        return faults_told((FaultTold(**one) for one in said["faults"]), say)
    if "why" in said:
        return say.say(said["why"])
    by_attack = _("found by the attack")
    lines = [f"{name:<12} {value:.4f}" for name, value in said.get("metrics", {}).items()]
    lines += [f"{name:<12} {value:.4f} {by_attack}" for name, value in said.get("attacks", {}).items()]
    if said.get("worth") is not None:
        lines += [f"{_('worth'):<12} {said['worth']:.4f}", f"{_('score'):<12} {said['score']:.4f}"]
    if said.get("found") is not None:
        lines.append(_("found: {share}").format(share=f"{said['found']:.4f}"))
    return "\n".join(lines)

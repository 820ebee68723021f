"""What the columns beside it tell of a column: its table's subject, columns it repeats or is derived from."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.table.role import Finding
from sfumato.table.schema import Kind, Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.release.binding import Recoding
    from sfumato.table.role import Look
    from sfumato.table.words import Words

_UNNAMED = re.compile(r"column \d+")
_FRACTION = re.compile(r"-?\d+[.,]\d*[1-9]\d*")
_BATTERY = 3
"""Columns with the same answers, and answers that they have, at least."""
_AT_LEAST = 2
"""Columns that must speak of a subject before the others of the table are taken to."""


def in_context(
    looks: Mapping[str, Look], findings: Mapping[str, Finding], found: Sequence[Recoding], words: Words
) -> dict[str, Finding]:
    """The findings where each column is read beside the others.

    Only columns of which nothing is known by themselves change, and columns that repeat a quasi-identifier.

    Args:
        looks: every column, in table order.
        findings: what each seems to be by itself.
        found: columns that determine others.
        words: the word list.
    """
    out = dict(findings)
    out.update(_keys(looks, out))
    out.update(_batteries(looks, out))
    out.update(_derived(out, found))
    out.update(_by_subject(out, words))
    out.update(_repeats(looks, out, found))
    return out


def _keys(looks: Mapping[str, Look], findings: Mapping[str, Finding]) -> dict[str, Finding]:
    """In a table of events without names, the first column of repeated whole numbers says whose they are."""
    first = next(iter(looks), "")
    if not _UNNAMED.fullmatch(first) or looks[first].kind is not Kind.INTEGER or findings[first].is_sure:
        return {}
    if not any(look.kind is Kind.DATE for look in looks.values()):
        return {}
    return {first: Finding(Role.IDENTIFYING, "the first of a table of dated events: it says whose they are", "key")}


def _batteries(looks: Mapping[str, Look], findings: Mapping[str, Finding]) -> dict[str, Finding]:
    """Columns with exactly the same texts as answers speak of the same, where most of those that tell agree."""
    alike: dict[frozenset[str], list[str]] = {}
    asked = {name: look for name, look in looks.items() if look.kind is Kind.TEXT and len(look.values) >= _BATTERY}
    n_alike = Counter(len(look.values) for look in asked.values())
    for name, look in asked.items():
        if n_alike[len(look.values)] >= _BATTERY:
            alike.setdefault(frozenset(look.values), []).append(name)
    out: dict[str, Finding] = {}
    for names in alike.values():
        told = Counter((findings[n].role, findings[n].subject) for n in names if findings[n].is_sure)
        if len(names) < _BATTERY or not told:
            continue
        (role, subject), most = told.most_common(1)[0]
        if 2 * most > told.total() and role is not Role.IDENTIFYING:
            reason = "its answers are those of columns that are " + role.value
            out |= {n: Finding(role, reason, subject) for n in names if not findings[n].is_sure}
    return out


def _derived(findings: Mapping[str, Finding], found: Sequence[Recoding]) -> dict[str, Finding]:
    """What tells a secret, or is told by one, is as secret."""
    out: dict[str, Finding] = {}
    for pair in found:
        for one, other, how in (
            (pair.column, pair.other, "it determines"),
            (pair.other, pair.column, "it is determined by"),
        ):
            secret = findings[other]
            if secret.role is Role.SENSITIVE and secret.is_sure and not findings[one].is_sure:
                out[one] = Finding(Role.SENSITIVE, f"{how} {other!r}, which is sensitive", secret.subject)
    return out


def _by_subject(findings: Mapping[str, Finding], words: Words) -> dict[str, Finding]:
    """Where a secret subject outweighs all that others can know, the columns of which nothing is known are of it."""
    known = sum(f.role is Role.QUASI_IDENTIFYING and f.is_sure for f in findings.values())
    secret = Counter(f.subject for f in findings.values() if f.role is Role.SENSITIVE and f.is_sure)
    if not secret:
        return {}
    subject, most = secret.most_common(1)[0]
    if most < max(_AT_LEAST, known):
        return {}
    says = next((s.says for s in (*words.own, *words.subjects) if s.name == subject), subject)
    reason = f"nothing tells what it is, and most of the table speaks of {says}"
    return {
        name: replace(finding, role=Role.SENSITIVE, reason=reason)
        for name, finding in findings.items()
        if not finding.is_sure or finding.subject == "measured"
    }


def _repeats(
    looks: Mapping[str, Look], findings: Mapping[str, Finding], found: Sequence[Recoding]
) -> dict[str, Finding]:
    """Of quasi-identifiers that say the same, all but the first are left out of the release."""
    first: dict[str, str] = {}
    for pair in found:
        both = {pair.column, pair.other}
        are_known = all(findings[name].role is Role.QUASI_IDENTIFYING for name in both)
        if pair.both_ways and are_known and not all(_has_fractions(looks[name]) for name in both):
            first.setdefault(pair.other, first.get(pair.column, pair.column))
    return {
        name: Finding(
            Role.IDENTIFYING, f"it says the same as {other!r}: publishing both undoes its recoding", "repeats"
        )
        for name, other in first.items()
    }


def _has_fractions(look: Look) -> bool:
    """Two measurements that tell each other in a small table are no recodings."""
    return look.kind is Kind.DECIMAL and 2 * sum(map(bool, map(_FRACTION.fullmatch, look.values))) > len(look.values)

"""The result as plain text for a terminal, at most 100 columns wide."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from sfumato.report import record_view, risk_view, view
from sfumato.report.document import stable
from sfumato.report.number import NBSP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH = 100


def render_text(result: Mapping[str, Any]) -> str:
    """The four answers, the risks, the worth and the files, as lines of at most 100 characters.

    Control characters are shown as �, so that a column name cannot steer a terminal.

    Args:
        result: a document of format `sfumato.release/1`; absent optional parts are left out.

    Returns:
        Text with a final line end.

    Example:
        >>> print(render_text({"done": {"method": "mondrian", "summary": "Boxes."}}), end="")
        Release of a table
        ==================
        <BLANKLINE>
        What was done: Mondrian partition
          Boxes.
    """
    result = stable(dict(result))
    title = view.title(result)
    lines = [title[:WIDTH], "=" * min(len(title), WIDTH), *_done(result), *_promises(result), *_perturbed(result)]
    lines += [*_worth(result), *_wishes(result), *_risks(result), *_questions(result), *_files(result)]
    return "".join(f"{_clean(line).rstrip()}\n" for line in lines)


def _done(result: Mapping[str, Any]) -> list[str]:
    lines = ["", f"What was done: {view.method(result)}", *_wrap(result.get("done", {}).get("summary", ""))]
    lines += _wrap(result.get("done", {}).get("why", ""))
    lines += _columns(view.facts(result))
    levels = [(a["name"], f"level {a['level']}") for a in view.attributes(result) if a["level"] != "–"]
    return lines + _columns(levels)


def _promises(result: Mapping[str, Any]) -> list[str]:
    lines = []
    for p in view.promises(result):
        numbers = ", ".join(f"{name} = {value}" for name, value in p["parameters"])
        lines += ["", f"What is promised: {p['name']}" + (f" ({numbers})" if numbers else "")]
        lines += [*_wrap(p["statement"]), *_columns([("measured", f"{p['measured']}, {p['holds']}")])]
        lines += _wrap(f"Checked {p['checked']}.") if p["checked"] else []
    return lines


def _perturbed(result: Mapping[str, Any]) -> list[str]:
    lines = []
    for p in view.perturbed(result):
        lines += ["", f"Perturbed: {p['column']} by {p['method']}", *_wrap(p["promise"])]
        lines += _columns([(f["label"], f["value"]) for f in (*p["worth"], *p["risk"])])
    return lines


def _worth(result: Mapping[str, Any]) -> list[str]:
    rows = [(w["label"], f"{w['value']} ({w['better']}; original {w['before']})") for w in view.worth(result)]
    return ["", "What it is worth", *_columns(rows)] if rows else []


def _wishes(result: Mapping[str, Any]) -> list[str]:
    rows = [
        (w["asked"], f"{w['persons']} persons, loss {w['loss']}, suppressed {w['suppressed']}")
        for w in view.wishes(result)
    ]
    return ["", "What persons lost who asked for more", *_columns(rows)] if rows else []


def _risks(result: Mapping[str, Any]) -> list[str]:
    rows = [
        (r["label"], f"{r['before_text']} before, {r['after_text']} after")
        for r in risk_view.risks(result)
        if r["values"]
    ]
    return ["", "What breaks it", *_columns(rows)] if rows else []


def _questions(result: Mapping[str, Any]) -> list[str]:
    questions = risk_view.questions(result)
    rows = [
        (t["test"], f"{t['value']}, threshold {t['threshold']}: {t['verdict']}") for q in questions for t in q["tests"]
    ]
    return _columns([(q["criterion"], q["verdict"]) for q in questions]) + _columns(rows)


def _files(result: Mapping[str, Any]) -> list[str]:
    rows = [(f["path"], f"{f['rows']} rows, {f['bytes']} bytes") for f in record_view.files(result)]
    return ["", "Files", *_columns(rows)] if rows else []


def _wrap(text: str) -> list[str]:
    """An indented paragraph."""
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


def _columns(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Two columns; the second is wrapped under itself."""
    wide = min(max((len(name) for name, _ in rows), default=0), 52)
    out = []
    for name, value in rows:
        first = textwrap.wrap(value, WIDTH - wide - 4) or [""]
        head = name if len(name) <= wide else name[: wide - 1] + "…"
        out += [f"  {head:<{wide}}  {first[0]}", *(" " * (wide + 4) + line for line in first[1:])]
    return out


def _clean(line: str) -> str:
    """Printable characters only, with plain spaces."""
    return "".join(c if c.isprintable() else "�" for c in line.replace(NBSP, " "))

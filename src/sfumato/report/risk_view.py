"""What breaks a release, in which words? Risks, the regulator's three questions, identifying combinations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.report.number import ABSENT, Toward, figure, share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Result = Mapping[str, Any]


def risks(result: Result) -> list[dict[str, Any]]:
    """Each risk before and after, rounded up."""
    risk = result.get("risk", {})
    states = {state: {r["name"]: r for r in risk.get(state, ())} for state in ("before", "after")}
    out = []
    for name, known in (states["before"] | states["after"]).items():
        before, after = (states[state].get(name, {}).get("value") for state in ("before", "after"))
        unit = known.get("unit")
        values = [v for v in (before, after) if v is not None]
        is_share = unit == "share" or (unit is None and all(isinstance(v, float) and 0 <= v <= 1 for v in values))
        spelled = "share" if is_share else unit or "number"
        out.append(
            {
                "name": name,
                "label": known["label"],
                "definition": known["definition"],
                "source": sentence(known.get("source", ABSENT)),
                "before": before,
                "after": after,
                "before_text": figure(before, spelled, Toward.UP),
                "after_text": figure(after, spelled, Toward.UP),
                "values": values,
                "is_share": is_share and bool(values),
            }
        )
    return out


def headline_risk(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The highest prosecutor risk, or else the first share among the risks."""
    shares = [row for row in rows if row["is_share"]]
    return next((row for row in shares if row["name"] == "prosecutor_highest"), shares[0] if shares else None)


def questions(result: Result) -> list[dict[str, Any]]:
    """The three questions, each with its tests; a question is low only if every test is."""
    out: dict[str, dict[str, Any]] = {}
    for item in result.get("wp216", ()):
        asked = {"criterion": item["criterion"], "question": item.get("question", ""), "tests": []}
        out.setdefault(item["criterion"], asked)["tests"].append(_test(item))
    for question in out.values():
        question["verdict"] = worst([test["verdict"] for test in question["tests"]])
    return list(out.values())


def worst(verdicts: Sequence[str]) -> str:
    """The verdict on a question from those on its tests.

    Example:
        >>> worst(["low", "inconclusive"]), worst(["inconclusive", "elevated"]), worst(["low", "low"])
        ('inconclusive', 'elevated', 'low')
        >>> worst(["not applicable", "low"]), worst(["not applicable"])
        ('low', 'not applicable')
    """
    return next((verdict for verdict in ("elevated", "inconclusive", "low") if verdict in verdicts), "not applicable")


def _test(item: Mapping[str, Any]) -> dict[str, str]:
    return {
        "test": sentence(item.get("test", "")),
        "value": figure(item.get("value"), None, Toward.UP) + _interval(item),
        "threshold": figure(item.get("threshold"), None, Toward.DOWN),
        "verdict": item["verdict"],
        "definition": item.get("definition", ""),
    }


def _interval(item: Mapping[str, Any]) -> str:
    """The interval of an attack's figure."""
    low, high = item.get("low"), item.get("high")
    if low is None or high is None:
        return ""
    return f" ({figure(low, None, Toward.DOWN)} … {figure(high, None, Toward.UP)})"


def sentence(text: str) -> str:
    """A phrase with a capital letter and without its final point.

    Example:
        >>> sentence("persons alone."), sentence("")
        ('Persons alone', '')
    """
    return text[:1].upper() + text[1:].rstrip(".")


def subsets(result: Result, most: int = 20) -> list[dict[str, Any]]:
    """The most identifying combinations of columns, as the result orders them."""
    return [
        {
            "columns": ", ".join(item["columns"]),
            "distinction": share(item.get("distinction"), Toward.UP),
            "separation": share(item.get("separation"), Toward.UP),
            "bar": item.get("distinction") or 0.0,
        }
        for item in result.get("subsets", ())[:most]
    ]


def promised_k(result: Result) -> int | None:
    """The k of a promise of k-anonymity."""
    found = [p.get("parameters", {}).get("k") for p in result.get("promise", ()) if p.get("name") == "k-anonymity"]
    return max((k for k in found if isinstance(k, int)), default=None)

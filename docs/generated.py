"""Parts of the reference that the code knows best, kept in the pages themselves so that a checkout can be read.

python docs/generated.py           write them anew
python docs/generated.py --check   say which are stale; exit code 1 if any is
"""

import importlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
MARKED = re.compile(
    r"(?<=<!-- generated: do not edit; `make format` writes it -->\n\n).*?(?=\n<!-- end of generated -->)", re.DOTALL
)


RESULTS = {
    "release.ReleaseResult": "run",
    "judged.RiskResult": "risk",
    "judged.ComparisonResult": "compare",
    "attack.AttackResult": "attack",
    "attack.VersionsResult": "versions",
    "sweep.SweepResult": "sweep",
    "lattice.LatticeResult": "sweep --lattice",
    "budget.BudgetResult": "budget",
    "answers.AnswersResult": "query",
    "answers.AnswerTold": "query (each answer)",
    "answers.AccuracyResult": "accuracy",
    "trace_statistics.ForecastResult": "forecast",
    "graph.GraphFigures": "graph",
    "graph_risk.GraphRisks": "graph risk",
    "answers.SimulatedResult": "simulate",
    "made.DraftResult": "draft",
    "made.CopyResult": "convert",
    "made.HierarchyResult": "hierarchy",
    "made.ReportResult": "report",
    "made.KeyResult": "pseudonymize --new-key",
    "made.PseudonymsResult": "pseudonymize",
    "collected.RecommendationResult": "collect recommend",
    "collected.DesignResult": "collect design",
    "collected.StringParameters": "collect design -o",
    "collected.ReportsResult": "collect randomize",
    "collected.SentResult": "collect send",
    "collected.CountsResult": "collect aggregate",
    "collected.EstimatesResult": "collect estimate",
    "collected.StringsResult": "collect estimate (of strings)",
    "survey.SurveyDesignResult": "survey design",
    "survey.SurveyEstimatesResult": "survey estimate",
    "survey.SurveySimulatedResult": "survey simulate",
    "survey.SurveyAttackResult": "survey attack",
    "survey.AuditResult": "collect audit",
    "survey.RegressionResult": "survey regress",
    "collected.NoisedResult": "collect sanitize",
    "collected.PramResult": "collect pram",
    "experiment.ExperimentsResult": "reproduce",
    "experiment.ExperimentResult": "reproduce NAME",
}
"""Classes of results, each with the command that gives it."""


def results():
    """The keys of every result as a table."""
    keys = importlib.import_module("sfumato.document.result.keys")
    parts = []
    for place, command in RESULTS.items():
        module, name = place.split(".")
        cls = getattr(importlib.import_module(f"sfumato.document.result.{module}"), name)
        rows = [_row(path, key) for path, key in keys.lines(cls)]
        head = [f"## {cls.tag[1]}", "", f"Of `sfumato {command}`.", "", "| key | kind | meaning |", "|---|---|---|"]
        parts.append("\n".join([*head, *rows]) + "\n")
    return "\n".join(parts)


def _row(path, key):
    """One key."""
    kind = key.kind + (" or null" if key.nullable else "") + (", required" if key.required else "")
    choices = f": {', '.join(key.choices)}" if key.choices else ""
    meaning = key.meaning.replace("|", chr(92) + "|").replace("None", "null")
    return f"| `{path}` | {kind} | {meaning}{choices} |"


def commands():
    """The help of every command, as the program prints it."""
    import click

    program = importlib.import_module("sfumato.cli.main").commands
    whole = click.Context(program, info_name="sfumato", max_content_width=88, **program.context_settings)
    parts = []
    for name in program.list_commands(whole):
        command = program.get_command(whole, name)
        context = click.Context(command, parent=whole, info_name=name)
        parts.append(f"## sfumato {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


def models():
    """Every privacy model with the keys that a plan gives."""
    from dataclasses import fields

    registry = importlib.import_module("sfumato.guarantee.registry")
    rows = ["| `model` | further keys | judged | what it means |", "|---|---|---|---|"]
    for cls in sorted(
        registry.criteria(),
        key=lambda c: (c.model, str(getattr(c, "variant", ""))),
    ):
        keys = [f'`{k} = "{v}"`' for k, v in getattr(cls, "variant", {}).items()] + [f"`{f.name}`" for f in fields(cls)]
        how = "each class" if hasattr(cls, "holds") else "all classes together"
        meaning = (cls.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
        rows.append(
            f"| `{cls.model}` | {', '.join(keys)} | {how} | {' '.join(meaning.split())} |".replace("|E|", "size")
        )
    return "\n".join(rows) + "\n"


def documents():
    """Every document that people write: its tables and keys, by its classes."""
    from dataclasses import fields

    catalog = importlib.import_module("sfumato.document.catalog")
    spec = importlib.import_module("sfumato.document.spec")
    parts = []
    for name in catalog.WRITTEN:
        waiting, seen = [catalog.class_named(name)[0]], []
        while waiting:
            cls = waiting.pop(0)
            if cls not in seen:
                seen.append(cls)
                waiting += [inner for hint in spec.hints_of(cls).values() for inner in catalog.tables_below(hint)]
        parts.append(f'## {name}\n\nFirst line: `format = "{catalog.class_named(name)[1].format}"`.\n')
        for cls in seen:
            tag, said = spec.tag_of(cls), spec.meanings(cls)
            title = " ".join((cls.__doc__ or "").split("\n\n")[0].split())
            head = f"**{title}**" + (f' `{tag[0]} = "{tag[1]}"`' if tag else "")
            rows = [
                f"| `{spec.key_of(one)}` | {'required' if spec.is_required(one) else ''} | {said[spec.key_of(one)].replace('|', chr(92) + '|')} |"
                for one in fields(cls)
            ]
            table = ["| key | | meaning |", "|---|---|---|", *rows] if rows else ["No further key."]
            parts.append("\n".join([head, "", *table]) + "\n")
    return "\n".join(parts)


def modules():
    """Every module with its first line."""
    import ast

    rows = ["| module | |", "|---|---|"]
    root = HERE.parent / "src"
    for path in sorted((root / "sfumato").rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        first = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n")[0]
        rows.append(f"| `{name}` | {first.replace('|', chr(92) + '|').replace('*', chr(92) + '*')} |")
    return "\n".join(rows) + "\n"


PARTS = {"cli.md": commands, "documents.md": documents, "plan.md": models, "result.md": results}
"""Pages of the reference, each with the one part that is generated."""


def renewed():
    """The pages whose part is not what the code says now: path and new text."""
    found = {}
    for name, part in PARTS.items():
        path = HERE / "reference" / name
        old = path.read_text("utf-8")
        text = part()
        new, places = MARKED.subn(lambda _, text=text: text, old)
        if places != 1:
            raise SystemExit(f"{path} must hold the marks of generated text once, not {places} times")
        if new != old:
            found[path] = new
    return found


def main():
    """Write, or check."""
    pages = renewed()
    if "--check" in sys.argv[1:]:
        for path in pages:
            print(f"{path} is stale: run `make format`", file=sys.stderr)
        raise SystemExit(bool(pages))
    for path, text in pages.items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()

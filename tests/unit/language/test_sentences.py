"""Every sentence that a result, a draft or a table makes has its French, and is known again with its values in it."""

import ast
import importlib.util
import re
from pathlib import Path
from string import Formatter

import pytest

from sfumato.language.catalogue import catalogue, entries
from sfumato.language.words import words

_SPEC = importlib.util.spec_from_file_location("collected", Path(__file__).with_name("collected.py"))
collected = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(collected)

SAID = catalogue("sfumato.language", "fr", "sentences.po")
ROOMS = (
    "guarantee", "release/method", "risk", "utility", "release/recoding/figures.py", "release/recoding/run.py",
    "release/anatomy/measure.py", "release/anatomy/run.py", "release/trials", "release/record.py",
    "release/publish.py", "release/judge.py", "release/insertion.py", "release/perturb_local.py", "release/measure.py",
    "release/losses.py", "release/membership.py", "release/overlap.py", "release/attacking.py", "release/reread.py",
    "release/perturbing.py", "release/mobility", "release/traces/statistics.py", "mechanism/central/contributions.py",
    "mechanism/recode", "mechanism/bucket", "mechanism/perturb",
    "mechanism/pseudonym/column.py", "table/role.py", "release/draft_context.py", "table/hierarchy", "engine/base.py", "engine/duckdb/rewrite.py",
    "mechanism/graph/statistics", "mechanism/graph/cores/quantiles.py", "mechanism/graph/synthetic/joint_degrees.py", "mechanism/graph/distance/mechanism.py",
    "release/graph/registry.py", "release/graph/run.py", "release/graph/synthetic.py", "mechanism/graph/synthetic/graphs.py", "release/graph/statistic.py", "summary/uniqueness.py", "table/unit.py", "table/guess.py", "table/identifier.py", "release/traces",
    "mechanism/location/geo_indistinguishable.py",
)  # fmt: skip
"""Where sentences are made that somebody reads in a report, in the studio or on a terminal."""
CITED = re.compile(
    r"\b(19|20)\d\d\b|Callable\[|dict\[|tuple\[|Mapping\[|Outcome\[|Method\[|None$|^, (section|definition)|Sequence\["
)
"""Sources, which stay as they are published, and annotations."""
NOT_SAID = frozenset(
    {
        " = {_rounded_up}",
        "{number} high",
        "{number} low",
        "; P. Grassberger, arXiv:physics/0307138",
        "Every value of {column} must be in its hierarchy; {len} of {n_values} distinct values are not",
        "FloatArray | Sequence[Sequence[Fraction | float | int]]",
        "In {column}, {join}.",
        "Distances of traces need SciPy.",
        "Learning a model needs the package scikit-learn.",
        "Regression on randomized answers needs the package scipy.",
        "The earth mover's distance needs SciPy.",
        "The hierarchy file of {column}",
        "add or remove",
        "after `week` write `iso-year`, or leave `week` out.",
        "attack: files linked by {}",
        "attack: singled out by {}",
        "attack: {} certain",
        "attack: {} guessed",
        "by {join}",
        "column \\d+",
        "column {position}",
        "counts of columns that are not published",
        "declare `steps`, such as [1, 2, 4, 8].",
        "e^{epsilon} = {exp}",
        "end of data",
        "field larger",
        "family name",
        "first name",
        "full name",
        "given name",
        "keys too wide",
        "last name",
        "least class size",
        "min(beta, -ln p)",
        "naive staircase",
        "no `model`",
        "not applicable",
        "own value",
        "{block} – {block2}",
        "{block} and {len} more",
        "personal k",
        "sfumato run plan.toml",
        "singling out",
        "social security",
        "square wave",
        "user name",
        "week of a person",
        "zero-truncated Poisson",
        "{_noun} by {by}",
        "{argument} {argument2}",
        "{OTHER} ({n_kept} values)",
        "{capitalize} {text}, {how}.",
        "{capitalize} {text}.",
        "{definition} {told}",
        "{first} with {second}",
        "{key} = {value}",
        "{label} ({column})",
        "{label}, {name}",
        "{model} ({join})",
        "{name} ({number})",
        "{name} ({n})",
        "{name} and {name2}",
        "{name} latitude",
        "{name} longitude",
        "{pair} to {pair2}",
        "{pivot} to {pivot2}",
        "{start}; {what}.",
        "{statement} {text}",
        "{title} by {axis}",
        "{verb} {who}{most}",
        "{whole} and {name}",
        "{year} (ISO)",
    }
)
"""Parts of longer sentences, names and patterns."""


def made():
    """Sentences of those rooms, each once."""
    found = dict.fromkeys(text for room in ROOMS for text in collected.texts(room))
    return [text for text in found if not CITED.search(text) and text not in NOT_SAID]


def names(text):
    """Names of the values in a sentence."""
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})


def test_every_sentence_has_its_french():
    """Also that nothing stands in the list of what is not said that is no longer there."""
    assert [text for text in made() if text not in SAID] == []
    there = {text for room in ROOMS for text in collected.texts(room)}
    assert sorted(NOT_SAID - there) == []


def test_what_is_told_while_work_goes_on_has_its_french():
    """On the page that waits, as on a terminal."""
    told = {
        node.args[2].value
        for room in ("mechanism", "release", "studio")
        for _, tree in collected.modules(room, re.compile(r"(progress|told)_*\("))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and collected.name_of(node).strip("_") in {"progress", "told"}
        if len(node.args) == 3 and isinstance(node.args[2], ast.Constant)
    }
    assert len(told) > 10
    assert [text for text in sorted(told) if words("fr").say(text) == text] == []


def test_a_translation_has_the_same_values():
    """Each value of a sentence, whatever its order."""
    valued = [text for text in SAID if "{" in text and "_{i," not in text]
    assert len(valued) > 200
    assert [text for text in valued if names(SAID[text]) != names(text)] == []


def test_a_sentence_is_known_again_with_its_values():
    """With a number for each value it is told in French, and no template of fewer words takes it."""
    valued, french = [text for text in SAID if re.search(r"\{\w+\}", text) and "_{i," not in text], words("fr")
    assert len(valued) > 200
    wrong = []
    for text in valued:
        behind = re.findall(r"\w+", " ".join(re.findall(r"\.((?:\{\w+\})+)", text)))
        # a number there would be one with a point
        values = {name: "" if name in behind else str(7 + i) for i, name in enumerate(names(text))}
        said = french.say(text.format(**values))
        if said != re.sub(r"\{(\w+)(:said)?\}", lambda found, told=values: told[found[1]], SAID[text]):
            wrong.append((text, said))
    assert wrong == []


@pytest.mark.parametrize(("said", "french"), [
    ("intervals of 5, then 10, 20", "intervalles de 5, puis 10, 20"), ("declared intervals: 4, then 2", "intervalles déclarés : 4, puis 2"),
    ("dates by month, then year", "dates par mois, puis année"), ("dates by month, then quarter, year", "dates par mois, puis trimestre, année"),
])  # fmt: skip
def test_levels_of_a_hierarchy_are_french_to_the_last_word(said, french):
    """However many levels follow the first."""
    assert words("fr").say(said).replace("\u00a0", " ").replace("\u202f", " ") == french


def test_the_point_of_a_number_is_no_end_of_a_sentence():
    """Before a second sentence, 0.2 is 0,2 as it is alone."""
    note = "The population is not known: the table is taken for it, which can only overstate the risk."
    said = words("fr").say(f"Share of the published persons with 1/F > 0.2. {note}")
    assert said.startswith("Part des personnes publiées avec 1/F > 0,2. La population")


@pytest.mark.parametrize("file", ["errors.po", "report.po", "sentences.po"])
def test_each_entry_stands_once_and_whole(file):
    """As a merge of two changes may leave it otherwise."""
    text = (collected.HERE / "language/fr" / file).read_text("utf-8").partition("\n\n")[2]
    words = re.findall(r"^(msgid|msgid_plural|msgstr|msgstr\[\d\]) ", text, re.MULTILINE)
    assert re.fullmatch(r"((msgid,msgstr|msgid,msgid_plural,msgstr\[0\],msgstr\[1\]),)+", ",".join(words) + ",")
    keys = re.findall(r'^msgid (".+")$', text, re.MULTILINE)
    assert sorted(keys) == sorted(set(keys))


def test_no_french_line_begins_with_the_sign_of_the_one_before():
    """Before : ; ? ! » and behind « stands a space at which no line breaks."""
    files = [path for path in collected.HERE.rglob("*.po") if "\nmsgid" in path.read_text("utf-8")]
    broken = {
        (path.name, text)
        for path in files
        for text in entries(path.read_text("utf-8")).values()
        if re.search(r"(?<=\S) [:;?!»](?=\s|$)|« ", text)
    }
    assert len(files) >= 6
    assert sorted(broken) == []


def test_a_sentence_before_one_that_begins_with_a_value_is_no_value_of_it():
    """Both are told, each by itself."""
    said = words("fr").say(
        "Metres from a published fix to the nearest original fix of the same person. 864 fixes, from 1 to 9 m; a quarter up "
        "to 2 m, half up to 3 m, three quarters up to 4 m, 90 % up to 5 m, 95 % up to 6 m, 99 % up to 7 m."
    )
    assert said.startswith("Mètres d'une position publiée")
    assert "864 positions, de 1 à 9 m" in said

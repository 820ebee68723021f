"""The reviewed map from what was recorded to what is called otherwise now, and the comparison up to it."""

import difflib
import json
import re
import tomllib
from math import isclose
from pathlib import Path

MOST = 12
"""Differences that are told of one text."""
AS_NEAR = 1e-9
"""Numbers so near to each other, relatively, are the same: another processor adds in another order."""
FLOAT = re.compile(r"(-?\d+\.\d+(?:e[+-]?\d+)?)")


RESIDUES = (
    ("0." + 15 * "0", r"\b0\.0{15,}\d+", "0"),
    ("e-1", r"\b\d\.\d{10,}e-1[67]\b", "0.0"),
    ("–)", r"original\s+–\)", "original –)"),
)
"""What rounding leaves of 0, as it is printed and kept, and the line that it makes too long; behind what each has in it."""


class Renames:
    """The map of a file."""

    def __init__(self, path: Path, *, same_libraries: bool):
        self.same_libraries = same_libraries
        document = tomllib.loads(path.read_text("utf-8"))
        kinds = ("text", "key", "argument", "outcome", "step", "left_out", "added", "file")
        self.texts, self.keys, self.arguments, self.outcomes, self.steps, self.left_out, self.added, self.new = (
            document.get(kind, []) for kind in kinds
        )

    def command_line(self, name, words):
        """A command line of a case as it is written now."""
        words = list(words)
        for one in self.arguments:
            if one.get("case", "") not in name:
                continue
            old, new = ([told] if isinstance(told, str) else told for told in (one["old"], one["new"]))
            for at in reversed(range(len(words) - len(old) + 1)):
                if words[at : at + len(old)] == old:
                    words[at : at + len(old)] = new
        return words

    def differences(self, name, before, now):
        """What differs from the recorded outcome, in lines; empty: nothing."""
        if any(one["case"] in name for one in self.outcomes):
            codes = [[step["code"] for step in told["steps"]] for told in (before, now)]
            return [] if codes[0] == codes[1] else [f"exit codes {codes[0]} are now {codes[1]}"]
        found = []
        told = {one["step"]: {"code": one["code"], "err": one["err"], "out": one.get("out", "")} for one in self.steps if one["case"] == name}  # fmt: skip
        left_out = {one["file"] for one in self.left_out if one["case"] in name}
        steps = [step | told.get(number, {}) for number, step in enumerate(before["steps"])]
        for number, (one, other) in enumerate(zip(steps, now["steps"], strict=True)):
            if one["code"] != other["code"]:
                found.append(f"step {number}: exit code {one['code']} is now {other['code']}\n{other['err']}")
            for stream in ("out", "err"):
                found += self._text(f"step {number} {stream}", name, one[stream], other[stream])
        for file in sorted({*before["files"], *now["files"]} - left_out):
            one, other = before["files"].get(file), now["files"].get(file)
            if one is None and file in {told["name"] for told in self.new}:
                continue
            if one is None or other is None:
                found.append(f"{file}: {'there was none' if one is None else 'it is gone'}")
                continue
            changed = self._text(file, name, one.get("text") or "", other.get("text") or "")
            if self.same_libraries and not changed and one.get("sha256") != other.get("sha256"):
                changed = [f"{file}: the same content, other bytes"]
            found += changed
        return found

    def _text(self, where, name, before, now):
        """What differs in one text."""
        before, now = _without_residues(self._renamed(name, before)), _without_residues(now)
        told = self._lines(before, lambda document: self._without(self._keys(document)))
        is_now = self._lines(now, self._without)
        is_now = [line for line in is_now if not any(re.fullmatch(one.get("line", "(?!)"), line) for one in self.added)]
        is_now = _as_told(told, is_now)
        if told == is_now:
            return []
        lines = difflib.unified_diff(told, is_now, "before", "now", lineterm="", n=0)
        return [where, *(line[:400] for line in list(lines)[2 : 2 + MOST])]

    def _renamed(self, name, text):
        """A recorded text with the names of now."""
        for one in self.texts:
            if one.get("case", "") in name:
                text = (
                    re.sub(one["old"], one["new"], text) if one.get("regex") else text.replace(one["old"], one["new"])
                )
        return text

    @staticmethod
    def _lines(text, keys=lambda document: document):
        """A text in lines, JSON in a line for each key in the order of keys."""
        out = []
        for line in [text] if text.startswith("{\n") else text.split("\n"):
            try:
                document = json.loads(line) if line.startswith(("{", "[")) else None
            except ValueError:
                document = None
            if document is None:
                out.append(line)
                continue
            out += json.dumps(keys(document), indent=1, ensure_ascii=False, sort_keys=True).split("\n")
        return out

    def _keys(self, document, form=""):
        """A document with the keys of now."""
        if isinstance(document, list):
            return [self._keys(one, form) for one in document]
        if not isinstance(document, dict):
            return document
        form = document.get("format", form)
        return {self._key(key, form): self._keys(value, form) for key, value in document.items()}

    def _without(self, document, form=""):
        """A document without the keys that it did not have."""
        if isinstance(document, list):
            return [self._without(one, form) for one in document]
        if not isinstance(document, dict):
            return document
        form = document.get("format", form)
        new = {one["key"] for one in self.added if "key" in one and str(form).startswith(one["format"])}
        return {key: self._without(value, form) for key, value in document.items() if key not in new}

    def _key(self, key, form):
        """The name of a key now."""
        return next((one["new"] for one in self.keys if one["old"] == key and str(form).startswith(one["format"])), key)

    def unfounded(self, texts):
        """Entries without a reason, or that no recorded text needs."""
        entries = [
            *self.texts,
            *self.keys,
            *self.arguments,
            *self.outcomes,
            *self.steps,
            *self.left_out,
            *self.added,
            *self.new,
        ]
        found = [one for one in entries if len(one.get("reason", "")) < 10]
        for one in (*self.texts, *self.keys):
            known = re.compile(
                one["old"] if one.get("regex") else re.escape(json.dumps(one["old"], ensure_ascii=False)[1:-1])
            )
            found += [] if any(known.search(text) for text in texts) else [one]
        return found


def _without_residues(text):
    """A text in which what rounding left of 0 is 0."""
    for part, pattern, instead in RESIDUES:
        text = re.sub(pattern, instead, text) if part in text else text
    return text


def _as_told(before, now):
    """The lines of now, with the numbers of before where they are the same but for their last digits."""
    if len(before) != len(now):
        return now
    return [one if one == other or _is_near(one, other) else other for one, other in zip(before, now, strict=True)]


def _is_near(one, other):
    """Whether two lines differ in the last digits of their numbers at most."""
    parts = FLOAT.split(one), FLOAT.split(other)
    if parts[0][::2] != parts[1][::2]:
        return False
    return all(
        isclose(float(a), float(b), rel_tol=AS_NEAR) for a, b in zip(parts[0][1::2], parts[1][1::2], strict=True)
    )

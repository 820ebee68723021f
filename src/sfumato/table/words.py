"""The subject that the name and the values of a column speak of: a documented word list that users extend."""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, cast

from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.table.schema import Role
from sfumato.table.share import mostly
from sfumato.table.values import Table, parsed_toml

if TYPE_CHECKING:
    from collections.abc import Sequence

_KEYS = frozenset({"role", "says", "names", "weak", "values", "patterns"})
_CLEAR = 0.3
"""Share of the distinct values that must speak of a subject."""
_LOOKED_AT = 1000
"""Distinct values that are compared, at most."""
_NOTHING = re.compile("(?!)")


@dataclass(frozen=True)
class Subject:
    """Something that columns speak of: health, money, places.

    Args:
        name: one word.
        role: of a column that speaks of it.
        says: what it is, for a reason such as `its name speaks of money`.
        names: patterns of column names.
        weak: patterns of names that count only where nothing else is known.
        values: patterns of cells, word by word.
        patterns: regular expressions of whole cells.
    """

    name: str
    role: Role
    says: str
    names: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()

    @cached_property
    def _by_name(self) -> re.Pattern[str]:
        return _compiled(self.names)

    @cached_property
    def _by_weak(self) -> re.Pattern[str]:
        return _compiled(self.weak)

    @cached_property
    def _by_value(self) -> re.Pattern[str]:
        return _compiled(self.values)

    @cached_property
    def _by_pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{pattern})" for pattern in self.patterns)) if self.patterns else _NOTHING

    def is_named_in(self, phrase: str, *, weakly: bool = False) -> bool:
        """Whether the words of a column name speak of it.

        Example:
            >>> money = Subject("money", Role.SENSITIVE, "money", names=("income*", "*sales"))
            >>> money.is_named_in("family income"), money.is_named_in("ressales"), money.is_named_in("outcome")
            (True, True, False)
        """
        return bool((self._by_weak if weakly else self._by_name).search(phrase))

    def is_told_by(self, values: Sequence[str]) -> bool:
        """Whether enough of the distinct values speak of it; answers such as `yes` alone say nothing."""
        looked = values[:_LOOKED_AT]
        if not looked or not (self.values or self.patterns):
            return False
        by_value, by_pattern = self._by_value, self._by_pattern
        return mostly(lambda v: by_value.search(plain(v)) or by_pattern.fullmatch(v.strip()), looked, _CLEAR)


@dataclass(frozen=True, slots=True)
class Words:
    """A word list: the user's own subjects, which decide first, and those of the product.

    Args:
        own: subjects of the user.
        subjects: the others, in the order in which they are tried.
    """

    own: tuple[Subject, ...]
    subjects: tuple[Subject, ...]

    def with_role(self, role: Role) -> tuple[Subject, ...]:
        """The product's subjects of a role."""
        return tuple(subject for subject in self.subjects if subject.role is role)

    def __getitem__(self, name: str) -> Subject:
        """The product's subject of that name."""
        return next(subject for subject in self.subjects if subject.name == name)


def known_words(own: str | None = None) -> Words:
    """The word list of the product (`sfumato/table/words.toml`, with its sources) and a user's own before it.

    Args:
        own: TOML of tables `[subject.NAME]` with `role`, `names` and, if wished, `says`, `weak`, `values`, `patterns`.

    Raises:
        PlanError: the TOML is not of that form. Remedy: as the shipped list is written.

    Example:
        >>> words = known_words('[subject.wages]' + chr(10) + 'role = "sensitive"' + chr(10) + 'names = ["echelon*"]')
        >>> words.own[0].role, words["money"].is_named_in(phrase_of("FamilyIncome2"))
        (<Role.SENSITIVE: 'sensitive'>, True)
    """
    shipped = files("sfumato.table").joinpath("words.toml").read_text(encoding="utf-8")
    return Words(_read(own) if own is not None else (), _read(shipped))


def phrase_of(name: str) -> str:
    """The words of a column name in small letters without accents, one blank apart.

    Example:
        >>> phrase_of("PatientID"), phrase_of("code_postal"), phrase_of("ZIPCode"), phrase_of("Âge (années)")
        ('patient id', 'code postal', 'zip code', 'age annees')
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})", " ", _without_accents(name))
    return " ".join(word.lower() for word in re.findall(r"[^\W_]+", spaced))


def plain(text: str) -> str:
    """A cell as its words in small letters, accents dropped, one blank apart.

    Example:
        >>> plain(" Très satisfait(e)"), plain("no-recurrence-events")
        ('tres satisfait e', 'no recurrence events')
    """
    return " ".join(re.findall(r"[^\W_]+", _without_accents(text).lower()))


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def _compiled(entries: Sequence[str]) -> re.Pattern[str]:
    if not entries:
        return _NOTHING
    return re.compile("|".join(rf"\b{_entry(plain_entry)}\b" for plain_entry in entries))


def _entry(entry: str) -> str:
    """`stem*`, `*end`, `word` and `q#` as regular expressions; a word may have a plural and a number behind it."""
    escaped = re.escape(_without_accents(entry.lower()).replace("'", " "))
    spelled = escaped.replace(r"\*", r"\w*").replace(r"\#", r"\d+[a-z]?").replace(r"\ ", " ")
    return spelled if entry.endswith(("*", "#")) else rf"{spelled}s?\d*"


def _read(text: str) -> tuple[Subject, ...]:
    """The subjects of a TOML document."""
    tables = parsed_toml(text, "A word list").get("subject", {})
    if not isinstance(tables, dict) or not tables:
        raise PlanError(
            "A word list must have at least one table [subject.NAME]; it has none.",
            'write [subject.NAME] with `role = "sensitive"` and `names = ["word", "stem*"]`.',
        )
    return tuple(_subject(name, table) for name, table in tables.items())


def _subject(name: str, table: object) -> Subject:
    """One table of a word list."""
    if not isinstance(table, dict) or not set(table) <= _KEYS or not isinstance(table.get("says", ""), str):
        raise PlanError(
            "[subject.{name}] of a word list must have no keys beside {keys}.",
            "correct it.",
            name=name,
            keys=sorted(_KEYS),
        )
    roles = [role.value for role in Role]
    if table.get("role") not in roles:
        raise PlanError("[subject.{name}] must say its `role`, one of {roles}.", "add it.", name=name, roles=roles)
    lists = {key: _texts(name, key, table) for key in ("names", "weak", "values", "patterns")}
    return Subject(name, Role(table["role"]), table.get("says", name), **lists)


def _texts(name: str, key: str, table: Table) -> tuple[str, ...]:
    """A list of texts that are not empty; expressions must compile."""
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(text, str) and text.strip("* ") for text in found):
        raise PlanError(
            "`{key}` of [subject.{name}] must be a list of texts.",
            "write it as the shipped list is.",
            key=key,
            name=name,
        )
    texts = tuple(cast("list[str]", found))
    try:
        for text in texts if key == "patterns" else ():
            re.compile(text)
    except re.error:
        raise PlanError(
            "`patterns` of [subject.{name}] must be regular expressions.", "correct them.", name=name
        ) from None
    return texts

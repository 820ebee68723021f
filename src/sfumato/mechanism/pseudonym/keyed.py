"""Pseudonyms that a key gives to a column: one derived key for each domain, edition and period.

By FF1 a pseudonym keeps the form of a name: digits stay digits, and as many, with a key that also leads back.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, Any

from sfumato.errors import ParameterError
from sfumato.extras import Needs
from sfumato.frozen import dataclass
from sfumato.mechanism.pseudonym.canonical import canonical
from sfumato.mechanism.pseudonym.column import Means, pseudonym_promise
from sfumato.mechanism.pseudonym.token import Token, check_length

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.pseudonym.column import Names
    from sfumato.mechanism.pseudonym.period import Period
    from sfumato.mechanism.secret import Secret

LEAST_NAMES = 1_000_000
"""Fewest texts of one length: below, FF1 can be inverted by trying."""
_DIGITS, _LETTERS = "0123456789", "abcdefghijklmnopqrstuvwxyz"
ALPHABETS = {"digits": _DIGITS, "letters": _LETTERS, "alphanumeric": _DIGITS + _LETTERS}
"""Alphabets that a plan can name; any other text is taken as the alphabet itself."""


@dataclass(frozen=True, slots=True)
class FormatPreserving:
    """FF1 of the signs of a name that are in the alphabet; the others, such as hyphens, stay where they are.

    It is a permutation of the texts of each length: two names never share a pseudonym, and the key leads back.

    Args:
        key: 32 bytes derived for one domain and period.
        alphabet: distinct signs that are encrypted, at least two.
        kept: signs that stay as they are.
        fold_case: whether upper and lower case are one name.

    Raises:
        ParameterError: fewer than two signs, a repeated one, or one that is both encrypted and kept.

    Source:
        NIST SP 800-38G, "Recommendation for Block Cipher Modes of Operation: Methods for Format-Preserving
        Encryption", 2016, algorithms 7 and 8; draft revision 1, 2019 (at least a million texts).

    Example:
        >>> card = FormatPreserving(bytes(32), "0123456789", kept="-", fold_case=False)
        >>> [name] = card.texts(["4111-1111-1111"])
        >>> name != "4111-1111-1111", len(name), name[4], card.names([name])
        (True, 14, '-', ['4111-1111-1111'])
    """

    key: bytes = field(repr=False)
    alphabet: str
    kept: str
    fold_case: bool

    def __post_init__(self) -> None:
        signs = set(self.alphabet)
        if not len(self.alphabet) == len(signs) >= 2 or signs & set(self.kept):
            raise ParameterError(
                "An alphabet must hold at least two different signs, none of them among the kept ones.",
                'use "digits", "letters" or "alphanumeric", or list every sign once.',
            )

    def texts(self, cells: Sequence[str]) -> list[str]:
        """The pseudonym of each cell.

        Raises:
            ParameterError: names that do not fit the alphabet, or are too short; they are counted, not shown.
        """
        return self._each(cells, "encrypt")

    def names(self, pseudonyms: Sequence[str]) -> list[str]:
        """The canonical name of each pseudonym: what only the holder of the key can do.

        Raises:
            ParameterError: texts that cannot be pseudonyms of this form.
        """
        return self._each(pseudonyms, "decrypt")

    def check(self, column: str, names: Iterable[str]) -> None:
        """Refuse names that cannot be encrypted.

        Raises:
            ParameterError: signs that are neither in the alphabet nor kept, or fewer than a million texts of a length.
        """
        cores = [self._core(canonical(name, fold_case=self.fold_case)) for name in names]
        strange = sum(core is None for core in cores)
        if strange:
            raise ParameterError(
                "Every name of {column!r} must be written with signs of the alphabet or kept ones; {strange} are not.",
                'add the signs to `alphabet` or to `keep`, set `fold_case = true`, or choose form = "token".',
                column=column,
                strange=strange,
            )
        short = sum(core is not None and not self._is_long(core) for core in cores)
        if short:
            raise ParameterError(
                "FF1 needs a million possible texts of each length; {short} names of {column!r} are shorter.",
                'choose form = "token".',
                short=short,
                column=column,
            )

    def _each(self, texts: Sequence[str], way: str) -> list[str]:
        """Every text encrypted or decrypted."""
        self.check("the column", texts)
        cipher = _cipher(self.key, self.alphabet)
        turn = getattr(cipher, way)
        return [self._placed(canonical(text, fold_case=self.fold_case), turn) for text in texts]

    def _placed(self, text: str, turn: Any) -> str:
        """One text with the signs of the alphabet changed."""
        changed = iter(turn(self._core(text) or ""))
        return "".join(sign if sign in self.kept else next(changed) for sign in text)

    def _core(self, text: str) -> str | None:
        """The signs that are encrypted; None where a sign is neither in the alphabet nor kept."""
        core = "".join(sign for sign in text if sign not in self.kept)
        return core if all(sign in self.alphabet for sign in core) else None

    def _is_long(self, core: str) -> bool:
        """Whether there are a million texts of that length."""
        return len(core) >= 2 and len(self.alphabet) ** len(core) >= LEAST_NAMES


def _cipher(key: bytes, alphabet: str) -> Any:
    """FF1 of the library, which checks the million itself too."""
    with Needs("pseudonym", "Format-preserving pseudonyms need the package libffx."):
        from ffx import FF1
    return FF1(key, alphabet=alphabet)


class Form(Enum):
    """How pseudonyms look."""

    TOKEN = "token"  # noqa: S105
    FF1 = "ff1"


@dataclass(frozen=True, slots=True)
class Keyed:
    """Pseudonyms computed with a key.

    Args:
        secret: the key.
        domain: whose names they are.
        form: how they look.
        edition: a text that parts releases: pseudonyms of two editions cannot be linked; empty: none.
        period: how long a person keeps one; None: for the whole edition.
        fold_case: whether upper and lower case are one name.
        characters: length of a token.
        alphabet: signs that FF1 encrypts, or the name of an alphabet.
        kept: signs that FF1 leaves.

    Example:
        >>> from sfumato.mechanism.secret import Secret
        >>> one = Keyed(Secret(bytes(range(32))), "patients", Form.TOKEN)
        >>> one.names("").texts(["Ann"]) == one.names("2026-W07").texts(["Ann"])
        False
    """

    secret: Secret = field(repr=False)
    domain: str
    form: Form
    edition: str = ""
    period: Period | None = None
    fold_case: bool = False
    characters: int = 26
    alphabet: str = "digits"
    kept: str = ""

    def names(self, period: str) -> Names:
        """The pseudonyms of one period (empty: of all time)."""
        key = self.secret.derive(self.form.value, self.domain, self.edition, period)
        if self.form is Form.TOKEN:
            return Token(key, self.characters, self.fold_case)
        return FormatPreserving(key, ALPHABETS.get(self.alphabet, self.alphabet), self.kept, self.fold_case)

    def check(self, column: str, names: Sequence[str]) -> None:
        """Refuse names that cannot be told apart or written in this form.

        Raises:
            ParameterError: see `token.check_length` and `FormatPreserving.check`.
        """
        if self.form is Form.TOKEN:
            check_length(self.characters, len(names))
        found = self.names("")
        if isinstance(found, FormatPreserving):
            found.check(column, names)

    def promise(self, column: str) -> Guarantee:
        """What is promised of the column."""
        period = "" if self.period is None else self.period.value
        if self.form is Form.TOKEN:
            means = Means("HMAC-SHA-256", self.domain, period, "the key", "H. Krawczyk et al., RFC 2104, 1997")
        else:
            means = Means(
                "FF1 with AES-256", self.domain, period, "the key, which also decrypts", "NIST SP 800-38G, 2016"
            )
        return pseudonym_promise(column, means)

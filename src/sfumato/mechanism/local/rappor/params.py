"""The parameters on which client, server and decoder agree: one frozen document, with its exact epsilons."""

from __future__ import annotations

import hashlib
import json
import math
import unicodedata
from dataclasses import field
from fractions import Fraction

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.exact import written
from sfumato.numbers.logarithm import log_up

FORMAT = "sfumato.rappor/1"
"""Name and version of the document; a client or server that meets another refuses it."""

MOST_BITS, MOST_HASHES, MOST_COHORTS = 2**16, 32, 2**16
MOST_DENOMINATOR = 2**30
"""Of a probability: half of it is still decided by one 32-bit word in every language."""


@dataclass(frozen=True, slots=True)
class RapporParams:
    """Parameters of one collection. Two documents with the same digest are the same collection.

    A string sets `hashes` of `bits` Bloom bits, which bits depends on the client's cohort. Each bit is randomized
    once for a lifetime (permanent: 1 with f/2, 0 with f/2, kept with 1 - f), and once more in each report
    (instantaneous: 1 with q if the permanent bit is 1, with p if it is 0).

    Args:
        name: of the collection; it separates the hash functions of different collections.
        bits: k, 1 … 65536. With `values`, their number.
        hashes: h, 1 … 32. With `values`, 1.
        cohorts: m, 1 … 65536. With `values`, 1.
        f: noise of the permanent response, 0 <= f < 1; 0: one-time RAPPOR, a single report in a lifetime.
        p: chance of a reported 1 where the permanent bit is 0, 0 <= p < 1.
        q: chance of a reported 1 where the permanent bit is 1, p < q <= 1.
        values: basic RAPPOR: the declared strings, each with a bit of its own; (): a Bloom filter for any string.

    Raises:
        ParameterError: a number outside its range, or no noise at all. Remedy: the range is named.

    Source:
        Erlingsson et al. 2014, sections 3 and 4; the variants are those of its section 3.3.

    Example:
        >>> home = RapporParams("home page", bits=128, hashes=1, cohorts=8, f="1/2", p="1/2", q="3/4")
        >>> round(home.epsilon_permanent, 6), round(home.epsilon_first, 6)
        (2.197225, 0.537143)
    """

    name: str
    bits: int
    hashes: int
    cohorts: int
    f: Fraction
    p: Fraction
    q: Fraction
    values: tuple[str, ...]
    digest: str = field(repr=False, compare=False)
    """SHA-256 of the document; it travels with every report, and a server refuses another."""

    def __init__(  # noqa: PLR0913
        self,
        name: str,
        *,
        bits: int,
        hashes: int,
        cohorts: int,
        f: str | float | Fraction,
        p: str | float | Fraction,
        q: str | float | Fraction,
        values: tuple[str, ...] = (),
    ) -> None:
        object.__setattr__(self, "name", name)
        for key, given, most in (("bits", bits, MOST_BITS), ("hashes", hashes, MOST_HASHES), ("cohorts", cohorts, MOST_COHORTS)):  # fmt: skip
            object.__setattr__(self, key, _whole(key, given, most))
        for key, share in (("f", f), ("p", p), ("q", q)):
            object.__setattr__(self, key, _share(key, share))
        object.__setattr__(self, "values", tuple(values))
        self._check()
        object.__setattr__(self, "digest", hashlib.sha256(self.to_json().encode()).hexdigest())

    def _check(self) -> None:
        """What the single numbers cannot show."""
        if not self.name or not all(_is_text(one) for one in (self.name, *self.values)):
            raise ParameterError(
                "A collection must have a name, and name and declared values must be Unicode texts.",
                "give it a text of its own.",
            )
        if not self.p < self.q:
            raise ParameterError(
                "A report must say 1 more often for a 1: p < q; got p={p}, q={q}.", "raise q.", p=self.p, q=self.q
            )
        if self.f == 1 or (self.f == 0 and (self.p == 0 or self.q == 1)):
            raise ParameterError(
                "f={f}, p={p}, q={q} either hides everything or hides nothing.",
                "choose 0 < f < 1, or f = 0 with 0 < p < q < 1 for a single report.",
                f=self.f,
                p=self.p,
                q=self.q,
            )
        basic = (len(self.values), 1, 1)
        if self.values and (
            (self.bits, self.hashes, self.cohorts) != basic
            or len({unicodedata.normalize("NFC", one) for one in self.values}) < len(self.values)
        ):
            raise ParameterError(
                "Basic RAPPOR has one bit for each declared value, one hash and one cohort.",
                "give values that differ (also after NFC), bits = their number, hashes = 1, cohorts = 1.",
            )

    @property
    def is_one_time(self) -> bool:
        """Whether there is no permanent noise. A string then has one report for ever; a fresh one would tell more."""
        return self.f == 0

    @property
    def variant(self) -> str:
        """Its name in the paper."""
        return f"{'basic ' if self.values else ''}{'one-time ' if self.is_one_time else ''}RAPPOR"

    @property
    def q_star(self) -> Fraction:
        """Pr[a reported bit is 1 | the Bloom bit is 1] = ½f(p+q) + (1-f)q."""
        return self.f * (self.p + self.q) / 2 + (1 - self.f) * self.q

    @property
    def p_star(self) -> Fraction:
        """Pr[a reported bit is 1 | the Bloom bit is 0] = ½f(p+q) + (1-f)p."""
        return self.f * (self.p + self.q) / 2 + (1 - self.f) * self.p

    @property
    def epsilon_permanent(self) -> float:
        """ε∞ of all reports about one value, 2h ln((1-f/2)/(f/2)), rounded up; infinity where f = 0.

        Two strings differ in at most 2h bits. Over a lifetime each *new value* costs it again.
        """
        return math.inf if self.f == 0 else log_up(((2 - self.f) / self.f) ** (2 * self.hashes))

    @property
    def epsilon_first(self) -> float:
        """ε₁ of a single report, h ln(q*(1-p*)/(p*(1-q*))), rounded up."""
        low = self.p_star * (1 - self.q_star)
        return math.inf if low == 0 else log_up((self.q_star * (1 - self.p_star) / low) ** self.hashes)

    def to_json(self) -> str:
        """The document: the same text for the same parameters."""
        return json.dumps(
            {
                "format": FORMAT, "name": self.name, "bits": self.bits, "hashes": self.hashes, "cohorts": self.cohorts,
                "f": str(self.f), "p": str(self.p), "q": str(self.q), "values": list(self.values),
            },
            ensure_ascii=False, sort_keys=True, separators=(",", ":"),
        )  # fmt: skip

    @classmethod
    def from_json(cls, text: str) -> RapporParams:
        """The parameters of a document.

        Raises:
            ParameterError: no such document, an unknown version, or a number outside its range.

        Example:
            >>> home = RapporParams("home", bits=16, hashes=2, cohorts=4, f="1/2", p="1/2", q="3/4")
            >>> RapporParams.from_json(home.to_json()) == home
            True
        """
        try:
            data = json.loads(text)
            if not isinstance(data["values"], list):
                raise TypeError  # noqa: TRY301
            if data["format"] == FORMAT:
                del data["format"]  # another one stays, and is an unknown key
            return cls(**data | {"values": tuple(data["values"])})
        except ParameterError:
            raise
        except (KeyError, TypeError, AttributeError, RecursionError, ValueError) as error:
            raise ParameterError(
                "The parameters must be a document of the format {format!r} with exactly its keys.",
                "use the document that was signed off, unchanged.",
                format=FORMAT,
            ) from error


def _is_text(given: object) -> bool:
    """Whether it is a text that has an encoding."""
    return isinstance(given, str) and not any("\ud800" <= one <= "\udfff" for one in given)


def _whole(key: str, given: object, most: int) -> int:
    """A whole number from 1 to `most`."""
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= most:
        raise ParameterError(
            "`{key}` must be a whole number from 1 to {most}; got {given!r}.",
            "choose one in that range.",
            key=key,
            most=most,
            given=given,
        )
    return given


def _share(key: str, given: str | float | Fraction) -> Fraction:
    """A probability; a float stands for its shortest decimal text."""
    try:
        share = written(given)
    except ValueError:
        share = Fraction(-1)
    if not 0 <= share <= 1 or share.denominator > MOST_DENOMINATOR:
        raise ParameterError(
            "`{key}` must be a probability with a denominator of at most 2^30; got {given!r}.",
            'give a number from 0 to 1 with at most 9 digits, such as "1/2".',
            key=key,
            given=given,
        )
    return share

"""Which keywords does a method take? Those that it names, and no other: a misspelt one must not be ignored."""

from __future__ import annotations

from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from sfumato.release.answer.terms import Offer

if TYPE_CHECKING:
    from collections.abc import Callable

_Terms = ParamSpec("_Terms")
_Result = TypeVar("_Result")


def known_only(method: Callable[_Terms, _Result]) -> Callable[_Terms, _Result]:
    """A method with `**offer: Unpack[Offer]` that refuses every keyword which is neither its own nor of an offer.

    Python itself would accept any, and a question whose `by` or `where` is misspelt would be answered for everybody.

    Raises:
        TypeError: from the method, for an unknown keyword. Remedy: the nearest name, which the message tells.

    Example:
        >>> @known_only
        ... def count(*, where=(), **offer):
        ...     return sorted(offer)
        >>> count(where=(), epsilon=1)
        ['epsilon']
        >>> count(were=(), epsilon=1)
        Traceback (most recent call last):
        TypeError: count() takes no keyword 'were': did you mean 'where'? It takes confidence, delta, epsilon, request, rho, where.
    """
    parameters = list(signature(method).parameters.values())
    named = {p.name for p in parameters if p.kind in {Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY}}
    known = sorted((named | set(Offer.__annotations__)) - {"self"})

    @wraps(method)
    def strict(*given: _Terms.args, **words: _Terms.kwargs) -> _Result:
        for word in words:
            if word not in known:
                near = get_close_matches(word, known, 1)
                meant = f" did you mean {near[0]!r}?" if near else ""
                takes = f"{' It' if near else ' it'} takes {', '.join(known)}."
                raise TypeError(f"{method.__name__}() takes no keyword {word!r}:{meant}{takes}")
        return method(*given, **words)

    return strict

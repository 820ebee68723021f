"""Did the parser drop anything? Every word, number and text of a statement must be found again in its tree.

A parser may read over words that it takes for noise, or take two functions for one. So the words of the text are counted:
each is a listed word of the language, a listed function, or a name that the tree has as often as the text.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sfumato.release.answer.sql_grammar import refused

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.tokens import Token

_KEYWORDS = frozenset((
    "SELECT", "AS", "FROM", "JOIN", "INNER", "LEFT", "OUTER", "USING", "ON", "WHERE", "AND", "NOT", "IN", "BETWEEN", "GROUP", "BY",
    "DISTINCT", "TRUE", "FALSE", "WITHIN", "ORDER", "ASC",
))  # fmt: skip
_FUNCTIONS = frozenset((
    "COUNT", "SUM", "AVG", "VAR_POP", "STDDEV_POP", "COVAR_POP", "MEDIAN", "QUANTILE", "QUANTILE_CONT", "QUANTILE_DISC",
    "APPROX_QUANTILE", "PERCENTILE_CONT", "PERCENTILE_DISC",
))  # fmt: skip
_ASIDE = ("PERCENTILE_CONT", "PERCENTILE_DISC")
"""Functions that rank by an ORDER BY beside them, not by an argument."""
_SIGNS = frozenset(("(", ")", ",", ".", ";", "*", "+", "-", "=", "==", "<>", "!=", "<", "<=", ">", ">="))
_COUNTED = {"DISTINCT": "Distinct", "NOT": "Not", "ORDER": "Order"}


def check_words(text: str, select: exp.Select) -> None:
    """Refuse a statement with words that its tree does not have.

    Args:
        text: the statement.
        select: its tree, within the grammar.

    Raises:
        QueryError: the first such word.

    Example:
        >>> from sqlglot import parse_one
        >>> text = "SELECT COUNT(*) FROM t GROUP BY DISTINCT sex"
        >>> check_words(text, parse_one(text, read="duckdb"))
        Traceback (most recent call last):
        sfumato.errors.QueryError: This part of the statement is refused. DISTINCT is not read here. Remedy: change that part; the rest may stand.
    """
    import sqlglot

    tokens = [token for token in sqlglot.tokenize(text, read="duckdb") if token.text]
    nodes = list(select.walk())
    kinds = Counter(type(node).__name__ for node in nodes)
    names = Counter(str(node.this) for node in nodes if type(node).__name__ == "Identifier")
    words = Counter[str]()
    for i, token in enumerate(tokens):
        is_called = i + 1 < len(tokens) and tokens[i + 1].text == "("
        words.update(_words(token, names, is_called=is_called))
    for word, kind in _COUNTED.items():
        if words[word] != kinds[kind]:
            raise refused(f"{word} is not read here.")
    if sum(words[word] for word in _ASIDE) != words["WITHIN"]:
        raise refused(
            "PERCENTILE_CONT and PERCENTILE_DISC stand before WITHIN GROUP (ORDER BY column), other functions do not."
        )
    if +names:
        raise refused("The statement cannot be read without doubt.")


def _words(token: Token, names: Counter[str], *, is_called: bool) -> list[str]:
    """The words of the language in a token; a name is struck off `names`."""
    kind, text = token.token_type.name, str(token.text)
    upper = text.upper()
    if kind in {"NUMBER", "STRING"} or upper in _SIGNS:
        return []
    if kind != "IDENTIFIER":
        if is_called and upper in _FUNCTIONS:
            return [upper]
        if all(word in _KEYWORDS for word in upper.split()):
            return upper.split()
    if names[text] <= 0:
        raise refused(f"{upper} is not read here.")
    names[text] -= 1
    return []

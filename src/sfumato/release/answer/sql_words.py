"""That the parser dropped and added nothing: every word and sign of a statement is one that its tree stands for.

A parser may read over words that it takes for noise, take two functions for one, forgive a missing sign, or know comments
that SQL does not have. So the tree is written as a bag of words and signs, each node as SQL writes it, and the bag must be
that of the text.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from sfumato.release.answer.sql_grammar import ALLOWED, FUNCTIONS, refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlglot import exp
    from sqlglot.tokens import Token

_WRITTEN = {
    "Select": "SELECT", "From": "FROM", "Where": "WHERE", "Group": "GROUP BY", "Order": "ORDER BY", "Join": "JOIN", "And": "AND",
    "Between": "BETWEEN AND", "In": "IN ( )", "Not": "NOT", "Paren": "( )", "Neg": "-", "Star": "*", "Distinct": "DISTINCT",
    "WithinGroup": "WITHIN GROUP ( )", "EQ": "=", "NEQ": "<>", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">=", "Literal": "a value",
    **{function.node: "( )" for function in FUNCTIONS},
}  # fmt: skip
"""What each node of the grammar adds to the text, besides names."""
_NAMED = {word: function.node for function in FUNCTIONS for word in (*function.words, *function.ranked)}
"""The functions that are read, each with its node."""
_ASIDE = tuple(word for function in FUNCTIONS for word in function.ranked)
"""Functions that rank by an ORDER BY beside them, not by an argument."""
_FREE = frozenset(("AS", "ASC", "+", ";"))
"""Words and signs that change nothing."""
_SAME = {"==": "=", "!=": "<>"}
_SIGNS = frozenset(("(", ")", ",", ".", ";", "*", "+", "-", "=", "<>", "<", "<=", ">", ">="))
_KEYWORDS = frozenset(word for written in _WRITTEN.values() for word in written.split() if word.isupper()) | {
    "AS", "ASC", "LEFT", "INNER", "OUTER", "USING", "ON", "TRUE", "FALSE",
}  # fmt: skip
_RESERVED = frozenset((
    "ALL", "ANALYSE", "ANALYZE", "ANTI", "ANY", "ARRAY", "ASOF", "ASYMMETRIC", "AT", "AUTHORIZATION", "BINARY", "BOTH", "BY", "CASE",
    "CAST", "CHECK", "COLLATE", "COLLATION", "COLUMN", "COLUMNS", "CONCURRENTLY", "CONSTRAINT", "CREATE", "CROSS", "DEFAULT",
    "DEFERRABLE", "DESC", "DESCRIBE", "DO", "ELSE", "END", "EXCEPT", "FETCH", "FOR", "FOREIGN", "FREEZE", "FULL", "GENERATED", "GLOB",
    "HAVING", "ILIKE", "INITIALLY", "INTERSECT", "INTO", "IS", "ISNULL", "LAMBDA", "LATERAL", "LEADING", "LIKE", "LIMIT", "MAP",
    "NATURAL", "NOTNULL", "NULL", "OFFSET", "ONLY", "OR", "OVERLAPS", "PIVOT", "PIVOT_LONGER", "PIVOT_WIDER", "PLACING", "POSITIONAL",
    "PRIMARY", "QUALIFY", "REFERENCES", "RETURNING", "RIGHT", "SEMI", "SHOW", "SIMILAR", "SOME", "STRUCT", "SUMMARIZE", "SYMMETRIC",
    "TABLE", "TABLESAMPLE", "THEN", "TO", "TRAILING", "TRY_CAST", "TUPLE", "UNION", "UNIQUE", "UNPACK", "UNPIVOT", "VARIADIC",
    "VERBOSE", "WHEN", "WINDOW", "WITH", *_KEYWORDS,
))  # fmt: skip
"""Words of DuckDB's language that name nothing unless they are quoted."""
_UNITS = frozenset(
    f"{unit}{end}"
    for unit in ("MICROSECOND", "MILLISECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "DECADE")
    for end in ("", "S")
) | {"CENTURY", "CENTURIES", "MILLENNIUM", "MILLENNIA"}  # fmt: skip
"""Words that name nothing where AS is left out."""
_CLAUSES = {"SELECT": "S", "FROM": "F", "JOIN": "J", "WHERE": "W", "GROUP_BY": "G"}
_ORDER = re.compile("(SFJ*|FJ*S)W?G?")
"""Of the clauses, by their letters."""
_LITERALS = frozenset(("NUMBER", "STRING"))
_NAMES = frozenset(("VAR", "IDENTIFIER"))
_PIECES = re.compile(
    r"""(?<!\w)'(?:[^'\0]|'')*' | "(?:[^"\0]|"")+"           # a text, a name
    | --[^\r\n\0]*(?=\r?\n|\Z) | /\*(?:(?!/\*|\*/)[^\0])*\*/   # comments, not nested
    | \w | [\ \t\r\n] | [(),.;*+=<>!] | -(?!-)
    """,
    re.VERBOSE,
)
"""What a statement is made of, the same in every SQL."""


def check_words(text: str, select: exp.Select) -> None:
    """Refuse a statement whose words and signs are not those of its tree.

    Args:
        text: the statement.
        select: its tree, within the grammar.

    Raises:
        QueryError: the first such word or sign.

    Example:
        >>> from sqlglot import parse_one
        >>> text = "SELECT COUNT(*) FROM t GROUP BY DISTINCT sex"
        >>> check_words(text, parse_one(text, read="duckdb"))
        Traceback (most recent call last):
        sfumato.errors.QueryError: This part of the statement is refused. DISTINCT is not read here. Remedy: change that part; the rest may stand.
    """
    _check_letters(text)
    _check_order(text)
    nodes = list(select.walk())
    names = Counter(str(node.this) for node in nodes if type(node).__name__ == "Identifier")
    said, called = _said(text, names)
    if +names:
        raise refused(f"A name stands in double quotes or in none; {min(+names)!r} stands in others.")
    needed = Counter(word for node in nodes for word in _written(node))
    for word in [*said, *needed]:
        if word not in _FREE and said[word] != needed[word]:
            raise refused(f"{word} is not read here." if said[word] > needed[word] else f"{word} is missing somewhere.")
    if sum(called[word] for word in _ASIDE) != said["WITHIN"]:
        raise refused(
            "PERCENTILE_CONT and PERCENTILE_DISC stand before WITHIN GROUP (ORDER BY column), other functions do not."
        )
    for kind in {*_NAMED.values()}:
        if sum(called[word] for word in called if _NAMED[word] == kind) != sum(
            type(node).__name__ == kind for node in nodes
        ):
            raise refused("A function of the statement is read as another one.")


def _check_letters(text: str) -> None:
    """Refuse signs that are not listed, and comments and texts that others read otherwise."""
    at = 0
    while at < len(text):
        piece = _PIECES.match(text, at)
        if piece is None:
            raise refused(
                f"{text[at]!r} is not read here: besides texts, names and comments that are not nested, a statement has letters, digits and ( ) , . ; * + - = < > ! alone."
            )
        at = piece.end()


def _check_order(text: str) -> None:
    """Refuse clauses in another order than SQL's, which the parser takes in any."""
    import sqlglot

    said = "".join(_CLAUSES.get(token.token_type.name, "") for token in sqlglot.tokenize(text, read="duckdb"))
    if not _ORDER.fullmatch(said):
        raise refused(
            "The clauses stand in this order: SELECT, FROM, JOIN, WHERE, GROUP BY; or FROM, JOIN, SELECT and the rest."
        )


def _said(text: str, names: Counter[str]) -> tuple[Counter[str], Counter[str]]:
    """The words and signs of a text, and the functions that it calls; names are struck off `names`."""
    import sqlglot

    said, called = Counter[str](), Counter[str]()
    tokens = sqlglot.tokenize(text, read="duckdb")
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        kind, word = token.token_type.name, str(token.text)
        upper = _SAME.get(word, word.upper())
        if kind in _LITERALS:
            said["a value"] += 1
        elif upper in _SIGNS:
            if not (upper == "." and after is not None and after.token_type.name == "NUMBER"):
                said[upper] += 1
        elif kind != "IDENTIFIER" and upper in _NAMED and after is not None and after.text == "(":
            called[upper] += 1
        elif kind != "IDENTIFIER" and all(part in _KEYWORDS for part in upper.split()):
            said.update(upper.split())
            if upper in _FREE:
                _check_free(upper, before, after)
        else:
            _strike(token, before, names)
    return said, called


def _strike(token: Token, before: Token | None, names: Counter[str]) -> None:
    """Take a name off the names that the tree has."""
    word, is_quoted = str(token.text), token.token_type.name == "IDENTIFIER"
    upper, is_bare = word.upper(), before is not None and before.token_type.name in _NAMES
    if names[word] <= 0:
        raise refused(f"{upper} is not read here.")
    if not is_quoted and (upper in _RESERVED or (is_bare and upper in _UNITS)):
        raise refused(f'{upper} is a word of SQL; as a name it stands in double quotes: "{word}".')
    if not is_quoted and before is not None and before.text == ")":
        raise refused(f"{upper} is not read here; if it is a name for the answer, write AS {word}.")
    names[word] -= 1


def _check_free(word: str, before: Token | None, after: Token | None) -> None:
    """AS stands between an expression and its name, ASC between a column and a parenthesis."""
    comes_after = before is not None and (before.text == ")" or before.token_type.name in _NAMES)
    if word == "ASC":
        is_before = after is not None and after.text == ")"
    else:
        is_before = after is not None and (
            after.token_type.name == "IDENTIFIER" or after.text.upper() not in _SIGNS | _RESERVED
        )
    if not (comes_after and is_before):
        raise refused(f"{word} is not read here.")


def _written(node: exp.Expression) -> Iterator[str]:
    """The words and signs that a node adds to the text."""
    kind = type(node).__name__
    yield from [_WRITTEN[kind]] if kind == "Literal" else _WRITTEN.get(kind, "").split()
    for name, value in node.args.items():
        if isinstance(value, list) and name != "joins":
            yield from [","] * (len(value) - 1)
    if kind == "Boolean":
        yield "TRUE" if node.this else "FALSE"
    elif kind == "Column" and node.args.get("table"):
        yield "."
    elif kind in _NAMED.values():
        yield from [","] * (sum(hasattr(node.args.get(name), "args") for name in ALLOWED[kind]) - 1)
    elif kind == "Join":
        yield from (str(node.args.get(part) or "").upper() for part in ("side", "kind") if node.args.get(part))
        yield from ["USING", "(", ")"] if node.args.get("using") else ["ON"]

"""Random statements put to sessions and to DuckDB: python -m tests.unit.release.answer.sql_fuzz STATEMENTS SEED."""

import logging
import sys
from random import Random

from tests.unit.release.answer.sql_statements import Statements
from tests.unit.release.answer.sql_truth import UNITS, judge, table_of

EACH = 100
"""Statements to one random table."""


def run(statements, seed):
    """How many statements were answered, how many refused, and which were answered wrongly."""
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    stream = iter(Statements(Random(f"statements {seed}")))  # noqa: S311
    answered, refused, wrong = 0, 0, []
    for turn in range(statements // EACH):
        with judge(table_of(Random(f"table {seed} {turn}")), UNITS[turn % 2]) as told:  # noqa: S311
            for _ in range(EACH):
                statement = next(stream)
                difference = told(statement)
                refused += difference is None
                answered += difference is not None
                if difference:
                    wrong.append(f"{statement!r}: {difference}")
            assert len(told.session.statement.charges) == len(told.questions), "something refused was charged"
    return answered, refused, wrong


if __name__ == "__main__":
    answered, refused, wrong = run(int(sys.argv[1]), sys.argv[2])
    print(f"{answered} answered, {refused} refused, {len(wrong)} answered wrongly", *wrong, sep="\n")  # noqa: T201

"""Anatomy: two tables, rows dealt into buckets of different sensitive values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document import method
from sfumato.release.anatomy.method import TwoTables

if TYPE_CHECKING:
    from sfumato.mechanism.bucket.decision import BucketMethod
    from sfumato.release.plan import Plan


def _mechanism(plan: Plan, options: method.Anatomy) -> BucketMethod:
    """Buckets that keep the promises on the sensitive column."""
    from sfumato.mechanism.bucket.anatomy import Anatomy

    del options
    return Anatomy(plan.promises)


METHOD = TwoTables(
    name="anatomy",
    title="Anatomy: two tables",
    done=(
        "Rows were laid out by sensitive value and dealt into buckets in turn; one table publishes each row "
        "with its quasi-identifiers as they are and its bucket, a second one how often each sensitive value "
        "occurs in each bucket."
    ),
    why=(
        "Statistics of the quasi-identifiers stay exact, and so do those of the sensitive column; only their "
        "link is hidden."
    ),
    options=method.Anatomy,
    mechanism=_mechanism,
)

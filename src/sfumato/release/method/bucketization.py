"""Plain buckets: two tables, rows cut into buckets of a promised size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document import method
from sfumato.release.anatomy.choice import bucket_size
from sfumato.release.anatomy.method import TwoTables

if TYPE_CHECKING:
    from sfumato.mechanism.bucket.decision import BucketMethod
    from sfumato.release.plan import Plan


def _mechanism(plan: Plan, options: method.Bucketization) -> BucketMethod:
    """Buckets of one size, whatever their sensitive values."""
    from sfumato.mechanism.bucket.plain import Grouping, PlainBuckets

    return PlainBuckets(bucket_size(plan) or 1, Grouping(options.grouping))


METHOD = TwoTables(
    name="bucketization",
    title="Plain buckets: two tables",
    done=(
        "Rows were cut into buckets without a look at their sensitive values; one table publishes each row "
        "with its quasi-identifiers as they are and its bucket, a second one how often each sensitive value "
        "occurs in each bucket."
    ),
    why=("It is simple, and shows what a promise on sizes alone leaves open: a bucket may hold one value only."),
    options=method.Bucketization,
    mechanism=_mechanism,
    needs_size=True,
)

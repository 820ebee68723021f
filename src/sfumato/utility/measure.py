"""All figures of what a released table is worth, in one fixed order.

The same names come out for the original read at level 0 and for the release, so that they can be set
side by side. A measure of what labels cover is not computed when a label could not be understood.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.figure import Figure
from sfumato.summary.span import Ncp
from sfumato.utility import (
    labels,
    model_error,
    query_error,
)
from sfumato.utility.loss import non_uniform_entropy as entropy
from sfumato.utility.query_error import Workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.summary.histogram import Histogram
    from sfumato.summary.published import Published
    from sfumato.types import IntArray


_PENALTIES = (
    ("gcp", "Global certainty penalty", Ncp.WIDTH),
    ("gcp_leaves", "Global certainty penalty over leaves", Ncp.LEAVES),
    ("gcp_node", "Global certainty penalty over hierarchy nodes", Ncp.NODE),
)

_MODELS = (
    ("majority", "the majority guess"),
    ("logistic", "logistic regression"),
    ("bayes", "naive Bayes"),
    ("boosting", "gradient boosting"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Learning:
    """Which model error to measure.

    Args:
        target: name of the histogram to predict.
        member: (n_fine,) int64, published class of each finest original class, -1: suppressed; the
            models are then tested on rows they did not learn from. None: not known (a table that is
            not ours); they are tested on all rows.
        share: share of the rows held out, in (0, 1).
    """

    target: str
    member: IntArray | None = None
    share: float = 0.3


def measure(
    published: Published,
    original: Classes,
    *,
    k: int | None,
    rng: np.random.Generator | None,
    workload: Workload | None = Workload(),  # noqa: B008 - a value that nothing changes
    learning: Learning | None = None,
) -> tuple[Figure, ...]:
    """Every utility figure of a released table.

    Args:
        published: the released table; for averages and models with the histograms of the original.
        original: finest classes of the original table, on the same quasi-identifiers.
        k: the k that was promised, for C_avg; None: not known.
        rng: one child of it draws the queries, another the held-out rows; so generators of the same seed
            ask the same queries and hold out the same rows, before and after. None: neither is measured.
        workload: random queries, by default 500 with two conditions that cover 5 % of the domain; None: none is asked.
        learning: which model error; None: none is measured.

    Returns:
        Figures by name; a value None says in its definition why.

    Raises:
        ParameterError: the release has no quasi-identifier, or the target column no histogram. Remedy:
            declare at least one; ask for the target in the summary.
    """
    if not published.attributes:
        raise ParameterError(
            "A release is measured by its quasi-identifiers; got none.", "declare at least one column as such."
        )
    models: tuple[Figure, ...] = ()
    queries: tuple[Figure, ...] = ()
    if rng is not None:
        for_models, for_queries = rng.spawn(2)
        models = () if learning is None else _model_figures(published, original, learning, for_models)
        queries = () if workload is None else _query_figures(published, original, workload, for_queries)
    return (
        *_explained(published, _cover_figures(published, original)),
        *_class_figures(published, k),
        *_explained(published, (*queries, *_average_figures(published, original), *models)),
    )


def _cover_figures(published: Published, original: Classes) -> tuple[Figure, ...]:
    told = published.is_understood
    loss = labels.released_loss(published) if told else None
    level = labels.precision(published) if told else None
    bits = entropy.share_of_bits_lost(published, original) if told else None
    return (
        *(
            Figure(
                name,
                label,
                labels.gcp(published, how) if told else None,
                labels.GCP_DEFINITIONS[how],
                labels.GCP_SOURCE,
            )
            for name, label, how in _PENALTIES
        ),
        Figure("arx_loss", "ARX loss", loss, labels.LOSS_DEFINITION, labels.LOSS_SOURCE),
        Figure("precision", "Precision", level, labels.PRECISION_DEFINITION, labels.PRECISION_SOURCE, "higher"),
        Figure("non_uniform_entropy", "Non-uniform entropy", bits, entropy.DEFINITION, entropy.SOURCE),
    )


def _class_figures(published: Published, k: int | None) -> tuple[Figure, ...]:
    """Measures of the class sizes; they need no label to be understood."""
    classes, n = published.classes, published.n_rows
    dm = labels.discernibility(classes.rows, published.suppressed_rows)
    c_avg = None if k is None else labels.average_class_size(n, classes.n_classes, k)
    why = "" if c_avg is not None else "Not computed: no k was promised. " if k is None else "Not computed: no class. "
    return (
        Figure(
            "discernibility",
            "Discernibility",
            float(dm),
            "Sum of |E|^2 over the classes + rows * suppressed rows.",
            labels.DISCERNIBILITY_SOURCE,
        ),
        Figure(
            "discernibility_per_row",
            "Rows that a row cannot be told from",
            dm / n if n else None,
            "Discernibility / rows.",
            labels.DISCERNIBILITY_SOURCE,
        ),
        Figure(
            "c_avg",
            "Normalized average class size",
            c_avg,
            f"{why}(rows, suppressed ones included / classes) / k.",
            labels.CLASS_SIZE_SOURCE,
        ),
        Figure(
            "suppressed_share",
            "Suppressed rows",
            published.suppressed_rows / n if n else 0.0,
            "Suppressed rows / rows.",
            "P. Samarati, IEEE TKDE 13(6), 2001, section 4",
        ),
    )


def _query_figures(
    published: Published, original: Classes, workload: Workload, rng: np.random.Generator
) -> tuple[Figure, ...]:
    """Errors of random COUNT queries."""
    errors = None
    if published.is_understood:
        errors = query_error.count_query_error(published, original, workload=workload, rng=rng)
    text = (
        f"of {workload.n_queries} random COUNT queries with {workload.n_conditions} conditions that cover "
        f"{workload.selectivity:g} of the domain: |answer - truth| / max(truth, {workload.sanity:g} * rows), the answer "
        "taking each value under a label as equally likely."
    )
    value = (None, None) if errors is None else (errors.median, errors.mean)
    return (
        Figure(
            "query_error_median", "Error of count queries, median", value[0], f"Median {text}", query_error.COUNT_SOURCE
        ),
        Figure("query_error_mean", "Error of count queries, mean", value[1], f"Mean {text}", query_error.COUNT_SOURCE),
    )


def _average_figures(published: Published, original: Classes) -> tuple[Figure, ...]:
    """Error of the average of each numeric histogram by each quasi-identifier."""
    numeric = [h.attribute.name for h in original.histograms if h.attribute.positions is not None]
    return tuple(
        Figure(
            f"average_error:{name}:{attribute.name}",
            f"Error of AVG({name}) by {attribute.name}",
            query_error.group_average_error(published, original, j, name) if published.is_understood else None,
            f"SELECT {attribute.name}, AVG({name}) GROUP BY {attribute.name}: {query_error.AVERAGE_DEFINITION}",
            query_error.COUNT_SOURCE,
        )
        for name in numeric
        for j, attribute in enumerate(published.attributes)
    )


def _model_figures(
    published: Published, original: Classes, learning: Learning, rng: np.random.Generator
) -> tuple[Figure, ...]:
    """Accuracy of models learned from the release, beside the majority guess."""
    samples = _samples(published, original, learning, rng)
    scores: dict[str, float] = {}
    if published.is_understood and samples is not None:
        accuracy = model_error.model_accuracy(samples[0], published.spans, samples[1])
        scores = {str(name): value for name, value in accuracy.by_model.items()} | {"majority": accuracy.majority}
    tested = "all original rows" if learning.member is None else f"held-out original rows ({learning.share:g} of all)"
    return tuple(
        Figure(
            f"accuracy_{name}",
            f"Accuracy on {learning.target}, {label}",
            scores.get(name),
            f"Share of {tested} whose {learning.target} is predicted rightly by {label}, learned from the release with "
            "each value under a label equally likely.",
            model_error.SOURCE,
            "higher",
        )
        for name, label in _MODELS
    )


def _samples(
    published: Published, original: Classes, learning: Learning, rng: np.random.Generator
) -> tuple[model_error.Sample, model_error.Sample] | None:
    """Rows to learn from and to be tested on; None where the release lacks the target column."""
    before, after = (query_error.histogram_of(c, learning.target) for c in (original, published.classes))
    if before is None:
        counted = [h.attribute.name for h in original.histograms]
        raise ParameterError(
            "Models can only predict a column that was summarized; {target!r} is not among {counted}.",
            "ask for it as a sensitive column of the summary.",
            target=learning.target,
            counted=counted,
        )
    whole = model_error.sample_of(original, before)
    if learning.member is None:
        return (
            None
            if after is None
            else (_same_target(model_error.sample_of(published.classes, after), after, before), whole)
        )
    train, test = model_error.hold_out(whole, learning.share, rng=rng)
    return model_error.released(train, before.owner, learning.member, published.classes.codes), test


def _same_target(sample: model_error.Sample, after: Histogram, before: Histogram) -> model_error.Sample:
    """Targets of a released column as codes of the original one; values it lacks get a code of their own."""
    known = {label: code for code, label in enumerate(before.attribute.hierarchy.labels[0])}
    code = np.array([known.get(label, len(known)) for label in after.attribute.hierarchy.labels[0]], np.int64)
    return model_error.Sample(sample.codes, code[sample.target], sample.weight)


def _explained(published: Published, figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """The same figures; one without a value says why, naming the columns that were not understood."""
    counts = zip(published.attributes, published.not_understood, strict=True)
    columns = ", ".join(f"{attribute.name} ({n})" for attribute, n in counts if n)
    why = "the release lacks the column, or has no rows"
    if columns:
        why = f"published labels that could not be understood, by column: {columns}"
    return tuple(
        f if f.value is not None else replace(f, definition=f"Not computed: {why}. {f.definition}") for f in figures
    )

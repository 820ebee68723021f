"""What is a released table worth, in every measure? All figures, in one fixed order.

The same names come out for the original read at level 0 and for the release, so that they can be set
side by side. A measure of what labels cover is not computed when a label could not be understood.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.summary.figure import Figure
from sfumato.summary.span import Ncp
from sfumato.utility import (
    class_size,
    discernibility,
    entropy,
    gcp,
    model_error,
    precision,
    query_error,
    released_loss,
)
from sfumato.utility.query_error import Workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.summary.histogram import Histogram
    from sfumato.summary.published import Published
    from sfumato.types import IntArray


_MODELS: tuple[tuple[model_error.ModelName, str], ...] = (
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
    rng: np.random.Generator,
    workload: Workload | None = None,
    learning: Learning | None = None,
) -> tuple[Figure, ...]:
    """Every utility figure of a released table.

    Args:
        published: the released table; for averages and models with the histograms of the original.
        original: finest classes of the original table, on the same quasi-identifiers.
        k: the k that was promised, for C_avg; None: not known.
        rng: draws held-out rows, then queries; generators in the same state hold out the same rows of the
            same original, so that accuracies before and after can be compared.
        workload: random queries; None: 500 queries with two conditions covering 5 % of the domain.
        learning: which model error; None: none is measured.

    Returns:
        Figures by name; a value None says in its definition why.

    Raises:
        ParameterError: the target column has no histogram. Remedy: ask for it in the summary.
    """
    models = () if learning is None else _model_figures(published, original, learning, rng)
    queries = _query_figures(published, original, workload or Workload(), rng)
    return (
        *_explained(published, _cover_figures(published, original)),
        *_class_figures(published, k),
        *_explained(published, (*queries, *_average_figures(published, original), *models)),
    )


def _cover_figures(published: Published, original: Classes) -> tuple[Figure, ...]:
    """Measures of what the labels cover."""
    told = published.is_understood
    return (
        Figure("gcp", "Global certainty penalty", gcp.gcp(published, Ncp.WIDTH) if told else None, "Mean over all cells of the share of the domain left open: width / domain width for ordered columns, leaves / domain leaves for text, 0 for one value, 1 for a suppressed row.", gcp.SOURCE),
        Figure("gcp_leaves", "Global certainty penalty over leaves", gcp.gcp(published, Ncp.LEAVES) if told else None, "Mean over all cells of leaves left open / leaves of the domain, 0 for one value, 1 for a suppressed row.", gcp.SOURCE),
        Figure("gcp_node", "Global certainty penalty over hierarchy nodes", gcp.gcp(published, Ncp.NODE) if told else None, "As the global certainty penalty, each label replaced by the smallest hierarchy node that holds it.", gcp.SOURCE),
        Figure("arx_loss", "ARX loss", released_loss.released_loss(published) if told else None, "Geometric mean over attributes of (raw - n/|H|) / (n - n/|H|), raw the sum over rows of leaves covered / |H|, 1 for a suppressed row.", released_loss.SOURCE),
        Figure("precision", "Precision", precision.precision(published) if told else None, "1 - mean over all cells of hierarchy level / height; a suppressed row stands at the root.", precision.SOURCE, better="higher"),
        Figure("non_uniform_entropy", "Non-uniform entropy", entropy.share_of_bits_lost(published, original) if told else None, "Mean over attributes of bits lost / bits of the original marginal; a cell loses the entropy of the original distribution within its label.", entropy.SOURCE),
    )  # fmt: skip


def _class_figures(published: Published, k: int | None) -> tuple[Figure, ...]:
    """Measures of the class sizes; they need no label to be understood."""
    classes, n = published.classes, published.n_rows
    dm = discernibility.discernibility(classes.rows, published.suppressed_rows)
    c_avg = None if k is None else class_size.average_class_size(n, classes.n_classes, k)
    why = "" if c_avg is not None else "Not computed: no k was promised. " if k is None else "Not computed: no class. "
    return (
        Figure("discernibility", "Discernibility", float(dm), "Sum of |E|^2 over the classes + rows * suppressed rows.", discernibility.SOURCE),
        Figure("discernibility_per_row", "Rows that a row cannot be told from", dm / n if n else None, "Discernibility / rows.", discernibility.SOURCE),
        Figure("c_avg", "Normalized average class size", c_avg, f"{why}(rows, suppressed ones included / classes) / k.", class_size.SOURCE),
        Figure("suppressed_share", "Suppressed rows", published.suppressed_rows / n if n else 0.0, "Suppressed rows / rows.", "P. Samarati, IEEE TKDE 13(6), 2001, section 4"),
    )  # fmt: skip


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
        Figure("query_error_median", "Error of count queries, median", value[0], f"Median {text}", query_error.COUNT_SOURCE),
        Figure("query_error_mean", "Error of count queries, mean", value[1], f"Mean {text}", query_error.COUNT_SOURCE),
    )  # fmt: skip


def _average_figures(published: Published, original: Classes) -> tuple[Figure, ...]:
    """Error of the average of each numeric histogram by each quasi-identifier."""
    figures = []
    released = [h.attribute.name for h in published.classes.histograms]
    for i, histogram in enumerate(original.histograms):
        if histogram.attribute.positions is None or i >= len(released) or released[i] != histogram.attribute.name:
            continue
        for j, attribute in enumerate(published.attributes):
            value = query_error.group_average_error(published, original, j, i) if published.is_understood else None
            name = histogram.attribute.name
            figures.append(Figure(f"average_error:{name}:{attribute.name}", f"Error of AVG({name}) by {attribute.name}", value, f"SELECT {attribute.name}, AVG({name}) GROUP BY {attribute.name}: mean over persons of |answer - truth| / |truth|, at most 1; a class spreads evenly over what its label covers, suppressed rows take no part.", query_error.COUNT_SOURCE))  # fmt: skip
    return tuple(figures)


def _model_figures(
    published: Published, original: Classes, learning: Learning, rng: np.random.Generator
) -> tuple[Figure, ...]:
    """Accuracy of models learned from the release, beside the majority guess."""
    accuracy = None
    if published.is_understood:
        train, test = _samples(published, original, learning, rng)
        accuracy = model_error.model_accuracy(train, published.spans, test)
    tested = "all original rows" if learning.member is None else f"held-out original rows ({learning.share:g} of all)"
    text = f"Share of {tested} whose {learning.target} is predicted rightly by"
    return (
        Figure("accuracy_majority", f"Accuracy on {learning.target}, majority guess", None if accuracy is None else accuracy.majority, f"{text} the most frequent value.", model_error.SOURCE, better="higher"),
        *(Figure(f"accuracy_{name}", f"Accuracy on {learning.target}, {label}", None if accuracy is None else accuracy.by_model[name], f"{text} {label} learned from the release, each value under a label equally likely.", model_error.SOURCE, better="higher") for name, label in _MODELS),
    )  # fmt: skip


def _samples(
    published: Published, original: Classes, learning: Learning, rng: np.random.Generator
) -> tuple[model_error.Sample, model_error.Sample]:
    """Rows to learn from and to be tested on."""
    names = [h.attribute.name for h in original.histograms]
    if learning.target not in names:
        raise ParameterError(
            f"Models can only predict a column that was summarized; {learning.target!r} is not among {names}.",
            "ask for it as a sensitive column of the summary.",
        )
    i = names.index(learning.target)
    whole = model_error.sample_of(original, original.histograms[i])
    if learning.member is None:
        histogram = published.classes.histograms[i]
        return _same_target(
            model_error.sample_of(published.classes, histogram), histogram, original.histograms[i]
        ), whole
    train, test = model_error.hold_out(whole, learning.share, rng=rng)
    owner = original.histograms[i].owner
    return model_error.released(train, owner, learning.member, published.classes.codes), test


def _same_target(sample: model_error.Sample, after: Histogram, before: Histogram) -> model_error.Sample:
    """Targets of a released column as codes of the original one; values it lacks get a code of their own."""
    known = {label: code for code, label in enumerate(before.attribute.hierarchy.labels[0])}
    code = np.array([known.get(label, len(known)) for label in after.attribute.hierarchy.labels[0]], np.int64)
    return model_error.Sample(sample.codes, code[sample.target], sample.weight)


def _explained(published: Published, figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """The same figures; one without a value says why, naming the columns that were not understood."""
    counts = zip(published.attributes, published.not_understood, strict=True)
    columns = ", ".join(f"{attribute.name} ({n})" for attribute, n in counts if n)
    why = (
        f"published labels that could not be understood, by column: {columns}"
        if columns
        else "no rows to compute it from"
    )
    return tuple(
        f if f.value is not None else replace(f, definition=f"Not computed: {why}. {f.definition}") for f in figures
    )

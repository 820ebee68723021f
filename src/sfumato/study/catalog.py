"""The published experiments that can be run again, the attacks that can be watched, and how one is run."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING

from sfumato import __version__
from sfumato.document.result.experiment import (
    ExperimentResult,
    ExperimentsResult,
    ListedExperiment,
    MeasuredColumn,
    Settings,
    UsedTable,
)
from sfumato.errors import ParameterError
from sfumato.study.demonstrate import averaging, differencing, linkage, reconstruction
from sfumato.study.demonstrate import rappor as rappor_steps
from sfumato.study.demonstrate import survey as coin_survey
from sfumato.study.reproduce import (
    attack,
    cores,
    diabetes,
    friends,
    location,
    mse,
    positions,
    profiles,
    quantiles,
    rappor,
    side_by_side,
    survey,
    traces,
    unicity,
    variance,
    visits_toy,
    weeks,
)
from sfumato.study.reproduce.data import find, read
from sfumato.study.reproduce.experiment import Order

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.mechanism.recode.decision import Progress
    from sfumato.study.reproduce.data import PublicTable
    from sfumato.study.reproduce.experiment import Cell, Experiment, Outcome

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {
        one.name: one
        for one in (
            mse.experiment("adult", mse.ADULT),
            mse.experiment("nursery", mse.NURSERY),
            attack.experiment(),
            profiles.experiment(),
            *diabetes.experiments(),
            variance.experiment(),
            quantiles.experiment(),
            *rappor.experiments(),
            location.experiment(),
            visits_toy.experiment(),
            *traces.experiments(),
            *side_by_side.experiments(),
            *unicity.experiments(),
            friends.experiment(),
            positions.experiment(),
            *weeks.experiments(),
            *cores.experiments(),
            *survey.experiments(),
        )
    }
)
"""The experiments by name."""
DEMONSTRATIONS: Mapping[str, Experiment] = MappingProxyType(
    {
        one.name: one
        for one in (
            differencing.experiment(),
            averaging.experiment(),
            reconstruction.experiment(),
            linkage.experiment(),
            coin_survey.experiment(),
            rappor_steps.experiment(),
        )
    }
)
"""The demonstrations by name."""


def catalog(experiments: Mapping[str, Experiment] = EXPERIMENTS) -> ExperimentsResult:
    """What every experiment is: `sfumato.experiments/1`.

    Args:
        experiments: by name.

    Example:
        >>> [one.name for one in catalog().experiments][:3]
        ['mse-adult', 'mse-nursery', 'attack-acs']
    """
    listed = [
        ListedExperiment(
            name=one.name,
            what=one.what,
            origin=one.origin,
            duration=one.duration,
            runs=None if one.runs is None else one.runs[0],
            unit=one.unit or None,
            data=None if one.data is None else one.data.needs,
        )
        for one in experiments.values()
    ]
    return ExperimentsResult(experiments=tuple(listed))


def reproduce(  # noqa: PLR0913
    name: str,
    data: Path | None,
    *,
    runs: int | None,
    quick: bool,
    seed: int,
    progress: Progress,
    experiments: Mapping[str, Experiment] = EXPERIMENTS,
) -> tuple[Outcome, ExperimentResult]:
    """Run one experiment.

    Args:
        name: of one of the experiments.
        data: the file it needs, or a folder that holds it.
        runs: how often each cell is measured; None: as published, or fewer when quick.
        quick: whether a coarser version is enough.
        seed: of all chance, >= 0; the same seed gives the same table.
        progress: called between cells; it may raise `Interrupted`.
        experiments: by name.

    Returns:
        What was measured, and the same as a document: `sfumato.experiment/1`.

    Raises:
        ParameterError: an unknown name, a number of runs or a seed that cannot be.
        SourceError, SchemaError: data that are absent or are not the published ones. Remedy: in the message.

    Example:
        >>> _, document = reproduce(
        ...     "variance-choice", None, runs=None, quick=True, seed=1, progress=lambda done, total, message: None
        ... )
        >>> [(row["epsilon"], row["oracle"]) for row in document.rows if row["rank"] == 1][-1]
        (6.0, 'GRR')
    """
    if name not in experiments:
        raise ParameterError(
            "The experiment must be one of {experiments}; got {name!r}.",
            "leave the name out for a list.",
            experiments=", ".join(experiments),
            name=name,
        )
    if seed < 0:
        raise ParameterError("The seed must be >= 0; got {seed}.", "choose such a number.", seed=seed)
    one = experiments[name]
    count = one.runs_for(runs, quick=quick)
    table = None if one.data is None else read(one.data, find(one.data, data))
    outcome = one.run(Order(count, quick, seed, progress, table))
    return outcome, _result(
        one, outcome, Settings(runs=None if one.runs is None else count, quick=quick, seed=seed), table
    )


def _result(one: Experiment, outcome: Outcome, settings: Settings, table: PublicTable | None) -> ExperimentResult:
    return ExperimentResult(
        sfumato=__version__,
        experiment=one.name,
        what=one.what,
        origin=one.origin,
        settings=settings,
        data=None if table is None else UsedTable(file=table.file, rows=table.n_rows, left_out=table.left_out),
        columns=tuple(
            MeasuredColumn(key=column.key, label=column.title, meaning=column.meaning) for column in outcome.columns
        ),
        rows=tuple({key: _cell(cell) for key, cell in row.items()} for row in outcome.rows),
        notes=outcome.notes,
    )


def _cell(cell: Cell) -> Cell:
    """A cell as a document has it: None for a number that is none."""
    return None if isinstance(cell, float) and math.isnan(cell) else cell

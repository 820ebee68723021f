"""A catalogue from any table of places that Sfumato reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import SchemaError
from sfumato.frozen import dataclass
from sfumato.mechanism.location.by_design.catalogue import Place, catalogue_of
from sfumato.nearby.shelf import write_catalogue
from sfumato.release.secrets import read_key
from sfumato.summary.fixes import FixesOf
from sfumato.table.source import source_from
from sfumato.table.traces import is_place

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.table.plane import Region


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a catalogue shall be.

    Args:
        region: declared cells.
        label: name and version.
        size: bytes of a block.
    """

    region: Region
    label: str
    size: int


def build_catalogue(source: object, columns: tuple[str, str, str], wanted: Wanted, *, key: Path, output: Path) -> int:
    """Read places, sign a block for each cell, write the folder.

    Args:
        source: a path, a table in memory or a source.
        columns: of names, latitudes and longitudes.
        wanted: cells, label and size.
        key: file of the secret from which the signing key is derived, for this label.
        output: new folder.

    Returns:
        How many places it has; rows without a name or a place are left out.

    Raises:
        SourceError, SchemaError: the table cannot be read, or has no place.
        ParameterError: sizes that do not fit.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    engine = DuckDBEngine()
    name, latitude, longitude = columns
    rows = engine.summarize(engine.scan(source_from(source)), FixesOf(name, name, latitude, longitude))
    is_named = np.array([bool(text.strip()) for text in rows.persons] + [False])
    good = np.flatnonzero(is_named[rows.person] & is_place(rows.latitude, rows.longitude))
    if not len(good):
        raise SchemaError(
            "A table of places must have a row with a name and a place; none has.",
            "check the names of the columns, and which coordinate comes first.",
        )
    found = zip(rows.person[good].tolist(), rows.latitude[good].tolist(), rows.longitude[good].tolist(), strict=True)
    places = sorted({(rows.persons[who], lat, lon) for who, lat, lon in found})
    signing = Ed25519PrivateKey.from_private_bytes(read_key(key).derive("sfumato.places/1", wanted.label))
    catalogue = catalogue_of(
        [Place(*one) for one in places], wanted.region, wanted.label, size=wanted.size, key=signing
    )
    write_catalogue(output, catalogue, signing.public_key().public_bytes_raw().hex())
    return len(places)

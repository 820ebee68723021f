"""A catalogue of places as files: a description that anybody may read, and the blocks, which are mapped and not loaded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.engine.folders import DRAFT, private_folder
from sfumato.errors import ParameterError, SourceError
from sfumato.frozen import dataclass
from sfumato.mechanism.location.by_design.catalogue import Catalogue
from sfumato.table.plane import Plane, Region

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORMAT = "sfumato.places/1"
_DESCRIPTION, _BLOCKS = "catalogue.json", "blocks.npy"


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """What clients of a catalogue must know; all of it is public.

    Args:
        label: name and version.
        region: whose cells there are.
        size: bytes of a block.
        key: of who signed the blocks, 64 hexadecimal digits.
    """

    label: str
    region: Region
    size: int
    key: str

    @property
    def cells(self) -> int:
        """How many blocks there are."""
        return self.region.rows * self.region.columns

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        said = {"format": FORMAT, "label": self.label, "region": said_of(self.region)}
        return said | {"size": self.size, "key": self.key}

    def public_key(self) -> Ed25519PublicKey:
        """The key that blocks must be signed by.

        Raises:
            ParameterError: it is none.
        """
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            return Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.key))
        except ValueError:
            raise ParameterError(
                "The key of a catalogue must be 64 hexadecimal digits.", "fetch the description again."
            ) from None


def said_of(region: Region) -> dict[str, Any]:
    """A region as JSON."""
    plane = region.plane
    where = {"latitude": plane.latitude, "longitude": plane.longitude, "metres": str(region.side)}
    return where | {"rows": region.rows, "columns": region.columns}


def region_from(said: Any) -> Region:
    """A region of JSON.

    Raises:
        KeyError, TypeError, ValueError: it is none.
        ParameterError: cells that are none.
    """
    plane = Plane(float(said["latitude"]), float(said["longitude"]))
    return Region(plane, str(said["metres"]), int(said["rows"]), int(said["columns"]))


def described(document: object) -> Described:
    """Read a description.

    Raises:
        ParameterError: it is none.

    Example:
        >>> one = Described("a", Region(Plane(45.7, 4.78), 500, 3, 4), 512, "0" * 64)
        >>> described(one.to_dict()).cells
        12
    """
    try:
        said: Any = document
        region = region_from(said["region"])
        found = Described(str(said["label"]), region, int(said["size"]), str(said["key"]))
        is_one = said["format"] == FORMAT
    except (KeyError, TypeError, ValueError, AttributeError):
        is_one = False
    if not is_one:
        raise ParameterError(
            "A catalogue of places must have a description of format {format}.",
            "fetch it from the server, or build the catalogue again.",
            format=FORMAT,
        )
    return found


def write_catalogue(folder: Path, catalogue: Catalogue, key: str) -> None:
    """Write a catalogue into a new folder, whole or not at all.

    Args:
        folder: must not be there yet.
        catalogue: description and blocks.
        key: public key of who signed it, in hexadecimal.

    Raises:
        SourceError: the folder is there, or cannot be made.
    """
    about = Described(catalogue.label, catalogue.region, catalogue.size, key)
    if folder.exists():
        raise SourceError("{name!r} must not be there yet.", "choose another folder.", name=folder.name)
    try:
        draft = private_folder(folder.absolute().parent, prefix=DRAFT[0], suffix=DRAFT[1])
        try:
            (draft.path / _DESCRIPTION).write_text(json.dumps(about.to_dict(), ensure_ascii=False, indent=1), "utf-8")
            np.save(draft.path / _BLOCKS, catalogue.blocks)
            draft.path.chmod(0o755)
            draft.path.rename(folder)
        finally:
            draft.remove()
    except OSError as error:
        raise SourceError(
            "{name!r} must be writable; {strerror}.", "choose another place.", name=folder.name, strerror=error.strerror
        ) from error


def read_catalogue(folder: Path) -> tuple[Described, Catalogue]:
    """A catalogue whose blocks stay on the disk until they are asked for.

    Raises:
        SourceError: it is not there or not whole.
        ParameterError: its description is none.
    """
    try:
        about = described(json.loads((folder / _DESCRIPTION).read_text("utf-8")))
        blocks = np.load(folder / _BLOCKS, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        blocks = None
    if blocks is None or blocks.dtype != np.uint64 or blocks.shape != (about.cells, about.size // 8):
        raise SourceError(
            "{name!r} must be a catalogue with one block for each cell.",
            "build it with `sfumato nearby build`.",
            name=folder.name,
        )
    return about, Catalogue(about.region, about.label, blocks)

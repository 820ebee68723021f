"""`sfumato serve places | friends`: the two servers. `sfumato nearby build | look | circle | leave | friends | forget`: devices."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.extras import Needs
from sfumato.web.options import of_listener

if TYPE_CHECKING:
    from sfumato.table.plane import Region

_FILE = click.Path(path_type=Path)
_NEEDS = "The server needs the packages starlette and uvicorn."


@click.command("places")
@click.argument("catalogue", type=_FILE)
@of_listener(8378)
def serve_places(catalogue: Path, host: str, port: int) -> None:
    """Serve the CATALOGUE of places: whoever asks does not tell where. Two keepers who do not talk serve the same one."""
    from sfumato.document.server import Limits
    from sfumato.nearby.shelf import read_catalogue

    with Needs("server", _NEEDS):
        from sfumato.nearby.app import places
        from sfumato.web.serve import may_run, run
    from sfumato.web.metrics import Tally
    from sfumato.web.reached import Reached

    about, blocks = read_catalogue(catalogue)
    limits, tally = Limits(body=max(about.cells // 8 + 1, 1024)), Tally()
    may_run(limits)
    click.echo(f"catalogue: {about.label}, {about.cells:,} cells of {about.size} bytes", err=True)
    run(places(about, blocks, limits, tally), limits, tally, Reached(host), port=port)


@click.command("friends")
@click.argument("store", type=_FILE)
@of_listener(8379)
@click.option("--hours", type=click.FloatRange(0, 48, min_open=True), default=24.0, show_default=True, help="After which a token is forgotten.")  # fmt: skip
def serve_friends(store: Path, host: str, port: int, hours: float) -> None:
    """Keep tokens of friends in STORE, an SQLite file, and say which are equal. What they mean only friends know."""
    from sfumato.document.server import Limits

    with Needs("server", _NEEDS):
        from sfumato.nearby.app import friends
        from sfumato.web.serve import may_run, run
    from sfumato.nearby.friends import Friends
    from sfumato.web.metrics import Tally
    from sfumato.web.reached import Reached

    limits, tally = Limits(body=4096), Tally()
    may_run(limits)
    run(friends(Friends(store), limits, tally, seconds=hours * 3600), limits, tally, Reached(host), port=port)


@click.group()
def nearby() -> None:
    """What is near, without telling anybody where one is: places by private retrieval, friends by tokens."""


_REGION = click.option(
    "--region", type=(float, float, str, int, int), required=True, metavar="SOUTH WEST METRES ROWS COLUMNS",
    help="South-west corner in degrees, side of a cell, cells to the north and to the east.",
)  # fmt: skip


def _region_of(said: tuple[float, float, str, int, int]) -> Region:
    from sfumato.table.plane import Plane, Region

    south, west, metres, rows, columns = said
    return Region(Plane(south, west), metres, rows, columns)


@nearby.command()
@click.argument("source")
@_REGION
@click.option("--columns", type=(str, str, str), default=("name", "latitude", "longitude"), show_default=True, help="Of names and of degrees.")  # fmt: skip
@click.option("--label", required=True, help="Name and version of the catalogue.")
@click.option("--size", type=int, default=1024, show_default=True, help="Bytes of a block.")
@click.option("--key", type=_FILE, required=True, help="Signing key, as `sfumato pseudonymize --new-key` makes them.")
@click.option("-o", "--output", type=_FILE, required=True, help="Folder to write.")
def build(  # noqa: PLR0913, PLR0917 - one option each
    source: str,
    region: tuple[float, float, str, int, int],
    columns: tuple[str, str, str],
    label: str,
    size: int,
    key: Path,
    output: Path,
) -> None:
    """Build the catalogue of the places of SOURCE, a table: one signed block a cell."""
    from sfumato.nearby.building import Wanted, build_catalogue

    cells = _region_of(region)
    count = build_catalogue(source, columns, Wanted(cells, label, size), key=key, output=output)
    click.echo(f"{output.name}: {count:,} places, {cells.rows * cells.columns:,} cells of {size} bytes")


@nearby.command()
@click.option(
    "--server", "servers", multiple=True, required=True, help="Address of a server; give two, of different keepers."
)
@click.argument("latitude", type=float)
@click.argument("longitude", type=float)
def look(servers: tuple[str, ...], latitude: float, longitude: float) -> None:
    """What is nearest to LATITUDE LONGITUDE; neither server learns where that is. Put -- before negative numbers."""
    from sfumato.nearby.client import by_distance, fetch_description, nearest
    from sfumato.noise.bits import SystemBits

    near = nearest(servers, fetch_description(servers), latitude, longitude, bits=SystemBits())
    for place, metres in by_distance(near, latitude, longitude):
        note = "" if metres <= near.metres else "  (there may be nearer ones)"
        click.echo(f"{metres:>8,.0f} m  {place.name}{note}")


@nearby.command()
@_REGION
@click.option("-o", "--output", type=_FILE, required=True, help="File to write, for friends alone.")
def circle(region: tuple[float, float, str, int, int], output: Path) -> None:
    """Draw the secret of a new circle of friends."""
    from sfumato.nearby.device import write_circle
    from sfumato.noise.bits import SystemBits

    write_circle(output, _region_of(region), bits=SystemBits())
    click.echo(f"{output.name}: hand it to friends, and to nobody else. Whoever has it can find all of them.")


_CIRCLE = click.option("--circle", type=_FILE, required=True, help="File of the circle.")
_MAILBOX = click.option("--mailbox", type=_FILE, required=True, help="One's own file; made at its first use.")


@nearby.command()
@click.argument("server")
@click.argument("latitude", type=float)
@click.argument("longitude", type=float)
@_CIRCLE
@_MAILBOX
def leave(server: str, latitude: float, longitude: float, circle: Path, mailbox: Path) -> None:
    """Leave the token of one's cell with SERVER; prints the name of the mailbox, for friends to know."""
    from sfumato.nearby import client
    from sfumato.nearby.device import next_token, read_circle
    from sfumato.noise.bits import SystemBits

    friends = read_circle(circle)
    cell = client.cell_in(friends.region, latitude, longitude)
    box = next_token(mailbox, bits=SystemBits())
    click.echo(client.leave(server, box.secret, friends, cell, datetime.now(UTC).date(), box.number))


@nearby.command()
@click.argument("server")
@click.argument("latitude", type=float)
@click.argument("longitude", type=float)
@_CIRCLE
def friends(server: str, latitude: float, longitude: float, circle: Path) -> None:
    """Names of the mailboxes of friends in the cell of LATITUDE LONGITUDE or next to it."""
    from sfumato.nearby import client
    from sfumato.nearby.device import read_circle
    from sfumato.noise.bits import SystemBits

    group = read_circle(circle)
    cell = client.cell_in(group.region, latitude, longitude)
    for name in client.near(server, group, cell, datetime.now(UTC).date(), bits=SystemBits()):
        click.echo(name)


@nearby.command()
@click.argument("server")
@_MAILBOX
def forget(server: str, mailbox: Path) -> None:
    """Take one's token back from SERVER."""
    from sfumato.nearby import client
    from sfumato.nearby.device import next_token
    from sfumato.noise.bits import SystemBits

    client.take_back(server, next_token(mailbox, bits=SystemBits()).secret)

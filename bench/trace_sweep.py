"""All protections of traces on Gowalla and Cabspotting, side by side: `sfumato sweep` over `examples/traces`.

    bench/trace_sweep.py FOLDER [gowalla | cabspotting]

writes the tables, the plans and the results with their pictures to the folder, and prints what the command prints.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
from timing import shared_folder

EXAMPLES = Path(__file__).parents[1] / "examples"
LEAST = 50
"""Fixes of a person; others are left out."""
SHOWN = (
    "traces_fixes",
    "traces_flows_common",
    "traces_box_median",
    "stays_retrieved",
    "unicity",
    "control.re-identification",
)


def gowalla() -> pa.Table:
    """Check-ins of persons with enough of them."""
    table = pc.read_csv(shared_folder() / "data/mobility_gowalla_nyc/gowalla_nyc_checkins.csv.gz")
    user = table["user"].to_numpy()
    often = np.bincount(user)[user] >= LEAST
    return pa.table({"user": user, "time": table["checkin_time"], "lat": table["lat"], "lon": table["lon"]}).filter(
        often
    )


def cabspotting() -> pa.Table:
    """Fixes of all cabs, in degrees."""
    table = pq.read_table(shared_folder() / "data/mobility_cabspotting/cabspotting_50cabs.parquet")
    lat, lon = (table[name].to_numpy() / 1e5 for name in ("lat_e5", "lon_e5"))
    return pa.table({"cab": table["cab"], "time": table["t"], "lat": lat, "lon": lon})


def main() -> None:
    """One sweep for each table."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for make in (gowalla, cabspotting):
        name = make.__name__
        if name not in (sys.argv[2:] or [name]):
            continue
        pc.write_csv(make(), folder / f"{name}.csv")
        for file in ("ways.toml", f"{name}.toml"):
            shutil.copy(EXAMPLES / "traces" / file, folder / file)
        also = [word for figure in SHOWN for word in ("--also", figure)]
        command = [Path(sys.executable).parent / "sfumato", "sweep", f"{name}.toml", "--vary", "way=@ways.toml"]
        subprocess.run([*command, "--risk", "attack.re-identification", *also, "-o", name], check=True, cwd=folder)


if __name__ == "__main__":
    main()

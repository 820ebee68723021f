"""Records what every case gives; run once, on the state before the work, with this folder put into its tests:

    PYTHONPATH=. python -m tests.golden.before.record [part of a name …]

Every case is run twice, and whatever differs is told. With names, it prints their outcomes and writes nothing.
"""

import json
import lzma
import sys
import tempfile
from pathlib import Path

from tests.golden.before import cases_commands, cases_documents, cases_plans
from tests.golden.before.driver import carry_out, on_paper, versions

HERE = Path(__file__).parent
FILE = HERE / "recorded.json.xz"


def everything():
    """All cases; their names differ."""
    found = [*cases_plans.cases(), *cases_commands.cases(), *cases_documents.cases()]
    assert len({case["name"] for case in found}) == len(found)
    return found


def outcome(case, folder, number):
    """What a case gives, in a folder of its own."""
    return carry_out(case, on_paper(folder / str(number)))


def main(wanted):
    """Record, twice, and keep what came out alike."""
    found = [case for case in everything() if not wanted or any(word in case["name"] for word in wanted)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = [outcome(case, folder / "one", i) for i, case in enumerate(found)]
        again = [outcome(case, folder / "two", i) for i, case in enumerate(found)]
    for case, one, two in zip(found, first, again, strict=True):
        if one != two:
            sys.stdout.write(f"{case['name']}: another outcome each time\n")
            _differences(one, two)
        codes = [step["code"] for step in one["steps"]]
        sys.stdout.write(f"{case['name']}: {codes}, {', '.join(one['files'])}\n")
        if wanted or (any(codes) and not case["name"].startswith("wrong")):
            sys.stdout.write("".join(step["err"] + (step["out"][-3000:] if wanted else "") for step in one["steps"]))
    if not wanted:
        kept = {
            "versions": versions(),
            "cases": [case | {"outcome": one} for case, one in zip(found, first, strict=True)],
        }
        FILE.write_bytes(lzma.compress(json.dumps(kept, ensure_ascii=False).encode("utf-8", "surrogatepass"), preset=9))


def _differences(one, two):
    """Lines that differ."""
    for left, right in zip(_lines(one), _lines(two), strict=False):
        if left != right:
            sys.stdout.write(f"  {left[:300]}\n  {right[:300]}\n")


def _lines(found):
    return json.dumps(found, indent=1).replace("\\n", "\n").splitlines()


if __name__ == "__main__":
    main(sys.argv[1:])

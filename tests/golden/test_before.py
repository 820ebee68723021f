"""Every command gives what it gave before the walls moved: bytes, documents, reports, messages, exit codes, ledgers.

The results were recorded once (`tests/golden/before/record.py`); what was renamed since stands in `renames.toml`.
"""

import json
import lzma
from pathlib import Path

import pytest
from tests.golden.before.driver import carry_out, on_paper, versions
from tests.golden.before.renames import Renames

FOLDER = Path(__file__).parent / "before"
DOCUMENT = json.loads(lzma.decompress((FOLDER / "recorded.json.xz").read_bytes()))
RECORDED = {case["name"]: case for case in DOCUMENT["cases"]}
RENAMES = Renames(FOLDER / "renames.toml", same_libraries=DOCUMENT["versions"] == versions())


@pytest.mark.parametrize("name", RECORDED)
def test_the_outcome_is_that_of_before(tmp_path, name):
    case = RECORDED[name]
    found = carry_out(case, on_paper(tmp_path / "case"), RENAMES.command_line)
    differences = RENAMES.differences(name, case["outcome"], found)
    assert not differences, "\n".join(differences)


def test_every_renaming_has_a_reason_and_a_use():
    texts = [json.dumps(case, ensure_ascii=False) for case in RECORDED.values()]
    assert not RENAMES.unfounded(texts)

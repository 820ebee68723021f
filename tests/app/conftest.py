"""A command line and a small table of persons."""

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import pytest
from tests.app.chromium import Browser
from tests.browsers import chromium_binary
from tests.commands import Ran, ran

# Six persons of the course "Techniques d'anonymisation" (B. Nguyen): postcode, age, electricity.
SIX = "Nom,CP,Age,Conso\nSue,18000,22,50\nPat,69000,27,70\nBob,18500,21,90\nBill,18510,20,60\nDan,69100,26,70\nSam,69300,28,75\n"

SIX_PLAN = """
sfumato = 1
[source]
path = "six.csv"
[columns.Nom]
role = "identifying"
[columns.CP]
role = "quasi-identifying"
hierarchy = { tree = { Cher = ["18000", "18500", "18510"], "Rhône" = ["69000", "69100", "69300"] } }
[columns.Age]
role = "quasi-identifying"
kind = "integer"
hierarchy = { intervals = [[20, 25, 30], [20, 30]] }
[columns.Conso]
role = "sensitive"
kind = "integer"
[[promise]]
model = "k-anonymity"
k = 3
[method]
name = "full-domain"
[output]
path = "release.csv"
report = "report.html"
result = "result.json"
"""


@pytest.fixture
def sfumato(tmp_path):
    """Run `sfumato …` in a folder of its own: the same entry point and exit codes, without a process for each."""

    return partial(ran, cwd=tmp_path)


@pytest.fixture
def sfumato_process(tmp_path):
    """Run `sfumato …` as a process of its own, where that is what matters: Java, locks, a cold start."""

    def run(*arguments, cwd=tmp_path):
        command = [sys.executable, "-c", "from sfumato.cli.main import main; main()", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, check=False, encoding="utf-8",
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def six(tmp_path) -> Path:
    """The plan for the six persons, in a folder with their table."""
    (tmp_path / "six.csv").write_text(SIX, encoding="utf-8")
    plan = tmp_path / "plan.toml"
    plan.write_text(SIX_PLAN, encoding="utf-8")
    return plan


@pytest.fixture(scope="module")
def browser():
    binary = chromium_binary()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        one = Browser(binary, profile)
        yield one
        one.close()

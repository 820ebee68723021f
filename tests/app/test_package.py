"""What is handed to others: the package builds, holds what it should, and installs into an empty folder."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def uv():
    beside = Path(sys.executable).with_name("uv")
    found = str(beside) if beside.exists() else shutil.which("uv")
    if found is None:
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("uv is required here; install the group `test`")
        pytest.skip("no uv")
    return found


@pytest.fixture(scope="module")
def built(uv, tmp_path_factory):
    """The folder with the source archive and the wheel."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([uv, "build", "--quiet", "--offline", "--out-dir", folder, ROOT], check=True)
    return folder


def test_the_source_archive_holds_tests_docs_limitations_and_changes(built):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        names = {name.split("/", 1)[1] for name in file.getnames() if "/" in name}
    pages = ("LIMITATIONS.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "README.md", "LICENSE", "Makefile")
    made = ("requirements.lock", "sbom.cdx.json", "docs/index.md", "docs/conf.py", "examples/census2000/demo.py")
    assert {*pages, *made} - names == set()
    tests = {str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.py")}
    assert tests - names == set()
    assert [name for name in names if "__pycache__" in name or "_build" in name] == []


def test_the_wheel_holds_every_file_of_the_package(built):
    (wheel,) = built.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    room = ROOT / "src"
    ours = {str(p.relative_to(room)) for p in (room / "sfumato").rglob("*") if p.is_file() and p.suffix != ".pyc"}
    assert {name for name in ours if "__pycache__" not in name} - held == set()


def test_the_wheel_installs_and_its_command_publishes(built, uv, six, tmp_path):
    (wheel,) = built.glob("*.whl")
    folder = tmp_path / "installed"
    install = [uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", sys.executable]
    subprocess.run([*install, "--target", folder, wheel], check=True)
    paths = os.pathsep.join([str(folder), *(path for path in sys.path if path.endswith("site-packages"))])
    env = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    where = [sys.executable, "-c", "import sfumato; print(sfumato.__file__)"]
    assert subprocess.run(where, env=env, capture_output=True, text=True, check=True).stdout.startswith(str(folder))
    command = [sys.executable, folder / "bin" / "sfumato", "run", "plan.toml"]
    done = subprocess.run(command, cwd=six.parent, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (six.parent / "release.csv").exists()


def test_the_lock_file_and_the_bill_of_materials_know_every_dependency():
    """`make lock` renews both; neither names a registry."""
    lock, bill = (ROOT / name for name in ("requirements.lock", "sbom.cdx.json"))
    locked = re.findall(r"^([\w.-]+)==([^\s;]+)", lock.read_text("utf-8"), re.MULTILINE)
    listed = {component["purl"] for component in json.loads(bill.read_text("utf-8"))["components"]}
    project = PROJECT["project"]
    extras = [one for extra in project["optional-dependencies"].values() for one in extra]
    for one in map(Requirement, [*project["dependencies"], *extras]):
        versions = [version for name, version in locked if name == one.name]
        assert versions, one.name
        assert all(one.specifier.contains(version, prereleases=True) for version in versions), one
        assert {f"pkg:pypi/{one.name}@{version}" for version in versions} <= {purl.split("?")[0] for purl in listed}
    assert not re.search(r"https?://(?!cyclonedx\.org)", lock.read_text("utf-8") + bill.read_text("utf-8"))


def test_every_python_from_the_oldest_is_declared():
    classifiers = PROJECT["project"]["classifiers"]
    declared = [one.rsplit(" ", 1)[1] for one in classifiers if re.search(r":: 3\.\d+$", one)]
    assert declared == ["3.11", "3.12", "3.13", "3.14"]
    assert PROJECT["project"]["requires-python"] == ">=3.11"


def test_every_extra_is_on_the_page_that_says_how_to_install():
    page = (ROOT / "docs" / "how-to" / "install.md").read_text("utf-8")
    assert [one for one in PROJECT["project"]["optional-dependencies"] if f"| `{one}` |" not in page] == []

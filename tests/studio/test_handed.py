"""Everything of a run as one ZIP: each file is the one of the result, names lead nowhere, and the original is not in it."""

import hashlib
import io
import json
import shutil
import zipfile
from urllib.parse import quote

import pytest

from sfumato.errors import SourceError
from sfumato.studio.handed import Entry, entries_of, packed
from sfumato.studio.shelf import Project, Shelf


def test_the_zip_of_a_run_holds_what_the_run_made(furniture):
    """Opened as anybody would; digests are those of the result, and its language is that of the page."""
    address = furniture.hand.studio.root + furniture.path("runs/1/all.zip")
    answer = furniture.hand.client.get(address, headers={"accept-language": "fr"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    assert "content-length" not in answer.headers
    assert quote(f"{furniture.project.name}-001.zip") in answer.headers["content-disposition"]
    box, folder = zipfile.ZipFile(io.BytesIO(answer.content)), furniture.project.folder / "runs/001"
    assert box.testzip() is None
    assert 'runs/1/all.zip"' in furniture.hand.get(furniture.path("result?run=1")).text
    result = json.loads(box.read("result.json"))
    written = {file["path"].split("/")[-1]: file["sha256"] for file in result["files"]}
    assert set(box.namelist()) == {*written, "result.json", "plan.toml", "report.html", "report.pdf"}
    assert len(written) == 1
    for name, digest in written.items():
        assert hashlib.sha256(box.read(name)).hexdigest() == digest
    for name in ("result.json", "plan.toml"):
        assert box.read(name) == folder.joinpath(name).read_bytes()
    assert box.read("report.pdf").startswith(b"%PDF-")
    assert '<html lang="fr"' in box.read("report.html").decode()
    assert (furniture.project.folder / "t.csv").read_bytes() not in answer.content
    assert furniture.hand.get(furniture.path("runs/9/all.zip")).status_code == 404


@pytest.fixture
def copy(furniture, tmp_path):
    """The project and its shelf, to be changed."""
    folder = tmp_path / "shelf/copy"
    shutil.copytree(furniture.project.folder, folder)
    return Shelf(folder.parent), Project(folder)


def test_a_release_that_was_changed_is_not_handed_over_as_that_of_the_result(copy):
    shelf, project = copy
    run = project.run("1")
    next(run.folder.glob("*release*.csv")).write_bytes(b"x")
    with pytest.raises(SourceError, match="SHA-256"):
        entries_of(shelf, project, run, "en")


def test_hierarchies_of_the_plan_come_too_and_no_file_from_elsewhere(copy, tmp_path):
    """By a name without folders; a plan that names a file outside the folder of the studio hands nothing over."""
    shelf, project = copy
    run = project.run("1")
    plan = run.folder / "plan.toml"
    text = plan.read_text("utf-8")
    start = text.index("hierarchy = ") if "hierarchy = " in text else text.index('[columns."Âge".hierarchy]')
    end = text.index("\n\n", start)
    own = (
        'hierarchy = { file = "levels/âge.csv" }'
        if text[start] == "h"
        else '[columns."Âge".hierarchy]\nfile = "levels/âge.csv"'
    )
    (project.folder / "levels").mkdir()
    (project.folder / "levels/âge.csv").write_text("20;*\n", "utf-8")
    plan.write_text(text[:start] + own + text[end:], "utf-8")
    entries = {one.name: one.content for one in entries_of(shelf, project, run, "en")}
    assert entries["hierarchies/âge.csv"].read_text("utf-8") == "20;*\n"
    (tmp_path / "secret.csv").write_text("20;*\n")
    for path in ("../../secret.csv", str(tmp_path / "secret.csv")):
        plan.write_text(text[:start] + own.replace("levels/âge.csv", path) + text[end:], "utf-8")
        with pytest.raises(SourceError, match="--root"):
            entries_of(shelf, project, run, "en")


def test_what_is_packed_comes_in_pieces(tmp_path):
    """A large file is never whole in memory: no piece is much larger than what is read at once."""
    path, content = tmp_path / "large", bytes(range(256)) * 40_000
    path.write_bytes(content)
    pieces = list(packed([Entry("large", path), Entry("small", b"1")]))
    assert len(pieces) > 10
    assert max(map(len, pieces)) < 2 << 20
    assert zipfile.ZipFile(io.BytesIO(b"".join(pieces))).read("large") == content

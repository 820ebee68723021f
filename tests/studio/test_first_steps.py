"""What stops somebody who is new: a table of which nothing is known to others, a workbook whose table is on its second sheet, a plan that no longer fits."""

import io
import time
import tomllib

import openpyxl
from tests.studio.furnished import Room, begun

from sfumato.studio import jobs
from sfumato.studio.shelf import Project


def ended(room, job="draft"):
    """How a job ended."""
    while (found := jobs.state(room.project.hidden / job)).is_going:
        time.sleep(0.02)
    return found


def test_a_table_of_which_nobody_guessed_a_known_column_is_shown(hand):
    """Its roles can be given on the page, which says what is missing; and then it is run."""
    room = begun(hand, "flat.csv", b"pays,sexe\n" + b"FR,F\nFR,M\n" * 50)
    room.done("table/roles", **{"role-0": "insensitive", "role-1": "insensitive"})
    page = hand.get(room.path("hierarchy")).text
    assert "at least one quasi-identifying column" in page
    assert room.path("table") in page.split('role="status"')[1].split("</div>")[0]
    room.done("table/roles", **{"role-1": "quasi-identifying"})
    shown = hand.get(room.path("table")).text.split('role="status"')[1].split("</div>")[0]
    assert ("A promise judges" in shown, room.path("promise") in shown) == (True, True)
    room.done("promise/remove", place="1")
    room.done("promise/propose", scenario="inside")
    room.done("promise/run")
    room.finished("001")
    alone = begun(hand, "alone.csv", b"pays\n" + b"FR\n" * 50)
    assert hand.get(alone.path("table")).status_code == 200


def test_the_table_of_a_workbook_is_on_its_second_sheet(hand):
    """The first has no rows: that is said, a sheet is named, and the draft goes on; undone, the plan before is back."""
    book, said = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"] = "Read me"
    sheet = book.create_sheet("Données")
    for i in range(60):
        sheet.append([20 + i % 30, "FM"[i % 2], "xyz"[i % 3]] if i else ["age", "sex", "illness"])
    book.save(said)
    before = set(hand.studio.folder.iterdir())
    assert hand.drop("/", "Patients.xlsx", said.getvalue()).status_code == 303
    room = Room(hand, Project((set(hand.studio.folder.iterdir()) - before).pop()))
    assert ended(room).name == "failed"
    assert 'name="sheet"' in hand.get(room.path("wait?job=draft")).text
    room.post("reread", sheet="nowhere")
    assert "Données" in ended(room).problem
    room.post("reread", sheet="Données")
    assert ended(room).name == "done"
    assert set(tomllib.loads(room.project.plan_path.read_text("utf-8"))["columns"]) == {"age", "sex", "illness"}
    assert "How is the file written?" in hand.get(room.path("wait?job=draft&again=1")).text


def test_a_file_is_read_otherwise_and_the_plan_comes_back(hand):
    """From the page of its columns."""
    room = begun(hand, "two.csv", b"title\nage;sex\n" + b"30;F\n40;M\n" * 30)
    room.done("table/roles", **{"role-0": "sensitive"})
    plan = room.project.plan_path.read_text("utf-8")
    assert "again=1" in hand.get(room.path("table")).text
    room.post("reread", skip="2", header="false", delimiter=";")
    assert ended(room).name == "done"
    assert room.project.plan_path.read_text("utf-8") != plan
    room.done("table/undo", page="table")
    assert room.project.plan_path.read_text("utf-8") == plan

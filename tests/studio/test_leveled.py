"""Files of hierarchies that are dropped at once: each finds its column by its values, or none is kept."""

import tomllib

import pytest
from tests.studio.furnished import begun

ROWS = "".join(f"{(10, 11, 20)[i % 3]};{(10, 11, 20)[i % 3]};{'FM'[i % 2]};{'xyz'[i % 3]}\n" for i in range(60))
TABLE = f"age;zone;sex;illness\n{ROWS}".encode()
NUMBERS, SEXES = b"10;1*;*\n11;1*;*\n20;2*;*\n", b"F;*\nM;*\n"


@pytest.fixture
def room(hand):
    """Three known columns, of which two have the same values."""
    made = begun(hand, "stays.csv", TABLE)
    roles = ("quasi-identifying", "quasi-identifying", "quasi-identifying", "sensitive")
    made.done("table/roles", **{f"role-{i}": role for i, role in enumerate(roles)})
    return made


def dropped(room, *files, seen=None):
    """Several files at once, from the page as it is."""
    data = {"seen": room.project.plan_file().seen if seen is None else seen}
    address = room.hand.studio.root + room.path("hierarchy/take")
    return room.hand.client.post(address, data=data, files=[("table", one) for one in files])


def hierarchies(room):
    """What the plan says of each column."""
    columns = tomllib.loads(room.project.plan_path.read_text("utf-8"))["columns"]
    return {name: said.get("hierarchy") for name, said in columns.items()}


def test_each_file_finds_its_column(room):
    """By its name where it says one, else by its values alone; a name that is taken stays what it is."""
    answer = dropped(room, ("../adult_hierarchy_age.csv", NUMBERS), ("b.toml", SEXES))
    assert answer.status_code == 303, answer.text[-1500:]
    found = hierarchies(room)
    assert found["age"] == {"file": "hierarchies/adult_hierarchy_age.csv"}
    assert found["sex"] == {"file": "hierarchies/b.toml.csv"}
    assert "1*" in room.hand.get(room.path("hierarchy?column=age")).text
    assert dropped(room, ("adult_hierarchy_age.csv", NUMBERS.replace(b"1*", b"<b>"))).status_code == 303
    assert hierarchies(room)["age"] == {"file": "hierarchies/adult_hierarchy_age-2.csv"}
    assert (room.project.folder / "hierarchies/adult_hierarchy_age.csv").read_bytes() == NUMBERS
    assert "<b>" not in room.hand.get(room.path("hierarchy?column=age")).text.split('id="preview"')[1]


def test_what_fits_no_column_or_several_is_refused_whole(room):
    """Neither the plan nor the folder keeps anything of it; nor where the plan changed meanwhile."""
    plan = room.project.plan_path.read_bytes()
    for files in (
        [("a.csv", NUMBERS)], [("a.csv", b"1;*\n")], [("sex.csv", b"F;*\n")], [("sex.csv", SEXES), ("other.csv", b"nothing")],
        [("sex.csv", SEXES), ("sex2.csv", SEXES)], [("sex.csv", b"\x00\xff" * 100)], [],
    ):  # fmt: skip
        answer = dropped(room, *files)
        assert (answer.status_code, "What to do:" in answer.text) == (422, True), files
    assert dropped(room, ("sex.csv", SEXES), seen="another").status_code == 409
    assert room.project.plan_path.read_bytes() == plan
    assert list(room.project.folder.glob("hierarchies/*")) == []

"""A table of edges gets a plan of a graph, whose statistics run; other tables get one of a table."""

import pytest

import sfumato
from sfumato.front.drafting import draft_plan
from sfumato.table.source import FileSource

PAIRS = [(i, (i * 7 + 3) % 40) for i in range(40)] + [(i, (i * 3 + 1) % 40) for i in range(40)]


def drafted(folder, header, rows):
    text = "".join(f"{','.join(map(str, row))}\n" for row in [*([header] if header else []), *rows])
    (folder / "table.csv").write_text(text)
    return draft_plan(FileSource(folder / "table.csv"))


@pytest.mark.parametrize(
    ("header", "ends"),
    [(("From", "To"), ("From", "To")), (("user_1", "user_2"), ("user_1", "user_2")), (None, ("column 1", "column 2"))],
)
def test_edges_by_their_names_or_without_any(tmp_path, header, ends):
    made = drafted(tmp_path, header, PAIRS)
    assert made.graph == ends
    text = (tmp_path / "plan.toml").read_text()
    assert text.startswith("#:schema ./sfumato-graph.schema.json")
    assert (tmp_path / "sfumato-graph.schema.json").exists()
    assert ("directed = true" in text) is (header == ("From", "To"))
    assert not any(number in text for number in ("80", "40"))  # nothing of the table is in the plan


def test_the_plan_runs_as_it_is(tmp_path):
    drafted(tmp_path, ("sender", "date", "recipient"), [(f"p{u}", "2020-01-01", f"p{v}") for u, v in PAIRS])
    found = sfumato.run(sfumato.read_plan(tmp_path / "plan.toml")).result.graph
    assert [one.title for one in found.tables] == ["number of edges", "vertices by degree", "core numbers"]


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        (("from", "to"), [(f"word{i}", f"mot{i}") for i in range(50)]),  # nothing in common: a dictionary
        (
            ("customer_id", "from", "to"),
            [(1000 + i, u % 5, v % 5) for i, (u, v) in enumerate(PAIRS)],
        ),  # trips of persons
        (("age", "income"), [(u, v) for u, v in PAIRS]),  # two columns that have names of their own
        (None, [(f"p{u}", f"{v + 0.5}") for u, v in PAIRS]),
    ],
)
def test_other_tables_are_none(tmp_path, header, rows):
    made = drafted(tmp_path, header, rows)
    assert made.graph is None
    assert "[graph]" not in (tmp_path / "plan.toml").read_text()


def test_the_studio_drafts_plans_of_tables(tmp_path):
    (tmp_path / "t.csv").write_text("from,to\n" + "".join(f"{u},{v}\n" for u, v in PAIRS))
    made = draft_plan(FileSource(tmp_path / "t.csv"), as_table=True)
    assert made.graph is None
    assert "[columns.from]" in (tmp_path / "plan.toml").read_text()

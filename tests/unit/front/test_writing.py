"""A plan made in Python is written as the command line reads it, and nothing that somebody else wrote is lost."""

import tomllib
from dataclasses import replace

import pytest

import sfumato
from sfumato.errors import PlanError
from sfumato.guarantee.k_anonymity import KAnonymity

MADE = {
    "format": "sfumato.plan/1", "source": {"path": "t.csv"},
    "columns": {"age": {"role": "quasi-identifying"}, "sex": {"role": "quasi-identifying", "kind": "text"}},
    "promise": [{"model": "k-anonymity", "k": 5}], "method": {"name": "full-domain", "suppression_limit": 0.1},
    "measure": {"loss_by_k": [2, 3]},
}  # fmt: skip


def test_what_is_written_is_read_back(tmp_path):
    """As the same plan; again it changes nothing, and no other file appears."""
    path = sfumato.write_plan(MADE, tmp_path)
    read = sfumato.read_plan(path)
    assert tomllib.loads(path.read_text("utf-8")) == MADE
    assert replace(read, file=None) == sfumato.plan_from(MADE, folder=tmp_path)
    before = path.read_bytes()
    assert sfumato.write_plan(read, str(tmp_path)) == path
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["plan.toml"]


def test_comments_stay_where_nothing_changed(tmp_path):
    """Beside keys, in tables and in the tables of a list; keys that are gone go, new ones come."""
    path = sfumato.write_plan(MADE, tmp_path)
    text = path.read_text("utf-8").replace('kind = "text"', 'kind = "text"  # F or M')
    path.write_text("# mine\n" + text.replace('model = "k-anonymity"', 'model = "k-anonymity"  # as agreed'), "utf-8")
    said = {**MADE, "promise": [{"model": "k-anonymity", "k": 7}], "most_tuples": 1000}
    del said["measure"]
    text = sfumato.write_plan(said, tmp_path, over=sfumato.read_plan(path)).read_text("utf-8")
    assert tomllib.loads(text) == said
    assert [comment in text for comment in ("# mine", "# F or M", "# as agreed")] == [True] * 3


def test_one_that_changed_meanwhile_is_kept(tmp_path):
    """Whatever is there: another plan, no plan, nothing; whether or not it was read before."""
    path = sfumato.write_plan(MADE, tmp_path)
    read = sfumato.read_plan(path)
    other = {**MADE, "promise": [{"model": "k-anonymity", "k": 7}]}
    for theirs in (path.read_text("utf-8").replace("k = 5", "k = 6"), "no plan", ""):
        path.write_text(theirs, "utf-8")
        for over in (None, read):
            with pytest.raises(PlanError, match="it is another one"):
                sfumato.write_plan(other, tmp_path, over=over)
        assert path.read_text("utf-8") == theirs


def test_objects_that_were_replaced_are_written_or_refused(tmp_path):
    """Promises and measures are; what the document does not say is not dropped unseen, nor is another folder taken."""
    plan = sfumato.plan_from(MADE, folder=tmp_path)
    changed = replace(plan, promises=(KAnonymity(9),), measures=replace(plan.measures, queries=5))
    read = sfumato.read_plan(sfumato.write_plan(changed, tmp_path))
    assert replace(read, file=None, document={}) == replace(changed, document={})
    (tmp_path / "plan.toml").unlink()
    (tmp_path / "other").mkdir()
    for one, folder in ((replace(plan, most_tuples=7), tmp_path), (plan, tmp_path / "other")):
        with pytest.raises(PlanError, match="must be what its document says"):
            sfumato.write_plan(one, folder)
    with pytest.raises(PlanError):
        sfumato.write_plan({**MADE, "promise": []}, tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["other"]

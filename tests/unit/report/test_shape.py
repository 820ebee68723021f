"""Every key of the format is described."""

from sfumato.report.shape import FORMAT, SHAPE, lines


def test_every_key_has_a_meaning():
    assert [path for path, key in lines() if not key.meaning] == []


def test_paths_are_distinct():
    paths = [path for path, _ in lines()]
    assert len(set(paths)) == len(paths)


def test_items_of_lists_and_free_names_are_marked():
    paths = {path for path, _ in lines()}
    assert {"promise[].statement", "distributions.*.before", "risk.after[].value"} <= paths


def test_the_format_is_the_only_one_allowed():
    assert SHAPE["format"].choices == (FORMAT,)

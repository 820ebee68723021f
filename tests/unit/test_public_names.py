"""The names that `import sfumato` offers."""

import subprocess
import sys
from types import ModuleType

import pytest

import sfumato


@pytest.mark.parametrize("name", sfumato.__all__)
def test_a_public_name_is_a_class_or_function_whatever_was_imported_before(name):
    import sfumato.risk  # the room must not hide a name

    assert not isinstance(getattr(sfumato, name), ModuleType)


def test_public_names_are_sorted():
    assert list(sfumato.__all__) == sorted(sfumato.__all__)
    assert set(sfumato.__all__) <= set(dir(sfumato))


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = sfumato.nothing


def test_the_package_loads_no_heavy_library():
    code = "import sfumato, sys; print(sorted({'duckdb', 'numpy', 'pandas', 'polars', 'pyarrow', 'numba', 'jinja2'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize(("start", "most"), [("import sfumato", 60), ("import sfumato.cli.main", 140)])
def test_the_package_and_the_command_line_start_with_few_modules(start, most):
    code = f"import sys; before = set(sys.modules); {start}; print(len(set(sys.modules) - before))"
    loaded = int(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
    assert loaded <= most, f"{loaded} modules: a heavy import must wait until it is used"

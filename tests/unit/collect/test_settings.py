"""A server document is read, and every error names its key."""

import hashlib

import pytest

from sfumato.collect.settings import read_settings
from sfumato.document.server import Limits, Metrics
from sfumato.errors import ParameterError, PlanError
from sfumato.mechanism.local.rappor.params import RapporParams

HASH = hashlib.sha256(b"x").hexdigest()
TEXT = f"""
sfumato-server = 1
store = "sqlite:///store.db"
[limits]
body = 1000
[collections.home]
rappor = "home.json"
candidates = "names.txt"
token_sha256 = "{HASH}"
reader_sha256 = "{HASH}"
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with what the document names."""
    home = RapporParams("home", bits=16, hashes=2, cohorts=4, f="1/2", p="1/2", q="3/4")
    (tmp_path / "home.json").write_text(home.to_json(), "utf-8")
    (tmp_path / "names.txt").write_text("a\nb\n\na\n", "utf-8")
    return tmp_path


def read(folder, text):
    """The settings of a text."""
    (folder / "server.toml").write_text(text, "utf-8")
    return read_settings(folder / "server.toml")


def test_everything_is_read(folder):
    found = read(folder, TEXT)
    assert found.store == f"sqlite:///{folder / 'store.db'}"
    assert found.limits == Limits(body=1000)
    assert found.metrics == Metrics()
    served = found.collections["home"]
    assert served.counter.asked.candidates == ("a", "b")
    assert read(folder, TEXT.replace("rappor =", "collection =")).collections["home"].counter == served.counter
    assert served.counter.size == 4 * 17
    assert not served.keep_reports


def test_the_store_may_stand_in_the_environment(folder, monkeypatch):
    monkeypatch.setenv("SFUMATO_STORE", "postgresql://host/base")
    assert read(folder, TEXT.replace("sqlite:///store.db", "env:SFUMATO_STORE")).store == "postgresql://host/base"
    monkeypatch.delenv("SFUMATO_STORE")
    with pytest.raises(PlanError, match="not set"):
        read(folder, TEXT.replace("sqlite:///store.db", "env:SFUMATO_STORE"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sfumato-server = 1", "sfumato-server = 2", "sfumato-server"),
        ('store = "sqlite:///store.db"', "", "store"),
        ("body = 1000", "body = 0", "above 0"),
        ("body = 1000", "bodies = 3", "unknown"),
        ("body = 1000", "seconds = inf", "finite"),
        ("body = 1000", "first_byte = nan", "finite"),
        ("body = 1000", "connections_per_address = -1", "above 0"),
        ("body = 1000", "memory = 1000", "memory"),
        ("[limits]", "[metrics]\ntoken_sha256 = 'secret'\n[limits]", "hexadecimal"),
        ("collections.home", 'collections."a/b"', "named by letters"),
        ('rappor = "home.json"', "", "must say `rappor`"),
        ('rappor = "home.json"', 'rappor = "absent.json"', "readable"),
        (f'token_sha256 = "{HASH}"', "", "token_sha256"),
        (f'token_sha256 = "{HASH}"', 'token_sha256 = "secret"', "hexadecimal"),
        (f'reader_sha256 = "{HASH}"', "", "reader_sha256"),
    ],
)
def test_an_error_names_the_key(folder, old, new, message):
    assert old in TEXT
    with pytest.raises(PlanError, match=message):
        read(folder, TEXT.replace(old, new))


def test_parameters_that_are_none_are_refused(folder):
    (folder / "home.json").write_text("{}", "utf-8")
    with pytest.raises(ParameterError, match="format"):
        read(folder, TEXT)

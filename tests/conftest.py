"""Fixtures that several tests share."""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests import shares
from tests.browsers import Browsers
from tests.postgres_server import binaries, private_server
from tests.slowest import Slowest
from tests.spark_sessions import classic_session, has_java, has_sail, sail_session

import sfumato
from sfumato.engine.duckdb import database

SOURCE = Path(sfumato.__file__).parent

# No example has a deadline, and slow drawing is no fault: a verdict must not depend on the machine's speed.
settings.register_profile("sfumato", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sfumato")


def pytest_configure(config):
    """The ten slowest are told at the end; SFUMATO_TEST_TIMES names a file to which every test's cost is added."""
    worker = hasattr(config, "workerinput")
    for name in ("LC_ALL", "LANGUAGE"):  # commands speak the language of the terminal; tests read English
        os.environ[name] = "C.UTF-8"
    config.pluginmanager.register(Browsers(), "browsers")
    config.pluginmanager.register(Slowest(os.environ.get("SFUMATO_TEST_TIMES"), is_worker=worker), "slowest")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Tests have no examples, nor has every module: none is looked for, by every worker, in all objects of such a file."""
    found = yield
    if file_path.suffix == ".py" and file_path.is_relative_to(SOURCE) and ">>>" in file_path.read_text("utf-8"):
        return found
    return [one for one in found if type(one).__name__ != "DoctestModule"]


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Beside other workers, test files are compiled in turn; nothing that is collected is garbage, so none is looked for in it."""
    gc.disable()
    try:
        shares.import_apart(session.config)
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """What is dear to start is started by one worker."""
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    items[:] = [items[i] for i in shares.in_shares([shares.place(shares.needs(one)) for one in items], workers)]


@pytest.fixture(scope="session", autouse=True)
def one_database():
    """Engines of all tests of a worker open catalogs in one database, as the tables of one engine do: a database costs
    25 times as much. Those with a memory limit have their own."""
    opened, held = database.open_database, {}

    def found(memory_limit, threads):
        if memory_limit is not None:
            return opened(memory_limit, threads)
        if threads not in held:
            held[threads] = opened(None, threads)
        with held[threads].connection.cursor() as connection:  # another thread may be using that one
            connection.execute("RESET threads" if threads is None else f"SET threads = {threads}")
        return held[threads]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "open_database", found)
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with public data sets and reference values; tests that need it skip without it."""
    folder = Path(os.environ.get("SFUMATO_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("the shared data folder is required here; set SFUMATO_SHARED")
        pytest.skip("no shared data folder")
    return folder


@pytest.fixture(scope="session")
def postgres():
    """URL of a PostgreSQL server: SFUMATO_TEST_POSTGRES, or one started here; else a skip."""
    declared = os.environ.get("SFUMATO_TEST_POSTGRES")
    if declared:
        yield declared
        return
    if binaries() is None:
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("a PostgreSQL server is required here; install its binaries or set SFUMATO_TEST_POSTGRES")
        pytest.skip("no PostgreSQL server")
    with private_server() as server:
        yield server.url


@pytest.fixture(scope="session")
def sail():
    """A Spark Connect session on Sail, which needs no Java."""
    if not has_sail():
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("pyspark and pysail are required here; install the extra `spark` and the group `test`")
        pytest.skip("no pysail")
    with sail_session() as session:
        yield session


@pytest.fixture(scope="session")
def spark():
    """A classic session of two threads."""
    if not has_java():
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("pyspark and Java 17 are required here; install the extra `spark` and openjdk-17-jre-headless")
        pytest.skip("no Java or no pyspark")
    with classic_session() as session:
        yield session

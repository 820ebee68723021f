"""Engines are asked for by name, by the URL of a place, by a frame, or handed over."""

import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.spark.engine import SparkEngine
from sfumato.errors import PlanError
from sfumato.release.engines import ENGINES, engine_of, is_cluster


@pytest.mark.parametrize("choice", [None, "duckdb"])
def test_the_embedded_engine_is_the_default(choice):
    with engine_of(choice, memory_limit="1GB") as engine:
        assert engine == DuckDBEngine(memory_limit="1GB")
    assert not is_cluster(choice)


def test_an_engine_that_is_handed_over_is_used_as_it_is():
    mine = DuckDBEngine(threads=1)
    with engine_of(mine) as engine:
        assert engine is mine
    assert not is_cluster(mine)
    assert is_cluster(SparkEngine(None))


@pytest.mark.parametrize("word", ["ducks", "", "Spark", "spar"])
def test_another_word_is_refused(word):
    with pytest.raises(PlanError, match="`engine` must be duckdb, spark, or the URL"), engine_of(word):
        pass


def test_a_session_and_its_frames_bring_their_engine(sail):
    for choice, frame in ((sail, None), (None, sail.range(1)), ("spark", sail.range(1))):
        with engine_of(choice, frame) as engine:
            assert engine.session is sail
        assert is_cluster(choice, frame)


def test_every_engine_is_told_apart_by_name_and_url():
    urls = [url for opener in ENGINES.values() for url in opener.urls]
    assert not any(name.startswith(url) for name in ENGINES for url in urls)

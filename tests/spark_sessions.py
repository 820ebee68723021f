"""Spark sessions for the tests that need one: Sail (Connect, no Java, quick) and a classic one (Java)."""

import os
import shutil
import sys
import warnings
from contextlib import contextmanager
from importlib.util import find_spec


def has_sail():
    """Whether the Connect server without Java is installed."""
    return find_spec("pysail") is not None and find_spec("pyspark") is not None


def has_java():
    """Whether a classic session can start."""
    return shutil.which("java") is not None and find_spec("pyspark") is not None


@contextmanager
def sail_session():
    """A Connect session on a Sail server inside this process."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pysail.spark import SparkConnectServer
        from pyspark.sql.connect.session import SparkSession

        server = SparkConnectServer()
        server.start(background=True)
        session = SparkSession.builder.remote(f"sc://127.0.0.1:{server.listening_address[1]}").create()
        try:
            yield session
        finally:
            session.stop()
            server.stop()


@contextmanager
def classic_session(master="local[2]"):
    """A classic session; two shuffle partitions, because test tables are small."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(master).appName("sfumato tests")
        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "ERROR",
            "spark.sql.shuffle.partitions": "2",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.extraJavaOptions": "-Dderby.stream.error.file=/dev/null",
        }
        for key, value in settings.items():
            builder = builder.config(key, value)
        session = builder.getOrCreate()
        try:
            yield session
        finally:
            session.stop()

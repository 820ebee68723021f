"""Spark sessions for the tests that need one: Sail (Connect, no Java, quick) and a classic one (Java)."""

import os
import shutil
import sys
import time
import warnings
from contextlib import contextmanager, suppress
from importlib.util import find_spec

JAVA = (
    "-Dderby.stream.error.file=/dev/null",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Xms768m -Xmn400m",  # it grows to that anyhow, by many collections
    "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote",  # Spark's classes are as they were published
)
"""How Java starts quickly and works on tables of a few rows."""


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
    os.environ.setdefault("SAIL_SPARK__SESSION_TIMEOUT_SECS", "86400")  # between two questions
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
        settings = {
            "spark.master": master,
            "spark.app.name": "sfumato tests",
            "spark.ui.enabled": "false",
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",  # tables of a few rows: compiling a query takes longer than asking it
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "ERROR",
            "spark.sql.shuffle.partitions": "2",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.extraJavaOptions": " ".join(JAVA),
            "spark.network.timeout": "1h",  # a slow machine is no dead one
            "spark.executor.heartbeatInterval": "10min",
            "spark.python.authenticate.socketTimeout": "10min",
        }
        session = _started(settings)
        try:
            yield session
        finally:
            session.stop()


def _started(settings, attempts=4):
    """A session; where memory or processes are short for a moment, Java is started again after a pause."""
    from pyspark.core.context import SparkContext
    from pyspark.sql import SparkSession

    for left in reversed(range(attempts)):
        try:
            return SparkSession.builder.config(map=settings).getOrCreate()
        except Exception:
            if not left:
                raise
            _forget_java(SparkContext)
            time.sleep(10)
    raise AssertionError


def _forget_java(context):
    """The next start must not meet what is left of a failed one."""
    gateway, context._gateway, context._jvm = context._gateway, None, None
    if gateway is not None:
        with suppress(Exception):
            gateway.shutdown()
        gateway.proc.kill()

"""The cluster that does the work: a session that the caller has, or one that is opened for a URL."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

from sfumato.errors import EngineError

_QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}


def active_session(url: str | None) -> Any:
    """The session of this process if there is one for that cluster; None otherwise.

    Args:
        url: the cluster that is asked for; None: any.

    Raises:
        EngineError: a classic session with another cluster is open. Remedy: hand it over, or stop it.
    """
    if "pyspark" not in sys.modules or (url or "").startswith("sc://"):
        return None
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session is None or url is None or session.conf.get("spark.master", None) == url:
        return session
    raise EngineError(
        "A process has one classic Spark session at a time; one with another cluster is open.",
        "hand the session over as `engine`, or stop it first.",
    )


def open_session(url: str | None) -> Any:
    """A session for a URL: `sc://host:15002` (Connect), `spark://host:7077`, `yarn`, `k8s://…`, `local[2]` (classic).

    Args:
        url: None: as the environment says (SPARK_REMOTE, spark-defaults.conf).

    Raises:
        EngineError: PySpark or Java is not there, or the cluster does not answer. Remedy: in the message.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _open(url)
        except ImportError:
            failure = EngineError(
                "Spark needs the package pyspark, which is not installed.", 'pip install "sfumato[spark]".'
            )
        except Exception as error:  # noqa: BLE001
            failure = EngineError(
                "The Spark cluster must answer at the given URL; {kind} when it was opened.",
                "check the URL, that the cluster runs, and for a classic session that Java 17 is installed.",
                kind=type(error).__name__,
            )
    raise failure


def _open(url: str | None) -> Any:
    """A session of the kind that the URL asks for."""
    if url is not None and url.startswith("sc://"):
        from pyspark.sql.connect.session import SparkSession as Connected

        session = Connected.builder.remote(url).create()
        session.sql("SELECT 1").collect()
        return session
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("sfumato")
    if url is not None:
        builder = builder.master(url)
    for key, value in _QUIET.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()

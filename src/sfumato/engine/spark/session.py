"""Which cluster does the work? A session that the caller has, or one that is opened for a URL."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

from sfumato.errors import EngineError

_QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}


def open_session(url: str) -> Any:
    """A session for a URL: `sc://host:15002` (Connect), `spark://host:7077`, `yarn`, `k8s://…`, `local[2]` (classic).

    Raises:
        EngineError: PySpark or Java is not there, or the cluster does not answer. Remedy: in the message.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if url.startswith("sc://"):
                from pyspark.sql.connect.session import SparkSession as Connected

                return Connected.builder.remote(url).create()
            from pyspark.sql import SparkSession

            builder = SparkSession.builder.master(url).appName("sfumato")
            for key, value in _QUIET.items():
                builder = builder.config(key, value)
            return builder.getOrCreate()
        except ImportError as error:
            raise EngineError(
                "Spark needs the package pyspark, which is not installed.", 'pip install "sfumato[spark]".'
            ) from error
        except Exception as error:
            raise EngineError(
                f"The Spark cluster must answer at the given URL; {type(error).__name__} when it was opened.",
                "check the URL, that the cluster runs, and for a classic session that Java 17 is installed.",
            ) from None

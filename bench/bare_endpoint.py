"""What a collection server would be that only keeps what it is sent: a Starlette endpoint with group commit.

It reads the body of a POST, writes it as it came in one transaction with all others that wait, and answers when it is on
disk: SQLite with a write-ahead log and full sync, or PostgreSQL by binary COPY. It checks no token, no id and no report,
adds nothing up, and bounds nothing. `collection_server.py` starts it beside the collection server.

Run: python bench/bare_endpoint.py STORE PORT
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections import deque
from contextlib import asynccontextmanager
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request


def into_sqlite(path: str) -> Callable[[list[bytes]], None]:
    """One transaction of bodies in a file."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    for said in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE kept (body BLOB NOT NULL)"):
        connection.execute(said)

    def commit(bodies: list[bytes]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO kept VALUES (?)", [(body,) for body in bodies])
        connection.execute("COMMIT")

    return commit


def into_postgresql(url: str) -> Callable[[list[bytes]], None]:
    """The same in a database."""
    import psycopg

    connection = psycopg.connect(url)
    connection.execute("CREATE TABLE kept (body bytea NOT NULL)")
    connection.execute("ALTER TABLE kept ALTER COLUMN body SET STORAGE EXTERNAL")
    connection.commit()

    def commit(bodies: list[bytes]) -> None:
        with connection.cursor().copy("COPY kept FROM STDIN (FORMAT binary)") as copy:
            copy.set_types(["bytea"])
            for body in bodies:
                copy.write_row((body,))
        connection.commit()

    return commit


class Writer:
    """One thread that writes all that waits, then answers."""

    def __init__(self, commit: Callable[[list[bytes]], None]) -> None:
        self.commit, self.queue, self.change = commit, deque[Any](), Condition()

    def start(self) -> None:
        """Begin."""
        self.loop = asyncio.get_running_loop()
        Thread(target=self.work, daemon=True).start()

    def submit(self, body: bytes) -> asyncio.Future[None]:
        """A future that is done when the body is on disk."""
        done = self.loop.create_future()
        with self.change:
            self.queue.append((body, done))
            self.change.notify()
        return done

    def work(self) -> None:
        """For ever."""
        while True:
            with self.change:
                while not self.queue:
                    self.change.wait()
                group = [self.queue.popleft() for _ in range(len(self.queue))]
            self.commit([body for body, _done in group])
            self.loop.call_soon_threadsafe(lambda group=group: [done.set_result(None) for _, done in group])


def main(store: str, port: int) -> None:
    """Serve until the process is ended."""
    is_file = store.startswith("sqlite:///")
    writer = Writer(into_sqlite(store.removeprefix("sqlite:///")) if is_file else into_postgresql(store))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        writer.start()
        yield

    async def batches(request: Request) -> Response:
        await writer.submit(await request.body())
        return JSONResponse({"counted": True})

    async def health(_request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    routes = [Route("/collections/home/batches", batches, methods=["POST"]), Route("/health", health)]
    uvicorn.run(Starlette(routes=routes, lifespan=lifespan), port=port, log_level="error", access_log=False)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

#!/usr/bin/env python3
"""PgBouncer in transaction mode before a PostgreSQL server.

It ends with the thread that started it. As a program this serves pgbouncer.hpp, until stdin closes:

    pgbouncer.py SERVER_PORT [--pool-size N]
        prints `ok PORT` (served_by_lines.py)
"""
import argparse
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import pg_binaries
import postgres_server
import served_by_lines

START_SECONDS_MAX = 30.0
STOP_SECONDS_MAX = 30.0

CONFIG = """[databases]
* = host=127.0.0.1 port={server_port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {users}
pool_mode = transaction
default_pool_size = {pool_size}
max_client_conn = 200
"""


def program() -> str:
    found = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin")
    if not found:
        raise pg_binaries.NotInstalled("PgBouncer is not installed; install Debian's package pgbouncer")
    return found


class PgBouncer:
    """Made, started, and gone at the end of the `with` block, or by close()."""

    def __init__(self, server_port: int, pool_size: int = 20) -> None:
        command = program()
        self.port = postgres_server.stable_port()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="semel-pgbouncer-"))
        self.log = self.folder / "pgbouncer.log"
        self.process: subprocess.Popen | None = None
        try:
            pg_binaries.give(self.folder)
            users, config = self.folder / "users.txt", self.folder / "pgbouncer.ini"
            users.write_text('"postgres" ""\n', encoding="utf-8")
            config.write_text(CONFIG.format(server_port=server_port, port=self.port, users=users, pool_size=pool_size),
                              encoding="utf-8")
            self._start([command, str(config)])
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "PgBouncer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def url(self, database: str = "postgres") -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/{database}"

    def close(self) -> None:
        """Nothing of it is left."""
        try:
            if self.process:
                self.process.terminate()
                self.process.wait(STOP_SECONDS_MAX)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, command: list[str]) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(pg_binaries.as_user(command, death_signal="TERM"), cwd=self.folder,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + START_SECONDS_MAX
        while not self._is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PgBouncer does not answer; its log:\n{self.log.read_text(encoding='utf-8')}")
            time.sleep(0.005)  # waits: until the port is open; there is no event for that

    def _is_ready(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1.0).close()
            return True
        except OSError:
            return False


def unknown(words: list[str]) -> None:
    raise ValueError(f"no request called {words}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("server_port", type=int)
    parser.add_argument("--pool-size", type=int, default=20)
    options = parser.parse_args()
    bouncers: list[PgBouncer] = []

    def begin() -> str:
        bouncers.append(PgBouncer(options.server_port, options.pool_size))
        return str(bouncers[0].port)

    if not served_by_lines.attempt(begin):
        return 1
    with bouncers[0]:
        served_by_lines.serve(unknown)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Starts, stops and asks a real PostgreSQL server; shared by the tests that do that.

The server has a folder and a port of its own, and ends with the thread that started it. As a program this serves
postgres_server.hpp, and the server lasts until stdin closes:

    postgres_server.py [--fsync] [--set NAME=VALUE]…
        prints `ok PORT FOLDER`, then obeys `start`, `stop MODE`, `restart MODE` (served_by_lines.py)
"""
import argparse
import itertools
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import pg_binaries
import served_by_lines

START_SECONDS_MAX = 60.0
STOP_SECONDS_MAX = 60.0
PORT_TRIES = 20
LOG_LINES_SHOWN = 40
SIGNALS = {"fast": signal.SIGINT, "immediate": signal.SIGQUIT}

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "log_line_prefix": "%m [%p] %d ",
    "min_wal_size": "32MB",
    "max_wal_size": "256MB",
}
# A process that dies loses nothing by this; only a machine would.
QUICK = {"fsync": "off", "full_page_writes": "off"}
# A database is hundreds of files: made in memory, it does not wait for what others do to the disk.
MEMORY_FOLDER = pathlib.Path("/dev/shm")
MEMORY_BYTES_MIN = 4 << 30


def stable_port() -> int:
    """A free port below those that outgoing connections take theirs from.

    It has to be free again at each restart, and nobody may connect to themselves by chance while the server is down.
    """
    for _ in range(PORT_TRIES):
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass
    raise RuntimeError(f"no free port of 127.0.0.1 in {PORT_TRIES} tries")


def make_folder(in_memory: bool) -> pathlib.Path:
    where = None
    if in_memory and os.access(MEMORY_FOLDER, os.W_OK) and shutil.disk_usage(MEMORY_FOLDER).free >= MEMORY_BYTES_MIN:
        where = MEMORY_FOLDER
    return pathlib.Path(tempfile.mkdtemp(prefix="semel-pg-", dir=where))


class PostgresServer:
    """Made, started, and gone at the end of the `with` block, or by close()."""

    def __init__(self, fsync: bool = False, settings: dict[str, str] | None = None,
                 standby_of: "PostgresServer | None" = None) -> None:
        pg_binaries.folder()  # says first what is not installed
        self.folder = make_folder(in_memory=not fsync)
        self.data = self.folder / "data"
        self.log = self.folder / "server.log"
        self.settings = SETTINGS | ({} if fsync else QUICK) | {"unix_socket_directories": str(self.folder)}
        self.settings |= settings or {}
        self.port = 0
        self.process: subprocess.Popen | None = None
        self._names = itertools.count(1)
        try:
            pg_binaries.give(self.folder)
            if standby_of:
                self._copy_data(standby_of)
            else:
                self._make_data()
            self._start_on_free_port()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "PostgresServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Returns when it answers."""
        assert not self.is_running(), "the server runs already"
        words = [str(pg_binaries.folder() / "postgres"), "-D", str(self.data), "-p", str(self.port)]
        for name, value in self.settings.items():
            words += ["-c", f"{name}={value}"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(pg_binaries.as_user(words, death_signal="QUIT"), cwd=self.folder,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._wait_until_ready()

    def stop(self, mode: str = "fast") -> None:
        """`immediate` is a crash: the next start recovers."""
        if self.process:
            self.process.send_signal(SIGNALS[mode])
            self.process.wait(STOP_SECONDS_MAX)
            self.process = None

    def restart(self, mode: str = "fast") -> None:
        self.stop(mode)
        self.start()

    def close(self) -> None:
        """Nothing of it is left."""
        try:
            self.stop("immediate")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def url(self, database: str = "postgres") -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/{database}"

    def make_database(self) -> str:
        """The URL of a new and empty one."""
        name = f"test_{next(self._names)}"
        self.ask(f"create database {name} template template0")
        return self.url(name)

    def ask(self, sql: str, url: str | None = None) -> str:
        """What psql prints: a line for each row, its values with `|` between."""
        return psql(url or self.url(), sql)

    def log_tail(self) -> str:
        text = self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""
        return "\n".join(text.splitlines()[-LOG_LINES_SHOWN:])

    def _make_data(self) -> None:
        pg_binaries.run([str(pg_binaries.folder() / "initdb"), "-D", str(self.data), "--no-sync", "--auth=trust",
                         "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8"])

    def _copy_data(self, primary: "PostgresServer") -> None:
        """That follows the primary from then on, under the name `standby`."""
        pg_binaries.run([pg_binaries.client("pg_basebackup"), "-D", str(self.data), "--no-sync", "--checkpoint=fast",
                         "--write-recovery-conf", "--dbname", f"{primary.url()}?application_name=standby"])

    def _start_on_free_port(self) -> None:
        for is_last in (False, False, True):
            self.port = stable_port()
            try:
                self.start()
                return
            except RuntimeError:
                # Another program can have taken the port since.
                if is_last or "could not create any TCP/IP sockets" not in self.log_tail():
                    raise

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS_MAX
        while not self._is_ready():
            assert self.process
            if self.process.poll() is not None:
                raise RuntimeError(f"PostgreSQL ended with {self.process.returncode}; its log:\n{self.log_tail()}")
            if time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL was not ready in {START_SECONDS_MAX} s; its log:\n{self.log_tail()}")
            time.sleep(0.005)  # waits: for the state in a file, which nothing announces

    def _is_ready(self) -> bool:
        """As pg_ctl finds out: the last line of postmaster.pid says so, and the first whose file it is."""
        assert self.process
        try:
            lines = (self.data / "postmaster.pid").read_text(encoding="utf-8").split("\n")
        except FileNotFoundError:
            return False
        return lines[0] == str(self.process.pid) and len(lines) > 7 and lines[7].strip() == "ready"


def psql(url: str, sql: str) -> str:
    words = [pg_binaries.client("psql"), "--no-psqlrc", "--quiet", "--no-align", "--tuples-only",
             "--set=ON_ERROR_STOP=1", "--command", sql, url]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{sql}: {done.stderr.strip()}")
    return done.stdout.rstrip("\n")


def obey(server: PostgresServer, words: list[str]) -> None:
    match words:
        case ["start"]:
            server.start()
        case ["stop", mode]:
            server.stop(mode)
        case ["restart", mode]:
            server.restart(mode)
        case _:
            raise ValueError(f"no request called {words}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--fsync", action="store_true")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    servers: list[PostgresServer] = []

    def begin() -> str:
        server = PostgresServer(options.fsync, dict(setting.split("=", 1) for setting in options.set))
        servers.append(server)
        return f"{server.port} {server.folder}"

    if not served_by_lines.attempt(begin):
        return 1
    with servers[0] as server:
        served_by_lines.serve(lambda words: obey(server, words))
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""A Redis server of its own, in a temporary folder and on a free port.

It ends with the thread that started it. As a program this serves redis_server.hpp, until stdin closes:

    redis_server.py [--set NAME=VALUE …]
        prints `ok PORT` (served_by_lines.py); then answers `start`, `stop`, `kill`, `freeze`, `thaw`,
        `clear` (its files, while it is stopped) and `send COMMAND ARGUMENT …`, with the first line of the reply
"""
import argparse
import pathlib
import shutil
import signal
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
DATABASES = 4096


def program() -> str:
    found = shutil.which("redis-server", path="/usr/bin:/usr/local/bin")
    if not found:
        raise pg_binaries.NotInstalled("Redis is not installed; install Debian's package redis-server")
    return found


class RedisServer:
    """Made, started, and gone at the end of the `with` block, or by close()."""

    def __init__(self, settings: dict[str, str]) -> None:
        self.port = postgres_server.stable_port()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="semel-redis-"))
        self.data = self.folder / "data"
        self.log = self.folder / "redis.log"
        self.process: subprocess.Popen | None = None
        self.password = settings.get("requirepass", "")
        usual = {"port": str(self.port), "bind": "127.0.0.1", "dir": str(self.data), "save": "", "appendonly": "yes",
                 "appendfsync": "no", "databases": str(DATABASES), "daemonize": "no"}
        self.command = [program()]
        for name, value in (usual | settings).items():
            self.command += [f"--{name}", *value.split(" ")]
        try:
            self.data.mkdir()
            pg_binaries.give(self.folder)
            pg_binaries.give(self.data)
            self.start()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "RedisServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(pg_binaries.as_user(self.command, death_signal="KILL"), cwd=self.folder,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + START_SECONDS_MAX
        while not self._is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"Redis does not answer; its log:\n{self.log.read_text(encoding='utf-8')}")
            time.sleep(0.005)  # waits: until it answers; there is no event for that

    def stop(self) -> None:
        self._end(lambda process: process.terminate())

    def kill(self) -> None:
        self._end(lambda process: process.kill())

    def freeze(self) -> None:
        """It keeps its connections, and answers nobody."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def send(self, words: list[str]) -> str:
        """A command, none of whose words has a blank; the first line of what it answers."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=START_SECONDS_MAX) as link, link.makefile("rb") as replies:
            if self.password:
                link.sendall(f"AUTH {self.password}\r\n".encode())
                replies.readline()
            link.sendall(" ".join(words).encode() + b"\r\n")
            return replies.readline().decode().strip()

    def clear(self) -> None:
        """What it had is gone: the server must not run."""
        shutil.rmtree(self.data)
        self.data.mkdir()
        pg_binaries.give(self.data)

    def close(self) -> None:
        """Nothing of it is left."""
        try:
            self.kill()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _end(self, how) -> None:
        if self.process:
            how(self.process)
            self.process.wait(STOP_SECONDS_MAX)
            self.process = None

    def _is_ready(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1.0) as probe:
                probe.sendall(b"PING\r\n")
                return probe.recv(64).startswith((b"+PONG", b"-NOAUTH"))
        except OSError:
            return False


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    servers: list[RedisServer] = []

    def begin() -> str:
        servers.append(RedisServer(dict(setting.split("=", 1) for setting in options.set)))
        return str(servers[0].port)

    if not served_by_lines.attempt(begin):
        return 1
    with servers[0] as server:
        requests = {"start": server.start, "stop": server.stop, "kill": server.kill, "freeze": server.freeze, "thaw": server.thaw,
                    "clear": server.clear}
        served_by_lines.serve(lambda words: server.send(words[1:]) if words[0] == "send" else requests[words[0]]())
    return 0


if __name__ == "__main__":
    sys.exit(main())

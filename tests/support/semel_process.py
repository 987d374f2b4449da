"""Starts, kills and asks real servers; shared by the tests that do that."""
import http.client
import json
import pathlib
import signal
import socket
import subprocess
import time


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


class Server:
    """One `semel serve` on a store file; started again after each kill, on the same port."""

    def __init__(self, binary: str, store: pathlib.Path, log: pathlib.Path,
                 extra: list[str] | None = None, env: dict[str, str] | None = None) -> None:
        self.command = [binary, "serve", "--store", str(store)] + (extra or [])
        self.port = free_port()
        self.command += ["--listen", f"127.0.0.1:{self.port}"]
        self.log = log
        self.env = env
        self.process: subprocess.Popen | None = None

    def launch(self) -> subprocess.Popen:
        """Starts it and waits for nothing."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, env=self.env)
        return self.process

    def start(self, deadline_s: float = 30.0) -> float:
        """Seconds until the first answer."""
        began = time.monotonic()
        self.process = self.launch()
        while time.monotonic() - began < deadline_s:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}; see {self.log}")
            try:
                status, _ = request(self.port, "GET", "/healthz", timeout=1.0)
                if status == 200:
                    return time.monotonic() - began
            except OSError:
                time.sleep(0.005)  # waits: until the port is open; there is no event for that
        raise RuntimeError("the server did not answer in time")

    def kill(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, deadline_s: float = 30.0) -> int:
        assert self.process
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(deadline_s)


def request(port: int, method: str, path: str, body: dict | None = None,
            timeout: float = 10.0, headers: dict[str, str] | None = None) -> tuple[int, dict]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        return send(connection, method, path, body, headers)
    finally:
        connection.close()


def send(connection: http.client.HTTPConnection, method: str, path: str,
         body: dict | None = None, extra: dict[str, str] | None = None) -> tuple[int, dict]:
    headers = {**({"Content-Type": "application/json"} if body is not None else {}), **(extra or {})}
    payload = json.dumps(body) if body is not None else None
    connection.request(method, path, payload, headers)
    response = connection.getresponse()
    text = response.read()
    kind = response.headers.get("Content-Type", "")
    return response.status, json.loads(text) if "json" in kind and text else {}

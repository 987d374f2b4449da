"""Several nodes on one PostgreSQL, under the load of crash_world.py: each request goes to another of them."""
import pathlib
import random
import time

import crash_world
import semel_process


class PgWorld(crash_world.World):
    """Its `servers` are the nodes; who may be away at any moment."""

    # Several nodes and a database share the machine: jobs that are worked on must not lose five leases in a row.
    lease_ms = 3000

    def __init__(self, semel: str, folder: pathlib.Path, seed: int, url: str, nodes: int = 3, blind: bool = False) -> None:
        super().__init__(semel, folder, seed, blind)
        self.servers = [semel_process.Server(semel, url, folder / f"log-{n}", env=self.env) for n in range(nodes)]
        self.choose = random.Random(seed * 3000)

    def start(self) -> None:
        for server in self.servers:
            server.start()

    def stop(self) -> None:
        for server in self.servers:
            server.stop()

    def finish(self) -> list[dict]:
        self.scheduling = False
        for thread in self.threads:
            thread.join()
        spare = {"type": "spare", "status": "pending"}
        while self.ask("GET", "/v1/actions?type=spare&status=pending&limit=1")[1]["items"]:
            self.ask("POST", "/v1/actions/bulk", {"verb": "cancel", "filter": spare})
            time.sleep(0.2)  # waits: the run goes on by itself
        return super().finish()

    def ask(self, method: str, path: str, body: dict | None = None,
            headers: dict[str, str] | None = None) -> tuple[int, dict]:
        """Asks one node after another until there is an answer."""
        while True:
            with self.lock:
                server = self.choose.choice(self.servers)
            try:
                status, answer = semel_process.request(server.port, method, path, body, headers=headers)
                if status != 503:
                    return status, answer
                self.count(f"503_{answer.get('code')}")
            except (OSError, ValueError, semel_process.http.client.HTTPException):
                self.count("unknown")
            time.sleep(0.01)  # waits: that node, or the database, is being restarted

#!/usr/bin/env python3
"""SIGKILL under load: nothing acknowledged is lost, nothing happens twice.

Clients schedule keyed actions, workers pull them, write their effect to the effect ledger and
complete them; some workers stop past their lease and come back with an old token. Meanwhile the
server is killed again and again. Then the checker reads the client log, the ledger and the store.

Usage: kill_test.py SEMEL [--kills N] [--clients N] [--workers N] [--seed N] [--control]

--control lets a worker ignore refusals and write blindly: the checker must then find duplicates.
Writes a row for docs/proof.md to $SEMEL_PROOF_ROW, where that is set.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import semel_process  # noqa: E402

LEASE_MS = 1000
DRAIN_SECONDS = 120


class Ledger:
    """A client of the effect ledger's process."""

    def __init__(self, folder: pathlib.Path, blind: bool) -> None:
        script = pathlib.Path(__file__).resolve().parent.parent / "support" / "effect_ledger.py"
        self.path = folder / "effects.jsonl"
        arguments = [sys.executable, str(script), str(self.path)] + (["--blind"] if blind else [])
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout
        self.port = int(self.process.stdout.readline())

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port))

    def close(self) -> list[dict]:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()
        return [json.loads(line) for line in self.path.read_text().splitlines()]


class World:
    def __init__(self, arguments: argparse.Namespace, folder: pathlib.Path) -> None:
        self.arguments = arguments
        self.server = semel_process.Server(arguments.semel, folder / "semel.db", folder / "log")
        self.ledger = Ledger(folder, blind=arguments.control)
        self.lock = threading.Lock()
        self.scheduling = True
        self.working = True
        self.acknowledged: dict[str, str] = {}  # our key -> action id
        self.violations: collections.Counter = collections.Counter()
        self.counts: collections.Counter = collections.Counter()
        self.completed_by: dict[str, set[int]] = collections.defaultdict(set)
        self.ready_seconds: list[float] = []

    def ask(self, method: str, path: str, body: dict | None) -> tuple[int, dict]:
        """Asks until there is an answer: through crashes, restarts and lost replies."""
        while True:
            try:
                status, answer = semel_process.request(self.server.port, method, path, body)
                if status != 503:
                    return status, answer
            except (OSError, ValueError, semel_process.http.client.HTTPException):
                self.count("unknown")
            time.sleep(0.01)  # waits: the server is being restarted

    def count(self, what: str) -> None:
        with self.lock:
            self.counts[what] += 1

    def violate(self, what: str) -> None:
        with self.lock:
            self.violations[what] += 1


def client(world: World, number: int) -> None:
    rng = random.Random(world.arguments.seed * 1000 + number)
    sequence = 0
    while world.scheduling:
        key = f"{number}-{sequence}"
        sequence += 1
        body = {"type": "work", "payload": {"key": key},
                "backoff": {"kind": "fixed", "delayMs": 0}, "maxRetries": 1000,
                "deduplication": {"key": key, "scope": "any", "windowSeconds": 86400}}
        if rng.random() < 0.2:
            body["lockGroup"] = f"g{rng.randrange(4)}"
        for _ in range(2 if rng.random() < 0.3 else 1):  # some requests are repeated
            status, answer = world.ask("POST", "/v1/actions", body)
            if status not in (200, 201):
                world.violate(f"schedule_{status}")
                continue
            world.count(answer["decision"])
            with world.lock:
                known = world.acknowledged.setdefault(key, answer["id"])
            if known != answer["id"]:
                world.violate("two_actions_for_one_key")


def worker(world: World, number: int) -> None:
    rng = random.Random(world.arguments.seed * 2000 + number)
    effects = world.ledger.connect().makefile("rw")
    while world.working:
        status, answer = world.ask("POST", "/v1/jobs/claim",
                                   {"types": ["work"], "max": 4, "worker": f"w{number}",
                                    "leaseMs": LEASE_MS, "waitMs": 200})
        if status != 200:
            world.violate(f"claim_{status}")
            continue
        if rng.random() < 0.01:
            time.sleep(LEASE_MS / 1000 * 1.5)  # waits: past the lease, on purpose
            world.count("overslept")
        for job in answer["jobs"]:
            run(world, effects, job, number)


def run(world: World, effects, job: dict, number: int) -> None:
    effects.write(json.dumps({"key": job["id"], "token": job["token"], "attempt": job["attempt"],
                              "worker": number, "hash": job["input"]["key"]}) + "\n")
    effects.flush()
    effects.readline()
    status, answer = world.ask("POST", f"/v1/jobs/{job['id']}/complete",
                               {"token": job["token"], "output": {"by": number}})
    if status == 200:
        with world.lock:
            world.completed_by[job["id"]].add(job["token"])
    elif status == 409 and answer.get("code") == "stale_token":
        world.count("late_refused")
    else:
        world.violate(f"complete_{status}_{answer.get('code')}")


def kill_again_and_again(world: World) -> None:
    rng = random.Random(world.arguments.seed)
    for kill in range(world.arguments.kills):
        time.sleep(rng.uniform(0.05, 0.6))  # waits: a random moment to kill at
        world.server.kill()
        world.ready_seconds.append(world.server.start())
        if sys.stderr.isatty():
            print(f"\r{kill + 1}/{world.arguments.kills} kills", end="", file=sys.stderr)


def drain(world: World) -> None:
    """Faults have stopped: everything acknowledged must finish."""
    deadline = time.monotonic() + DRAIN_SECONDS
    while time.monotonic() < deadline:
        _, pending = world.ask("GET", "/v1/actions?status=pending&limit=1", None)
        _, running = world.ask("GET", "/v1/actions?status=running&limit=1", None)
        if not pending["items"] and not running["items"]:
            return
        time.sleep(0.1)  # waits: workers are finishing
    world.violate("stuck")


def all_actions(world: World) -> list[dict]:
    found, cursor = [], ""
    while True:
        _, page = world.ask("GET", f"/v1/actions?limit=500{cursor}", None)
        found += page["items"]
        if not page.get("nextCursor"):
            return found
        cursor = f"&cursor={page['nextCursor']}"


def check(world: World, effects: list[dict]) -> None:
    actions = all_actions(world)
    by_key = collections.Counter(action["payload"]["key"] for action in actions)
    stored = {action["id"]: action for action in actions}
    world.violations["dup_action"] += sum(1 for n in by_key.values() if n > 1)
    for action_id in world.acknowledged.values():
        if action_id not in stored:
            world.violate("lost")
        elif stored[action_id]["status"] != "completed":
            world.violate(f"ended_{stored[action_id]['status']}")
    happened = collections.Counter(e["key"] for e in effects if e["answer"] == "ok")
    world.violations["dup_effect"] += sum(1 for n in happened.values() if n > 1)
    world.violations["no_effect"] += sum(1 for i in world.acknowledged.values() if not happened[i])
    world.violations["late_accepted"] += sum(1 for t in world.completed_by.values() if len(t) > 1)
    for action_id in random.Random(1).sample(sorted(stored), min(300, len(stored))):
        _, shown = world.ask("GET", f"/v1/actions/{action_id}", None)
        ends = [entry["outcome"] for entry in shown["history"]]
        if ends.count("completed") != 1:
            world.violate("completed_twice")
        tokens = [entry["token"] for entry in shown["history"]]
        if tokens != sorted(set(tokens)):
            world.violate("token_reused")


def report(world: World) -> int:
    bad = {what: n for what, n in world.violations.items() if n}
    slowest = max(world.ready_seconds, default=0.0)
    print(f"kills {world.arguments.kills}, actions {len(world.acknowledged)}, "
          f"counts {dict(world.counts)}, slowest restart {slowest:.3f} s, violations {bad}")
    if row := os.environ.get("SEMEL_PROOF_ROW"):
        figure = f"violations {sum(bad.values())}; {len(world.acknowledged)} actions; " \
                 f"slowest restart {slowest * 1000:.0f} ms"
        pathlib.Path(row).write_text(
            f"figure={figure}\nn={world.arguments.kills} kills\n"
            "control=effects without the token check: duplicates found\n")
    if world.arguments.control:
        found = world.violations["dup_effect"] > 0
        print("control:", "duplicates found, as they must be" if found else "NOTHING FOUND")
        return 0 if found else 1
    return 1 if bad else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("semel")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="semel-kill-") as folder:
        world = World(arguments, pathlib.Path(folder))
        world.server.start()
        clients = [threading.Thread(target=client, args=(world, n)) for n in range(arguments.clients)]
        workers = [threading.Thread(target=worker, args=(world, n)) for n in range(arguments.workers)]
        for thread in clients + workers:
            thread.start()
        kill_again_and_again(world)
        world.scheduling = False
        for thread in clients:
            thread.join()
        drain(world)
        world.working = False
        for thread in workers:
            thread.join()
        check(world, world.ledger.close())
        world.server.stop()
    result = report(world)
    print(f"{0 if result else 1} passed, {1 if result else 0} failed")
    return result


if __name__ == "__main__":
    sys.exit(main())

"""A server under mixed load, and what was promised to whom: the world of the tests that crash it.

Clients schedule keyed actions, alone and in batches, some in lock groups, and repeat some of their
requests; schedules tick; bulk runs cancel what is spare. Workers pull, write their effect to the
effect ledger and complete; some fail an attempt first, some forget their job, some sleep past their
lease and come back with an old token. Chains of several steps run beside them (crash_chains.py), and owners of fences
(crash_fences.py). Everybody asks until there is an answer.
"""
import collections
import json
import os
import pathlib
import random
import socket
import sqlite3
import subprocess
import sys
import threading
import time

import crash_chains
import crash_fences
import semel_process

STUCK_SECONDS = 120
EVIDENCE_LINES = 20
SCHEDULES = 3
SECRET = "of the cron trigger"
DAY_MS = 86_400_000


class Ledger:
    """A client of the effect ledger's process."""

    def __init__(self, folder: pathlib.Path, blind: bool) -> None:
        script = pathlib.Path(__file__).resolve().parent / "effect_ledger.py"
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
    lease_ms = 1000

    def __init__(self, semel: str, folder: pathlib.Path, seed: int, blind: bool = False,
                 extra_env: dict[str, str] | None = None) -> None:
        self.seed = seed
        self.store = folder / "semel.db"
        self.env = {**os.environ, "CRON": SECRET, "SEMEL_ACTIONS_CRON_SECRET": "env:CRON",
                    "SEMEL_LOG_LEVEL": "warn", **(extra_env or {})}
        self.server = semel_process.Server(semel, self.store, folder / "log", env=self.env)
        self.ledger = Ledger(folder, blind)
        self.lock = threading.Lock()
        self.scheduling = True
        self.working = True
        self.acknowledged: dict[str, str] = {}  # our key -> action id
        self.told_new: collections.Counter = collections.Counter()  # by our key
        self.chains: dict[str, crash_chains.Promised] = {}  # by our key
        self.fences: dict[str, tuple] = {}  # what was told of those that are sealed, by their key
        self.violations: collections.Counter = collections.Counter()
        self.counts: collections.Counter = collections.Counter()
        self.completed_by: dict[str, set[int]] = collections.defaultdict(set)
        self.ageings = 0
        self.ready_seconds: list[float] = []
        self.evidence: list[str] = []
        self.threads: list[threading.Thread] = []
        self.workers: list[threading.Thread] = []

    def ask(self, method: str, path: str, body: dict | None = None,
            headers: dict[str, str] | None = None) -> tuple[int, dict]:
        """Asks until there is an answer: through crashes, restarts and lost replies."""
        while True:
            try:
                status, answer = semel_process.request(self.server.port, method, path, body,
                                                       headers=headers)
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

    def acknowledge(self, key: str, answer: dict) -> None:
        if "decision" not in answer:
            self.violate(f"schedule_{answer.get('code') or answer}")
            return
        self.count(answer["decision"])
        with self.lock:
            known = self.acknowledged.setdefault(key, answer["id"])
            self.told_new[key] += answer["decision"] == "new"
        if known != answer["id"]:
            self.violate("two_actions_for_one_key")

    def begin(self, clients: int, workers: int) -> None:
        def threads(target, number: int) -> list[threading.Thread]:
            # Daemons: a test that has failed must not wait for those who still try.
            return [threading.Thread(target=target, args=(self, n), daemon=True) for n in range(number)]
        self.threads = (threads(client, clients) + threads(ticker, SCHEDULES) +
                        threads(bulk_canceller, 1) + threads(housekeeper, 1) +
                        threads(crash_chains.client, crash_chains.CLIENTS) +
                        threads(crash_fences.client, crash_fences.CLIENTS))
        self.workers = threads(worker, workers)
        for thread in self.threads + self.workers:
            thread.start()

    def finish(self) -> list[dict]:
        """Faults have stopped: everything acknowledged must finish. The effects that happened."""
        self.scheduling = False
        for thread in self.threads:
            thread.join()
        crash_chains.drain(self)
        drain(self)
        self.working = False
        for thread in self.workers:
            thread.join()
        return self.ledger.close()

    def age(self) -> None:
        """Makes what has ended so old that upkeep prunes it; keys of actions stay. The server is down."""
        self.ageings += 1
        with sqlite3.connect(self.store) as store:
            (now,) = store.execute("select time_mark from meta").fetchone()
            young = {"days": 10 * DAY_MS, "since": now - 5 * DAY_MS, "until": now + 5 * DAY_MS}
            for table, column in (("job", "completed_at"), ("bulk_run", "finished_at"),
                                  ("claim", "expires_at")):
                store.execute(f"update {table} set {column} = {column} - :days "
                              f"where {column} between :since and :until", young)
            store.execute("update decision set day = day - 60 where day > ?", (now // DAY_MS - 30,))
        store.close()


def action(key: str) -> dict:
    return {"type": "work", "payload": {"key": key}, "maxRetries": 1000,
            "backoff": {"kind": "fixed", "delayMs": 0},
            "deduplication": {"key": key, "scope": "any", "windowSeconds": 86400}}


def client(world: World, number: int) -> None:
    rng = random.Random(world.seed * 1000 + number)
    sequence = 0
    while world.scheduling:
        keys = [f"{number}-{sequence + n}" for n in range(rng.choice((1, 1, 1, 1, 6)))]
        sequence += len(keys)
        items = [action(key) for key in keys]
        for item in items:
            if rng.random() < 0.2:
                item["lockGroup"] = f"g{rng.randrange(4)}"
            if rng.random() < 0.1:
                item["delayMs"] = rng.randrange(500)
        if len(items) > 1:
            schedule_batch(world, items + items[:2])  # with duplicates of its own
        elif rng.random() < 0.2:
            schedule_guarded(world, keys[0], items[0])
        else:
            for _ in range(2 if rng.random() < 0.3 else 1):  # some requests are repeated
                _, answer = world.ask("POST", "/v1/actions", items[0])
                world.acknowledge(keys[0], answer)


def schedule_batch(world: World, items: list[dict]) -> None:
    while items:
        _, answer = world.ask("POST", "/v1/actions/batch", {"items": items})
        results = answer.get("results", [])
        if len(results) != len(items):
            world.violate(f"batch_{answer.get('code')}")
            return
        busy = []  # whose rows somebody held for long: they are told to come again
        for item, result in zip(items, results):
            if result.get("error", {}).get("code") == "store_unavailable":
                busy.append(item)
            else:
                world.acknowledge(item["payload"]["key"], result)
        items = busy


def schedule_guarded(world: World, key: str, item: dict) -> None:
    """Twice with one Idempotency-Key: both times the same answer."""
    ageings = world.ageings
    headers = {"Idempotency-Key": f"request-{key}"}
    first = world.ask("POST", "/v1/actions", item, headers)
    again = world.ask("POST", "/v1/actions", item, headers)
    world.acknowledge(key, first[1])
    if first != again and ageings == world.ageings:
        world.violate("receipt_diverged")


def ticker(world: World, number: int) -> None:
    """A schedule of a second, kept until the end; then what is pending of it is cancelled."""
    path = f"/v1/schedules/tick-{number}"
    status, _ = world.ask("PUT", path, {"type": "tick", "every": "PT1S", "missed": "all",
                                        "payload": {"key": f"tick-{number}"}, "maxRetries": 1000,
                                        "backoff": {"kind": "fixed", "delayMs": 0}})
    if status not in (200, 201):
        world.violate(f"put_schedule_{status}")
    while world.scheduling:
        time.sleep(0.1)  # waits: the schedule goes on by itself
    status, _ = world.ask("DELETE", path)
    if status not in (204, 404):  # 404: the answer to the first was lost
        world.violate(f"delete_schedule_{status}")


def bulk_canceller(world: World, number: int) -> None:
    sequence = 0
    while world.scheduling:
        sequence += 1
        for _ in range(3):
            world.ask("POST", "/v1/actions", {"type": "spare", "payload": {}, "delayMs": 3_600_000})
        _, run = world.ask("POST", "/v1/actions/bulk",
                           {"verb": "cancel", "filter": {"type": "spare", "status": "pending"}},
                           {"Idempotency-Key": f"bulk-{number}-{sequence}"})
        ageings = world.ageings
        status, shown = world.ask("GET", f"/v1/bulk/{run.get('id')}")
        while status == 200 and not shown["finishedAt"]:
            time.sleep(0.01)  # waits: the run goes on by itself
            status, shown = world.ask("GET", f"/v1/bulk/{run['id']}")
        if status != 200 and ageings == world.ageings:
            world.violate(f"bulk_{status}")
        _, left = world.ask("GET", "/v1/actions?type=spare&status=pending&limit=1")
        if left["items"]:
            world.violate("bulk_missed")
        world.count("bulk_runs")


def housekeeper(world: World, _: int) -> None:
    while world.scheduling:
        status, _ = world.ask("POST", "/v1/cron/process", headers={"x-cron-secret": SECRET})
        if status != 200:
            world.violate(f"cron_{status}")
        time.sleep(0.1)  # waits: this is how often it is called


def worker(world: World, number: int) -> None:
    rng = random.Random(world.seed * 2000 + number)
    effects = world.ledger.connect().makefile("rw")
    while world.working:
        status, answer = world.ask("POST", "/v1/jobs/claim",
                                   {"types": ["work", "tick", "step"], "max": 4, "worker": f"w{number}",
                                    "leaseMs": world.lease_ms, "waitMs": 200})
        if status != 200:
            world.violate(f"claim_{status}")
            continue
        if rng.random() < 0.01:
            time.sleep(world.lease_ms / 1000 * 1.5)  # waits: past the lease, on purpose
            world.count("overslept")
        for job in answer["jobs"]:
            # The last chances are not gambled with: five lost leases in a row end an action.
            luck = rng.random() if job["attempt"] < 3 and world.scheduling else 1.0
            if luck < 0.03:
                world.count("forgotten")
            elif luck < 0.1:
                settle(world, job, "fail", {"token": job["token"], "error": "tried in vain"})
            elif crash_chains.is_doomed(job):
                settle(world, job, "fail", {"token": job["token"], "error": "doomed", "final": True})
            elif luck < 0.12 or (luck < 1.0 and not world.counts["unreported"]):  # one in every run
                happen(effects, job, number)
                world.count("unreported")
            else:
                run(world, effects, job, number)


def happen(effects, job: dict, number: int) -> None:
    """The effect in the outside world."""
    effects.write(json.dumps({"key": job["id"], "token": job["token"], "attempt": job["attempt"],
                              "worker": number, "hash": crash_chains.name_of(job)}) + "\n")
    effects.flush()
    effects.readline()


def run(world: World, effects, job: dict, number: int) -> None:
    happen(effects, job, number)
    if settle(world, job, "complete", {"token": job["token"], **crash_chains.outcome(job, number)}):
        with world.lock:
            world.completed_by[job["id"]].add(job["token"])


def settle(world: World, job: dict, verb: str, body: dict) -> bool:
    ageings = world.ageings
    status, answer = world.ask("POST", f"/v1/jobs/{job['id']}/{verb}", body)
    if status == 409 and answer.get("code") == "stale_token":
        world.count("late_refused")
    elif status == 404 and ageings != world.ageings:
        world.count("pruned_before_answer")
    elif status != 200:
        world.violate(f"{verb}_{status}_{answer.get('code')}")
    return status == 200


def drain(world: World) -> None:
    done, deadline = -1, 0.0
    while done < len(world.completed_by) or time.monotonic() < deadline:
        if done < len(world.completed_by):  # it goes on, however much there is
            done, deadline = len(world.completed_by), time.monotonic() + STUCK_SECONDS
        _, pending = world.ask("GET", "/v1/actions?status=pending&limit=1")
        _, running = world.ask("GET", "/v1/actions?status=running&limit=1")
        if not pending["items"] and not running["items"]:
            return
        time.sleep(0.1)  # waits: workers are finishing
    world.violate("stuck")


def report(world: World, happened: str, ready: str, control: str, control_finds: str | None = None) -> int:
    """Prints what was seen, and writes a row for docs/proof.md where one is asked for. The exit code.

    `happened` is how often what happened, `ready` names the times in world.ready_seconds, `control` is what the control
    run shows. In the control run `control_finds` is the violation that must be there.
    """
    bad = {what: n for what, n in world.violations.items() if n}
    slowest = max(world.ready_seconds, default=0.0)
    print(f"{happened}, actions {len(world.acknowledged)}, counts {dict(world.counts)}, "
          f"{ready} {slowest:.3f} s at most, violations {bad}")
    for line in world.evidence[:EVIDENCE_LINES]:
        print(line)
    if row := os.environ.get("SEMEL_PROOF_ROW"):
        pathlib.Path(row).write_text(
            f"figure=violations {sum(bad.values())}; {len(world.acknowledged)} actions; "
            f"{ready} {slowest * 1000:.0f} ms at most\nn={happened}\ncontrol={control}\n", encoding="utf-8")
    if control_finds:
        found = world.violations[control_finds]
        print("control:", f"{control_finds} {found}, as it must be" if found else "NOTHING FOUND")
        failed = not found
    else:
        failed = bool(bad)
    print("0 passed, 1 failed" if failed else "1 passed, 0 failed")
    return int(failed)

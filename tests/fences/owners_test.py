#!/usr/bin/env python3
"""Owners that are killed at each point between claim and seal, or stopped past their lease and continued.

Each trial is a key of its own: an owner (tests/support/fence_owner.py) ends or stands still, a second one claims the key
at another node, looks whether the effect has happened, makes it if not, and seals. Then the first goes on, if it can. In
the end each key has one effect in the ledger and one receipt, and everything that came late was refused.

Usage: owners_test.py SEMEL [--kills N] [--stops N] [--place PLACE] [--serve 'WORDS'] [--control]

--control takes the token check from the outside world, which then does what it is told: effects are made twice.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import crash_world  # noqa: E402
import fence_owner  # noqa: E402
import fence_places  # noqa: E402
import semel_process  # noqa: E402

LEASE_MS = 300
WAIT_MS = 30_000
TAKEOVER_SECONDS_MAX = LEASE_MS / 1000 + 2.0  # the contract: lease + 2 s
AT_ONCE = 8
SCRIPT = pathlib.Path(fence_owner.__file__)
# What a second owner may find, by the point that the first had reached.
FOUND = {"claim_sent": {"new"}, "seal_sent": {"takeover", "duplicate"}, "sealed": {"duplicate"}}
LATE_VERBS = ("heartbeat", "release", "uncertain", "seal")


class Trials:
    def __init__(self, servers: list[semel_process.Server], ledger: crash_world.Ledger) -> None:
        self.ports = [server.port for server in servers]
        self.ledger = ledger
        self.violations: collections.Counter = collections.Counter()
        self.counts: collections.Counter = collections.Counter()
        self.keys: list[str] = []
        self.takeover_seconds = 0.0

    def begin_owner(self, key: str, point: str, end: str) -> subprocess.Popen:
        words = [self.ports[0], self.ledger.port, key, LEASE_MS, point, end]
        owner = subprocess.Popen([sys.executable, str(SCRIPT), *map(str, words)], stdout=subprocess.PIPE, text=True)
        _, status = os.waitpid(owner.pid, os.WUNTRACED)
        ended_by = os.WSTOPSIG(status) if os.WIFSTOPPED(status) else os.WTERMSIG(status)
        if end == "kill":
            owner.returncode = -ended_by  # it is reaped
        wanted = signal.SIGSTOP if end == "stop" else signal.SIGKILL
        if ended_by != wanted:
            raise RuntimeError(f"the owner of {key} ended with {status} before it reached {point}")
        return owner

    def ask(self, path: str, body: dict) -> tuple[int, dict]:
        """At the last node; the first owner is at the first one."""
        return semel_process.request(self.ports[-1], "POST", path, body, timeout=60)

    def succeed(self, key: str, effects) -> str:
        """The second owner. What it found."""
        began = time.monotonic()
        status, answer = self.ask("/v1/fences/claim", {"key": key, "leaseMs": 60_000, "waitMs": WAIT_MS})
        waited = time.monotonic() - began
        if status != 200 or answer["decision"] != "new":
            return answer.get("decision", f"status_{status}")
        self.takeover_seconds = max(self.takeover_seconds, waited)
        effects.write(json.dumps({"key": key, "token": answer["token"], "attempt": 2, "worker": "second",
                                  "hash": ""}) + "\n")
        effects.flush()
        self.counts[f"effect_{effects.readline().strip()}"] += 1
        seal = {"token": answer["token"], "effectId": f"effect-of-{key}", "receipt": {"by": "second"}}
        if self.ask(f"/v1/fences/{key}/seal", seal)[0] != 200:
            self.violations["seal_of_the_second_refused"] += 1
        return "takeover" if answer.get("takeover") else "new"

    def run(self, number: int, point: str, end: str) -> None:
        key = f"{end}-{point}-{number}"
        owner = self.begin_owner(key, point, end)
        with self.ledger.connect() as line:
            found = self.succeed(key, line.makefile("rw"))
        allowed = FOUND.get(point, {"takeover"}) | ({"takeover"} if point == "claim_sent" else set())
        if found not in allowed:
            self.violations[f"{key.rsplit('-', 1)[0]}_found_{found}"] += 1
        self.counts[found] += 1
        if end == "stop":
            os.kill(owner.pid, signal.SIGCONT)
            self.check_late(point, json.loads(owner.communicate(timeout=60)[0]))
        assert owner.stdout
        owner.stdout.close()
        self.check_receipt(key)
        self.keys.append(key)

    def check_late(self, point: str, told: dict[str, str]) -> None:
        self.violations[f"stopped_one_was_told_{told['claim']}"] += told["claim"] != "new"
        for verb in LATE_VERBS:
            if verb == "heartbeat" and point == "heartbeat_made":
                continue  # that was in time
            self.counts["late_refused"] += told[verb] == "stale_token"
            self.violations[f"late_{verb}_{told[verb]}"] += told[verb] != "stale_token"

    def check_receipt(self, key: str) -> None:
        claim = {"key": key}
        told = [self.ask("/v1/fences/claim", claim)[1] for _ in range(2)]
        if told[0].get("decision") != "duplicate" or told[0].get("effectId") != f"effect-of-{key}":
            self.violations["not_sealed"] += 1
        self.violations["receipts_differ"] += told[0] != told[1]

    def check_effects(self, effects: list[dict]) -> None:
        happened = collections.Counter(effect["key"] for effect in effects if effect["answer"] == "ok")
        self.violations["effect_twice"] += sum(1 for key in self.keys if happened[key] > 1)
        self.violations["effect_missing"] += sum(1 for key in self.keys if happened[key] == 0)
        self.violations["taken_over_too_late"] += self.takeover_seconds > TAKEOVER_SECONDS_MAX


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    fence_places.add_options(parser)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--stops", type=int, default=20)
    options = parser.parse_args()
    wanted = [(n, fence_owner.POINTS[n % len(fence_owner.POINTS)], "kill") for n in range(options.kills)]
    wanted += [(n, fence_owner.STOP_POINTS[n % len(fence_owner.STOP_POINTS)], "stop") for n in range(options.stops)]
    with fence_places.serving(options) as (servers, folder):
        ledger = crash_world.Ledger(folder, blind=options.control)
        trials = Trials(servers, ledger)
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for done in [pool.submit(trials.run, *one) for one in wanted]:
                done.result()
        trials.check_effects(ledger.close())
    seen = (f"{options.kills} owners killed, {options.stops} stopped past their lease; late calls refused "
            f"{trials.counts['late_refused']}; taken over after {trials.takeover_seconds:.2f} s at most; "
            f"counts {dict(trials.counts)}")
    return fence_places.conclude(options, seen, trials.violations, "effect_twice")


if __name__ == "__main__":
    sys.exit(main())

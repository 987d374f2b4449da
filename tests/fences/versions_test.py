#!/usr/bin/env python3
"""Versions of many sources in any order, with repeats and crashes: no effect of a lower version follows a higher one.

Messages (source, version) come shuffled, some of them several times, and again until their consumer is told that they are
done with. A consumer claims, writes the version to the outside world, which refuses tokens older than the newest it has seen
of a source, and seals. Some die before the write or after it, some sleep past their lease, and servers are killed.

Checked in the end: no sealed version was followed by a write, or by a seal, of a lower one; none lower than what was known to
be sealed was `new`; and the highest version of each source was sealed.

Usage: versions_test.py SEMEL [--sources N] [--versions N] [--kills N] [--place PLACE] [--serve 'WORDS'] [--control]

--control lets the outside world take every write: late ones then follow higher versions.
"""
import argparse
import collections
import dataclasses
import http.client
import json
import pathlib
import random
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import crash_world  # noqa: E402
import fence_places  # noqa: E402
import semel_process  # noqa: E402

CONSUMERS = 12
REPEATED = 0.2  # of the messages
LEASE_MS = 1000
STUCK_SECONDS = 120
DEFECT = "lower_write_after_a_higher_seal"  # what the control must find
CONTROLS_MAX = 10
Message = tuple[str, int]


@dataclasses.dataclass(frozen=True)
class Odds:
    """Of one owner."""
    dies_early: float = 0.02
    dies_late: float = 0.02
    oversleeps: float = 0.01


class World:
    def __init__(self, servers: list[semel_process.Server], ledger: crash_world.Ledger, odds: Odds, seed: int,
                 messages: list[Message]) -> None:
        self.servers = servers
        self.ledger = ledger
        self.odds = odds
        self.seed = seed
        self.messages = collections.deque(messages)
        self.lock = threading.Lock()
        self.under_way = 0
        self.progress = time.monotonic()
        self.highest: dict[str, int] = collections.defaultdict(int)  # known to be sealed
        self.seals: dict[str, list[tuple[str, int]]] = collections.defaultdict(list)  # (sealedAt, version) by source
        self.tokens: set[tuple[str, int]] = set()  # (source, token) of accepted seals
        self.violations: collections.Counter = collections.Counter()
        self.counts: collections.Counter = collections.Counter()

    def next(self) -> Message | None:
        with self.lock:
            if not self.messages:
                return None
            self.under_way += 1
            return self.messages.popleft()

    def done(self, message: Message, is_settled: bool) -> None:
        with self.lock:
            self.under_way -= 1
            if is_settled:
                self.progress = time.monotonic()
            else:
                self.messages.append(message)

    def is_over(self) -> bool:
        with self.lock:
            return not self.messages and self.under_way == 0

    def count(self, what: str) -> None:
        with self.lock:
            self.counts[what] += 1

    def sealed(self, message: Message, token: int, sealed_at: str) -> None:
        source, version = message
        with self.lock:
            self.highest[source] = max(self.highest[source], version)
            self.seals[source].append((sealed_at, version))
            self.tokens.add((source, token))


class Consumer:
    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.number = number
        self.rng = random.Random(world.seed * 1000 + number)
        self.effects = world.ledger.connect().makefile("rw")
        self.connections: dict[int, http.client.HTTPConnection] = {}

    def ask(self, path: str, body: dict) -> tuple[int, dict]:
        """Asks one node or another until there is an answer: through kills and lost replies."""
        while True:
            port = self.rng.choice(self.world.servers).port
            connection = self.connections.setdefault(port, http.client.HTTPConnection("127.0.0.1", port, timeout=30))
            try:
                status, answer = semel_process.send(connection, "POST", path, body)
                if status != 503:
                    return status, answer
            except (OSError, ValueError, http.client.HTTPException):
                connection.close()
                self.world.count("unknown")
            time.sleep(0.01)  # waits: that server is being restarted

    def work(self) -> None:
        while not self.world.is_over() and time.monotonic() - self.world.progress < STUCK_SECONDS:
            message = self.world.next()
            if message is None:
                time.sleep(0.01)  # waits: others may give their messages back
                continue
            self.world.done(message, self.consume(message))

    def consume(self, message: Message) -> bool:
        """Whether it is done with."""
        source, version = message
        known = self.world.highest[source]
        parts = {"sourceType": "document", "sourceId": source, "revision": str(version)}
        status, answer = self.ask("/v1/fences/claim", {"parts": parts, "version": version, "leaseMs": LEASE_MS})
        if status != 200:
            self.world.violations[f"claim_{status}_{answer.get('code')}"] += 1
            return True
        decision = answer["decision"]
        self.world.count(decision)
        if decision == "new":
            self.world.violations["lower_version_was_new"] += version < known
            return self.own(message, answer)
        return decision in ("duplicate", "stale")

    def own(self, message: Message, claim: dict) -> bool:
        odds, luck = self.world.odds, self.rng.random()
        if luck < odds.dies_early:
            self.world.count("died_before_the_effect")
            return False
        if luck > 1 - odds.oversleeps:
            time.sleep(LEASE_MS / 1000 * 1.5)  # waits: past the lease, on purpose
            self.world.count("overslept")
        self.write(message, claim["token"])
        if luck < odds.dies_early + odds.dies_late:
            self.world.count("died_after_the_effect")
            return False
        return self.seal(message, claim)

    def write(self, message: Message, token: int) -> None:
        """To the outside world. One that takes over writes once more: it cannot know what the other has done."""
        source, version = message
        effect = {"key": f"{source}:{version}:{token}", "line": source, "token": token, "version": version,
                  "attempt": 1, "worker": self.number, "hash": ""}
        self.effects.write(json.dumps(effect) + "\n")
        self.effects.flush()
        self.world.count(f"write_{self.effects.readline().strip()}")

    def seal(self, message: Message, claim: dict) -> bool:
        status, answer = self.ask(f"/v1/fences/{claim['key']}/seal",
                                  {"token": claim["token"], "effectId": f"{message[0]}@{message[1]}"})
        if status == 200:
            self.world.sealed(message, claim["token"], answer["sealedAt"])
            return True
        if answer.get("code") == "stale_token":
            self.world.count("late_seal_refused")
        else:
            self.world.violations[f"seal_{status}_{answer.get('code')}"] += 1
        return False


def kill_now_and_then(world: World, kills: int) -> None:
    rng = random.Random(world.seed)
    for _ in range(kills):
        time.sleep(rng.uniform(0.1, 0.8))  # waits: a random moment to kill at
        if world.is_over():
            return
        server = rng.choice(world.servers)
        server.kill()
        server.start()
        world.count("kills")


def check(world: World, writes: list[dict], versions: int) -> None:
    world.violations["stuck"] += not world.is_over()
    by_source: dict[str, list[dict]] = collections.defaultdict(list)
    for write in writes:
        if write["answer"] == "ok":
            by_source[write["line"]].append(write)
    for source, accepted in by_source.items():
        highest = 0  # of the sealed ones so far
        for write in accepted:
            world.violations[DEFECT] += write["version"] < highest
            if (source, write["token"]) in world.tokens:
                highest = max(highest, write["version"])
    for source, seals in world.seals.items():
        ordered = [version for _, version in sorted(seals)]
        world.violations["lower_seal_after_a_higher"] += ordered != sorted(ordered)
        world.violations["highest_not_sealed"] += max(ordered) != versions


def made_messages(options: argparse.Namespace) -> list[Message]:
    rng = random.Random(options.seed)
    messages = [(f"s{source}", version) for source in range(options.sources)
                for version in range(1, options.versions + 1)]
    messages += [message for message in messages if rng.random() < REPEATED]
    rng.shuffle(messages)
    return messages


def run(options: argparse.Namespace, violations: collections.Counter) -> str:
    """What was seen."""
    messages = made_messages(options)
    odds = Odds(dies_early=0, dies_late=0, oversleeps=0.3) if options.control else Odds()
    with fence_places.serving(options) as (servers, folder):
        world = World(servers, crash_world.Ledger(folder, blind=options.control), odds, options.seed, messages)
        consumers = [threading.Thread(target=Consumer(world, n).work, daemon=True) for n in range(CONSUMERS)]
        for thread in consumers:
            thread.start()
        kill_now_and_then(world, options.kills)
        for thread in consumers:
            thread.join()
        check(world, world.ledger.close(), options.versions)
    violations.update(world.violations)
    return (f"versions 1 to {options.versions} of {options.sources} sources, {len(messages)} messages, "
            f"{world.counts['kills']} servers killed, counts {dict(world.counts)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    fence_places.add_options(parser)
    parser.add_argument("--sources", type=int, default=40)
    parser.add_argument("--versions", type=int, default=25)
    parser.add_argument("--kills", type=int, default=3)
    options = parser.parse_args()
    violations: collections.Counter = collections.Counter()
    seen = run(options, violations)
    for _ in range(CONTROLS_MAX if options.control else 0):  # a control goes on until it has found its defect
        if violations[DEFECT]:
            break
        options.seed += 1
        seen = run(options, violations)
    return fence_places.conclude(options, seen, violations, DEFECT)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Many identical claims at once: one is `new`, all others get its receipt, byte for byte, and nobody a 5xx.

The owner seals only when every other connection has its first claim under way, so that those have to wait for it.

Usage: storm_test.py SEMEL [--claims N] [--connections N] [--rounds N] [--place PLACE] [--serve 'WORDS'] [--control]

--control puts the number of its connection into each key, as a client does that makes its keys wrong.
"""
import argparse
import asyncio
import collections
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import fence_places  # noqa: E402

WAIT_MS = 60_000
ROUND_SECONDS_MAX = 300


class Connection:
    """One that stays open."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, port: int) -> "Connection":
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def send(self, path: str, body: dict) -> None:
        text = json.dumps(body).encode()
        self.writer.write(b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                          b"Content-Length: %d\r\n\r\n%s" % (path.encode(), len(text), text))
        await self.writer.drain()

    async def read(self) -> tuple[int, bytes]:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        lengths = [line.split(":")[1] for line in head if line.lower().startswith("content-length:")]
        return int(head[0].split()[1]), await self.reader.readexactly(int(lengths[0]))


class Round:
    """One key, and what its claims were told."""

    def __init__(self, key: str, options: argparse.Namespace) -> None:
        self.key = key
        self.is_control = options.control
        self.left = options.claims
        self.connections = options.connections
        self.asked = 0  # connections whose first claim is under way
        self.all_asked = asyncio.Event()
        self.told: collections.Counter = collections.Counter()
        self.receipts: set[bytes] = set()
        self.sealed: bytes | None = None

    async def claim_on(self, connection: Connection, number: int) -> None:
        is_first = True
        while self.left > 0:
            self.left -= 1
            key = f"{self.key}-{number}" if self.is_control else self.key
            await connection.send("/v1/fences/claim", {"key": key, "content": {"total": 12}, "waitMs": WAIT_MS})
            if is_first:
                is_first = False
                self.asked += 1
                if self.asked == self.connections:
                    self.all_asked.set()
            await self.take(connection, key, *await connection.read())

    async def take(self, connection: Connection, key: str, status: int, body: bytes) -> None:
        answer = json.loads(body) if status == 200 else {}
        self.told[answer.get("decision", f"status_{status}")] += 1
        if answer.get("decision") == "new":
            await self.all_asked.wait()
            await connection.send(f"/v1/fences/{key}/seal", {"token": answer["token"], "effectId": "ch_9",
                                                             "receipt": {"paid": True, "by": answer["token"]}})
            status, self.sealed = await connection.read()
            self.told["seal_refused"] += status != 200
        elif answer.get("decision") == "duplicate":
            self.receipts.add(body)

    def check(self, violations: collections.Counter, claims: int) -> None:
        violations["more_than_one_new"] += max(0, self.told["new"] - 1)
        violations["none_new"] += self.told["new"] == 0
        violations["other_answers"] += claims - self.told["new"] - self.told["duplicate"]
        violations["seal_refused"] += self.told["seal_refused"]
        violations["answered_5xx"] += sum(n for told, n in self.told.items() if told.startswith("status_5"))
        violations["receipts_differ"] += max(0, len(self.receipts) - 1)
        if self.sealed and self.receipts:
            sealed, told = json.loads(self.sealed), json.loads(next(iter(self.receipts)))
            violations["receipt_is_not_the_sealed_one"] += sealed.get("receipt") != told["receipt"]


async def storm(options: argparse.Namespace, ports: list[int], violations: collections.Counter) -> list[float]:
    connections = [await Connection.open(ports[number % len(ports)]) for number in range(options.connections)]
    seconds = []
    for number in range(options.rounds):
        one = Round(f"storm-{options.seed}-{number}", options)
        began = time.monotonic()
        asking = [one.claim_on(connection, n) for n, connection in enumerate(connections)]
        await asyncio.wait_for(asyncio.gather(*asking), ROUND_SECONDS_MAX)
        seconds.append(time.monotonic() - began)
        one.check(violations, options.claims)
        if any(violations.values()):
            print(f"round {number}: {dict(one.told)}, {len(one.receipts)} different receipts")
    for connection in connections:
        connection.writer.close()
    return seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    fence_places.add_options(parser)
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--connections", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    violations: collections.Counter = collections.Counter()
    with fence_places.serving(options) as (servers, _):
        seconds = asyncio.run(storm(options, [server.port for server in servers], violations))
    seen = (f"{options.rounds} x {options.claims} identical claims over {options.connections} connections, "
            f"{max(seconds):.1f} s at most")
    return fence_places.conclude(options, seen, violations, "more_than_one_new")


if __name__ == "__main__":
    sys.exit(main())

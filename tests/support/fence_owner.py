#!/usr/bin/env python3
"""An owner of a fence that ends, or stands still, at a point of its work; a process of its own, so that it really does.

Usage: fence_owner.py NODE_PORT LEDGER_PORT KEY LEASE_MS POINT kill|stop

It claims the key, makes its effect in the ledger, heartbeats and seals. At POINT it sends itself SIGKILL or SIGSTOP. One
that was stopped and goes on finishes its work, tries every other call as well, and prints what it was told, as JSON.
"""
import json
import os
import select
import signal
import socket
import sys

# What has happened when it gets no further. A request that was sent is never read.
POINTS = ["claim_sent", "claimed", "effect_sent", "effect_made", "heartbeat_sent", "heartbeat_made", "seal_sent", "sealed"]
# Where one that goes on is late with everything that it has left to do.
STOP_POINTS = ["claim_sent", "claimed", "effect_made", "heartbeat_made"]


class Node:
    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.file = self.socket.makefile("rb")

    def send(self, path: str, body: dict) -> None:
        text = json.dumps(body).encode()
        self.socket.sendall(b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            b"Content-Length: %d\r\n\r\n%s" % (path.encode(), len(text), text))

    def read(self) -> tuple[int, dict]:
        status = int(self.file.readline().split()[1])
        length = 0
        while (line := self.file.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return status, json.loads(self.file.read(length))


class Owner:
    def __init__(self, node: Node, ledger: socket.socket, key: str, point: str, end: int) -> None:
        self.node = node
        self.ledger = ledger.makefile("rw")
        self.key = key
        self.point = point
        self.end = end
        self.token = 0
        self.told: dict[str, str] = {}

    def reach(self, point: str) -> None:
        if point == self.point:
            os.kill(os.getpid(), self.end)

    def call(self, verb: str, body: dict) -> None:
        self.node.send(f"/v1/fences/{self.key}/{verb}", {"token": self.token, **body})
        self.reach(f"{verb}_sent")
        status, answer = self.node.read()
        self.told[verb] = "accepted" if status == 200 else answer.get("code", str(status))

    def claim(self, lease_ms: int) -> None:
        self.node.send("/v1/fences/claim", {"key": self.key, "leaseMs": lease_ms})
        if self.end == signal.SIGSTOP:
            select.select([self.node.socket], [], [])  # it owns the key, and does not know it yet
        self.reach("claim_sent")
        _, answer = self.node.read()
        self.told["claim"] = answer.get("decision", answer.get("code"))
        self.token = answer.get("token", 0)
        self.reach("claimed")

    def make_effect(self) -> None:
        effect = {"key": self.key, "token": self.token, "attempt": 1, "worker": "first", "hash": ""}
        self.ledger.write(json.dumps(effect) + "\n")
        self.ledger.flush()
        self.reach("effect_sent")
        self.told["effect"] = self.ledger.readline().strip()
        self.reach("effect_made")


def main() -> None:
    node_port, ledger_port, key, lease_ms, point, end = sys.argv[1:7]
    ledger = socket.create_connection(("127.0.0.1", int(ledger_port)))
    owner = Owner(Node(int(node_port)), ledger, key, point, signal.SIGSTOP if end == "stop" else signal.SIGKILL)
    owner.claim(int(lease_ms))
    owner.make_effect()
    owner.call("heartbeat", {"leaseMs": int(lease_ms)})
    owner.reach("heartbeat_made")
    if end == "stop":
        owner.call("release", {})
        owner.call("uncertain", {"reason": "late"})
    owner.call("seal", {"effectId": f"effect-of-{key}", "receipt": {"by": "first"}})
    owner.reach("sealed")
    print(json.dumps(owner.told))


if __name__ == "__main__":
    main()

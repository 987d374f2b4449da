#!/usr/bin/env python3
"""The outside world: an append-only file with one line per effect, behind a TCP port.

A separate process, so that whatever is killed, the effects stay known. Each request is one JSON line
with `key`, `token`, `attempt`, `worker`, `hash`; each answer is one word:

    keyed mode   `ok`      the effect happened
                 `again`   it had happened already, by this or an older token
                 `stale`   a larger token has been seen for this key, or for the `line` that the request names: what
                           several keys have in common, where one must not follow another
    blind mode   `ok`      always: it only counts

Usage: effect_ledger.py FILE [--blind]     prints its port, then serves until its stdin closes.
"""
import json
import pathlib
import selectors
import socket
import sys
import time


class Ledger:
    def __init__(self, path: pathlib.Path, keyed: bool) -> None:
        self.file = path.open("a", encoding="utf-8")
        self.keyed = keyed
        self.done: set[str] = set()
        self.highest: dict[str, int] = {}

    def apply(self, effect: dict) -> str:
        key, token = effect["key"], effect["token"]
        line = effect.get("line", key)
        answer = "ok"
        if self.keyed:
            if token < self.highest.get(line, 0):
                answer = "stale"
            elif key in self.done:
                answer = "again"
            self.highest[line] = max(token, self.highest.get(line, 0))
        if answer == "ok":
            self.done.add(key)
        self.file.write(json.dumps({**effect, "answer": answer, "at": time.time()}) + "\n")
        self.file.flush()
        return answer


class Connection:
    def __init__(self, peer: socket.socket) -> None:
        self.peer = peer
        self.buffer = b""

    def serve(self, ledger: Ledger) -> bool:
        """Answers what has arrived; false when the peer has gone."""
        try:
            received = self.peer.recv(65536)
        except ConnectionError:
            return False
        if not received:
            return False
        self.buffer += received
        while b"\n" in self.buffer:
            line, self.buffer = self.buffer.split(b"\n", 1)
            self.peer.sendall(ledger.apply(json.loads(line)).encode() + b"\n")
        return True


def main() -> None:
    ledger = Ledger(pathlib.Path(sys.argv[1]), keyed="--blind" not in sys.argv)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    selector.register(sys.stdin, selectors.EVENT_READ)
    while True:
        for ready, _ in selector.select():
            if ready.fileobj is sys.stdin:
                return
            if ready.fileobj is listener:
                peer, _ = listener.accept()
                selector.register(peer, selectors.EVENT_READ, Connection(peer))
            elif not ready.data.serve(ledger):
                selector.unregister(ready.fileobj)
                ready.fileobj.close()


main()

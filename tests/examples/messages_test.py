#!/usr/bin/env python3
"""The message API behind the gateway, row by row of its table: messages_test.py SEMEL EXAMPLE"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import semel_process  # noqa: E402

SEMEL, EXAMPLE = sys.argv[1], pathlib.Path(sys.argv[2])
SKIPPED = 77

ADA = {"workspaceId": "w1", "recipientPhone": "+15550100", "recipientEmail": "ada@example.com", "leadId": "ada"}
IN_FLIGHT = ["success", "duplicateOnly", "duplicateMessage", "message", "leadId", "hsContactId"]


class Api:
    """The program in Node, on a free port."""

    def __init__(self, delay_ms: int) -> None:
        environment = {**os.environ, "PORT": "0", "CARRIER_DELAY_MS": str(delay_ms)}
        self.process = subprocess.Popen(["node", str(EXAMPLE / "server.mjs")], env=environment, text=True,
                                        stdout=subprocess.PIPE)
        assert self.process.stdout
        self.port = int(re.search(r":(\d+)$", self.process.stdout.readline().strip())[1])

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()


class Messages(unittest.TestCase):
    """Each test has an API and a gateway of its own."""

    def start(self, delay_ms: int = 0, change=lambda config: config) -> None:
        folder = tempfile.TemporaryDirectory(prefix="semel-messages-")
        self.addCleanup(folder.cleanup)
        self.api = Api(delay_ms)
        self.addCleanup(self.api.stop)
        self.port = semel_process.free_port()
        config = (EXAMPLE / "semel.yaml").read_text(encoding="utf-8")
        config = config.replace("127.0.0.1:7364", f"127.0.0.1:{self.port}")
        config = config.replace("127.0.0.1:9000", f"127.0.0.1:{self.api.port}")
        path = pathlib.Path(folder.name)
        (path / "semel.yaml").write_text(change(config), encoding="utf-8")
        self.log = path / "log"
        self.server = semel_process.Server(SEMEL, path / "semel.db", self.log, ["--config", str(path / "semel.yaml")])
        self.server.start()
        self.addCleanup(self.server.stop)

    def post(self, message: str, key: str = "", port: int = 0, **members) -> tuple[int, dict]:
        body = {**ADA, "message": message, **members}
        headers = {"Idempotency-Key": key} if key else None
        return semel_process.request(port or self.port, "POST", "/api/messages", body, headers=headers)

    def sent(self) -> list[dict]:
        """What the carrier has got, as the API itself says."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.api.port}/api/messages", timeout=10) as answer:
            return json.load(answer)

    def test_an_equal_message_is_returned_and_not_sent(self) -> None:
        self.start()
        status, first = self.post("Hello")
        self.assertEqual((status, first["success"], first["status"]), (201, True, "sent"))
        status, again = self.post("Hello")
        self.assertEqual(status, 200)
        self.assertEqual(list(again)[:2], ["duplicateOnly", "duplicateMessage"])
        self.assertRegex(again["duplicateMessage"], "^Same message text already sent to this contact .* ago")
        self.assertEqual({name: again[name] for name in first}, first)
        self.assertEqual(len(self.sent()), 1)

    def test_what_is_no_duplicate_is_sent(self) -> None:
        self.start()
        rows = {
            "the first": {},
            "one character": {"message": "Hello!"},
            "another workspace": {"workspaceId": "w2"},
            "another email": {"recipientEmail": "ada@work.example.com"},
            "no email": {"recipientEmail": None},
            "an empty email": {"recipientEmail": ""},
            "another phone": {"recipientPhone": "+15550199"},
        }
        for name, members in rows.items():
            with self.subTest(name):
                self.assertEqual(self.post(**{"message": "Hello", **members})[0], 201)
        for i in range(100):
            self.assertEqual(self.post("Template", recipientPhone=f"+1555{i:04}1")[0], 201)
        self.assertEqual(len(self.sent()), len(rows) + 100)

    def test_two_leads_who_share_a_phone_are_one_human(self) -> None:
        self.start()
        shared = {"recipientPhone": "+15550101", "recipientEmail": "bob@example.com"}
        self.assertEqual(self.post("Hello", leadId="bob", **shared)[0], 201)
        status, again = self.post("Hello", leadId="bobs-work", **shared)
        self.assertEqual((status, again["leadId"]), (200, "bob"))
        self.assertEqual(len(self.sent()), 1)

    def test_a_refused_or_failed_message_holds_nothing(self) -> None:
        self.start()
        for _ in range(2):
            self.assertEqual(self.post("Hello", leadId="nobody")[0], 404)
            self.assertEqual(self.post("Hello", attachments="a.pdf")[0], 400)
            self.assertEqual(self.post("Hello", recipientPhone="+15550000")[1]["status"], "failed")
        self.assertEqual(self.post("Hello")[0], 201)
        self.assertEqual(len(self.sent()), 3)

    def test_twins_are_sent_once(self) -> None:
        self.start(delay_ms=200, change=lambda config: config.replace("wait: 3s", "wait: 60s"))
        pairs = 20
        with concurrent.futures.ThreadPoolExecutor(2 * pairs) as pool:
            answers = list(pool.map(lambda i: self.post(f"Hello {i % pairs}"), range(2 * pairs)))
        self.assertEqual(sorted(status for status, _ in answers), [200] * pairs + [201] * pairs)
        for i in range(pairs):
            one, other = answers[i][1], answers[i + pairs][1]
            self.assertEqual(one["message"]["_id"], other["message"]["_id"])
        self.assertEqual(len(self.sent()), pairs)

    def test_a_message_that_is_still_being_sent_is_told_so(self) -> None:
        self.start(delay_ms=3000, change=lambda config: config.replace("wait: 3s", "wait: 50ms"))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            (told_status, told), (status, _) = sorted(pool.map(lambda _: self.post("Hello"), range(2)),
                                                      key=lambda answer: answer[0])
        self.assertEqual((told_status, status), (200, 201))
        self.assertEqual(list(told), IN_FLIGHT)
        self.assertEqual([told[name] for name in IN_FLIGHT[3:]], [None] * 3)
        self.assertEqual(len(self.sent()), 1)

    def test_after_the_window_it_is_sent_again(self) -> None:
        def shorten(config: str) -> str:
            return config.replace("timeout: 30s", "timeout: 1s").replace("window: 15m", "window: 1500ms")

        self.start(change=shorten)
        began = time.monotonic()
        self.assertEqual(self.post("Hello")[0], 201)
        while self.post("Hello")[0] == 200:
            self.assertLess(time.monotonic() - began, 60)
        self.assertGreaterEqual(time.monotonic() - began, 1.4)
        self.assertEqual(len(self.sent()), 2)

    def test_a_key_is_decided_before_the_guard(self) -> None:
        self.start()
        first = self.post("Hello", key="k1")
        self.assertEqual(self.post("Hello", key="k1"), first)
        other = self.post("Hello", key="k2")
        self.assertEqual((other[0], other[1]["duplicateOnly"]), (200, True))
        self.assertEqual(self.post("Hello", key="k2"), other)
        self.assertEqual(self.post("Hello!", key="k1")[0], 409)
        self.assertEqual(len(self.sent()), 1)

    def test_the_log_names_what_was_blocked_and_no_person(self) -> None:
        self.start()
        self.post("Hello Ada")
        self.post("Hello Ada")
        self.assertEqual(self.server.stop(), 0)
        log = self.log.read_text(encoding="utf-8")
        self.assertIn('"event":"message.api.duplicate_blocked"', log)
        self.assertIn('"mode":"lock_resolved"', log)
        for secret in (ADA["recipientPhone"], ADA["recipientEmail"], "Hello Ada"):
            self.assertNotIn(secret, log)

    def test_without_the_gateway_every_request_sends(self) -> None:
        self.start()
        for _ in range(2):
            self.assertEqual(self.post("Hello", port=self.api.port)[0], 201)
        self.assertEqual(len(self.sent()), 2)


if __name__ == "__main__":
    if shutil.which("node") is None:
        print("skipped: there is no node")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])

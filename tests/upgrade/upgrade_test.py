#!/usr/bin/env python3
"""Opens stores of an older program, compares each row with that program's answers, and completes all due work.

Usage: upgrade_test.py SEMEL [ARGUMENT OF unittest…]

stores/README.md names the older program, and make_stores.py fills its stores. This test uses HTTP, the command line
and SQL names. So it fails if a stored number, a column or a packed form changes its meaning, and it does not depend on
names in C++. Its result does not depend on the date: it relies on no window or retention that ends before 2099.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import old_store

sys.path.insert(0, str(old_store.FOLDER.parent / "support"))
import pg_binaries  # noqa: E402
import postgres_server  # noqa: E402

DRAIN_SECONDS_MAX = 60.0
LONG = 3_000_000_000  # as in make_stores.py
ENDED = {"completed", "failed", "cancelled", "superseded"}
# Members of an action that an attempt or a failed blocker does not change.
KEPT = ("id", "tenant", "type", "payload", "maxRetries", "lockGroup", "priority", "createdAt", "scheduleName",
        "recurringInterval", "recurrenceType", "uniqueUntil", "chainId", "chainIndex", "backoff", "timeoutMs")
# Members of a schedule that its occurrences do not change.
RULE = ("id", "name", "tenant", "type", "payload", "every", "cron", "timezone", "recurrenceType", "missed", "lockGroup",
        "maxRetries", "backoff", "timeoutMs", "priority", "startAt", "paused", "fault", "description", "createdAt")
# Due in 2099, or blocked by such an action, or blocked with `onBlockerFailed: "wait"`.
UNFINISHED = {"key_pending", "key_of_entity", "chain_far", "chain_blocked", "group_far", "chain_waits_for_failed"}
FAR_SCHEDULES = {"cron", "spent"}
EVERY_15_MINUTES = "quarterly"  # whether its occurrence is due depends on the time of day


class Drain:
    """A worker that claims and completes every due job."""

    def __init__(self, node: old_store.Node, types: set[str]) -> None:
        self.node = node
        self.types = sorted(types)
        self.done: list[str] = []  # ids, in order of completion
        self.jobs: dict[str, dict] = {}

    def round(self, tenant: str) -> int:
        body = {"types": self.types, "max": 100, "worker": "drain", "leaseMs": 60_000, "waitMs": 200}
        jobs = self.node.good("POST", "/v1/jobs/claim", body, tenant)["jobs"]
        jobs.sort(key=lambda job: job["type"] != "timed_out_once")  # the job with the shortest timeout comes first
        for job in jobs:
            self.jobs[job["id"]] = job
            self.node.good("POST", f"/v1/jobs/{job['id']}/complete", {"token": job["token"]} | self.result(job), tenant)
            self.done.append(job["id"])
        groups = [self.group_of(job, tenant) for job in jobs]
        assert len([g for g in groups if g]) == len({g for g in groups if g}), f"two of one lock group: {groups}"
        return len(jobs)

    def group_of(self, job: dict, tenant: str) -> str | None:
        return self.node.good("GET", f"/v1/actions/{job['id']}", tenant=tenant)["lockGroup"]

    @staticmethod
    def result(job: dict) -> dict:
        steps = job["input"].get("then", 0) if isinstance(job["input"], dict) else 0
        if steps == 0:
            return {"output": {"drained": job["type"]}}
        return {"continueWith": {"type": "step", "input": {"then": steps - 1}}}


class Upgrade:
    """The test of one store. Each subclass makes it in another way."""

    semel = ""
    golden = ""  # name of the file with the older program's answers
    was_settled_in_sql = False
    server: postgres_server.PostgresServer

    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="semel-upgrade-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.old = json.loads((old_store.STORES / f"{self.golden}.json").read_text(encoding="utf-8"))
        self.ids = self.old["ids"]
        self.names = {made: name for name, made in self.ids.items()}
        self.store = self.make_store()

    def make_store(self) -> str:
        raise NotImplementedError

    def run_semel(self, *words: str) -> str:
        done = subprocess.run([self.semel, *words], capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def sqlite_copy(self) -> str:
        path = self.folder / "semel.db"
        shutil.copy(old_store.STORES / "sqlite.db", path)
        path.chmod(0o600)
        return str(path)

    def load_dump(self) -> str:
        url = self.server.make_database()
        words = [pg_binaries.client("psql"), "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--output",
                 os.devnull, "--file", str(old_store.STORES / "postgres.sql"), url]
        subprocess.run(words, check=True)
        return url

    def test_every_row_is_there_and_all_work_is_done(self) -> None:
        self.check_with_doctor()
        node = old_store.Node(self.semel, self.store, self.folder / "log", self.old["secret"])
        node.start()
        try:
            self.node = node
            self.check_rows()
            self.check_fences()
            self.drain()
            self.check_results()
            self.check_keys()
            self.check_repeats()
            self.assertEqual(node.server.stop(), 0)
        finally:
            if node.server.process and node.server.process.poll() is None:
                node.server.kill()
        self.check_with_doctor()

    def check_with_doctor(self) -> None:
        report = json.loads(self.run_semel("doctor", "--store", self.store, "--json"))
        bad = [check for check in report["checks"] if check["verdict"] == "bad"]
        self.assertEqual((report["healthy"], bad), (True, []))

    # ---- every row ----------------------------------------------------------------------------

    def check_rows(self) -> None:
        shown = old_store.everything(self.node, list(self.old["fences"]), [run["id"] for run in self.old["bulk_runs"]])
        for tenant in old_store.TENANTS:
            self.check_listed(shown["actions"][tenant], self.old["actions"][tenant], self.check_action)
            self.check_listed(shown["chains"][tenant], self.old["chains"][tenant], self.check_chain)
            self.check_listed(shown["schedules"][tenant], self.old["schedules"][tenant], self.check_schedule)
            count = len(self.old["decisions"][tenant])
            self.check_same(shown["decisions"][tenant][-count:] if count else [], self.old["decisions"][tenant])
        for chain, steps in self.old["steps"].items():
            self.assertEqual(shown["steps"][chain][:len(steps)], steps)
        for kind in ("bulk_runs", "tokens", "receipt_key"):
            self.check_same(shown[kind], self.old[kind])

    def check_listed(self, new: list[dict], old: list[dict], check) -> None:
        """Compares items that the older program listed, and their order. Other items are allowed."""
        known = {item["id"] for item in old}
        new = [item for item in new if item["id"] in known]
        self.assertEqual([item["id"] for item in new], [item["id"] for item in old])
        for now, then in zip(new, old):
            with self.subTest(id=then["id"], name=self.names.get(then["id"], then.get("type"))):
                check(now, then)

    def check_same(self, new: object, old: object, where: str = "") -> None:
        """Compares all members of `old`. Other members of `new` are allowed."""
        if isinstance(old, dict) and isinstance(new, dict):
            for name, value in old.items():
                self.assertIn(name, new, where)
                self.check_same(new[name], value, f"{where}/{name}")
        elif isinstance(old, list) and isinstance(new, list):
            self.assertEqual(len(new), len(old), where)
            for n, (now, then) in enumerate(zip(new, old)):
                self.check_same(now, then, f"{where}/{n}")
        else:
            self.assertEqual(new, old, where)

    def check_action(self, new: dict, old: dict) -> None:
        self.check_same({name: new[name] for name in KEPT}, {name: old[name] for name in KEPT})
        ended = [attempt for attempt in old["history"] if attempt["endedAt"]]
        self.check_same(new["history"][:len(ended)], ended, "/history")
        if old["status"] == "running":
            then, now = old["history"][-1], new["history"][len(ended)]
            for member in ("attempt", "worker", "token", "startedAt"):
                self.assertEqual(now[member], then[member])
        elif not self.is_changed_by_upkeep(old):
            self.check_same(new, {name: value for name, value in old.items() if name != "waitingFor"})
        is_held = old["slot"] and old["scheduleName"] in FAR_SCHEDULES | {"paused"}
        if is_held or self.names.get(old["id"]) in UNFINISHED:
            self.assertEqual(self.reason(new), self.reason(old))

    @staticmethod
    def reason(action: dict) -> str | None:
        return action["waitingFor"] and action["waitingFor"]["reason"]

    def is_changed_by_upkeep(self, old: dict) -> bool:
        """Returns whether upkeep changes the action when the store opens."""
        name = self.names.get(old["id"], "")
        is_slot = old["scheduleName"] is not None and old["status"] not in ENDED
        return is_slot or name.startswith(("waits_", "group_")) or name == "follower" or name in FAR_SCHEDULES

    def check_chain(self, new: dict, old: dict) -> None:
        self.assertEqual([new[m] for m in ("id", "type", "tenant", "createdAt")],
                         [old[m] for m in ("id", "type", "tenant", "createdAt")])
        if old["status"] in ENDED:
            self.check_same(new, old)

    def check_schedule(self, new: dict, old: dict) -> None:
        self.check_same({name: new[name] for name in RULE}, {name: old[name] for name in RULE})
        if old["startAt"]:
            self.check_same(new, old)

    # ---- fences -------------------------------------------------------------------------------

    def claim(self, body: dict) -> tuple[int, dict]:
        return self.node.ask("POST", "/v1/fences/claim", {"waitMs": 30_000} | body)

    def check_fences(self) -> None:
        old = self.old["fences"]
        content = {"total": 12, "password": "hush"}
        self.check_receipt({"key": "sealed", "content": content}, old["sealed"])
        self.check_receipt({"key": "taken_over"}, old["taken_over"])
        status, conflict = self.claim({"key": "sealed", "content": content | {"total": 13}})
        self.assertEqual((status, conflict["decision"], conflict["diff"]),
                         (409, "conflict", [{"op": "replace", "path": "/total", "value": 13}]))
        self.check_versions()
        self.check_uncertain()
        for key in ("in_flight", "expired", "released"):
            status, answer = self.claim({"key": key})
            self.assertEqual((status, answer.get("decision")), (200, "new"), key)
            self.assertGreater(answer["token"], old[key]["token"])
        status, answer = self.claim({"key": "sealed_in_sql"})
        self.assertEqual((status, answer["decision"]), (200, "duplicate" if self.was_settled_in_sql else "new"))
        if self.was_settled_in_sql:
            self.assertEqual((answer["effectId"], answer["receipt"]), ("effect of sealed_in_sql", {"in": "sql"}))
        signed = self.node.good("GET", "/v1/fences/sealed?signed=true")
        self.assertEqual(signed["signature"]["keyId"], self.old["receipt_key"]["keyId"])

    def check_receipt(self, body: dict, old: dict) -> None:
        status, answer = self.claim(body)
        self.assertEqual((status, answer["decision"]), (200, "duplicate"))
        for member in ("effectId", "receipt", "sealedAt", "expiresAt"):
            self.assertEqual(answer[member], old[member])
        seal = {"token": old["token"], "effectId": old["effectId"], "receipt": old["receipt"]}
        again = self.node.good("POST", old_store.fence_path(old["key"]) + "/seal", seal)
        self.assertEqual(again["sealedAt"], old["sealedAt"])

    def check_versions(self) -> None:
        def of(source: str, version: int) -> dict:
            parts = {"sourceType": source, "sourceId": "17", "revision": version, "action": "ship"}
            return {"parts": parts, "version": version}
        for version in (4, 5):
            self.check_receipt(of("order", version), self.old["fences"][self.ids[f"fence:order:{version}"]])
        _, stale = self.claim(of("order", 3))
        self.assertEqual((stale["decision"], stale["lastVersion"]), ("stale", 5))
        # The fixture has a claim of version 8, whose lease has ended.
        status, answer = self.claim(of("invoice", 7))
        self.assertEqual((status, answer.get("decision")), (200, "new"))

    def check_uncertain(self) -> None:
        status, answer = self.claim({"key": "uncertain", "content": [1]})
        self.assertEqual((status, answer["code"]), (409, "uncertain"))
        self.assertEqual(self.uncertain_keys(), ["uncertain"])
        resolved = {"outcome": "sealed", "effectId": "found", "receipt": {"by": "hand"}, "reason": "asked"}
        self.node.good("POST", "/v1/fences/uncertain/resolve", resolved)
        self.assertEqual(self.uncertain_keys(), [])
        _, answer = self.claim({"key": "uncertain", "content": [1]})
        self.assertEqual((answer["decision"], answer["receipt"]), ("duplicate", {"by": "hand"}))

    def uncertain_keys(self) -> list[str]:
        return [item["key"] for item in self.node.good("GET", "/v1/claims?state=uncertain")["items"]]

    # ---- work ---------------------------------------------------------------------------------

    def expected(self, old: dict) -> str | None:
        """Returns the status when all due work is done. None: it depends on the time of day."""
        name = self.names.get(old["id"], "")
        if old["status"] in ENDED:
            return old["status"]
        if name in UNFINISHED or old["scheduleName"] in FAR_SCHEDULES:
            return old["status"]
        if name.startswith(("doomed_", "waits_")) or name == "failed_in_sql":  # of one attempt
            return "failed"
        if name == "overtaken":
            return "superseded"
        return None if old["scheduleName"] == EVERY_15_MINUTES else "completed"

    def wanted(self) -> dict[str, str]:
        wanted = {old["id"]: self.expected(old) for tenant in old_store.TENANTS for old in self.old["actions"][tenant]}
        if self.was_settled_in_sql:
            wanted |= {self.ids[name]: "completed" for name in ("enqueued", "enqueued_chain")}
        return {made: status for made, status in wanted.items() if status}

    def statuses(self) -> dict[str, str]:
        return {item["id"]: item["status"] for tenant in old_store.TENANTS
                for item in self.node.listed("/v1/actions", tenant)}

    def drain(self) -> None:
        self.node.good("POST", "/v1/schedules/paused/resume")
        types = {old["type"] for tenant in old_store.TENANTS for old in self.old["actions"][tenant]}
        self.worker = Drain(self.node, types | {"step", "way", "enqueued", "enqueued_chain", "from_sql"})
        wanted = self.wanted()
        deadline = time.monotonic() + DRAIN_SECONDS_MAX
        while True:
            worked = sum(self.worker.round(tenant) for tenant in old_store.TENANTS)
            statuses = self.statuses()
            wrong = {self.names.get(made, made): statuses.get(made) for made, status in wanted.items()
                     if statuses.get(made) != status}
            if not wrong and not worked:
                return
            self.assertLess(time.monotonic(), deadline, f"not as expected: {wrong}")

    def check_results(self) -> None:
        show = self.node.good
        place = {made: n for n, made in enumerate(self.worker.done)}
        order = [place[self.ids[f"group_{n}"]] for n in (1, 2, 3)]
        self.assertEqual(order, sorted(order), "the order of a lock group")
        self.assertLess(place[self.ids["group_ready"]], place[self.ids["group_behind"]])
        joins = self.worker.jobs[self.ids["chain_joins"]]
        self.assertEqual([b["output"] for b in joins["blockers"]],
                         [{"whole": True}, {"drained": "step"}, {"drained": "step"}])
        self.assertEqual(show("GET", f"/v1/chains/{self.ids['chain_held']}")["chain"]["chainIndex"], 1)
        for name, outcome in (("held", "lost"), ("held_with_timeout", "timeout"), ("overtaken", "lost")):
            self.assertEqual(show("GET", f"/v1/actions/{self.ids[name]}")["history"][0]["outcome"], outcome)
        self.assertEqual(show("GET", f"/v1/actions/{self.ids['overtaken']}")["supersededBy"], self.ids["follower"])
        for name in ("rolling", "paused", EVERY_15_MINUTES):
            current = show("GET", f"/v1/schedules/{name}")["currentActionId"]
            self.assertEqual(show("GET", f"/v1/actions/{current}")["status"], "pending")
        if self.was_settled_in_sql:
            self.check_results_of_sql()

    def check_results_of_sql(self) -> None:
        done = self.node.good("GET", f"/v1/actions/{self.ids['completed_in_sql']}")
        self.assertEqual(done["output"], {"in": "sql"})
        failed = self.node.good("GET", f"/v1/actions/{self.ids['failed_in_sql']}")
        self.assertEqual(failed["errorMessage"], "in sql")
        chain = self.node.good("GET", f"/v1/chains/{self.ids['continued_in_sql']}")["chain"]
        self.assertEqual((chain["chainIndex"], chain["output"]), (1, {"drained": "from_sql"}))
        asked = f"select semel.outbox_result('{self.ids['enqueued_duplicate']}')"
        answer = json.loads(self.server.ask(asked, self.store))
        self.assertEqual((answer["decision"], answer["id"]), ("duplicate", self.ids["key_completed"]))

    # ---- keys ---------------------------------------------------------------------------------

    def check_keys(self) -> None:
        def meets(name: str, payload: object, **deduplication: object) -> dict:
            answer = self.node.good("POST", "/v1/actions", {"type": name, "payload": payload,
                                                            "deduplication": deduplication | {"windowSeconds": LONG}})
            self.assertEqual((answer["decision"], answer["id"]), ("duplicate", self.ids[name]))
            return answer
        meets("key_completed", [1], key="once", scope="any")
        self.assertTrue(meets("key_pending", {"v": 3}, key="held", scope="incomplete")["replaced"])
        entity = {"entityType": "order", "entityId": "17", "kind": "mail"}
        rejects = {"keyFields": ["/kind"], "onDuplicate": "reject"}
        meets("key_of_entity", entity | {"entityId": 17, "v": 1}, **rejects)
        status, refused = self.node.ask("POST", "/v1/actions", {
            "type": "key_of_entity", "payload": entity | {"v": 2}, "deduplication": rejects | {"windowSeconds": LONG}})
        self.assertEqual((status, refused["code"]), (409, "conflict"))
        for name, key, scope in (("chain_completed", "whole", "any"), ("chain_far", "far", "incomplete"),
                                 ("chain_deleted", "deleted", "any")):
            answer = self.node.good("POST", "/v1/chains", {"type": name, "deduplication": {"key": key, "scope": scope}})
            self.assertEqual((answer["deduplicated"], answer["chain"]["id"]), (True, self.ids[name]))
            self.assertEqual(answer["chain"].get("purged", False), name == "chain_deleted")
        answer = self.node.good("POST", "/v1/chains", {"type": "chain_chosen_1", "id": self.ids["chain_chosen_1"],
                                                       "input": {"then": 1}})
        self.assertTrue(answer["deduplicated"])

    def check_repeats(self) -> None:
        """Repeats calls that the older program accepted, with the same content and with other content."""
        for name, status in (("completed", "completed"), ("failed_for_good", "failed")):
            made = self.ids[name]
            token = self.old["job_tokens"][made]
            good, other, verb = (({"output": {"sum": 1e2}}, {"output": 1}, "complete") if status == "completed" else
                                 ({"error": "never", "final": True}, {"error": "else", "final": True}, "fail"))
            answer = self.node.good("POST", f"/v1/jobs/{made}/{verb}", {"token": token} | good)
            self.assertEqual(answer["status"], status)
            code, refused = self.node.ask("POST", f"/v1/jobs/{made}/{verb}", {"token": token} | other)
            self.assertEqual((code, refused["code"]), (409, "conflict"))
            code, refused = self.node.ask("POST", f"/v1/jobs/{made}/{verb}", {"token": token - 1} | good)
            self.assertEqual((code, refused["code"]), (409, "stale_token"))
            code, refused = self.node.ask("POST", f"/v1/jobs/{made}/release", {"token": token})
            self.assertEqual((code, refused["code"]), (409, "wrong_state"))


class OnSqlite(Upgrade, unittest.TestCase):
    golden = "sqlite"

    def make_store(self) -> str:
        return self.sqlite_copy()


class OnPostgres(Upgrade, unittest.TestCase):
    """The database stays in its place, so the store trusts its queue tables."""

    golden = "postgres"
    was_settled_in_sql = True

    def make_store(self) -> str:
        url = self.load_dump()
        self.server.ask("update semel.meta set made_at = semel.name_of_place()", url)
        return url


class OnCopyOfPostgres(Upgrade, unittest.TestCase):
    """The database is a restored dump, so the store makes its queue tables again."""

    golden = "postgres"
    was_settled_in_sql = True

    def make_store(self) -> str:
        return self.load_dump()


class MovedToPostgres(Upgrade, unittest.TestCase):
    golden = "sqlite"

    def make_store(self) -> str:
        url = self.server.make_database()
        file = self.sqlite_copy()
        self.run_semel("migrate", "--store", file)
        self.run_semel("migrate", "--from", file, "--to", url)
        return url


def main() -> None:
    Upgrade.semel = os.path.abspath(sys.argv.pop(1))
    with postgres_server.PostgresServer() as server:
        Upgrade.server = server
        result = unittest.main(exit=False).result
    sys.exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()

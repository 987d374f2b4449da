#!/usr/bin/env python3
"""Makes the stores that upgrade_test.py opens, with a program of an older version.

Usage: make_stores.py SEMEL [--only sqlite|postgres]

SEMEL is the older program; stores/README.md names its commit. The script writes four files into stores/: sqlite.db,
postgres.sql, and beside each a .json with the last answers of SEMEL about that store. All data is made up.

At the end four jobs fail in one commit, and the script kills SEMEL at once. So the store keeps failed jobs whose
dependants have not failed yet, a state that lasts for milliseconds. The script fails if a table or a place is empty.
"""
import argparse
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

import old_store

sys.path.insert(0, str(old_store.FOLDER.parent / "support"))
import pg_binaries  # noqa: E402
import postgres_server  # noqa: E402

FAR = "2099-01-01T00:00:00.000Z"
LONG = 3_000_000_000  # seconds: a window, or a retention, that outlives the fixture
LEASE_MS = 10_000  # covers the rest of the script; a test on a slow clock waits as long
TIMEOUT_MS = 3_000  # runs out while the script works; a drain under load completes its job in less
SHORT_BACKOFF = {"kind": "fixed", "delayMs": 100}
DOOMED = 4
PLACES = range(10)
# Segments need 4096 claims; `moved_from` has a row only after `semel migrate --from`.
MAY_BE_EMPTY = {"claim_segment", "claim_place", "moved_from"}


class Filler:
    """Fills a fresh store over HTTP. Names what it makes, so that the test can ask for it."""

    def __init__(self, node: old_store.Node) -> None:
        self.node = node
        self.ids: dict[str, str] = {}
        self.fences: list[str] = []
        self.bulk_runs: list[str] = []
        self.job_tokens: dict[str, int] = {}

    # ---- calls --------------------------------------------------------------------------------

    def action(self, name: str, tenant: str = "default", **members: object) -> dict:
        body = {"type": name, "deduplication": False} | members
        answer = self.node.good("POST", "/v1/actions", body, tenant)
        self.ids.setdefault(name, answer["id"])
        return answer

    def chain(self, name: str, tenant: str = "default", **members: object) -> str:
        answer = self.node.good("POST", "/v1/chains", {"type": name} | members, tenant)
        self.ids.setdefault(name, answer["chain"]["id"])
        return answer["chain"]["id"]

    def take(self, kind: str, lease_ms: int = LEASE_MS, tenant: str = "default", count: int = 1) -> list[dict]:
        body = {"types": [kind], "max": count, "worker": f"worker of {kind}", "leaseMs": lease_ms, "waitMs": 20_000}
        jobs = self.node.good("POST", "/v1/jobs/claim", body, tenant)["jobs"]
        assert len(jobs) == count, f"{len(jobs)} jobs of type {kind}, not {count}"
        self.job_tokens |= {job["id"]: job["token"] for job in jobs}
        return jobs

    def settle(self, verb: str, job: dict, tenant: str = "default", **members: object) -> dict:
        return self.node.good("POST", f"/v1/jobs/{job['id']}/{verb}", {"token": job["token"]} | members, tenant)

    def work(self, kind: str, verb: str = "complete", tenant: str = "default", **members: object) -> dict:
        return self.settle(verb, self.take(kind, tenant=tenant)[0], tenant, **members)

    def claim(self, key: str, **members: object) -> dict:
        """Claims a fence. Returns the answer, also a refusal."""
        body = {"key": key} if "parts" not in members else {}
        answer = self.node.ask("POST", "/v1/fences/claim", body | members)[1]
        made = answer.get("key", key)
        if made not in self.fences:
            self.fences.append(made)
        self.ids[f"fence:{key}"] = made
        return answer

    def seal(self, key: str, answer: dict, receipt: object) -> None:
        body = {"token": answer["token"], "effectId": f"effect of {key}", "receipt": receipt}
        self.node.good("POST", old_store.fence_path(answer["key"]) + "/seal", body)

    def fence_verb(self, verb: str, answer: dict, **members: object) -> None:
        self.node.good("POST", f"{old_store.fence_path(answer['key'])}/{verb}", members)

    # ---- what is made -------------------------------------------------------------------------

    def make_tokens(self) -> None:
        admin = self.node.good("POST", "/v1/tokens", {"scopes": ["admin"], "name": "admin"})
        self.node.secret = admin["secret"]
        self.node.good("POST", "/v1/tokens", {"scopes": ["read", "work"], "name": "until 2099", "tenant": "acme",
                                              "expiresAt": FAR})
        gone = self.node.good("POST", "/v1/tokens", {"scopes": ["write"], "name": "deleted"})
        self.node.ask("DELETE", f"/v1/tokens/{gone['id']}")

    def make_ended_actions(self) -> None:
        self.action("completed", payload={"n": 1.50, "text": "é\u0000\"", "list": [1, None, True]}, priority=7,
                    timeoutMs=60_000)
        job = self.take("completed")[0]
        self.settle("complete", job, output={"sum": 1e2})
        self.action("failed", maxRetries=1, backoff={"kind": "jitter", "baseMs": 10, "maxMs": 20})
        self.work("failed", "fail", error="no luck: é")
        self.action("failed_at_last", maxRetries=2, backoff=SHORT_BACKOFF)
        self.work("failed_at_last", "fail", error="first")
        self.work("failed_at_last", "fail", error="second")
        self.action("failed_for_good", maxRetries=1000)
        self.work("failed_for_good", "fail", error="never", final=True)
        self.action("cancelled", delayMs=3_600_000)
        self.node.good("POST", f"/v1/actions/{self.ids['cancelled']}/cancel")
        self.action("cancelled_while_running")
        self.take("cancelled_while_running")
        self.node.good("POST", f"/v1/actions/{self.ids['cancelled_while_running']}/cancel")
        self.action("retried_by_operator", maxRetries=1)
        self.work("retried_by_operator", "fail", error="once")
        self.node.good("POST", f"/v1/actions/{self.ids['retried_by_operator']}/retry")
        self.action("released")
        self.work("released", "release")
        self.action("lost_once", backoff=SHORT_BACKOFF)
        self.take("lost_once", lease_ms=100)
        self.action("timed_out_once", timeoutMs=TIMEOUT_MS, backoff=SHORT_BACKOFF)
        self.take("timed_out_once")
        self.action("lost_for_good", maxRetries=1)
        self.take("lost_for_good", lease_ms=100)
        self.action("large", payload={"text": "large " * 500})
        self.work("large", output={"text": "wide " * 500})
        self.action("of_acme", "acme", payload={"entityType": "order", "entityId": "é"})
        self.action("done_of_acme", "acme")
        self.work("done_of_acme", tenant="acme", output=[])

    def make_keys(self) -> None:
        once = {"key": "once", "scope": "any", "windowSeconds": LONG}
        for _ in range(3):
            self.action("key_completed", payload=[1], deduplication=once)
        self.work("key_completed", output={"done": "once"})
        held = {"key": "held", "scope": "incomplete", "windowSeconds": LONG}
        self.action("key_pending", payload={"v": 1}, scheduledAt=FAR, deduplication=held)
        self.action("key_pending", payload={"v": 2}, deduplication=held)
        rejects = {"keyFields": ["/kind"], "onDuplicate": "reject", "windowSeconds": LONG}
        entity = {"entityType": "order", "entityId": 17, "kind": "mail"}
        self.action("key_of_entity", payload=entity | {"v": 1}, scheduledAt=FAR, deduplication=rejects)
        refused = self.node.ask("POST", "/v1/actions", {"type": "key_of_entity", "payload": entity | {"v": 2},
                                                        "deduplication": rejects})
        assert refused[0] == 409, refused
        self.action("debounced", payload={"v": 1}, deduplication={
            "key": "calm", "onDuplicate": "debounce", "windowSeconds": 3600, "maxWaitMs": 3_600_000})
        self.node.good("POST", f"/v1/actions/{self.ids['debounced']}/run")
        self.action("seals_a_request")
        self.node.good("POST", "/v1/actions", {"type": "idempotent"}, headers={"Idempotency-Key": "request-1"})
        follows = {"key": "newest", "windowSeconds": LONG}
        self.action("superseded", payload=1, deduplication=follows)
        job = self.take("superseded")[0]
        self.ids["successor"] = self.action("superseded", payload=2, deduplication=follows)["id"]
        self.settle("fail", job, error="overtaken")

    def make_ended_chains(self) -> None:
        key = {"key": "whole", "scope": "any"}
        self.chain("chain_completed", input={"then": 2}, deduplication=key)
        self.work("chain_completed", continueWith={"type": "step", "input": {"then": 1}})
        self.work("step", continueWith={"type": "step", "input": {"then": 0}, "schedule": {"afterMs": 1}})
        self.work("step", output={"whole": True})
        self.chain("chain_failed", maxRetries=1)
        self.chain("chain_waits_for_failed", blockers=[self.ids["chain_failed"]], onBlockerFailed="wait")
        self.chain("chain_failed_by_blocker", blockers=[self.ids["chain_failed"]])
        self.work("chain_failed", "fail", error="the end")
        self.chain("chain_cancelled")
        self.node.good("POST", f"/v1/chains/{self.ids['chain_cancelled']}/cancel")
        self.chain("chain_deleted", deduplication={"key": "deleted", "scope": "any"})
        self.work("chain_deleted", output=1)
        self.node.good("DELETE", f"/v1/chains/{self.ids['chain_deleted']}")

    def make_open_chains(self) -> None:
        self.chain("chain_far", schedule={"at": FAR}, deduplication={"key": "far"})
        self.chain("chain_blocked", blockers=[self.ids["chain_far"]], lockGroup="blocked")
        self.chain("chain_on_its_way", input={"then": 2})
        self.work("chain_on_its_way", continueWith={"type": "way", "input": {"then": 1}, "priority": 3})
        self.chain("chain_joins", blockers=[self.ids["chain_completed"], {"id": self.ids["chain_on_its_way"]},
                                            {"type": "chain_inline", "input": {"then": 1}}])
        self.chain("chain_goes_on", input={"then": 1}, blockers=[self.ids["chain_joins"]], timeoutMs=60_000)
        # Both ids have the same first half, by which SQLite finds a job.
        for n in (1, 2):
            self.chain(f"chain_chosen_{n}", id=f"01980000-0000-7000-8000-00000000000{n}", input={"then": n})
        self.chain("chain_of_acme", "acme", input={"then": 1}, lockGroup="shared")

    def make_schedules(self) -> None:
        def put(name: str, **members: object) -> None:
            answer = self.node.good("PUT", f"/v1/schedules/{name}", {"type": name} | members)
            assert answer["name"] == name
        put("quarterly", every="PT15M", payload={"a": 1}, lockGroup="reports", maxRetries=5, backoff=SHORT_BACKOFF,
            timeoutMs=60_000, priority=2)
        self.work("quarterly", output="first")
        put("rolling", every="daily", recurrenceType="rolling", missed="skip")
        put("paused", every="hourly")
        self.node.good("POST", "/v1/schedules/paused/pause")
        self.ids["triggered"] = self.node.good("POST", "/v1/schedules/paused/trigger")["id"]
        put("cron", cron="30 2 29 2 *", timezone="Europe/Berlin", startAt=FAR, missed="all")
        put("spent", cron="0 3 1 1 *", recurrenceType="fixed", startAt=FAR)
        occurrence = self.node.listed("/v1/actions")[0]
        assert occurrence["scheduleName"] == "spent", occurrence
        self.node.good("POST", f"/v1/actions/{occurrence['id']}/run")
        self.work("spent")
        put("deleted", every="weekly")
        self.work("deleted")
        self.node.ask("DELETE", "/v1/schedules/deleted")

    def make_bulk_runs(self) -> None:
        for _ in range(3):
            self.action("bulk", delayMs=3_600_000)
        for dry in (True, False):
            answer = self.node.good("POST", "/v1/actions/bulk", {"verb": "cancel", "dryRun": dry,
                                                                 "filter": {"type": "bulk", "status": "pending"}})
            self.bulk_runs.append(answer["id"])
            while not self.node.good("GET", f"/v1/bulk/{answer['id']}")["finishedAt"]:
                time.sleep(0.05)  # waits: until the node has finished the run

    def make_fences(self) -> None:
        content = {"total": 12, "password": "hush"}
        answer = self.claim("sealed", content=content, ttlSeconds=LONG)
        self.seal("sealed", answer, {"charge": "ch_1", "text": "é"})
        self.claim("sealed", content=content)
        self.claim("sealed", content={"total": 13})
        answer = self.claim("sealed/by class", **{"class": "webhook"}, fingerprint="v1")
        self.seal("sealed/by class", answer, None)
        self.fence_verb("release", answer := self.claim("released"), token=answer["token"])
        self.fence_verb("uncertain", answer := self.claim("uncertain", content=[1]), token=answer["token"], reason="?")
        self.fence_verb("uncertain", answer := self.claim("resolved"), token=answer["token"])
        self.fence_verb("resolve", answer, outcome="sealed", effectId="by hand", receipt=[2], reason="asked the bank")
        answer = self.claim("expired", ttlSeconds=1)
        self.seal("expired", answer, {"old": True})
        self.claim("taken_over", leaseMs=100)
        taken = self.claim("taken_over", leaseMs=60_000, ttlSeconds=LONG, waitMs=10_000)
        assert taken["takeover"], taken
        self.seal("taken_over", taken, 3)
        for version in (4, 5):
            self.claim_version(version, seals=True)
        while self.claim("expired", leaseMs=100)["decision"] != "new":
            time.sleep(0.1)  # waits: for the receipt's end

    def claim_version(self, version: int, seals: bool, source: str = "order") -> None:
        parts = {"sourceType": source, "sourceId": "17", "revision": version, "action": "ship"}
        answer = self.claim(f"{source}:{version}", parts=parts, version=version, ttlSeconds=LONG, leaseMs=LEASE_MS)
        if seals:
            self.seal(f"{source}:{version}", answer, {"version": version})

    def make_open_work(self) -> None:
        """Leases, delays and backoffs that end soon after the script."""
        self.action("now", payload={"entityType": "order", "entityId": 7}, deduplication=None)
        self.action("later", delayMs=LEASE_MS)
        for n, backoff in enumerate(({"kind": "linear", "stepMs": 5}, {"kind": "jitter", "baseMs": 1, "maxMs": 2},
                                     {"kind": "exponential", "baseMs": 5, "factor": 2.5, "maxMs": 100}), start=1):
            self.action(f"backoff_{n}", backoff=backoff, maxRetries=9)
            self.work(f"backoff_{n}", "fail", error=f"try {n}", retryAfterMs=LEASE_MS)
        self.action("held", payload={"held": 1}, maxRetries=3)
        self.action("held_with_timeout", timeoutMs=LEASE_MS, backoff=SHORT_BACKOFF)
        self.chain("chain_held", input={"then": 1})
        for kind in ("held", "held_with_timeout", "chain_held"):
            self.take(kind)
        for name in ("completed_in_sql", "failed_in_sql", "continued_in_sql"):
            self.action(name, maxRetries=1 if name == "failed_in_sql" else 3)
            self.take(name)
        follows = {"key": "follows", "windowSeconds": LONG}
        self.action("overtaken", payload=1, deduplication=follows)
        self.take("overtaken")
        self.ids["follower"] = self.action("overtaken", payload=2, deduplication=follows)["id"]
        for n in range(4):
            self.action(f"group_{n}", lockGroup="queue")
        self.take("group_0")
        self.action("group_far", lockGroup="far", scheduledAt=FAR)
        self.action("group_ready", lockGroup="ready")
        self.action("group_behind", lockGroup="ready", delayMs=1)
        self.take("rolling")
        self.claim("in_flight", content={"a": 1}, leaseMs=LEASE_MS)
        self.claim("in_flight", content={"a": 1})
        self.claim("sealed_in_sql", ttlSeconds=LONG, leaseMs=LEASE_MS)
        self.claim_version(8, seals=False, source="invoice")

    def make_doomed(self) -> list[dict]:
        """Makes chains in threes: the second waits for the first, and the third for the second. Claims the firsts."""
        for n in range(DOOMED):
            self.chain(f"doomed_{n}", type="doomed", maxRetries=1)
            self.chain(f"waits_{n}", type="waits", blockers=[self.ids[f"doomed_{n}"]])
            self.chain(f"waits_too_{n}", type="waits", blockers=[self.ids[f"waits_{n}"]])
        return self.take("doomed", count=DOOMED)

    def fill(self) -> dict:
        """Makes all rows, kills the program, and returns its last answers."""
        self.make_tokens()
        self.make_ended_actions()
        self.make_keys()
        self.make_ended_chains()
        self.make_open_chains()
        self.make_schedules()
        self.make_bulk_runs()
        self.make_fences()
        time.sleep(2.5)  # waits: until the node has rescued lost leases and written sums to the decision log
        self.make_open_work()
        doomed = self.make_doomed()
        time.sleep(1.2)  # waits: until the node has written sums to the decision log
        shown = old_store.everything(self.node, self.fences, self.bulk_runs)
        items = [{"id": job["id"], "verb": "fail", "token": job["token"], "error": "doomed"} for job in doomed]
        self.node.good("POST", "/v1/jobs/settle", {"items": items})
        self.node.server.kill()
        return {"secret": self.node.secret, "ids": self.ids, "job_tokens": self.job_tokens} | shown


# ---- the stores -------------------------------------------------------------------------------

def start(semel: str, store: str, folder: pathlib.Path) -> Filler:
    node = old_store.Node(semel, store, folder / "log")
    node.start()
    return Filler(node)


def is_complete(rows: dict[str, int], places: set[int]) -> bool:
    """Prints the tables and places without rows. Returns whether there are none."""
    empty = {table for table, count in rows.items() if count == 0} - MAY_BE_EMPTY
    missing = set(PLACES) - places
    print(f"  {sum(rows.values())} rows; empty tables: {sorted(empty)}; places without a job: {sorted(missing)}")
    return not empty and not missing


def make_sqlite(semel: str, folder: pathlib.Path) -> tuple[str, dict] | None:
    path = folder / "sqlite.db"
    shown = start(semel, str(path), folder).fill()
    store = sqlite3.connect(path)
    store.execute("pragma wal_checkpoint(truncate)")
    tables = [row[0] for row in store.execute("select name from sqlite_schema where type = 'table'")]
    rows = {table: store.execute(f"select count(*) from {table}").fetchone()[0] for table in tables}
    places = {row[0] for row in store.execute("select distinct place from job")}
    store.close()
    return ("sqlite.db", shown) if is_complete(rows, places) else None


class Sql:
    """Calls the functions of a store in PostgreSQL."""

    def __init__(self, server: postgres_server.PostgresServer, url: str) -> None:
        self.server = server
        self.url = url

    def call(self, function: str, *arguments: object) -> str:
        texts = ["'" + (a if isinstance(a, str) else json.dumps(a)).replace("'", "''") + "'" for a in arguments]
        return self.ask(f"select semel.{function}({', '.join(texts)})").strip()

    def ask(self, sql: str) -> str:
        return self.server.ask(sql, self.url)


def leave_answer_in_outbox(sql: Sql, filler: Filler) -> None:
    filler.ids["enqueued_before"] = sql.call("enqueue_action", "enqueued_before", [1])
    while not sql.call("outbox_result", filler.ids["enqueued_before"]):
        time.sleep(0.05)  # waits: until a node decides the entry


def leave_in_outbox(sql: Sql, shown: dict) -> None:
    """Makes calls in SQL while no node runs."""
    def owned(name: str) -> tuple[str, str]:
        return shown["ids"][name], str(shown["job_tokens"][shown["ids"][name]])

    call = sql.call
    once = {"key": "once", "scope": "any", "windowSeconds": LONG}
    shown["ids"]["enqueued"] = call("enqueue_action", "enqueued", {"n": 1}, {"lockGroup": "queue"})
    shown["ids"]["enqueued_duplicate"] = call("enqueue_action", "key_completed", [2], {"deduplication": once})
    shown["ids"]["enqueued_chain"] = call("enqueue_chain", "enqueued_chain", {"then": 1})
    call("complete_job", *owned("completed_in_sql"), {"in": "sql"})
    call("fail_job", *owned("failed_in_sql"), "in sql")
    call("complete_job", *owned("continued_in_sql"), "null", {"type": "from_sql", "input": {"then": 0}})
    token = str(shown["fences"]["sealed_in_sql"]["token"])
    call("seal_fence", "sealed_in_sql", token, "effect of sealed_in_sql", {"in": "sql"})


def dump(url: str) -> str:
    """Returns the schema `semel` as SQL that every psql from version 15 on reads."""
    words = [pg_binaries.client("pg_dump"), "--schema=semel", "--no-owner", "--no-publications", url]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    kept = [line for line in text.split("\n") if not line.startswith(("\\restrict", "\\unrestrict", "-- Dumped "))]
    return "\n".join(kept).rstrip() + "\n"


def make_postgres(semel: str, folder: pathlib.Path) -> tuple[str, dict] | None:
    with postgres_server.PostgresServer() as server:
        url = server.make_database()
        sql = Sql(server, url)
        filler = start(semel, url, folder)
        leave_answer_in_outbox(sql, filler)
        shown = filler.fill()
        leave_in_outbox(sql, shown)
        names = sql.ask("select relname from pg_class where relnamespace = 'semel'::regnamespace and relkind = 'r' "
                        "and not relispartition").split()
        rows = {name: int(sql.ask(f"select count(*) from semel.{name}")) for name in names}
        places = set(sql.ask("select distinct place from semel.job").split())
        (folder / "postgres.sql").write_text(dump(url), encoding="utf-8")
        # The row of a running job says what it was before; `run` has the rest.
        return ("postgres.sql", shown) if is_complete(rows, {2} | {int(place) for place in places}) else None


MAKERS = {"sqlite": make_sqlite, "postgres": make_postgres}


def document(value: object, levels: int = 3) -> str:
    """JSON with a line for each row."""
    if levels == 0 or not value or not isinstance(value, (dict, list)):
        return json.dumps(value)
    if isinstance(value, list):
        return "[\n" + ",\n".join(document(item, 0) for item in value) + "\n]"
    members = (f"{json.dumps(name)}: {document(item, levels - 1)}" for name, item in value.items())
    return "{\n" + ",\n".join(members) + "\n}"


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("semel")
    arguments.add_argument("--only", choices=sorted(MAKERS))
    options = arguments.parse_args()
    old_store.STORES.mkdir(exist_ok=True)
    for name in [options.only] if options.only else sorted(MAKERS):
        print(f"{name}:")
        with tempfile.TemporaryDirectory(prefix="semel-old-store-") as folder:
            made = MAKERS[name](options.semel, pathlib.Path(folder))
            if not made:
                return 1
            file, shown = made
            (old_store.STORES / file).write_bytes((pathlib.Path(folder) / file).read_bytes())
            (old_store.STORES / f"{name}.json").write_text(document(shown) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

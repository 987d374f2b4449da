"""Serves a store and reads all its rows over HTTP, for make_stores.py and upgrade_test.py."""
import json
import pathlib
import sys
import urllib.parse

FOLDER = pathlib.Path(__file__).resolve().parent
STORES = FOLDER / "stores"

sys.path.insert(0, str(FOLDER.parent / "support"))
import semel_process  # noqa: E402

# Keeps every row of the fixtures, at any later date.
KEEPS_ALL = {"SEMEL_ACTIONS_RETENTION_DAYS": "36600", "SEMEL_KEYS_RETENTION": "forever",
             "SEMEL_DECISIONS_RETENTION": "forever"}
TENANTS = ("default", "acme")


class Node:
    """One `semel serve` on a store, and calls to it with an admin's API token."""

    def __init__(self, semel: str, store: str, log: pathlib.Path, secret: str = "") -> None:
        self.server = semel_process.Server(semel, store, log, env=KEEPS_ALL)
        self.log = log
        self.secret = secret

    def start(self) -> None:
        try:
            self.server.start(60.0)
        except RuntimeError as error:
            raise RuntimeError(f"{error}\n{self.log.read_text(encoding='utf-8')}") from error

    def ask(self, method: str, path: str, body: dict | None = None, tenant: str = "default",
            headers: dict[str, str] | None = None) -> tuple[int, dict]:
        headers = dict(headers or {})
        if self.secret:
            headers |= {"Authorization": f"Bearer {self.secret}", "Semel-Tenant": tenant}
        return semel_process.request(self.server.port, method, path, body, timeout=60.0, headers=headers)

    def good(self, method: str, path: str, body: dict | None = None, tenant: str = "default",
             headers: dict[str, str] | None = None) -> dict:
        """Returns the answer of a call. Raises RuntimeError if the call is refused."""
        status, answer = self.ask(method, path, body, tenant, headers)
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {json.dumps(answer)}")
        return answer

    def listed(self, path: str, tenant: str = "default") -> list[dict]:
        """Returns all items of a list, the newest first."""
        items: list[dict] = []
        cursor = ""
        while True:
            page = self.good("GET", f"{path}?limit=500{cursor}", tenant=tenant)
            items += page["items"]
            if not page.get("nextCursor"):
                return items
            cursor = f"&cursor={urllib.parse.quote(page['nextCursor'])}"


def fence_path(key: str) -> str:
    return "/v1/fences/" + urllib.parse.quote(key, safe="")


def everything(node: Node, fences: list[str], bulk_runs: list[str]) -> dict:
    """Returns all rows that HTTP shows. Expects keys of fences and ids of bulk runs, which have no list."""
    shown: dict = {"actions": {}, "chains": {}, "steps": {}, "schedules": {}, "decisions": {}}
    for tenant in TENANTS:
        actions = node.listed("/v1/actions", tenant)
        shown["actions"][tenant] = [node.good("GET", f"/v1/actions/{item['id']}", tenant=tenant) for item in actions]
        shown["chains"][tenant] = node.listed("/v1/chains", tenant)
        shown["schedules"][tenant] = node.listed("/v1/schedules", tenant)
        shown["decisions"][tenant] = node.listed("/v1/decisions", tenant)
        for chain in shown["chains"][tenant]:
            jobs = node.listed(f"/v1/chains/{chain['id']}/jobs", tenant)
            shown["steps"][chain["id"]] = [[job["id"], [b["id"] for b in job["blockers"]]] for job in jobs]
    shown["fences"] = {key: node.ask("GET", fence_path(key))[1] for key in fences}
    shown["bulk_runs"] = [node.good("GET", f"/v1/bulk/{run}") for run in bulk_runs]
    shown["tokens"] = node.listed("/v1/tokens")
    shown["receipt_key"] = node.good("GET", "/v1/receipts/key")
    return shown

#!/usr/bin/env python3
"""A disk in trouble under the real server: no acknowledgement that does not hold, and reads stay up.

    broken   from some fdatasync on all fail with EIO, injected by strace: from the first refusal on
             nothing is acknowledged; a restart finds all that was
    passing  a few fail, then they succeed again: writing resumes by itself
    full     the store is on a tmpfs of 24 MB that fills up: writes are refused, and resume when there
             is space again

Usage: disk_test.py SEMEL broken|passing|full [--rounds N] [--seed N] [--control]

--control  answers leave before the commit: what does not hold must then be found
Ends with 77, skipped, where strace or mount is not allowed. Writes `rounds acknowledged refused` to
the file that $SEMEL_DISK_COUNTS names, where that is set.
"""
import argparse
import collections
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import checker  # noqa: E402
import crash_world  # noqa: E402
import semel_process  # noqa: E402

SKIPPED = 77
TMPFS_BYTES = 24 * 1024 * 1024
BALLAST_BYTES = 8 * 1024 * 1024  # what is removed when space shall return
PADDING_BYTES = 40_000
CLIENTS = 4
WAIT_SECONDS = 60
AFTERWARDS = 100  # answers that are waited for after the first refusal, or after the trouble


class Disk:
    """One server in trouble, and what it answered."""

    def __init__(self, semel: str, folder: pathlib.Path, store: pathlib.Path, is_control: bool,
                 prefix: list[str]) -> None:
        env = {**os.environ, "SEMEL_LOG_LEVEL": "off"}
        # Leaks cannot be looked for under ptrace.
        env["ASAN_OPTIONS"] = ":".join(filter(None, [env.get("ASAN_OPTIONS"), "detect_leaks=0"]))
        self.mutation = {"SEMEL_MUTATION": "answer_before_commit"} if is_control else {}
        self.server = semel_process.Server(semel, store, folder / "log", env={**env, **self.mutation})
        self.sound_command = self.server.command
        self.server.command = prefix + self.server.command
        self.env = env
        self.lock = threading.Lock()
        self.acknowledged: dict[str, str] = {}  # our key -> action id
        self.counts: collections.Counter = collections.Counter()
        self.violations: collections.Counter = collections.Counter()
        self.first_refusal: float | None = None
        self.is_sending = True

    def ask(self, method: str, path: str, body: dict | None = None) -> tuple[int, dict]:
        return semel_process.request(self.server.port, method, path, body, timeout=WAIT_SECONDS)

    def send(self, number: int, padding: int, late_counts: bool) -> None:
        sequence = 0
        while self.is_sending:
            key = f"{number}-{sequence}"
            sequence += 1
            item = crash_world.action(key)
            item["payload"]["padding"] = "x" * padding
            sent = time.monotonic()
            status, answer = self.ask("POST", "/v1/actions", item)
            with self.lock:
                self.note(key, status, answer, sent, late_counts)
            if status == 503:
                time.sleep(0.01)  # waits: it was told to come back later

    def note(self, key: str, status: int, answer: dict, sent: float, late_counts: bool) -> None:
        if status in (200, 201):
            self.acknowledged[key] = answer["id"]
            self.counts["acknowledged"] += 1
            if late_counts and self.first_refusal is not None and sent > self.first_refusal:
                self.violations["acknowledged_after_error"] += 1
        elif status == 503:
            self.counts["refused"] += 1
            self.first_refusal = self.first_refusal or time.monotonic()
        else:
            self.violations[f"schedule_{status}"] += 1

    def begin(self, padding: int = 0, late_counts: bool = False) -> list[threading.Thread]:
        clients = [threading.Thread(target=self.send, args=(n, padding, late_counts))
                   for n in range(CLIENTS)]
        for thread in clients:
            thread.start()
        return clients

    def end(self, clients: list[threading.Thread]) -> None:
        self.is_sending = False
        for thread in clients:
            thread.join()

    def wait_for(self, what: str, more: int) -> None:
        """Until that was answered so many times more, or it is plain that it will not be."""
        wanted = self.counts[what] + more
        deadline = time.monotonic() + WAIT_SECONDS
        while self.counts[what] < wanted and time.monotonic() < deadline:
            time.sleep(0.01)  # waits: clients are asking
        if self.counts[what] < wanted:
            self.violations[f"never_{what}"] += 1

    def check_reads(self) -> None:
        for path in ("/healthz", "/v1/actions?limit=1", "/metrics"):
            if self.ask("GET", path)[0] != 200:
                self.violations["read_failed"] += 1

    def check_kept(self) -> None:
        with self.lock:
            promised = set(self.acknowledged.values())
        stored = {action["id"] for action in checker.all_actions(self, "work")}
        self.violations["lost"] += len(promised - stored)

    def restart_sound(self) -> None:
        self.server.command = self.sound_command
        self.server.env = self.env
        self.server.start()


def trouble(first: int, last: str) -> list[str]:
    calls = "fdatasync,fsync"
    return ["strace", "--follow-forks", "--output=/dev/null", f"--trace={calls}",
            f"--inject={calls}:error=EIO:when={first}{last}"]


def broken(semel: str, folder: pathlib.Path, rng: random.Random, is_control: bool) -> Disk:
    disk = Disk(semel, folder, folder / "semel.db", is_control, trouble(rng.randrange(20, 120), "+"))
    disk.server.start()
    clients = disk.begin(late_counts=True)
    disk.wait_for("refused", AFTERWARDS)
    disk.check_reads()
    if disk.ask("GET", "/readyz")[0] != 503:
        disk.violations["called_itself_ready"] += 1
    disk.end(clients)
    kill_traced(disk)
    disk.restart_sound()
    disk.check_kept()
    if disk.ask("POST", "/v1/actions", crash_world.action("afterwards"))[0] != 201:
        disk.violations["not_resumed"] += 1
    disk.server.kill()
    return disk


def passing(semel: str, folder: pathlib.Path, rng: random.Random, is_control: bool) -> Disk:
    first = rng.randrange(20, 120)
    last = f"..{first + rng.choice((0, 1, 2, 5, 10))}"
    disk = Disk(semel, folder, folder / "semel.db", is_control, trouble(first, last))
    disk.server.start()
    clients = disk.begin()
    disk.wait_for("acknowledged", 3 * AFTERWARDS)
    disk.end(clients)
    disk.check_reads()
    disk.check_kept()
    kill_traced(disk)
    disk.restart_sound()
    disk.check_kept()
    disk.server.kill()
    return disk


def kill_traced(disk: Disk) -> None:
    """strace first would leave the server running; its child first ends both."""
    assert disk.server.process
    children = pathlib.Path(f"/proc/{disk.server.process.pid}/task/{disk.server.process.pid}/children")
    for child in children.read_text().split():
        os.kill(int(child), 9)
    disk.server.process.wait()


def full(semel: str, folder: pathlib.Path, _: random.Random, is_control: bool) -> Disk:
    small = folder / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={TMPFS_BYTES}", "tmpfs", small], check=True)
    ballast = small / "ballast"
    ballast.write_bytes(b"x" * BALLAST_BYTES)
    disk = Disk(semel, folder, small / "semel.db", is_control, [])
    disk.server.start()
    clients = disk.begin(padding=PADDING_BYTES)
    disk.wait_for("refused", AFTERWARDS)
    disk.check_reads()
    disk.check_kept()
    ballast.unlink()
    disk.wait_for("acknowledged", AFTERWARDS)
    disk.end(clients)
    disk.check_kept()
    disk.server.kill()
    disk.restart_sound()
    disk.check_kept()
    disk.server.kill()
    subprocess.run(["umount", small], check=True)
    return disk


def enter_own_mounts(what: str) -> None:
    """Goes on in a namespace of its own, where it may mount and nothing is left behind."""
    if what != "full" or os.environ.get("SEMEL_OWN_MOUNTS"):
        return
    alone = ["unshare", "--mount", "--map-root-user"]
    if shutil.which("unshare") is None or subprocess.run(alone + ["true"], check=False).returncode:
        print("skipped: this machine lets nobody mount a small tmpfs (unshare --mount)")
        sys.exit(SKIPPED)
    os.environ["SEMEL_OWN_MOUNTS"] = "1"
    os.execvp(alone[0], alone + [sys.executable] + sys.argv)


def check_strace(what: str) -> None:
    if what == "full":
        return
    if shutil.which("strace") is None or subprocess.run(
            ["strace", "--output=/dev/null", "true"], check=False).returncode:
        print("skipped: strace is missing, or may not trace here")
        sys.exit(SKIPPED)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("semel")
    parser.add_argument("what", choices=("broken", "passing", "full"))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    arguments = parser.parse_args()
    enter_own_mounts(arguments.what)
    check_strace(arguments.what)
    rng = random.Random(arguments.seed)
    counts: collections.Counter = collections.Counter()
    violations: collections.Counter = collections.Counter()
    for _ in range(arguments.rounds):
        with tempfile.TemporaryDirectory(prefix="semel-disk-") as folder:
            disk = globals()[arguments.what](arguments.semel, pathlib.Path(folder), rng,
                                             arguments.control)
        counts += disk.counts
        violations += disk.violations
    print(f"{arguments.what}: rounds {arguments.rounds}, {dict(counts)}, violations {dict(violations)}")
    if path := os.environ.get("SEMEL_DISK_COUNTS"):
        pathlib.Path(path).write_text(
            f"{arguments.rounds} {counts['acknowledged']} {counts['refused']}\n")
    has_failed = bool(violations) != arguments.control
    print(f"{0 if has_failed else 1} passed, {1 if has_failed else 0} failed")
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main())

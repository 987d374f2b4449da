#!/usr/bin/env python3
"""A crash at every crash point: nothing acknowledged is lost, nothing happens twice, nothing is stuck.

The crash points are those of src/base/crash_point.hpp; the program itself lists them. Under the load
of tests/support/crash_world.py the server is started again and again, each time to die at another
point; those around handlers of the same process are reached with `handler_host`. A point that is
not reached fails the test. In the end the checker reads the client log, the ledger and the store.

Usage: crash_point_test.py SEMEL HANDLER_HOST [--hits N,N…] [--points NAME,NAME…] [--seed N] [--control]

--hits     die at these passes, 1 unless told; each on a store of its own
--control  answers leave before the commit: the checker must then find something
Writes a row for docs/proof.md to $SEMEL_PROOF_ROW, where that is set.
"""
import argparse
import dataclasses
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import checker  # noqa: E402
import crash_world  # noqa: E402

HIT_SECONDS = 60  # a point that is not reached by then never is
CLIENTS = 3
WORKERS = 3
# A store is given each migration once, and there are four: the tenth pass does not exist.
CREATING_HITS_MAX = 2
# What answers that leave too early are caught by: a process that dies between them and the commit.
CONTROL_POINTS = ["save_decisions", "writer_before_commit"] * 3
CONTROL_HITS = (10, 30)


@dataclasses.dataclass
class Point:
    name: str
    phase: str


def list_points(semel: str) -> list[Point]:
    """Asked for a point that is none, the program lists them all."""
    asked = subprocess.run([semel, "version"], env={**os.environ, "SEMEL_CRASH_AT": "?"},
                           capture_output=True, text=True, check=False)
    rows = [line.split(" ", 2) for line in asked.stderr.splitlines()[1:]]
    if asked.returncode != 2 or not rows:
        raise RuntimeError(f"{semel} has no crash points: it is no test build")
    return [Point(name, phase) for name, phase, _ in rows]


class Crasher:
    """Starts processes of one world, and has each die at a point."""

    def __init__(self, world: crash_world.World, handler_host: str) -> None:
        self.world = world
        self.handler_host = handler_host
        self.crashes = 0
        self.keys = 0

    def env(self, name: str, hit: int) -> dict[str, str]:
        return {**self.world.env, "SEMEL_CRASH_AT": f"{name}:{hit}"}

    def expect_crash(self, process: subprocess.Popen, name: str, hit: int, log: pathlib.Path) -> None:
        try:
            ended = process.wait(HIT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            self.world.violate(f"{name}:{hit}_never_reached")
            return
        last = log.read_text(errors="replace").splitlines()[-1:]
        if ended != -signal.SIGKILL or last != [f"crash point SEMEL_CRASH_AT={name}:{hit}"]:
            self.world.violate(f"{name}:{hit}_ended_with_{ended}")
        self.crashes += 1

    def launch(self, name: str, hit: int) -> None:
        self.world.server.env = self.env(name, hit)
        self.expect_crash(self.world.server.launch(), name, hit, self.world.server.log)

    def serving(self, name: str, hit: int) -> None:
        if name.endswith("_pruned"):
            self.world.age()
        self.launch(name, hit)

    creating = launch

    def starting(self, name: str, hit: int) -> None:
        for _ in range(hit):
            self.launch(name, 1)

    def stopping(self, name: str, hit: int) -> None:
        server = self.world.server
        for _ in range(hit):
            server.env = self.env(name, 1)
            server.start()
            assert server.process
            server.process.terminate()
            self.expect_crash(server.process, name, 1, server.log)

    def handling(self, name: str, hit: int) -> None:
        log = self.world.server.log
        deadline = time.monotonic() + HIT_SECONDS
        with log.open("ab") as err, self.host(err, self.env(name, hit)) as host:
            while time.monotonic() < deadline and self.schedule(host):
                pass
            self.expect_crash(host, name, hit, log)

    def host(self, err, env: dict[str, str]) -> subprocess.Popen:
        return subprocess.Popen([self.handler_host, self.world.store, str(self.world.ledger.port)],
                                env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err,
                                text=True)

    def schedule(self, host: subprocess.Popen) -> bool:
        """One more key; the one that the last process left unanswered comes first. False: it died."""
        key = f"host-{self.keys}"
        try:
            host.stdin.write(key + "\n")
            host.stdin.flush()
            answer = host.stdout.readline().split()
        except BrokenPipeError:
            return False
        if len(answer) != 2:
            return False
        self.world.acknowledged[key] = answer[1]
        self.keys += 1
        return True

    def finish_handling(self) -> None:
        """What was left is done with no crash, or left to the workers."""
        with self.world.server.log.open("ab") as err, self.host(err, self.world.env) as host:
            self.schedule(host)
            host.communicate()
            if host.returncode != 0:
                self.world.violate(f"handler_host_{host.returncode}")


def run_world(arguments: argparse.Namespace, points: list[Point], hit: int, env: dict[str, str],
              folder: pathlib.Path) -> tuple[crash_world.World, int]:
    world = crash_world.World(arguments.semel, folder, arguments.seed + hit, extra_env=env)
    crasher = Crasher(world, arguments.handler_host)

    def crash_at(phase: str) -> None:
        for point in [point for point in points if point.phase == phase]:
            began = time.monotonic()
            getattr(crasher, phase)(point.name, hit)
            print(f"{point.name}:{hit} {phase} {time.monotonic() - began:.1f} s", flush=True)

    if hit <= CREATING_HITS_MAX:
        crash_at("creating")
    crash_at("handling")
    if crasher.keys:
        crasher.finish_handling()
    world.begin(CLIENTS, WORKERS)
    crash_at("serving")
    crash_at("starting")
    crash_at("stopping")
    world.server.env = world.env
    world.server.start()
    checker.check(world, world.finish())
    if ended := world.server.stop():
        world.violate(f"stop_{ended}")
    bad = {what: n for what, n in world.violations.items() if n}
    print(f"hit {hit}: {crasher.crashes} crashes, {len(world.acknowledged)} actions, "
          f"counts {dict(world.counts)}, violations {bad}", flush=True)
    if bad and not arguments.control:
        print(world.server.log.read_text(errors="replace")[-4000:])
    return world, crasher.crashes


def wanted_points(arguments: argparse.Namespace) -> list[Point]:
    points = list_points(arguments.semel)
    if arguments.control:
        return [Point(name, "serving") for name in CONTROL_POINTS]
    random.Random(arguments.seed).shuffle(points)
    # The shuffled rest keeps its order; of migrations one must be left for the second point.
    points.sort(key=lambda point: point.name if point.phase == "creating" else "")
    names = arguments.points.split(",") if arguments.points else [point.name for point in points]
    return [point for point in points if point.name in names]


def write_row(points: int, worlds: list[tuple[crash_world.World, int]], violations: int) -> None:
    row = os.environ.get("SEMEL_PROOF_ROW")
    if row:
        actions = sum(len(world.acknowledged) for world, _ in worlds)
        crashes = sum(count for _, count in worlds)
        with open(row, "a", encoding="utf-8") as file:
            file.write(f"figure=all {points} points reached; violations {violations}; {actions} actions\n"
                       f"n={crashes} crashes\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("semel")
    parser.add_argument("handler_host")
    parser.add_argument("--hits", default="1")
    parser.add_argument("--points")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    arguments = parser.parse_args()
    points = wanted_points(arguments)
    hits = CONTROL_HITS if arguments.control else [int(hit) for hit in arguments.hits.split(",")]
    env = {"SEMEL_MUTATION": "answer_before_commit"} if arguments.control else {}
    worlds = []
    for hit in hits:
        with tempfile.TemporaryDirectory(prefix="semel-crash-") as folder:
            worlds.append(run_world(arguments, points, hit, env, pathlib.Path(folder)))
    violations = sum(sum(world.violations.values()) for world, _ in worlds)
    if arguments.control:
        print("control:", f"{violations} violations found, as must be" if violations else "NOTHING FOUND")
    else:
        write_row(len(points), worlds, violations)
    result = (violations == 0) == arguments.control
    print(f"{0 if result else 1} passed, {1 if result else 0} failed")
    return int(result)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""SIGKILL under load: nothing acknowledged is lost, nothing happens twice.

The server is killed again and again under the load of tests/support/crash_world.py. Then the
checker reads the client log, the ledger and the store.

Usage: kill_test.py SEMEL [--kills N] [--clients N] [--workers N] [--seed N] [--control]

--control lets workers ignore refusals and write blindly: the checker must then find duplicates.
Writes a row for docs/proof.md to $SEMEL_PROOF_ROW, where that is set.
"""
import argparse
import os
import pathlib
import random
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import checker  # noqa: E402
import crash_world  # noqa: E402


def kill_again_and_again(world: crash_world.World, kills: int) -> None:
    rng = random.Random(world.seed)
    for kill in range(kills):
        time.sleep(rng.uniform(0.05, 0.6))  # waits: a random moment to kill at
        world.server.kill()
        world.ready_seconds.append(world.server.start())
        if sys.stderr.isatty():
            print(f"\r{kill + 1}/{kills} kills", end="", file=sys.stderr)


def report(world: crash_world.World, kills: int, is_control: bool) -> int:
    bad = {what: n for what, n in world.violations.items() if n}
    slowest = max(world.ready_seconds, default=0.0)
    print(f"kills {kills}, actions {len(world.acknowledged)}, "
          f"counts {dict(world.counts)}, slowest restart {slowest:.3f} s, violations {bad}")
    if row := os.environ.get("SEMEL_PROOF_ROW"):
        figure = f"violations {sum(bad.values())}; {len(world.acknowledged)} actions; " \
                 f"slowest restart {slowest * 1000:.0f} ms"
        pathlib.Path(row).write_text(
            f"figure={figure}\nn={kills} kills\n"
            "control=effects without the token check: duplicates found\n")
    if is_control:
        found = world.violations["dup_effect"] > 0
        print("control:", "duplicates found, as they must be" if found else "NOTHING FOUND")
        return 0 if found else 1
    return 1 if bad else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("semel")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="semel-kill-") as folder:
        world = crash_world.World(arguments.semel, pathlib.Path(folder), arguments.seed,
                                  blind=arguments.control)
        world.server.start()
        world.begin(arguments.clients, arguments.workers)
        kill_again_and_again(world, arguments.kills)
        checker.check(world, world.finish())
        world.server.stop()
    result = report(world, arguments.kills, arguments.control)
    print(f"{0 if result else 1} passed, {1 if result else 0} failed")
    return result


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Nodes on PostgreSQL killed by SIGKILL under load: nothing acknowledged is lost, nothing happens twice.

One node after another, at random, is killed and started again under the load of tests/support/crash_world.py, which
goes to all of them. Then the checker reads the client log, the ledger and the store.

Usage: pg_kill_test.py SEMEL [--kills N] [--nodes N] [--clients N] [--workers N] [--seed N] [--control]

--control lets workers ignore refusals and write blindly: the checker must then find duplicates.
Writes a row for docs/proof.md to $SEMEL_PROOF_ROW, where that is set.
"""
import argparse
import pathlib
import random
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import checker  # noqa: E402
import crash_world  # noqa: E402
import pg_world  # noqa: E402
import postgres_server  # noqa: E402


def kill_again_and_again(world: pg_world.PgWorld, kills: int) -> None:
    rng = random.Random(world.seed)
    for _ in range(kills):
        time.sleep(rng.uniform(0.05, 0.6))  # waits: a random moment to kill at
        server = rng.choice(world.servers)
        server.kill()
        world.ready_seconds.append(server.start())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("semel")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    arguments = parser.parse_args()
    with (tempfile.TemporaryDirectory(prefix="semel-kill-") as folder,
          postgres_server.PostgresServer() as database):
        world = pg_world.PgWorld(arguments.semel, pathlib.Path(folder), arguments.seed, database.make_database(),
                                 arguments.nodes, blind=arguments.control)
        world.start()
        world.begin(arguments.clients, arguments.workers)
        kill_again_and_again(world, arguments.kills)
        checker.check(world, world.finish())
        world.stop()
    return crash_world.report(world, f"{arguments.kills} kills, {arguments.nodes} nodes", "ready again after",
                              "effects without the token check: duplicates found",
                              "dup_effect" if arguments.control else None)


if __name__ == "__main__":
    sys.exit(main())

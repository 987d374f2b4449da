#!/usr/bin/env python3
"""PostgreSQL itself crashes and recovers under load, again and again: nothing lost, nothing twice, nothing stuck.

The server is stopped in the mode `immediate` and started again under the load of tests/support/crash_world.py, which
goes to several nodes.

Usage: pg_restart_test.py SEMEL [--seconds N] [--every MIN MAX] [--nodes N] [--seed N] [--control]

--control lets PostgreSQL answer before a commit is on its disk (synchronous_commit = off): the checker must then find
losses, and /readyz must have said that they may happen. Writes a row for docs/proof.md to $SEMEL_PROOF_ROW.
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

# What is written long after it was answered.
LOSING = {"synchronous_commit": "off", "wal_writer_delay": "10s", "wal_writer_flush_after": "1GB"}
BACK_SECONDS_MAX = 30.0


def restart_again_and_again(world: pg_world.PgWorld, database: postgres_server.PostgresServer,
                            arguments: argparse.Namespace) -> int:
    rng = random.Random(world.seed)
    until = time.monotonic() + arguments.seconds
    restarts = 0
    while time.monotonic() < until:
        time.sleep(rng.uniform(*arguments.every))  # waits: a random moment to crash at
        database.restart("immediate")
        restarts += 1
        world.ready_seconds.append(seconds_until_back(world))
    return restarts


def seconds_until_back(world: pg_world.PgWorld) -> float:
    """From the moment that the database answers until a node decides again."""
    began = time.monotonic()
    key = f"back-{len(world.ready_seconds)}"
    _, answer = world.ask("POST", "/v1/actions", crash_world.action(key))
    took = time.monotonic() - began
    world.acknowledge(key, answer)
    if took > BACK_SECONDS_MAX:
        world.violate("not_back")
    return took


def check_promise(world: pg_world.PgWorld, is_control: bool) -> None:
    """What /readyz says of commits, before anything happened."""
    _, ready = world.ask("GET", "/readyz")
    if ready["store"]["durable"] == is_control:
        world.violate("readyz_promised_the_wrong_thing")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("semel")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--every", type=float, nargs=2, default=(1.0, 2.0), metavar=("MIN", "MAX"))
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    arguments = parser.parse_args()
    with (tempfile.TemporaryDirectory(prefix="semel-restart-") as folder,
          postgres_server.PostgresServer(fsync=True, settings=LOSING if arguments.control else {}) as database):
        world = pg_world.PgWorld(arguments.semel, pathlib.Path(folder), arguments.seed, database.make_database(),
                                 arguments.nodes)
        world.start()
        check_promise(world, arguments.control)
        world.begin(arguments.clients, arguments.workers)
        restarts = restart_again_and_again(world, database, arguments)
        checker.check(world, world.finish())
        world.stop()
    return crash_world.report(world, f"{restarts} crashes of PostgreSQL", "deciding again after",
                              "synchronous_commit = off: actions lost", "lost" if arguments.control else None)


if __name__ == "__main__":
    sys.exit(main())

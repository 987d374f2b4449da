#!/usr/bin/env python3
"""The database fails over to its standby under load, again and again: nothing acknowledged is lost.

Nodes know two servers. In each round the primary dies, in every other round after its standby has stopped following it;
the standby is promoted, and gets a standby of its own where the old primary was. The load is that of crash_world.py.

Usage: pg_failover_test.py SEMEL [--promotions N] [--nodes N] [--seed N] [--control]

--control replicates asynchronously: acknowledged actions must then get lost, and /readyz must have said that they may.
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
import postgres_pair  # noqa: E402
import postgres_server  # noqa: E402

# Or /readyz would promise nothing at all.
SETTINGS = {"fsync": "on", "full_page_writes": "on"}
MAY_LOSE = "a failover to a standby may lose it"


class Pair(postgres_pair.PostgresPair):
    """Each takes the other's place, again and again."""

    def __init__(self, synchronous: bool) -> None:
        super().__init__(synchronous, SETTINGS)
        self.is_synchronous = synchronous

    def part(self) -> None:
        """As if the network between the two were gone. Returns when nothing arrives any more."""
        self.standby.ask("alter system set primary_conninfo = ''")
        self.standby.ask("select pg_reload_conf()")
        while self.standby.ask("select count(*) from pg_stat_wal_receiver") != "0":
            time.sleep(0.02)  # waits: for a state of the server, which nothing announces

    def swap(self, parted_first: bool) -> None:
        """The primary dies, the standby is promoted, and gets a standby where the primary was."""
        if parted_first:
            self.part()
            time.sleep(0.3)  # waits: what is answered now only the primary has
        port = self.primary.port
        self.fail_over()
        self.primary.close()
        self.primary = self.standby
        if self.is_synchronous:
            # At once: until it has a standby again, nothing is answered.
            self.primary.ask("alter system set synchronous_standby_names = 'standby'")
            self.primary.ask("select pg_reload_conf()")
        self.standby = FollowerOn(port, self.primary)
        self._wait_for_state("streaming", "state")
        if self.is_synchronous:
            self._wait_for_state("sync", "sync_state")


class FollowerOn(postgres_server.PostgresServer):
    """A standby on a port that nodes know already."""

    def __init__(self, port: int, primary: postgres_server.PostgresServer) -> None:
        self.known_port = port
        super().__init__(settings=SETTINGS, standby_of=primary)

    def _start_on_free_port(self) -> None:
        self.port = self.known_port
        self.start()


def fail_over_again_and_again(world: pg_world.PgWorld, pair: Pair, arguments: argparse.Namespace) -> None:
    rng = random.Random(world.seed)
    for promotion in range(arguments.promotions):
        time.sleep(rng.uniform(0.3, 1.5))  # waits: a random moment to die at
        began = time.monotonic()
        pair.swap(parted_first=arguments.control or promotion % 2 == 1)
        world.ready_seconds.append(time.monotonic() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("semel")
    parser.add_argument("--promotions", type=int, default=2)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    arguments = parser.parse_args()
    pair = Pair(synchronous=not arguments.control)
    try:
        url = pair.make_database()
        with tempfile.TemporaryDirectory(prefix="semel-failover-") as folder:
            world = pg_world.PgWorld(arguments.semel, pathlib.Path(folder), arguments.seed, url, arguments.nodes)
            world.start()
            promise = world.ask("GET", "/readyz")[1]["store"]["durability"]
            world.begin(arguments.clients, arguments.workers)
            fail_over_again_and_again(world, pair, arguments)
            checker.check(world, world.finish())
            world.stop()
    finally:
        pair.close()
    may_lose = MAY_LOSE in promise
    if may_lose != arguments.control:
        world.violate("readyz_promised_the_wrong_thing")
    return crash_world.report(world, f"{arguments.promotions} promotions of a synchronous standby", "swapped within",
                              "an asynchronous standby: actions lost, and /readyz had said that they may be",
                              "lost" if arguments.control and may_lose else None)


if __name__ == "__main__":
    sys.exit(main())

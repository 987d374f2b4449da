#!/usr/bin/env python3
"""Semel beside its peers, all in one run: rates, ratios, and what each side was set to.

Usage: bench/peers.py [SECONDS of a measure, 5] [--rounds N] [--jobs N] [--only PART OF A NAME]

Schedule: 64 callers, each one call at a time, every call with a key; 0 and 50 % of them repeat a recent one. Drain:
no-op jobs, until the last handler has run. Every measure has an empty database. Each round measures every side once, in
another order; a ratio is of two figures of one round, and the median over the rounds is shown. The callers are on the
same cores as the servers, and take their part of them.
"""
import argparse
import contextlib
import dataclasses
import json
import pathlib
import statistics
import sys
import tempfile

import servers
from servers import Figure

MEASURES = ("schedule 0", "schedule 50", "drain")
HTTP = "Semel over HTTP, PostgreSQL"
LIBRARY = "Semel library, PostgreSQL"
POSTGRES_DURABLE = "fsync and synchronous_commit on"
Figures = dict[tuple[str, str], list[Figure]]  # of a side and a measure, one a round


@dataclasses.dataclass
class Run:
    seconds: float
    jobs: int
    folder: pathlib.Path
    postgres: servers.postgres_server.PostgresServer
    settings: dict[str, str] = dataclasses.field(default_factory=dict)  # as the sides tell them


@dataclasses.dataclass(frozen=True)
class Side:
    """One row of the tables."""
    name: str
    program: str  # a file of bench/peers with its variant; or `library`, or `wrk`
    where: str  # what it runs on
    durability: str
    measures: tuple[str, ...] = MEASURES

    def measure(self, what: str, run: Run) -> Figure:
        with self._address(run) as address:
            match self.program:
                case "library":
                    run.settings[self.name] = "`semel bench`: callers and handlers in its process"
                    return self._in_process(address, what, run)
                case "wrk":
                    run.settings[self.name] = "HTTP, a connection each caller, from `wrk`"
                    return servers.wrk(address, run.seconds, int(what.split()[1]))
                case _:
                    return self._by_node(address, what, run)

    def _in_process(self, store: str, what: str, run: Run) -> Figure:
        if what == "drain":
            report = servers.semel_bench(store, 0.1, 0, run.jobs)
            return Figure(report["drain"]["perSecond"])
        report = servers.semel_bench(store, run.seconds, int(what.split()[1]), 1)["schedule"][0]
        return Figure(report["perSecond"], report["p50Ms"], report["p99Ms"])

    def _by_node(self, address: str, what: str, run: Run) -> Figure:
        numbers = [str(run.jobs)] if what == "drain" else [what.split()[1], str(run.seconds)]
        report = json.loads(servers.run([servers.node(), str(servers.INSTALLED / "measure.mjs"), self.program, address,
                                         what.split()[0], *numbers]))
        run.settings[self.name] = report["settings"]
        return Figure(report["perSecond"], report.get("p50Ms"), report.get("p99Ms"), report["callersCores"])

    @contextlib.contextmanager
    def _address(self, run: Run):
        """Of an empty database, or of a server that has one."""
        with contextlib.ExitStack() as stack:
            if self.where == "redis":
                yield stack.enter_context(servers.redis_serving(run.folder))
                return
            if self.where == "sqlite":
                folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=run.folder)))
                store = str(folder / "semel.db")
            else:
                store = stack.enter_context(servers.fresh_database(run.postgres))
                store = servers.fast(store) if self.name.startswith("Semel") else store
            is_served = self.program in ("semel", "wrk")
            yield stack.enter_context(servers.semel_serving(store, run.folder)) if is_served else store


SIDES = [
    Side(HTTP, "semel", "postgres", POSTGRES_DURABLE),
    Side("Semel over HTTP, PostgreSQL, wrk", "wrk", "postgres", POSTGRES_DURABLE, MEASURES[:2]),
    Side(LIBRARY, "library", "postgres", POSTGRES_DURABLE),
    Side("Semel over HTTP, SQLite", "semel", "sqlite", "synchronous=FULL"),
    Side("Semel library, SQLite", "library", "sqlite", "synchronous=FULL"),
    Side("lock, select, insert", "seed", "postgres", POSTGRES_DURABLE, MEASURES[:2]),
    Side("pg-boss", "pg_boss", "postgres", POSTGRES_DURABLE),
    Side("graphile-worker", "graphile_worker", "postgres", POSTGRES_DURABLE),
    Side("graphile-worker, localQueue", "graphile_worker:batched", "postgres", POSTGRES_DURABLE, MEASURES[2:]),
    Side("BullMQ", "bullmq", "redis", "appendfsync always"),
]


def measure_all(sides: list[Side], rounds: int, run: Run) -> Figures:
    figures: Figures = {}
    for number in range(rounds):
        turn = number * len(sides) // rounds
        for side in sides[turn:] + sides[:turn]:
            for what in side.measures:
                figure = side.measure(what, run)
                figures.setdefault((side.name, what), []).append(figure)
                print(f"round {number + 1}: {side.name}, {what}: {figure.per_second:.0f}/s", file=sys.stderr)
    return figures


def median(values: list[float | None], form: str) -> str:
    numbers = [value for value in values if value is not None]
    return form.format(statistics.median(numbers)) if numbers else "–"


def print_measure(what: str, sides: list[Side], figures: Figures) -> None:
    kind, _, duplicates = what.partition(" ")
    print(f"\n**{kind}{f', {duplicates} % duplicates' if duplicates else ' of no-op jobs'}**\n")
    print("| side | per second (rounds) | Semel's HTTP is | Semel's library is | p50 | p99 | cores of the callers |")
    print("|---|---|---|---|---|---|---|")
    for side in sides:
        own = figures.get((side.name, what))
        if not own:
            continue
        cells = [median([f.per_second for f in own], "{:.0f}") + " (" +
                 ", ".join(f"{f.per_second:.0f}" for f in own) + ")"]
        for base in (HTTP, LIBRARY):
            pairs = zip(figures.get((base, what), []), own)
            cells.append(median([theirs.per_second / mine.per_second for theirs, mine in pairs], "{:.2f} ×"))
        cells += [median([f.p50_ms for f in own], "{:.1f} ms"), median([f.p99_ms for f in own], "{:.1f} ms"),
                  median([f.callers_cores for f in own], "{:.2f}")]
        print(f"| {side.name} | {' | '.join(cells)} |")


def print_settings(sides: list[Side], run: Run) -> None:
    print("\n| side | durability | settings |\n|---|---|---|")
    for side in sides:
        print(f"| {side.name} | {side.durability} | {run.settings[side.name]} |")


def describe_versions() -> str:
    names = ["pg-boss", "graphile-worker", "bullmq", "pg", "undici"]
    packages = [json.loads((servers.INSTALLED / "node_modules" / name / "package.json").read_text()) for name in names]
    redis = servers.run(["redis-server", "--version"]).split()[2].removeprefix("v=")
    return (", ".join(f"{package['name']} {package['version']}" for package in packages) +
            f", Node {servers.run([servers.node(), '--version']).strip().removeprefix('v')}, Redis {redis}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("seconds", nargs="?", type=float, default=5, help="of a measure")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=20_000, help="to drain")
    parser.add_argument("--only", default="", help="sides whose name has this in it")
    options = parser.parse_args()
    servers.install()
    sides = [side for side in SIDES if options.only.lower() in side.name.lower()]
    with tempfile.TemporaryDirectory(prefix="semel-bench-") as folder, servers.start_postgres() as postgres:
        run = Run(options.seconds, options.jobs, pathlib.Path(folder), postgres)
        print(f"{servers.describe_machine(postgres)}; {describe_versions()}")
        print(f"{options.seconds:g} s a measure, {options.jobs} jobs to drain, {servers.CALLERS} callers, "
              f"{options.rounds} rounds, medians; PostgreSQL with {servers.describe_settings()}")
        figures = measure_all(sides, options.rounds, run)
        for what in MEASURES:
            print_measure(what, sides, figures)
        print_settings(sides, run)
        print(f"\n{servers.describe_machine(postgres)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

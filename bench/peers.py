#!/usr/bin/env python3
"""Semel beside its peers, all in one run: rates, latency, ratios, and what each side was set to.

Usage: bench/peers.py [SECONDS of a measure, 2] [--rounds N] [--jobs N] [--only PART OF A NAME] [--measures PARTS]

Every measure has an empty database. Each round measures every side once, in another order; a ratio is of two figures
of one round, and the median over the rounds is shown. The callers are on the same cores as the servers, and take their
part of them. docs/benchmarks.md says what the measures are.
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

MEASURES = {  # and their titles
    "schedule 0": "schedule, 0 % duplicates",
    "schedule 50": "schedule, 50 % duplicates",
    "schedule 99": "schedule, 99 % duplicates",
    "bulk 50": "schedule in bulk, 50 % duplicates, items",
    "drain": "drain of no-op jobs",
    "latency idle": "schedule to start, one job at a time",
    "latency half": "schedule to start, 250 a second",
    "storm": "storm of 10 000 calls that say the same",
}
ALL = tuple(MEASURES)
SCHEDULE = ALL[:3]
IN_PROCESS = (*SCHEDULE, "drain", "latency idle")  # what `semel bench` has
LATENCY_RATES = {"idle": 0, "half": 250}  # calls a second; 0: the next after the start of the one before
STORM_CALLS = 10_000
HTTP = "Semel over HTTP, PostgreSQL"
LIBRARY = "Semel library, PostgreSQL"
POSTGRES_DURABLE = "fsync and synchronous_commit on"
Figures = dict[tuple[str, str], list[Figure]]  # of a side and a measure, one a round
# After the rate and its ratios: heading, member of a figure, form.
COLUMNS = (("p50", "p50_ms", "{:.2f} ms"), ("p99", "p99_ms", "{:.2f} ms"), ("p99.9", "p999_ms", "{:.2f} ms"),
           ("failed calls", "failed", "{:.0f}"), ("CPU s per 10 000", "cpu_per_10000", "{:.2f}"),
           ("cores of the callers", "callers_cores", "{:.2f}"))
NOTHING = "–"


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
    measures: tuple[str, ...] = ALL

    def measure(self, what: str, run: Run) -> Figure:
        with self._address(run) as address:
            match self.program:
                case "library":
                    run.settings[self.name] = "`semel bench`: callers and handlers in its process"
                    return self._in_process(address, what, run)
                case "wrk":
                    run.settings[self.name] = "HTTP, a connection each caller, from `wrk`"
                    return servers.wrk(address, run.seconds, int(what.split()[1]), "other")
                case _:
                    return self._by_node(address, what, run)

    def _in_process(self, store: str, what: str, run: Run) -> Figure:
        """Of its CPU time only where there is no server besides."""
        kind, _, detail = what.partition(" ")
        if kind == "drain":
            report = servers.semel_bench(store, 0.1, 0, run.jobs)["drain"]
        elif kind == "latency":
            report = servers.semel_bench(store, run.seconds, 100, 1, callers=1)["scheduleToStart"]
        else:
            report = servers.semel_bench(store, run.seconds, int(detail), 1)["schedule"][0]
        return figure_of(report, report.get("cpuSecondsPer10000") if self.where == "sqlite" else None)

    def _by_node(self, address: str, what: str, run: Run) -> Figure:
        report, cpu_seconds = servers.run_counted([servers.node(), str(servers.INSTALLED / "measure.mjs"), self.program,
                                                   address, what.split()[0], *numbers_of(what, run)])
        run.settings[self.name] = report["settings"]
        if not report["count"]:
            raise RuntimeError(f"{self.name}, {what}: there was no answer in {run.seconds:g} s; give it more")
        return figure_of(report, cpu_seconds / report["count"] * 10_000)

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
            is_served = self.program in ("semel", "semel:any", "wrk")
            yield stack.enter_context(servers.semel_serving(store, run.folder)) if is_served else store


def numbers_of(what: str, run: Run) -> list[str]:
    """What measure.mjs is told after the kind of the measure."""
    kind, _, detail = what.partition(" ")
    match kind:
        case "drain":
            return [str(run.jobs)]
        case "storm":
            return [str(STORM_CALLS)]
        case "latency":
            return [str(LATENCY_RATES[detail]), str(run.seconds)]
        case _:
            return [detail, str(run.seconds)]


def figure_of(report: dict, cpu_per_10000: float | None) -> Figure:
    names = ("perSecond", "p50Ms", "p99Ms", "p999Ms", "effects", "failed")
    return Figure(*(report.get(name) for name in names), cpu_per_10000, report.get("callersCores"))


SIDES = [
    Side(HTTP, "semel", "postgres", POSTGRES_DURABLE),
    Side("Semel over HTTP, PostgreSQL, scope any", "semel:any", "postgres", POSTGRES_DURABLE, ("storm",)),
    Side("Semel over HTTP, PostgreSQL, wrk", "wrk", "postgres", POSTGRES_DURABLE, SCHEDULE),
    Side(LIBRARY, "library", "postgres", POSTGRES_DURABLE, IN_PROCESS),
    Side("Semel over HTTP, SQLite", "semel", "sqlite", "synchronous=FULL"),
    Side("Semel library, SQLite", "library", "sqlite", "synchronous=FULL", IN_PROCESS),
    Side("lock, select, insert", "seed", "postgres", POSTGRES_DURABLE, SCHEDULE),
    Side("pg-boss", "pg_boss", "postgres", POSTGRES_DURABLE),
    Side("graphile-worker", "graphile_worker", "postgres", POSTGRES_DURABLE),
    Side("graphile-worker, localQueue", "graphile_worker:batched", "postgres", POSTGRES_DURABLE, ("drain",)),
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
                told = {name: round(value, 2) for name, value in dataclasses.asdict(figure).items() if value is not None}
                print(f"round {number + 1}: {side.name}, {what}: {told}", file=sys.stderr)
    return figures


def median(values: list[float | None], form: str) -> str:
    numbers = [value for value in values if value is not None]
    return form.format(statistics.median(numbers)) if numbers else NOTHING


def median_and_rounds(values: list[float | None]) -> str:
    shown = median(values, "{:.0f}")
    return shown if shown == NOTHING else f"{shown} ({', '.join(f'{value:.0f}' for value in values)})"


def speed(what: str, figure: Figure) -> float:
    """What ratios are of."""
    return 1000 / figure.p50_ms if what.startswith("latency") else figure.per_second


def cells_of(what: str, own: list[Figure], figures: Figures) -> dict[str, str]:
    cells = {"per second (rounds)": median_and_rounds([figure.per_second for figure in own])}
    for heading, base in (("Semel's HTTP is", HTTP), ("Semel's library is", LIBRARY)):
        pairs = zip(figures.get((base, what), []), own)
        cells[heading] = median([speed(what, theirs) / speed(what, mine) for theirs, mine in pairs], "{:.2f} ×")
    cells["effects (rounds)"] = median_and_rounds([figure.effects for figure in own])
    return cells | {heading: median([getattr(figure, name) for figure in own], form) for heading, name, form in COLUMNS}


def print_measure(what: str, sides: list[Side], figures: Figures) -> None:
    rows = {side.name: cells_of(what, figures[side.name, what], figures)
            for side in sides if (side.name, what) in figures}
    if not rows:
        return
    headings = [heading for heading in next(iter(rows.values()))
                if any(cells[heading] != NOTHING for cells in rows.values())]
    print(f"\n**{MEASURES[what]}**\n")
    print(f"| side | {' | '.join(headings)} |\n|{'---|' * (len(headings) + 1)}")
    for name, cells in rows.items():
        print(f"| {name} | {' | '.join(cells[heading] for heading in headings)} |")


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


def chosen(only: str, measures: str) -> list[Side]:
    """Sides whose name has `only` in it, with their measures whose name has one of those parts in it."""
    parts = [part.strip().lower() for part in measures.split(",") if part.strip()] or [""]
    sides = [dataclasses.replace(side, measures=tuple(what for what in side.measures if any(p in what for p in parts)))
             for side in SIDES if only.lower() in side.name.lower()]
    return [side for side in sides if side.measures]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("seconds", nargs="?", type=float, default=2, help="of a measure")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=20_000, help="to drain")
    parser.add_argument("--only", default="", help="sides whose name has this in it")
    parser.add_argument("--measures", default="", metavar="PART,…",
                        help=f"those whose name has one of these in it: {', '.join(ALL)}")
    options = parser.parse_args()
    sides = chosen(options.only, options.measures)
    if not sides:
        parser.error("no side of that name has such a measure")
    servers.install()
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

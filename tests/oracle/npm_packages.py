"""Oracles from npm, installed by name into a folder of the build."""
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
INSTALL_SECONDS_MAX = 120


def skip(why: str) -> None:
    print(f"SKIPPED: the comparison did not run: {why}")
    sys.exit(SKIPPED)


def install(folder: pathlib.Path, packages: list[str]) -> None:
    """`name@version` each. Ends with 77 (skipped) where there is no node or npm, or npm cannot fetch them."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            skip(f"there is no {program} on this machine")
    names = [package.rsplit("@", 1)[0] for package in packages]
    if all((folder / "node_modules" / name / "package.json").exists() for name in names):
        return
    folder.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", *packages],
                              capture_output=True, text=True, timeout=INSTALL_SECONDS_MAX, check=False)
    except subprocess.TimeoutExpired:
        skip(f"npm did not fetch {', '.join(names)} within {INSTALL_SECONDS_MAX} s")
    if done.returncode != 0:
        skip(f"npm could not fetch {', '.join(names)}: {done.stderr.strip()[-500:]}")


def answers_of(command: list[str], lines: list[str]) -> list[str]:
    """What a program that answers each line of its stdin with one of its own says."""
    # Strings may hold characters that splitlines() takes for the end of one.
    done = subprocess.run(command, input="".join(f"{line}\n" for line in lines).encode(), capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr.decode(errors='replace')[-2000:]}")
    answers = done.stdout.decode().split("\n")[:-1]
    if len(answers) != len(lines):
        sys.exit(f"{command[0]}: {len(lines)} lines, but {len(answers)} answers")
    return answers

#!/usr/bin/env python3
"""Every behaviour of a page has a test that exists, or a reason why it does not apply: check_behaviours.py [ROOT]

Prints `file:line: what` for each row of docs/internals/chain_behaviours.md that names no test, or one that is not there.
A test is named as `Suite.Name`, or as the file that is one.
"""
import pathlib
import re
import sys

PAGE = pathlib.PurePath("docs/internals/chain_behaviours.md")
TESTS = pathlib.PurePath("tests")
REASON = "does not apply: "

_DECLARED = re.compile(r"^\s*TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)", re.MULTILINE)
_NAMED = re.compile(r"`([A-Z]\w*\.\w+)`")
_FILE = re.compile(r"`(tests/[\w/]+\.(?:py|sh|cpp))`")
_ROW = re.compile(r"^\| (?P<behaviour>.*?) \| (?P<shown_by>.*) \|$")

Finding = tuple[int, str]  # line, what


def declared_tests(root: pathlib.Path) -> set[str]:
    return {f"{suite}.{name}" for path in sorted((root / TESTS).rglob("*.cpp"))
            for suite, name in _DECLARED.findall(path.read_text(encoding="utf-8"))}


def check_line(line: str, declared: set[str], root: pathlib.Path) -> list[str]:
    files = _FILE.findall(line)
    named = _NAMED.findall(line)
    found = [f"no test is called {name}" for name in named if name not in declared]
    found += [f"there is no {file}" for file in files if not (root / file).is_file()]
    row = _ROW.match(line)
    if row and row["behaviour"] != "behaviour" and not (named or files or row["shown_by"].startswith(REASON)):
        found.append(f"neither a test nor a reason: {row['behaviour']}")
    return found


def check_page(text: str, declared: set[str], root: pathlib.Path) -> tuple[int, list[Finding]]:
    """How many behaviours there are, and what is wrong."""
    lines = text.splitlines()
    rows = [row for row in map(_ROW.match, lines) if row and row["behaviour"] != "behaviour"]
    found = [(number, what) for number, line in enumerate(lines, start=1) for what in check_line(line, declared, root)]
    return len(rows), found


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    behaviours, found = check_page((root / PAGE).read_text(encoding="utf-8"), declared_tests(root), root)
    for number, what in found:
        print(f"{PAGE}:{number}: {what}")
    print(f"behaviours: {behaviours} of chains, {len(found)} broken rules")
    return 1 if found or not behaviours else 0


if __name__ == "__main__":
    sys.exit(main())

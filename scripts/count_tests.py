#!/usr/bin/env python3
"""Counts what CTest ran, and inside GoogleTest programs each test: count_tests.py RESULTS_DIR…

RESULTS_DIR holds ctest.xml (CTest's JUnit file) and gtest/*.json (GTEST_OUTPUT=json:…/gtest/).
Prints `PASSED FAILED SKIPPED`.
"""
import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

Counts = collections.Counter[str]


def count_gtest(report: dict) -> Counts:
    counts: Counts = collections.Counter()
    for suite in report.get("testsuites", []):
        for test in suite.get("testsuite", []):
            if test.get("status") == "NOTRUN" or test.get("result") == "SKIPPED":
                counts["skipped"] += 1
            else:
                counts["failed" if test.get("failures") else "passed"] += 1
    return counts


def read_programs(folder: pathlib.Path) -> dict[str, Counts]:
    """Counts by program; a program that ran twice left NAME.json and NAME_1.json."""
    programs: dict[str, Counts] = collections.defaultdict(collections.Counter)
    for file in sorted(folder.glob("*.json")):
        name = file.stem
        first = re.sub(r"_\d+$", "", name)
        owner = first if first != name and (folder / f"{first}.json").exists() else name
        programs[owner] += count_gtest(json.loads(file.read_text()))
    return programs


def count_ctest(case: xml.etree.ElementTree.Element) -> Counts:
    status = case.get("status", "")
    kind = {"run": "passed", "fail": "failed"}.get(status, "skipped")
    return collections.Counter({kind: 1})


def count_run(folder: pathlib.Path) -> Counts:
    programs = read_programs(folder / "gtest")
    total: Counts = collections.Counter()
    for case in xml.etree.ElementTree.parse(folder / "ctest.xml").getroot().iter("testcase"):
        own = count_ctest(case)
        inner = programs.get(case.get("name", ""))
        if inner is None:
            total += own
            continue
        total += inner
        if own["failed"] and not inner["failed"]:
            total["failed"] += 1  # every test passed, and then the program leaked or crashed
    return total


def main() -> None:
    total: Counts = collections.Counter()
    for name in sys.argv[1:]:
        folder = pathlib.Path(name)
        if (folder / "ctest.xml").exists():
            total += count_run(folder)
    print(total["passed"], total["failed"], total["skipped"])


if __name__ == "__main__":
    main()

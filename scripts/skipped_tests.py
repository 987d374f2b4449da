#!/usr/bin/env python3
"""Says what CTest skipped, and why: skipped_tests.py RESULTS_DIR…

RESULTS_DIR holds ctest.xml (CTest's JUnit file). A test that skips itself prints `skipped: REASON`.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree

REASON = re.compile(r"^skipped: *(.+)", re.IGNORECASE | re.MULTILINE | re.DOTALL)


def reason_of(case: xml.etree.ElementTree.Element) -> str:
    found = REASON.search(case.findtext("system-out") or "")
    return found[1].strip() if found else "it does not say why"


def skipped_in(folder: pathlib.Path) -> list[str]:
    cases = xml.etree.ElementTree.parse(folder / "ctest.xml").getroot().iter("testcase")
    return [f"skipped {case.get('name')}: {reason_of(case)}" for case in cases if case.find("skipped") is not None]


def main() -> None:
    for name in sys.argv[1:]:
        folder = pathlib.Path(name)
        if (folder / "ctest.xml").exists():
            for line in skipped_in(folder):
                print(line)


if __name__ == "__main__":
    main()

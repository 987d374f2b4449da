#!/usr/bin/env python3
"""Installs the built release into a temporary folder and uses it as a stranger would.

Usage: package_test.py BUILD EXAMPLES CMAKE COMPILER
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

BUILD, EXAMPLES, CMAKE, COMPILER = sys.argv[1:5]

# What each example prints, line by line. Handlers print while the program goes on.
PRINTED = {
    "document_ingest": [
        'manual cut into ["s1","s2"]',
        'manual is ["s1","s2"]',
        'manual cut into ["s3","s4","s5"]',
        'manual is ["s1","s2"]',
        "snippets: 5",
    ],
    "first_action": [
        "schedule: new",
        "schedule: duplicate, with the newer payload",
        'attempt 1: {"entityId":42,"name":"Ada Lovelace"}',
        'action: completed with {"sent":true}',
    ],
    "index_build": [
        "reader: no index of 9f2c yet, the one before serves",
        "building 9f2c",
        "index-of-9f2c",
        "index-of-9f2c",
        "index-of-9f2c",
        'reader: index-of-9f2c with {"documents":3}',
    ],
    "order_chain": [
        "placed",
        "placed already",
        "attempt 1: charging 250",
        "attempt 2: charging 250",
        'completed with {"parcel":"P-17"}',
        "sales shipped: 1",
    ],
    "queue_consumer": [
        "sending an invoice",
        "m1: sent as mail-1",
        "m1: had been sent as mail-1",
        "sending a reminder",
        "m2: sent as mail-2",
        "mails: 2",
    ],
    "recurring": [
        "schedule: new",
        "report 1, attempt 1: the printer jams",
        "report 1, attempt 2: printed",
        "report 2, attempt 1: the printer jams",
        "report 2, attempt 2: printed",
        "stopped",
    ],
    "region_failover": [
        "west: charged",
        "west: dies",
        "east: took over, the bank has it already",
        "east: charge-of-invoice-17 sealed",
        "west: charge-of-invoice-17 was sealed before",
        "charges: 1",
    ],
    "webhook_consumer": [
        'crediting {"cents":250}',
        "evt_1: credit-1",
        "answer 200",
        'crediting {"cents":90}',
        "evt_2: credit-2",
        "answer 200",
        "evt_1: credit-1, as before",
        "answer 200",
        'evt_1: conflict [{"op":"replace","path":"/cents","value":999}]',
        "answer 409",
        "credits: 2",
    ],
}

# What only the server needs. A user of the library has none of it.
SERVER_ONLY = re.compile(r"boost|asio|prometheus|CLI11|yaml|spdlog", re.IGNORECASE)


def run(*command: str | pathlib.Path) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Package(unittest.TestCase):
    folder: tempfile.TemporaryDirectory

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory(prefix="semel-package-")
        cls.prefix = pathlib.Path(cls.folder.name) / "prefix"
        run(CMAKE, "--install", BUILD, "--prefix", cls.prefix)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def installed(self, pattern: str) -> list[pathlib.Path]:
        found = sorted(self.prefix.glob(pattern))
        self.assertTrue(found, f"nothing installed as {pattern}")
        return found

    def test_the_program_its_licence_and_completions_are_there(self) -> None:
        version = run(self.prefix / "bin/semel", "version")
        self.assertRegex(version, r"^semel \d+\.\d+\.\d+\n$")
        self.installed("share/doc/*/LICENSE")
        for completion in ["share/bash-completion/completions/semel",
                           "share/fish/vendor_completions.d/semel.fish"]:
            self.assertIn("complete", self.installed(completion)[0].read_text())

    def test_the_library_asks_for_nothing_that_only_the_server_needs(self) -> None:
        for file in self.installed("lib/**/cmake/Semel/*.cmake"):
            self.assertIsNone(SERVER_ONLY.search(file.read_text()), file)

    def test_each_header_stands_alone(self) -> None:
        for header in self.installed("include/semel/*.hpp"):
            run(COMPILER, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                "-I", self.prefix / "include", "-include", header, "-x", "c++", os.devnull)

    def test_the_guides_quote_the_examples(self) -> None:
        for name in ("library.md", "fence_patterns.md"):
            guide = (pathlib.Path(EXAMPLES).parent / "docs/guides" / name).read_text()
            quotes = re.findall(r"<!-- from (\S+) -->\n```(?:cpp|sh)\n(.*?)```", guide, re.DOTALL)
            self.assertGreaterEqual(len(quotes), guide.count("```cpp"))
            for file, quote in quotes:
                source = (pathlib.Path(EXAMPLES).parent / file).read_text()
                quoted = quote in source or textwrap.indent(quote, "    ") in source  # of a function's inside
                self.assertTrue(quoted, f"{file} does not have this: {quote}")

    def test_the_examples_are_built_with_find_package_and_print_what_they_should(self) -> None:
        folders = sorted(path.parent.name for path in pathlib.Path(EXAMPLES).glob("*/CMakeLists.txt"))
        self.assertEqual(folders, sorted(PRINTED))
        for name in folders:
            with self.subTest(name):
                build = pathlib.Path(self.folder.name) / name
                run(CMAKE, "-S", pathlib.Path(EXAMPLES) / name, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                    f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror",
                    "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF")
                run(CMAKE, "--build", build)
                printed = run(build / name, build / "jobs.db").splitlines()
                self.assertCountEqual(printed, PRINTED[name])
                self.assertEqual(printed[-1], PRINTED[name][-1])


if __name__ == "__main__":
    os.environ.pop("DESTDIR", None)
    unittest.main(argv=sys.argv[:1])

"""The counts and the skipped tests that close ./dev test, and the rows of the proof page."""
import json
import pathlib
import tempfile
import unittest

import count_tests
import proof_row
import skipped_tests


def gtest(*results: str) -> str:
    """A report as GoogleTest writes it: ok, fail, skip or disabled for each test."""
    kinds = {"ok": {"status": "RUN", "result": "COMPLETED"},
             "fail": {"status": "RUN", "result": "COMPLETED", "failures": [{"failure": "no"}]},
             "skip": {"status": "RUN", "result": "SKIPPED"},
             "disabled": {"status": "NOTRUN", "result": "SUPPRESSED"}}
    return json.dumps({"testsuites": [{"testsuite": [kinds[result] for result in results]}]})


class CountTests(unittest.TestCase):
    def count(self, cases: dict[str, str], reports: dict[str, str]) -> tuple[int, int, int]:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "gtest").mkdir()
            body = "".join(f'<testcase name="{case}" status="{status}"/>' for case, status in cases.items())
            (folder / "ctest.xml").write_text(f"<testsuite>{body}</testsuite>")
            for program, report in reports.items():
                (folder / "gtest" / f"{program}.json").write_text(report)
            total = count_tests.count_run(folder)
            return total["passed"], total["failed"], total["skipped"]

    def test_a_program_counts_as_its_tests(self) -> None:
        reports = {"a_test": gtest("ok", "ok", "skip", "disabled"), "a_test_1": gtest("ok")}
        self.assertEqual(self.count({"a_test": "run", "script": "run"}, reports), (4, 0, 2))

    def test_failures_are_counted(self) -> None:
        self.assertEqual(self.count({"a_test": "fail"}, {"a_test": gtest("ok", "fail")}), (1, 1, 0))

    def test_a_program_that_died_without_a_report_is_one_failure(self) -> None:
        self.assertEqual(self.count({"a_test": "fail"}, {}), (0, 1, 0))

    def test_a_program_that_leaked_after_its_tests_is_one_failure(self) -> None:
        self.assertEqual(self.count({"a_test": "fail"}, {"a_test": gtest("ok", "ok")}), (2, 1, 0))


class SkippedTests(unittest.TestCase):
    CASES = """<testsuite>
        <testcase name="ran" status="run"><system-out>skipped: no more than a word</system-out></testcase>
        <testcase name="far" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
            <system-out>version 1\nSKIPPED: no npm:\nnot found\n</system-out></testcase>
        <testcase name="mute" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase></testsuite>"""

    def test_says_what_and_why(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "ctest.xml").write_text(self.CASES)
            self.assertEqual(skipped_tests.skipped_in(folder),
                             ["skipped far: no npm:\nnot found", "skipped mute: it does not say why"])


class ProofRow(unittest.TestCase):
    PAGE = f"# Proof\n\n{proof_row.HEADER}\n{proof_row.RULE}\n| b | 0 lost | 10 | 3 lost | c0 | d0 |\n\nEnd.\n"

    def test_a_row_is_added_in_order(self) -> None:
        page = proof_row.with_row(self.PAGE, "a", "| a | x |")
        self.assertEqual(page, self.PAGE.replace("| b |", "| a | x |\n| b |"))

    def test_a_row_replaces_its_predecessor(self) -> None:
        page = proof_row.with_row(self.PAGE, "b", "| b | new |")
        self.assertEqual(page.count("| b |"), 1)
        self.assertIn("| b | new |", page)

    def test_a_row_needs_all_three(self) -> None:
        with self.assertRaisesRegex(ValueError, "n, control"):
            proof_row.read_row("figure=0 lost\nn=\n")

    def test_a_page_without_the_table_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "no table"):
            proof_row.with_row("# Proof\n", "a", "| a |")


if __name__ == "__main__":
    unittest.main()

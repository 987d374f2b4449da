import pathlib
import tempfile
import unittest

import check_behaviours

HEAD = "| behaviour | test |\n|---|---|\n"


class CheckBehaviours(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "tests").mkdir()
        (self.root / "tests" / "a_test.cpp").write_text(
            "TEST(Suite, Plain) {\nTEST_F(Suite, Fixed) {\nTEST_P(Suite,\n       Each) {\n", encoding="utf-8")
        (self.root / "tests" / "a.py").write_text("", encoding="utf-8")

    def found(self, rows: str) -> list[check_behaviours.Finding]:
        return check_behaviours.check_page(HEAD + rows, check_behaviours.declared_tests(self.root), self.root)[1]

    def test_what_is_there_is_accepted(self) -> None:
        self.assertEqual(self.found("| a | `Suite.Plain`, `Suite.Fixed` |\n| b | `Suite.Each` (as `semel.f` says) |\n"
                                    "| c | `tests/a.py` |\n| d | does not apply: there is none |\n"), [])

    def test_a_test_that_is_not_there_is_named(self) -> None:
        self.assertEqual(self.found("| a | `Suite.Gone` |\n"), [(3, "no test is called Suite.Gone")])
        self.assertEqual(self.found("| a | `tests/b.py` |\n"), [(3, "there is no tests/b.py")])
        self.assertEqual(self.found("\nBeside the tables: `Suite.Gone`.\n"), [(4, "no test is called Suite.Gone")])

    def test_a_row_without_test_or_reason_is_named(self) -> None:
        self.assertEqual(self.found("| a | of course |\n"), [(3, "neither a test nor a reason: a")])
        self.assertEqual(self.found("| a | as `semel.f` says |\n"), [(3, "neither a test nor a reason: a")])
        self.assertEqual(self.found("| a | does not apply |\n"), [(3, "neither a test nor a reason: a")])


if __name__ == "__main__":
    unittest.main()

"""bugs.py: a patch goes in whole or not at all, and is written back from an edited or a renamed copy."""
import contextlib
import io
import os
import pathlib
import tempfile
import unittest

import bugs

CLEAN = "".join(f"line {number}\n" for number in range(1, 21))
FILE = "core/chains/chain.cpp"


def bugged(text: str, switch: str = "some_bug") -> str:
    return text.replace("line 10\n", f"if (!SEMEL_MUTATION({switch})) line 10\n")


class BugsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = bugs.Tree(pathlib.Path(folder.name))
        self.write_source(CLEAN)
        self.tree.write_patch(FILE, CLEAN, bugged(CLEAN))
        self.list = self.tree.root / "sim/bugs/list.txt"
        self.list.write_text("# Bugs\nsome_bug: line 10 is left out\n")

    def write_source(self, text: str, file: str = FILE) -> None:
        self.tree.source(file).parent.mkdir(parents=True, exist_ok=True)
        self.tree.source(file).write_text(text)

    def run_tool(self, *words: str) -> tuple[int, str]:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = bugs.run(self.tree, list(words))
        return code, said.getvalue()

    def test_the_copy_has_the_bug_and_the_header_of_the_switches(self) -> None:
        out = self.tree.root / "build/out/chain.cpp"
        self.run_tool(f"src/{FILE}", "--apply", str(out))
        self.assertEqual(out.read_text(), bugs.INCLUDE + bugged(CLEAN))

    def test_a_source_whose_lines_moved_still_takes_its_patch(self) -> None:
        moved = "before\n" * 5 + CLEAN
        self.write_source(moved)
        self.assertEqual(self.tree.bugged_text(FILE), bugs.INCLUDE + bugged(moved))

    def test_a_change_beside_the_bug_is_refused_by_name_and_with_the_remedy(self) -> None:
        self.write_source(CLEAN.replace("line 9\n", "line nine\n"))
        with self.assertRaisesRegex(bugs.BugsError, r"chain\.cpp\.patch no longer applies .*\./dev bugs src/core/chain"):
            self.tree.bugged_text(FILE)

    def test_a_source_that_is_gone_is_named(self) -> None:
        self.tree.source(FILE).unlink()
        with self.assertRaisesRegex(bugs.BugsError, "src/core/chains/chain.cpp does not exist: move"):
            self.tree.bugged_text(FILE)

    def test_a_name_that_is_no_source_is_refused(self) -> None:
        with self.assertRaisesRegex(bugs.BugsError, "name a source"):
            self.tree.name_of("src/core/chian.cpp")
        for name in [FILE, f"src/{FILE}", f"sim/bugs/{FILE}.patch", str(self.tree.source(FILE))]:
            self.assertEqual(self.tree.name_of(name), FILE)

    def test_check_counts_what_does_not_apply(self) -> None:
        self.assertEqual(self.run_tool("--check"), (0, f"sim/bugs/{FILE}.patch: applies\n"))
        self.write_source("another\n")
        code, said = self.run_tool("--check")
        self.assertEqual(code, 1)
        self.assertIn("no longer applies", said)

    def test_check_compares_what_is_planted_with_the_list(self) -> None:
        self.list.write_text("some_bug: a\nabsent: b\n")
        self.assertIn("no SEMEL_MUTATION(absent) is planted", self.run_tool("--check")[1])
        (self.tree.root / "sim/database.cpp").write_text("if (SEMEL_MUTATION(absent) && SEMEL_MUTATION(third)) {}\n")
        code, said = self.run_tool("--check")
        self.assertEqual((code, said.count("\n")), (1, 2))
        self.assertIn("third is planted, but not listed", said)

    def test_the_table_is_cpp_and_is_left_alone_when_nothing_changed(self) -> None:
        out = self.tree.root / "build/table.inc"
        self.list.write_text('some_bug: says "no"\n')
        self.run_tool("--table", str(out))
        self.assertEqual(out.read_text(), 'SEMEL_PLANTED_BUG(some_bug, "says \\"no\\"")\n')
        os.utime(out, (1, 1))
        self.run_tool("--table", str(out))
        self.assertEqual(out.stat().st_mtime, 1)

    def test_a_line_of_the_list_that_cannot_be_read_is_shown(self) -> None:
        for line in ["some_bug", "some_bug: twice", "Not a name: b"]:
            self.list.write_text(f"some_bug: a\n{line}\n")
            with self.assertRaisesRegex(bugs.BugsError, f"`{line}` is not a new"):
                self.tree.listed_bugs()

    def test_the_list_names_the_bugs_of_each_source(self) -> None:
        self.assertEqual(self.run_tool(), (0, f"src/{FILE}: some_bug\n"))

    def test_an_edited_copy_is_written_back(self) -> None:
        _, said = self.run_tool(FILE)
        copy = self.tree.copies / FILE
        self.assertIn(str(copy), said)
        copy.write_text(copy.read_text().replace("some_bug", "another_bug"))
        self.run_tool(FILE, "--save")
        self.assertEqual(self.tree.bugged_text(FILE), bugs.INCLUDE + bugged(CLEAN, "another_bug"))
        self.assertFalse(copy.exists())

    def test_an_edit_that_was_not_saved_continues(self) -> None:
        self.run_tool(FILE)
        copy = self.tree.copies / FILE
        copy.write_text("half done\n")
        self.assertIn("was not saved", self.run_tool(FILE)[1])
        self.assertEqual(copy.read_text(), "half done\n")

    def test_a_source_gets_its_first_bug_and_loses_its_last(self) -> None:
        self.write_source(CLEAN, "core/new.cpp")
        self.run_tool("src/core/new.cpp")
        copy = self.tree.copies / "core/new.cpp"
        self.assertEqual(copy.read_text(), bugs.INCLUDE + CLEAN)
        copy.write_text(bugs.INCLUDE + bugged(CLEAN))
        self.run_tool("src/core/new.cpp", "--save")
        self.assertEqual(self.tree.patched_files(), [FILE, "core/new.cpp"])
        self.run_tool("src/core/new.cpp")
        copy.write_text(bugs.INCLUDE + CLEAN)
        self.run_tool("src/core/new.cpp", "--save")
        self.assertEqual(self.tree.patched_files(), [FILE])

    def test_a_conflict_is_finished_by_hand(self) -> None:
        changed = CLEAN.replace("line 10\n", "line ten\n")
        self.write_source(changed)
        self.assertIn("conflicts", self.run_tool(FILE)[1])
        with self.assertRaisesRegex(bugs.BugsError, "conflict markers"):
            self.run_tool(FILE, "--save")
        done = changed.replace("line ten\n", "if (!SEMEL_MUTATION(some_bug)) line ten\n")
        (self.tree.copies / FILE).write_text(bugs.INCLUDE + done)
        self.run_tool(FILE, "--save")
        self.assertEqual(self.tree.bugged_text(FILE), bugs.INCLUDE + done)

    def test_copies_that_were_renamed_with_their_sources_make_the_patches_again(self) -> None:
        folder = self.tree.root / "exported"
        self.run_tool("--export", str(folder))
        self.assertEqual((folder / FILE).read_text(), bugs.INCLUDE + bugged(CLEAN))
        renamed = CLEAN.replace("line", "row")
        self.tree.source(FILE).unlink()
        self.write_source(renamed, "core/rings/ring.cpp")
        (folder / "core/rings").mkdir()
        (folder / FILE).rename(folder / "core/rings/ring.cpp")
        copy = folder / "core/rings/ring.cpp"
        copy.write_text(copy.read_text().replace("line", "row"))
        self.run_tool("--import", str(folder))
        self.assertEqual(self.tree.patched_files(), ["core/rings/ring.cpp"])
        self.assertEqual(self.tree.bugged_text("core/rings/ring.cpp"),
                         bugs.INCLUDE + renamed.replace("row 10\n", "if (!SEMEL_MUTATION(some_bug)) row 10\n"))

    def test_an_import_without_its_source_changes_nothing(self) -> None:
        folder = self.tree.root / "exported"
        self.run_tool("--export", str(folder))
        self.tree.source(FILE).unlink()
        with self.assertRaisesRegex(bugs.BugsError, "does not exist"):
            self.run_tool("--import", str(folder))
        self.assertEqual(self.tree.patched_files(), [FILE])


if __name__ == "__main__":
    unittest.main()

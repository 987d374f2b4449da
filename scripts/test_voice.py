"""Each rule of wording is seen to fail in the lines that a change adds, and to leave all other lines alone."""
import os
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock

import added_lines
import check_style
import source_text
import voice

# (line, phrases found in it)
LINES = [
    ("Whoever asks again gets the receipt.", ["Whoever"]),
    ("the rows that stand in a table of their own", ["of their own", "stand in"]),
    ("A node hears of it, and nobody polls.", ["hears", "nobody"]),
    ("wholever, somebodys, unshall", []),
    ("Do not write `somebody`, nor \"whoever\", nor “nobody”.", []),
    ("it's told as it was, isn't it", ["as it was"]),
    ("The caller receives the receipt.", []),
]

# (text of a C++ file, opening that is refused or None)
COMMENTS = [
    ("// Whoever has it.\nint x;\n", "Whoever"),
    ("int x;  // those that wait\n", "those"),
    ("//\n// One that waits.\nint x;\n", "One that"),
    ("/**\n * Somebody has it.\n */\nint x;\n", "Somebody"),
    ("int x;  // a\n// Who has it.\nint y;\n", "Who"),
    ("// The owner is told.\n// Whoever has it.\nint x;\n", None),
    ("int x;  // the owner, or\n        // whoever has it\n", None),
    ("// Whole. Thoseness. Someone.\nint x;\n", None),
    ("auto x = \"// Whoever\";\n", None),
]


def git(root: pathlib.Path, *arguments: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    clean |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    return subprocess.run(["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
                          env=clean, check=True, capture_output=True, text=True).stdout.strip()


def commit(root: pathlib.Path, **files: str) -> str:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_hpp", ".hpp").replace("_md", ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "a")
    return git(root, "rev-parse", "HEAD")


class Voice(unittest.TestCase):
    def test_phrases_are_found_outside_quotes(self) -> None:
        for line, expected in LINES:
            with self.subTest(line=line):
                self.assertEqual(sorted(found for found, _ in voice.phrases_in(line)), sorted(expected))

    def test_each_phrase_of_the_table_can_be_found(self) -> None:
        self.assertGreater(len(voice.phrases()), 40)
        for phrase in voice.phrases():
            self.assertTrue(phrase.replacement)
            self.assertIsNone(phrase.pattern.search(""))

    def test_openings(self) -> None:
        path = pathlib.PurePath("src/a/a.cpp")
        for text, opening in COMMENTS:
            with self.subTest(text=text):
                found = check_style.check_openings(path, text, set(range(9)))
                self.assertEqual([rule.split("`")[1] for _, rule in found], [opening] if opening else [])
                self.assertEqual(check_style.check_openings(path, text, set()), [])

    def test_code_and_other_folders_are_not_prose(self) -> None:
        every = set(range(9))
        for path, text in [("src/a/a.cpp", 'auto nobody = "whoever";\n'), ("tests/a/a_test.cpp", "// Whoever\n"),
                           ("docs/a.md", "# T\n```sh\n# nobody\n```\n`whoever`\n")]:
            with self.subTest(path=path):
                self.assertEqual(check_style.check_phrases(pathlib.PurePath(path), text, every), [])
                self.assertEqual(check_style.check_openings(pathlib.PurePath(path), text, every), [])


class AddedLines(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("GIT_") and name != "SEMEL_STYLE_BASE"}
        self.patched = unittest.mock.patch.dict(os.environ, environment, clear=True)
        self.patched.start()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(self.patched.stop)

    def added(self) -> dict[str, set[int]]:
        return {path.as_posix(): lines for path, lines in added_lines.added_lines(self.root).items()}

    def history(self) -> str:
        """Two commits, the first of which is origin/main."""
        git(self.root, "init", "--quiet")
        first = commit(self.root, a="1\n2\n3\n", b="x")
        git(self.root, "update-ref", "refs/remotes/origin/main", first)
        commit(self.root, a="1\nnew\n2\nnew too\n3\n", b="y")
        return first

    def test_lines_since_the_merge_base_are_added(self) -> None:
        self.history()
        self.assertEqual(self.added(), {"a": {2, 4}, "b": {1}})

    def test_changes_that_are_not_committed_count(self) -> None:
        self.history()
        (self.root / "a").write_text("1\nnew\n2\nnew too\n3\nlast\n")
        (self.root / "c d").write_text("fresh\n")
        self.assertEqual(self.added(), {"a": {2, 4, 6}, "b": {1}, "c d": {1, 2}})

    def test_nothing_is_added_where_origin_main_is_the_head(self) -> None:
        self.history()
        git(self.root, "update-ref", "refs/remotes/origin/main", "HEAD")
        self.assertEqual(self.added(), {})

    def test_without_origin_main_the_head_is_the_base(self) -> None:
        self.history()
        git(self.root, "update-ref", "-d", "refs/remotes/origin/main")
        self.assertEqual(self.added(), {})

    def test_the_environment_names_another_base(self) -> None:
        first = self.history()
        git(self.root, "update-ref", "refs/remotes/origin/main", "HEAD")
        os.environ["SEMEL_STYLE_BASE"] = first[:12]
        self.assertEqual(self.added(), {"a": {2, 4}, "b": {1}})
        os.environ["SEMEL_STYLE_BASE"] = "no-such-branch"
        with self.assertRaisesRegex(SystemExit, "`no-such-branch` is not a commit"):
            self.added()

    def test_a_moved_line_is_not_added(self) -> None:
        git(self.root, "init", "--quiet")
        commit(self.root, a="    // Whoever\n    // Whoever\n1\n")
        (self.root / "a").write_text("1\n")
        (self.root / "b").write_text("// Whoever\n// Whoever\n// Whoever\n")
        self.assertEqual(self.added(), {"b": {3, 4}})

    def test_without_a_repository_or_git_nothing_is_added(self) -> None:
        (self.root / "a.md").write_text("# T\n\nnobody\n")
        self.assertEqual(self.added(), {})
        git(self.root, "init", "--quiet")
        self.assertEqual(self.added(), {})  # no commit yet
        os.environ["PATH"] = ""
        self.assertEqual(self.added(), {})
        self.assertEqual(source_text.project_files(self.root), [pathlib.Path("a.md")])

    def test_only_added_lines_are_warned_of_and_refused(self) -> None:
        git(self.root, "init", "--quiet")
        commit(self.root, src__a_hpp="// Whoever has it, somebody told.\nint x;\n", docs__a_md="# T\n\nnobody\n")
        (self.root / "src" / "a.hpp").write_text(
            "// Whoever has it, somebody told.\nint x;\n// Those that wait.\nint y;\n")
        (self.root / "docs" / "a.md").write_text("# T\n\nnobody\n\nwhoever\n")
        broken, warnings = check_style.check_wording(self.root, source_text.project_files(self.root))
        self.assertEqual([line.split(";")[0] for line in broken], ["src/a.hpp:3: a comment that opens with `Those`"])
        self.assertEqual([line.split(";")[0] for line in warnings],
                         ["docs/a.md:5: warning: `whoever`", "src/a.hpp:3: warning: `Those that`"])


if __name__ == "__main__":
    unittest.main()

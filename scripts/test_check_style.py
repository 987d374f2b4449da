"""Each rule of check_style.py is seen to fail, and to let the nearest allowed thing pass."""
import pathlib
import tempfile
import unittest

import check_style
from check_style import check_text, function_bodies


def body(lines: int, head: str = "void f() {") -> str:
    return head + "\n" + "    g();\n" * (lines - 2) + "}\n"


# (file, text, line, part of the rule it breaks)
REFUSED = [
    ("src/a/a.cpp", "int x; \n", 1, "trailing whitespace"),
    ("docs/a.md", "# T\n\n\tx\t\n", 3, "trailing whitespace"),
    ("src/a/a.cpp", "int x;", 1, "no newline"),
    ("src/a/a.cpp", "int x;\r\n", 1, "control or invisible"),
    ("docs/a.md", "# T\n\u202eabc\n", 2, "control or invisible"),
    ("dev", "cd /" + "work/tree\n", 1, "path of one machine"),
    ("docs/a.md", "# T\nsee /root/x\n", 2, "path of one machine"),
    ("scripts/a.py", 'open("/home/jo/x")\n', 1, "path of one machine"),
    ("src/a/a.cpp", "int x;  // TODO later\n", 1, "leftover"),
    ("scripts/a.sh", "# FIXME\n", 1, "leftover"),
    ("CMakeLists.txt", "# HACK: no\n", 1, "leftover"),
    ("src/a/a.cpp", "//\n" * 501, 501, "501 lines, more than 500"),
    ("tests/a/a_test.cpp", "//\n" * 701, 701, "701 lines, more than 700"),
    ("src/a/a.hpp", "int x;\n", 1, "#pragma once"),
    ("src/a/a.hpp", "#pragma once\nusing namespace std;\n", 2, "using namespace"),
    ("src/a/a.cpp", body(71), 1, "71 lines, more than 70"),
    ("src/a/a.cpp", "namespace n {\n" + body(72, "A::A(int b) : b_{b}, c_(b) {") + "}\n", 2, "72 lines"),
    ("tests/a/a_test.cpp", body(80, "TEST(Suite, Name) {"), 1, "80 lines"),
    ("tests/a/a_test.cpp", "std::this_thread::sleep_for(1s);\n", 1, "a sleep in a test"),
    ("tests/a/a_test.cpp", "x();\nusleep(10);\n", 2, "a sleep in a test"),
    ("tests/a/a.sh", "while true; do sleep 1; done\n", 1, "a sleep in a test"),
    ("tests/a/a.py", "time.sleep(1)\n", 1, "a sleep in a test"),
    ("docs/a.md", "# One\n\n# Two\n", 3, "a second title"),
    ("docs/a.md", "text\n", 1, "without a title"),
    ("src/a/a.cpp", "co_await f(Params{.key = k, .n = 1});\n", 1, "an aggregate inside"),
    ("src/a/a.cpp", "x();\nco_await\n    f({.key = k});\n", 2, "an aggregate inside"),
    ("src/a/a.cpp", "auto a = Agg{co_await g(), 2};\n", 1, "an aggregate inside"),
    ("src/a/a.cpp", "co_await h([p] { use(p); });\n", 1, "a capturing closure"),
    ("src/a/a.cpp", "co_await co_spawn(ex, [p = move(p)]() mutable { }, t);\n", 1, "a capturing closure"),
    ("src/a/a.cpp", "co_spawn(strand(co_await e), [p](auto) { }, t);\n", 1, "a capturing closure"),
    ("src/a/a.cpp", "x = c ? co_await mk() : y;\n", 1, "a conditional"),
]

ALLOWED = [
    ("src/a/a.cpp", "int x;\n"),
    ("src/a/a.cpp", 'auto route = "/v1/' + 'work/claim";\n'),
    ("src/a/a.cpp", "// co_await f(Params{}) is what GCC breaks\n"),
    ("src/a/a.cpp", "Params params{.key = k};\nco_await f(std::move(params));\n"),
    ("src/a/a.cpp", "co_await f(rows[i], [&] { g(); });\n"),
    ("src/a/a.cpp", 'co_await write("{?}");\n'),
    ("src/a/a.cpp", body(70)),
    ("src/a/a.cpp", "class Long {\n" + "    int f();\n" * 90 + "};\n"),
    ("src/a/a.cpp", "const Row kRows[] = {\n" + "    {f(1), 2},\n" * 90 + "};\n"),
    ("src/a/a.hpp", "// Head.\n#pragma once\n"),
    ("tests/a/a_test.cpp", "// waits: the kernel gives no signal for this\nusleep(10);\n"),
    ("tests/a/a_test.cpp", "// never sleep( here\nexpect_sleepless(x);\n"),
    ("tests/a/a.sh", "sleep 1  # waits: for the lease to end\n"),
    ("src/a/a.cpp", "std::this_thread::sleep_for(1s);\n"),
    ("docs/a.md", "# One\n\n## Two\n\n```sh\n# a comment\n```\n"),
    ("docs/a.md", "# A page that speaks of TODO lists\n"),
    ("scripts/a.sh", "mktemp -d semel.XXXXXX\n"),
]


class CheckStyle(unittest.TestCase):
    def test_each_rule_can_fail(self) -> None:
        for path, text, line, expected in REFUSED:
            with self.subTest(path=path, text=text[:60]):
                found = check_text(pathlib.PurePath(path), text)
                self.assertEqual(len(found), 1, found)
                self.assertEqual(found[0][0], line)
                self.assertIn(expected, found[0][1])

    def test_the_nearest_good_form_passes(self) -> None:
        for path, text in ALLOWED:
            with self.subTest(path=path, text=text[:60]):
                self.assertEqual(check_text(pathlib.PurePath(path), text), [])

    def test_functions_are_found_in_odd_company(self) -> None:
        code = ("#define A { (\n"  # 1: unbalanced on purpose
                "namespace n {\n"  # 2
                "class C : public B<int> {\n"  # 3
                "public:\n"  # 4
                "    C() : a_{1}, b_{{2}} {\n"  # 5
                "        f();\n    }\n"  # 7
                "    int g(T t = {}) const { return 1; }\n"  # 8
                "    std::array<int, 2> x{1, 2};\n"  # 9
                "};\n"  # 10
                "auto h = [](int i) -> int {\n    return i;\n};\n"  # 13
                "template <typename T>\nauto k(T t) -> std::vector<T>\n{\n    if (t) { }\n}\n"  # 18
                "}\n")
        self.assertEqual(function_bodies(code), [(5, 7), (8, 8), (11, 13), (16, 18)])

    def test_literals_do_not_confuse_the_count(self) -> None:
        text = 'void f() {\n    auto s = R"x({{{ " // )x";\n    char c = \'{\'; int n = 1\'000;\n}\nvoid g() {\n}\n'
        code = check_style.source_text.without_comments_and_literals(text)
        self.assertEqual(function_bodies(code), [(1, 4), (5, 6)])

    def test_links_and_rooms(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "src" / "core").mkdir(parents=True)
            (root / "src" / "core" / "a.cpp").write_text("int x;\n")
            (root / "page.md").write_text("# T\n[a](gone.md)\n[b](src/core/a.cpp#L1) [c](https://x.y/z)\n`[d](no.md)`\n")
            found = check_style.check_file(root, pathlib.Path("page.md"))
            self.assertEqual(found, [(2, "a link to a file that does not exist (gone.md)")])
            files = [pathlib.Path("src/core/a.cpp"), pathlib.Path("page.md")]
            self.assertEqual(check_style.rooms_without_readme(files), ["core"])
            files.append(pathlib.Path("src/core/README.md"))
            self.assertEqual(check_style.rooms_without_readme(files), [])


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Style as a test: check_style.py [ROOT]

Prints `file:line: rule` for each broken rule, and exits with 1 if there are any. CONTRIBUTING.md says what the rules
are for. The rules of wording apply only to lines that the change adds: see added_lines.py. Phrases to avoid are
printed as warnings and break no rule.
"""
import collections.abc
import pathlib
import re
import sys

import added_lines
import file_local
import source_text
import voice

FILE_LINES_MAX = 500  # past it a file holds two things
TEST_FILE_LINES_MAX = 700
FUNCTION_LINES_MAX = 70  # one screen

SCRIPT_SUFFIXES = {".py", ".sh", ".cmake", ".js", ".mjs", ".ts"}
TEXT_SUFFIXES = source_text.CPP_SUFFIXES | SCRIPT_SUFFIXES | {
    ".md", ".txt", ".json", ".yaml", ".yml", ".sql", ".css", ".html"}
TEXT_NAMES = {"dev", "run", "pre-commit", ".clang-tidy", ".clang-format", ".editorconfig", ".gitignore"}
SELF = {"scripts/check_style.py", "scripts/test_check_style.py"}  # they spell out what they refuse

Finding = tuple[int, str]  # line, rule
FileCheck = collections.abc.Callable[[pathlib.PurePath, str], list[Finding]]


def is_cpp(path: pathlib.PurePath) -> bool:
    return path.suffix in source_text.CPP_SUFFIXES


def is_script(path: pathlib.PurePath) -> bool:
    return path.suffix in SCRIPT_SUFFIXES or path.name in {"dev", "run", "pre-commit"}


def is_test(path: pathlib.PurePath) -> bool:
    return path.parts[0] == "tests"


def matching_lines(pattern: re.Pattern[str], text: str, rule: str) -> list[Finding]:
    return [(number, rule) for number, line in enumerate(text.split("\n"), start=1)
            if pattern.search(line)]


# --- every text file -------------------------------------------------------------------------

_TRAILING_SPACE = re.compile(r"[ \t]$")
# C0 and C1 controls, and the invisible characters that make text read differently from what it is.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_MACHINE_PATH = re.compile(r"(?<![\w.}*\]-])/(work|root)/\w|(?<![\w.}*\]-])/home/\w+/")
_LEFTOVER = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def check_whitespace(path: pathlib.PurePath, text: str) -> list[Finding]:
    found = matching_lines(_TRAILING_SPACE, text, "trailing whitespace")
    if text and not text.endswith("\n"):
        found.append((text.count("\n") + 1, "no newline at the end of the file"))
    return found


def check_control_characters(path: pathlib.PurePath, text: str) -> list[Finding]:
    return matching_lines(_CONTROL, text, "control or invisible character")


def check_machine_paths(path: pathlib.PurePath, text: str) -> list[Finding]:
    return matching_lines(_MACHINE_PATH, text, "a path of one machine; make it relative")


def check_leftovers(path: pathlib.PurePath, text: str) -> list[Finding]:
    if not (is_cpp(path) or is_script(path) or path.suffix == ".sql" or path.name == "CMakeLists.txt"):
        return []
    return matching_lines(_LEFTOVER, text, "a leftover reminder; do it, or open an issue")


# --- C++ -------------------------------------------------------------------------------------

_USING_NAMESPACE = re.compile(r"^\s*using\s+namespace\b")
_PREPROCESSOR = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_TYPE_HEAD = re.compile(r"^(?:template\s*<.*>\s*)?(?:\[\[.*\]\]\s*)?"
                        r"(?:(?:inline|export|typedef|static|constexpr)\s+)*"
                        r"(?:namespace|class|struct|union|enum|extern)\b", re.DOTALL)
_INIT_LIST_MEMBER = re.compile(r"\)[^()]*(?<!:):(?!:).*[\w>]\s*$", re.DOTALL)

# Forms of co_await that GCC 12 miscompiles (temporaries destroyed twice), one statement at a time.
_COROUTINE_TRAPS = [
    (re.compile(r"co_await\b[^;]*(\b[A-Z]\w*\{|\(\{)"), "an aggregate"),
    (re.compile(r"\b[A-Z]\w*\{[^;]*\bco_await\b"), "an aggregate"),
    (re.compile(r"co_await\b[^;]*\[[^\]&]+\]\s*[({]"), "a capturing closure"),
    (re.compile(r"co_spawn\([^;]*\bco_await\b[^;]*\[[^\]&]+\]"), "a capturing closure"),
    (re.compile(r"\?[^;]*\bco_await\b"), "a conditional"),
]


def check_file_length(path: pathlib.PurePath, text: str) -> list[Finding]:
    limit = TEST_FILE_LINES_MAX if is_test(path) else FILE_LINES_MAX
    lines = text.count("\n")
    return [(limit + 1, f"the file has {lines} lines, more than {limit}")] if lines > limit else []


def check_header(path: pathlib.PurePath, text: str) -> list[Finding]:
    if path.suffix != ".hpp":
        return []
    code = source_text.without_comments_and_literals(text)
    found = matching_lines(_USING_NAMESPACE, code, "`using namespace` in a header")
    if not re.search(r"^#pragma once$", code, re.MULTILINE):
        found.append((1, "a header without #pragma once"))
    return found


def opens_initializer(head: str, outer: str) -> bool:
    """Whether `{` after `head` begins a braced value rather than a body."""
    stripped = head.rstrip()
    return (outer == "init" or head.count("(") > head.count(")") or stripped.endswith(("=", ",", "return"))
            or bool(_INIT_LIST_MEMBER.search(stripped)))


def kind_of_brace(head: str, outer: str) -> str:
    """What `{` opens after `head`: function, init (a braced value), or scope (a type, a namespace)."""
    if outer in {"function", "block"}:
        return "block"
    if opens_initializer(head, outer):
        return "init"
    if "(" in head and not _TYPE_HEAD.match(head.strip()):
        return "function"
    return "scope"


def function_bodies(code: str) -> list[tuple[int, int]]:
    """(first, last) line of each outermost function body. Expects no comments and literals."""
    code = _PREPROCESSOR.sub(lambda m: "\n" * m.group().count("\n"), code)
    bodies: list[tuple[int, int]] = []
    stack: list[tuple[str, int, str]] = []  # kind, line it opened on, head before it
    head, line = "", 1
    for char in code:
        line += char == "\n"
        if char == "{":
            kind = kind_of_brace(head, stack[-1][0] if stack else "scope")
            stack.append((kind, line, head))
            head = ""
        elif char == "}" and stack:
            kind, opened, head_before = stack.pop()
            if kind == "function":
                bodies.append((opened, line))
            head = head_before + "{}" if kind == "init" else ""
        elif char == ";" and head.count("(") <= head.count(")"):
            head = ""
        else:
            head = re.sub(r"\b(public|private|protected)\s*$", "", head) if char == ":" else head
            head += char if head or not (char.isspace() or char == ":") else ""
    return bodies


def check_function_length(path: pathlib.PurePath, text: str) -> list[Finding]:
    return [(first, f"the function has {last - first + 1} lines, more than {FUNCTION_LINES_MAX}")
            for first, last in function_bodies(source_text.without_comments_and_literals(text))
            if last - first + 1 > FUNCTION_LINES_MAX]


def check_coroutines(path: pathlib.PurePath, text: str) -> list[Finding]:
    code = source_text.without_comments_and_literals(text)
    found: list[Finding] = []
    offset = 0
    for statement in code.split(";"):
        awaits = re.search(r"\bco_await\b", statement)
        what = next((what for trap, what in _COROUTINE_TRAPS if trap.search(statement)), None)
        if awaits and what:
            found.append((source_text.line_of(code, offset + awaits.start()),
                          f"{what} inside a co_await expression (GCC 12 destroys it twice); name it first"))
        offset += len(statement) + 1
    return found


# --- tests -----------------------------------------------------------------------------------

_SLEEP_CPP = re.compile(r"\bthis_thread::sleep_|\b(u|nano)?sleep\s*\(")
_SLEEP_SHELL = re.compile(r"(^|[;&|({]|\bdo|\bthen|\belse)\s*sleep\s")
_SLEEP_PYTHON = re.compile(r"\b(time|asyncio)\.sleep\s*\(")
_WAITS_REASON = re.compile(r"(//|#) waits: \S")


def sleep_pattern(path: pathlib.PurePath) -> re.Pattern[str] | None:
    if is_cpp(path):
        return _SLEEP_CPP
    return {".sh": _SLEEP_SHELL, ".py": _SLEEP_PYTHON}.get(path.suffix)


def check_sleeps(path: pathlib.PurePath, text: str) -> list[Finding]:
    pattern = sleep_pattern(path)
    if not is_test(path) or pattern is None:
        return []
    code = source_text.without_comments_and_literals(text) if is_cpp(path) else text
    lines = text.split("\n")
    return [(number, "a sleep in a test; wait for the condition, or give the reason as `waits: …`")
            for number, _ in matching_lines(pattern, code, "")
            if not any(_WAITS_REASON.search(near) for near in lines[max(0, number - 2):number])]


# --- Markdown --------------------------------------------------------------------------------

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?^[ \t]*\1[ \t]*$", re.MULTILINE | re.DOTALL)
_INLINE_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_LINK = re.compile(r"\]\(\s*<?(?P<target>[^)\s>]+)>?[^)\n]*\)|^\[[^\]]+\]:\s+(?P<reference>\S+)", re.MULTILINE)


def prose(text: str) -> str:
    """Markdown without its code, line for line."""
    without_fences = _FENCE.sub(lambda m: "\n" * m.group().count("\n"), text)
    return _INLINE_CODE.sub("", without_fences)


def check_one_title(path: pathlib.PurePath, text: str) -> list[Finding]:
    titles = matching_lines(re.compile(r"^# "), prose(text), "a second title (#) in one page")
    return titles[1:] if titles else [(1, "a page without a title (#)")]


def local_links(text: str) -> list[tuple[int, str]]:
    """(line, path) of each link to a file of the project."""
    body = prose(text)
    links = [(source_text.line_of(body, m.start()), m["target"] or m["reference"]) for m in _LINK.finditer(body)]
    return [(line, target.split("#")[0]) for line, target in links
            if not re.match(r"[a-z][a-z0-9+.-]*:|#|//", target)]


def check_links(root: pathlib.Path, path: pathlib.PurePath, text: str) -> list[Finding]:
    found: list[Finding] = []
    for line, target in local_links(text):
        file = root / target.lstrip("/") if target.startswith("/") else root / path.parent / target
        if not file.exists():
            found.append((line, f"a link to a file that does not exist ({target})"))
    return found


# --- wording ---------------------------------------------------------------------------------

def has_worded_comments(path: pathlib.PurePath) -> bool:
    return is_cpp(path) and path.parts[0] in {"src", "include"}


def written_lines(path: pathlib.PurePath, text: str) -> list[tuple[int, str]]:
    """(line, text) of prose: a page without its code, or the comments of a source."""
    if path.suffix == ".md":
        return list(enumerate(prose(text).split("\n"), start=1))
    return [line for block in source_text.comment_blocks(text) for line in block] if has_worded_comments(path) else []


def check_phrases(path: pathlib.PurePath, text: str, added: set[int]) -> list[Finding]:
    return [(line, f"`{phrase}`; write instead: {replacement}")
            for line, written in written_lines(path, text) if line in added
            for phrase, replacement in voice.phrases_in(written)]


def check_openings(path: pathlib.PurePath, text: str, added: set[int]) -> list[Finding]:
    if not has_worded_comments(path):
        return []
    first_lines = [next((line for line in block if line[1].strip()), block[0])
                   for block in source_text.comment_blocks(text)]
    return [(line, f"a comment that opens with `{opening}`; name the part of the program that is meant")
            for line, written in first_lines if line in added and (opening := voice.unclear_opening(written))]


def check_wording(root: pathlib.Path, files: list[pathlib.Path]) -> tuple[list[str], list[str]]:
    """(broken rules, warnings) of the lines that the change adds."""
    broken: list[str] = []
    warnings: list[str] = []
    for path, added in sorted(added_lines.added_lines(root).items()):
        if path in files and (path.suffix == ".md" or has_worded_comments(path)):
            text = (root / path).read_text(encoding="utf-8", errors="replace")
            broken += [f"{path}:{line}: {rule}" for line, rule in check_openings(path, text, added)]
            warnings += [f"{path}:{line}: warning: {phrase}" for line, phrase in check_phrases(path, text, added)]
    return broken, warnings


# --- the whole -------------------------------------------------------------------------------

TEXT_CHECKS: list[FileCheck] = [check_whitespace, check_control_characters, check_machine_paths,
                                check_leftovers, check_sleeps]
CPP_CHECKS: list[FileCheck] = [check_file_length, check_header, check_function_length, check_coroutines]
MARKDOWN_CHECKS: list[FileCheck] = [check_one_title]


def check_text(path: pathlib.PurePath, text: str) -> list[Finding]:
    """Everything that can be said of one file alone."""
    checks = [] if path.as_posix() in SELF else list(TEXT_CHECKS)
    if is_cpp(path):
        checks += CPP_CHECKS
    if path.suffix == ".md":
        checks += MARKDOWN_CHECKS
    return [finding for check in checks for finding in check(path, text)]


def rooms_without_readme(files: list[pathlib.Path]) -> list[str]:
    rooms = {p.parts[1] for p in files if p.parts[0] == "src" and len(p.parts) > 2}
    return sorted(room for room in rooms if pathlib.Path("src", room, "README.md") not in files)


def is_text(path: pathlib.PurePath) -> bool:
    return path.suffix in TEXT_SUFFIXES or path.name in TEXT_NAMES


def check_file(root: pathlib.Path, path: pathlib.Path) -> list[Finding]:
    try:
        text = (root / path).read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return [(1, "not UTF-8")]
    found = check_text(path, text)
    if path.suffix == ".md":
        found += check_links(root, path, text)
    return sorted(found)


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    files = source_text.project_files(root)
    checked = [path for path in files if is_text(path)]
    broken = [f"{path}:{line}: {rule}" for path in checked for line, rule in check_file(root, path)]
    broken += [f"src/{room}:1: the room has no README.md" for room in rooms_without_readme(files)]
    broken += file_local.second_names({path: (root / path).read_text(encoding="utf-8") for path in checked
                                       if path.parts[0] in ("src", "tests") and path.suffix == ".cpp"})
    unclear, warnings = check_wording(root, checked)
    broken += unclear
    print("\n".join(warnings + broken +
                    [f"style: {len(checked)} files, {len(broken)} broken rules, {len(warnings)} warnings"]))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

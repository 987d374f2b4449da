"""What the checks share: which files there are, and C++ text without comments and literals."""
import pathlib
import re
import subprocess

CPP_SUFFIXES = {".cpp", ".hpp"}

# One token that may hide a quote or a slash from the others; the order of the alternatives matters.
_HIDING = re.compile(
    r"""
    (?P<comment> //(?:\\\n|[^\n])* | /\*.*?\*/ )
  | (?P<raw>     (?:u8|[uUL])?R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)" )
  | (?P<string>  "(?:\\.|[^"\\\n])*" )
  | (?P<number>  (?<![\w.])\d(?:'?[\w.])* )
  | (?P<char>    '(?:\\.|[^'\\\n])+' )
    """,
    re.VERBOSE | re.DOTALL,
)

_COMMENT_MARKS = re.compile(r"^\s*(?:/\*+|\*+/|\*+|//[/!]*<?)|\*+/\s*$")


def _blanked(match: re.Match[str]) -> str:
    newlines = "\n" * match.group().count("\n")
    if match.group("comment"):
        return " " + newlines
    if match.group("number"):
        return match.group()
    return ("''" if match.group("char") else '""') + newlines


def without_comments_and_literals(text: str) -> str:
    """The same lines; comments become blanks, literals become empty ones."""
    return _HIDING.sub(_blanked, text)


def without_comments(text: str) -> str:
    """The same lines; comments become blanks, literals stay."""
    return _HIDING.sub(lambda m: _blanked(m) if m.group("comment") else m.group(), text)


def comment_blocks(text: str) -> list[list[tuple[int, str]]]:
    """Each comment as its lines: (line number, text without the comment marks).

    A `//` continues the comment of the line above if it stands alone on its line, in the same column.
    """
    blocks: list[list[tuple[int, str]]] = []
    end = (-1, 0)  # line and column of the last comment line
    for match in _HIDING.finditer(text):
        if not match.group("comment"):
            continue
        line, begin = line_of(text, match.start()), text.rfind("\n", 0, match.start()) + 1
        column = match.start() - begin
        if end != (line - 1, column) or text[begin:match.start()].strip():
            blocks.append([])
        for part in match.group().split("\n"):
            blocks[-1].append((line, _COMMENT_MARKS.sub("", part)))
            end = (line, column)
            line += 1
    return blocks


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def git(root: pathlib.Path, *arguments: str) -> str | None:
    """What git prints. None if it fails, or is not installed."""
    try:
        ran = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, encoding="utf-8",
                             errors="replace", check=False)
    except FileNotFoundError:
        return None
    return ran.stdout if ran.returncode == 0 else None


def project_files(root: pathlib.Path) -> list[pathlib.Path]:
    """Paths relative to `root`: what git tracks or would track, or everything where git is absent."""
    listed = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if listed is not None:
        names = {name for name in listed.split("\0") if name}
        paths = [pathlib.Path(name) for name in names]
    else:
        paths = [p.relative_to(root) for p in root.rglob("*") if not _is_generated(p, root)]
    return sorted(p for p in paths if (root / p).is_file() and not (root / p).is_symlink())


def _is_generated(path: pathlib.Path, root: pathlib.Path) -> bool:
    return path.relative_to(root).parts[0] in {"build", ".git"}

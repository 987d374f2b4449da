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


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def project_files(root: pathlib.Path) -> list[pathlib.Path]:
    """Paths relative to `root`: what git tracks or would track, or everything where git is absent."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        names = {name for name in listed.stdout.split("\0") if name}
        paths = [pathlib.Path(name) for name in names]
    else:
        paths = [p.relative_to(root) for p in root.rglob("*") if not _is_generated(p, root)]
    return sorted(p for p in paths if (root / p).is_file() and not (root / p).is_symlink())


def _is_generated(path: pathlib.Path, root: pathlib.Path) -> bool:
    return path.relative_to(root).parts[0] in {"build", ".git"}

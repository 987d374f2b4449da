"""The lines that a change adds to the project's files."""
import collections
import os
import pathlib
import re

import source_text

_HUNK = re.compile(r"@@ -\d+(?:,(?P<removed>\d+))? \+(?P<first>\d+)(?:,(?P<added>\d+))? @@")
Line = tuple[pathlib.Path, int, str]  # file, line number, text


def base_of_change(root: pathlib.Path) -> str | None:
    """The commit that the change starts from. None without git, or before the first commit.

    This is SEMEL_STYLE_BASE if set, else the merge base with origin/main, else HEAD.
    """
    named = os.environ.get("SEMEL_STYLE_BASE")
    if named:
        commit = source_text.git(root, "rev-parse", "--verify", "--quiet", f"{named}^{{commit}}")
        if commit is None:
            raise SystemExit(f"SEMEL_STYLE_BASE: `{named}` is not a commit of this repository; name one, or unset it")
        return commit.strip()
    base = (source_text.git(root, "merge-base", "origin/main", "HEAD")
            or source_text.git(root, "rev-parse", "--verify", "--quiet", "HEAD"))
    return base.strip() if base else None


def read_diff(diff: str) -> tuple[list[Line], list[str]]:
    """(added lines, text of the removed lines) of a diff without context lines."""
    added: list[Line] = []
    removed: list[str] = []
    lines = iter([line for line in diff.split("\n") if not line.startswith("\\")])  # "\ No newline at end of file"
    path = pathlib.Path()
    for line in lines:
        if line.startswith("+++ b/"):
            path = pathlib.Path(line.removeprefix("+++ b/").rstrip("\t"))  # git ends a name that has blanks with a tab
        elif hunk := _HUNK.match(line):
            removed += [next(lines)[1:] for _ in range(int(hunk["removed"] or 1))]
            first = int(hunk["first"])
            added += [(path, first + i, next(lines)[1:]) for i in range(int(hunk["added"] or 1))]
    return added, removed


def without_moved(added: list[Line], removed: list[str]) -> list[Line]:
    """The added lines without those whose text, apart from its indentation, the change removes elsewhere."""
    movable = collections.Counter(text.strip() for text in removed)
    new = []
    for line in added:
        text = line[2].strip()
        if movable[text] > 0:
            movable[text] -= 1
        else:
            new.append(line)
    return new


def untracked_lines(root: pathlib.Path) -> list[Line]:
    listed = source_text.git(root, "ls-files", "-z", "--others", "--exclude-standard") or ""
    found: list[Line] = []
    for name in filter(None, listed.split("\0")):
        if (root / name).is_file():
            lines = (root / name).read_text(encoding="utf-8", errors="replace").split("\n")
            found += [(pathlib.Path(name), number, text) for number, text in enumerate(lines, start=1)]
    return found


def added_lines(root: pathlib.Path) -> dict[pathlib.Path, set[int]]:
    """Line numbers by file, committed or not. Empty without git. A moved line counts as old."""
    base = base_of_change(root)
    if base is None:
        return {}
    diff = source_text.git(root, "-c", "core.quotePath=false", "diff", "--unified=0", "--no-color", "--no-ext-diff",
                           "--no-textconv", "--no-renames", "--relative", "--src-prefix=a/", "--dst-prefix=b/", base)
    added, removed = read_diff(diff or "")
    by_file: dict[pathlib.Path, set[int]] = collections.defaultdict(set)
    for path, number, _ in without_moved(added + untracked_lines(root), removed):
        by_file[path].add(number)
    return dict(by_file)

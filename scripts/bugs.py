#!/usr/bin/env python3
"""Planted bugs, as patches of product sources: bugs.py [FILE [--save] | --check | --export DIR | --import DIR]

sim/bugs/core/chains/chain.cpp.patch turns src/core/chains/chain.cpp into a copy with planted bugs, which the test builds compile.
Without arguments the script lists the patches and the bugs in each.

FILE          opens the bugged copy of FILE in $EDITOR and writes the patch back. Without an editor or a terminal
              it prints the copy's path; --save then writes the patch.
--check       says for each patch whether it applies, and compares the bugs with sim/bugs/list.txt
--export DIR  writes every bugged copy to DIR, by the path of its source
--import DIR  makes all patches again, from the bugged copies in DIR and the sources as they are now
FILE --apply OUT  writes the bugged copy of FILE to OUT; for the build
--table OUT   writes the bugs of sim/bugs/list.txt to OUT, as C++; for the build
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The first line of every bugged copy. A patch leaves it out: it would break with each include that changes beside it.
INCLUDE = '#include "sim/bugs/mutation.hpp"\n'
_CONFLICT = re.compile(r"^(<{7}|={7}|>{7})", re.MULTILINE)
_SWITCH = re.compile(r"\bSEMEL_MUTATION\((\w+)\)")


class BugsError(Exception):
    """What the user has to do; printed without a trace."""


class Tree:
    """The sources, patches and copies under one root. A file is named by its path in src, like core/chains/chain.cpp."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self.copies = root / "build/bugs"

    def source(self, file: str) -> pathlib.Path:
        return self.root / "src" / file

    def patch(self, file: str) -> pathlib.Path:
        return self.root / "sim/bugs" / f"{file}.patch"

    def patched_files(self) -> list[str]:
        folder = self.root / "sim/bugs"
        return sorted(path.relative_to(folder).as_posix().removesuffix(".patch") for path in folder.rglob("*.patch"))

    def name_of(self, argument: str) -> str:
        """Takes src/core/chains/chain.cpp, core/chains/chain.cpp or the path of the patch."""
        path = pathlib.Path(argument)
        if path.is_absolute() and path.is_relative_to(self.root):
            path = path.relative_to(self.root)
        file = path.as_posix().removeprefix("src/").removeprefix("sim/bugs/").removesuffix(".patch")
        if not self.source(file).is_file() and not self.patch(file).is_file():
            raise BugsError(f"src/{file} does not exist; name a source like src/core/chains/chain.cpp")
        return file

    def clean_text(self, file: str) -> str:
        if not self.source(file).is_file():
            raise BugsError(f"src/{file} does not exist: move sim/bugs/{file}.patch with its source, or delete it")
        return self.source(file).read_text(encoding="utf-8")

    def listed_bugs(self) -> dict[str, str]:
        """What each bug of list.txt does, by its name."""
        listed: dict[str, str] = {}
        for line in (self.root / "sim/bugs/list.txt").read_text(encoding="utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            name, _, what = line.partition(": ")
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or not what or name in listed:
                raise BugsError(f"sim/bugs/list.txt: `{line}` is not a new `name: what the bug does`")
            listed[name] = what
        return listed

    def run_patch(self, file: str, *options: str) -> tuple[str, bool, str]:
        """The bugged text, whether the patch went in whole, and what `patch` said."""
        self.clean_text(file)
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"
            done = subprocess.run(
                ["patch", "--force", "--fuzz=0", "--reject-file=-", *options, f"--output={out}",
                 str(self.source(file)), str(self.patch(file))],
                capture_output=True, text=True, check=False)
            text = out.read_text(encoding="utf-8") if out.is_file() else ""
        return text, done.returncode == 0, done.stdout + done.stderr

    def bugged_text(self, file: str) -> str:
        text, applies, output = self.run_patch(file)
        if not applies:
            raise BugsError(f"{output}sim/bugs/{file}.patch no longer applies to src/{file}. Run ./dev bugs src/{file}: "
                            "it merges what it can, you finish the copy, and the patch is written again.")
        return INCLUDE + text

    def write_patch(self, file: str, clean: str, bugged: str) -> None:
        """Without a difference there is no patch."""
        difference = diff(file, clean, bugged.removeprefix(INCLUDE))
        path = self.patch(file)
        if not difference:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(difference, encoding="utf-8")


def diff(file: str, clean: str, bugged: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        names = ["clean", "bugged"]
        for name, text in zip(names, [clean, bugged]):
            (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
        done = subprocess.run(
            ["diff", "--unified", f"--label=src/{file}", f"--label=bugged/{file}", *names],
            cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise BugsError(done.stderr)
    return done.stdout


def apply(tree: Tree, file: str, out: pathlib.Path) -> None:
    text = tree.bugged_text(file)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8")


def list_patches(tree: Tree) -> None:
    for file in tree.patched_files():
        print(f"src/{file}: {' '.join(switches_in(tree, file))}")


def switches_in(tree: Tree, file: str) -> list[str]:
    lines = tree.patch(file).read_text(encoding="utf-8").splitlines()
    return sorted({name for line in lines if line.startswith("+") for name in _SWITCH.findall(line)})


def check_names(tree: Tree) -> list[str]:
    """What list.txt and the switches in patches and in the simulator itself disagree about."""
    listed = tree.listed_bugs()
    planted = {name for file in tree.patched_files() for name in switches_in(tree, file)}
    for path in (tree.root / "sim").glob("*.[ch]pp"):
        planted.update(_SWITCH.findall(path.read_text(encoding="utf-8")))
    return ([f"sim/bugs/list.txt: no SEMEL_MUTATION({name}) is planted" for name in sorted(listed.keys() - planted)] +
            [f"sim/bugs/list.txt: {name} is planted, but not listed" for name in sorted(planted - listed.keys())])


def write_table(tree: Tree, out: pathlib.Path) -> None:
    """Leaves a table alone that is as it should be: every bugged object depends on it."""
    text = "".join(f"SEMEL_PLANTED_BUG({name}, {json.dumps(what)})\n" for name, what in tree.listed_bugs().items())
    if not out.is_file() or out.read_text(encoding="utf-8") != text:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")


def check(tree: Tree) -> int:
    """The number of patches that do not apply, and of names that are wrong."""
    broken = 0
    for file in tree.patched_files():
        try:
            tree.bugged_text(file)
            print(f"sim/bugs/{file}.patch: applies")
        except BugsError as error:
            print(error)
            broken += 1
    wrong = check_names(tree)
    print("".join(f"{line}\n" for line in wrong), end="")
    return broken + len(wrong)


def copy_of(tree: Tree, file: str) -> tuple[pathlib.Path, pathlib.Path]:
    """The copy that is edited, and the clean text that it was made from."""
    copy = tree.copies / file
    return copy, copy.with_name(copy.name + ".clean")


def begin_edit(tree: Tree, file: str) -> pathlib.Path:
    """The copy to edit. One that was begun and not saved continues."""
    copy, base = copy_of(tree, file)
    if copy.exists():
        print(f"An earlier edit of {copy} was not saved. It continues.")
        return copy
    clean = tree.clean_text(file)
    text = clean
    if tree.patch(file).exists():
        text, is_whole, output = tree.run_patch(file)
        if not is_whole:
            text, is_whole, output = tree.run_patch(file, "--merge")
        if not is_whole:
            print(f"{output}The copy has the conflicts between <<<<<<< and >>>>>>>.")
    copy.parent.mkdir(parents=True, exist_ok=True)
    base.write_text(clean, encoding="utf-8")
    copy.write_text(INCLUDE + text, encoding="utf-8")
    return copy


def save(tree: Tree, file: str) -> None:
    copy, base = copy_of(tree, file)
    if not copy.exists():
        raise BugsError(f"src/{file} has no copy to save; ./dev bugs src/{file} makes one")
    bugged = copy.read_text(encoding="utf-8")
    if _CONFLICT.search(bugged):
        raise BugsError(f"{copy} still has conflict markers; run ./dev bugs src/{file} again")
    tree.write_patch(file, base.read_text(encoding="utf-8"), bugged)
    copy.unlink()
    base.unlink()
    if tree.patch(file).exists():
        tree.bugged_text(file)  # fails if the source has changed since the copy was made
        print(f"wrote sim/bugs/{file}.patch")
    else:
        print(f"src/{file} has no planted bug")


def edit(tree: Tree, file: str) -> None:
    copy = begin_edit(tree, file)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor or not sys.stdin.isatty() or not sys.stdout.isatty():
        print(f"{copy}\nEdit it, then run ./dev bugs src/{file} --save")
        return
    subprocess.run([*shlex.split(editor), str(copy)], check=True)
    save(tree, file)


def export_copies(tree: Tree, folder: pathlib.Path) -> None:
    for file in tree.patched_files():
        apply(tree, file, folder / file)


def import_copies(tree: Tree, folder: pathlib.Path) -> None:
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.cpp"))
    if not files:
        raise BugsError(f"{folder} has no bugged copies; --export writes them")
    cleans = {file: tree.clean_text(file) for file in files}
    for file in tree.patched_files():
        tree.patch(file).unlink()
    for file, clean in cleans.items():
        tree.write_patch(file, clean, (folder / file).read_text(encoding="utf-8"))
    for path in sorted((tree.root / "sim/bugs").rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def read_arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bugs", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("file", nargs="?", help=argparse.SUPPRESS)
    parser.add_argument("--save", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--export", metavar="DIR", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--import", metavar="DIR", type=pathlib.Path, dest="import_from", help=argparse.SUPPRESS)
    parser.add_argument("--apply", metavar="OUT", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--table", metavar="OUT", type=pathlib.Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    if arguments.file is None and (arguments.save or arguments.apply):
        parser.error("name a source, like src/core/chains/chain.cpp")
    return arguments


def run(tree: Tree, words: list[str]) -> int:
    arguments = read_arguments(words)
    if arguments.check:
        return 1 if check(tree) else 0
    if arguments.export:
        export_copies(tree, arguments.export)
    elif arguments.import_from:
        import_copies(tree, arguments.import_from)
    elif arguments.table:
        write_table(tree, arguments.table)
    elif arguments.file is None:
        list_patches(tree)
    elif arguments.apply:
        apply(tree, tree.name_of(arguments.file), arguments.apply)
    elif arguments.save:
        save(tree, tree.name_of(arguments.file))
    else:
        edit(tree, tree.name_of(arguments.file))
    return 0


def main() -> int:
    if shutil.which("patch") is None:
        print("bugs.py: the program `patch` is missing; ./dev setup installs it", file=sys.stderr)
        return 1
    try:
        return run(Tree(ROOT), sys.argv[1:])
    except BugsError as error:
        print(f"bugs.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

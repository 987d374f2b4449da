"""Names that C++ files keep to themselves, in their anonymous namespaces.

Sources are built in batches: the compiler reads several sources of a room, or of a test program, as one. Two constants
or types of one name are then an error, or worse, the second source reads the first one's. Functions may share a name:
they are overloads there too, and the compiler refuses two that are alike.
"""
import collections
import pathlib
import re

import source_text

_ANONYMOUS = re.compile(r"^namespace \{", re.MULTILINE)
_DECLARATION = re.compile(
    r"^(?:template\s*<[^\n]*>\s*)?"
    r"(?:(?:enum\s+)?(?:class|struct)\s+(?P<type>\w+)[^;{(]*\{"
    r"|using\s+(?P<alias>\w+)\s*="
    r"|(?:static\s+|inline\s+)*(?:constexpr|const)\s[^=;({]*?\b(?P<constant>k[A-Z]\w*)\b)", re.MULTILINE)
_STORES = {("sqlite",), ("postgres",), ("memory",), ("redis",)}


def room_of(path: pathlib.PurePath) -> str:
    """The folder whose sources are compiled together: src/store/sqlite, src/core, tests/unit/core, tests/http."""
    folders = path.parent.parts
    depth = 3 if folders[:2] == ("tests", "unit") or folders[1:2] == ("store",) and folders[2:3] in _STORES else 2
    return "/".join(folders[:depth])


def body_at(code: str, brace: int) -> tuple[str, int]:
    """What stands between the brace at `brace` and its partner, and where that begins."""
    depth = 0
    for at in range(brace, len(code)):
        depth += {"{": 1, "}": -1}.get(code[at], 0)
        if depth == 0:
            return code[brace + 1:at], brace + 1
    return code[brace + 1:], brace + 1


def outermost(body: str) -> str:
    """The body's own lines; those within braces are blank."""
    depth, lines = 0, []
    for line in body.split("\n"):
        lines.append(line if depth == 0 else " " * len(line))
        depth += line.count("{") - line.count("}")
    return "\n".join(lines)


def names_in(text: str) -> list[tuple[int, str]]:
    """(line, name) of each constant, type and alias in the anonymous namespaces of a source."""
    code = source_text.without_comments_and_literals(text)
    found = []
    for opening in _ANONYMOUS.finditer(code):
        body, begin = body_at(code, opening.end() - 1)
        for match in _DECLARATION.finditer(outermost(body)):
            name = match["type"] or match["alias"] or match["constant"]
            found.append((source_text.line_of(code, begin + match.start()), name))
    return found


def second_names(sources: dict[pathlib.PurePath, str]) -> list[str]:
    """A line for each name that another source of its room has too."""
    rooms: dict[tuple[str, str], list[tuple[pathlib.PurePath, int]]] = collections.defaultdict(list)
    for path, text in sorted(sources.items()):
        for line, name in names_in(text):
            rooms[room_of(path), name].append((path, line))
    return [f"{path}:{line}: {name} is a name in {places[0][0]} too; both may be compiled as one source"
            for (_, name), places in rooms.items() for path, line in places[1:] if path != places[0][0]]

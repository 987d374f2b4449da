#!/usr/bin/env python3
"""Puts one part's row into the table of a proof page: proof_row.py PAGE PART ROW_FILE COMMIT DATE

ROW_FILE has three lines, in any order: figure=… , n=… , control=… . A row of the same part is
replaced; the rows stay sorted by part.
"""
import pathlib
import sys

HEADER = "| part | figure | n | control | commit | date |"
RULE = "|---|---|---|---|---|---|"
FIELDS = ("figure", "n", "control")


def read_row(text: str) -> dict[str, str]:
    row: dict[str, str] = {}
    for line in text.splitlines():
        name, separator, value = line.partition("=")
        if separator and name.strip() in FIELDS:
            row[name.strip()] = value.strip()
    missing = [field for field in FIELDS if not row.get(field)]
    if missing:
        raise ValueError(f"the row lacks {', '.join(missing)}")
    return row


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def part_of(line: str) -> str:
    return line.strip().strip("|").split("|")[0].strip()


def with_row(page: str, part: str, line: str) -> str:
    lines = page.splitlines()
    if HEADER not in lines:
        raise ValueError(f"the page has no table that begins with `{HEADER}`")
    begin = lines.index(HEADER) + 2
    end = begin
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    rows = [row for row in lines[begin:end] if part_of(row) != part] + [line]
    lines[begin:end] = sorted(rows, key=part_of)
    return "\n".join(lines) + "\n"


def main() -> int:
    page, part, row_file, commit, date = sys.argv[1:6]
    path = pathlib.Path(page)
    try:
        row = read_row(pathlib.Path(row_file).read_text(encoding="utf-8"))
        cells = [part, *(row[field] for field in FIELDS), commit, date]
        line = "| " + " | ".join(cell(text) for text in cells) + " |"
        path.write_text(with_row(path.read_text(encoding="utf-8"), part, line), encoding="utf-8")
    except (OSError, ValueError) as error:
        print(f"proof_row.py: {part}: {error}", file=sys.stderr)
        return 1
    print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Writes files as C++ string literals: embed.py NAMESPACE OUT FILE…"""
import pathlib
import re
import sys

CHUNK_CHARS = 8000  # compilers limit one literal; adjacent ones are joined


def literal(text: str) -> str:
    chunks = [text[i:i + CHUNK_CHARS] for i in range(0, len(text), CHUNK_CHARS)] or [""]
    return "\n".join(f'R"semel~({chunk})semel~"' for chunk in chunks)


def main() -> None:
    namespace, out, files = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    lines = ["// NOLINTBEGIN: generated", "#pragma once", "#include <string_view>", f"namespace {namespace} {{"]
    for name in files:
        path = pathlib.Path(name)
        symbol = "f_" + re.sub(r"[^0-9A-Za-z]", "_", path.name)
        lines.append(f"inline constexpr std::string_view {symbol} = {literal(path.read_text())};")
    lines += ["}", "// NOLINTEND"]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("\n".join(lines) + "\n")


main()

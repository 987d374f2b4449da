"""How the project's text is worded: phrases to avoid, and words that must not open a comment."""
import dataclasses
import functools
import pathlib
import re

PHRASES_FILE = pathlib.Path(__file__).parent / "voice_phrases.txt"

_QUOTED = re.compile(r'`[^`]*`|"[^"]*"|“[^”]*”')
# The reader of such an opening must guess which part of the program is meant.
_UNCLEAR_OPENING = re.compile(r"(whoever|who|those|one that|somebody)\b", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Phrase:
    pattern: re.Pattern[str]
    replacement: str


def read_phrases(text: str) -> list[Phrase]:
    """Expects lines of the form `pattern -> replacement`. Skips empty lines and lines that begin with `#`."""
    phrases = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            pattern, replacement = line.split(" -> ")
            phrases.append(Phrase(re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), replacement))
    return phrases


@functools.cache
def phrases() -> list[Phrase]:
    return read_phrases(PHRASES_FILE.read_text(encoding="utf-8"))


def phrases_in(line: str) -> list[tuple[str, str]]:
    """(phrase as written, replacement) for each phrase to avoid. Ignores text in quotes and backticks."""
    plain = _QUOTED.sub('""', line)
    return [(match.group(), phrase.replacement) for phrase in phrases() for match in phrase.pattern.finditer(plain)]


def unclear_opening(comment: str) -> str | None:
    """The first word or words of a comment, if they must not open one."""
    match = _UNCLEAR_OPENING.match(comment.lstrip())
    return match.group() if match else None

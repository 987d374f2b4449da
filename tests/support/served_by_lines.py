"""The Python end of helper_program.hpp: requests are lines on stdin, each answered by one line.

An answer is `ok`, or `ok` and words, or `failed` and the reason, whose lines have `\\n` between. The end of stdin is
the end of the test program, however it came about.
"""
import collections.abc
import sys


def answer(words: str) -> None:
    print(words.strip().replace("\n", "\\n"), flush=True)


def attempt(what: collections.abc.Callable[[], str | None]) -> bool:
    try:
        answer(f"ok {what() or ''}")
        return True
    except Exception as error:  # pylint: disable=broad-except: the test program says it
        answer(f"failed {error}")
        return False


def serve(obey: collections.abc.Callable[[list[str]], str | None]) -> None:
    """Until stdin closes."""
    for line in sys.stdin:
        attempt(lambda words=line.split(): obey(words))

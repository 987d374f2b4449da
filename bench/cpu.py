"""What a measure costs: the CPU time of every process that takes part in it."""
import os
import pathlib

TICKS = os.sysconf("SC_CLK_TCK")  # in a second


def seconds_used() -> float:
    """So far, by everything that this process has started: servers and callers, what runs and what has ended."""
    if not pathlib.Path("/proc/self/task", str(os.getpid()), "children").exists():
        raise SystemExit("this kernel does not tell a process's children (CONFIG_PROC_CHILDREN), whose CPU time is measured")
    ended = os.times()
    running = sum(_ticks(child) for child in _children(os.getpid()))
    return ended.children_user + ended.children_system + running / TICKS


def _ticks(process: int) -> int:
    """Of it and its children, also of those that it has waited for."""
    fields = _read(f"{process}/stat").rpartition(")")[2].split()  # from the third on; utime is the 14th
    return sum(int(field) for field in fields[11:15]) + sum(_ticks(child) for child in _children(process))


def _children(process: int) -> list[int]:
    return [int(child) for child in _read(f"{process}/task/{process}/children").split()]


def _read(path: str) -> str:
    try:
        return pathlib.Path("/proc", path).read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return ""  # it has ended since

#!/usr/bin/env python3
"""Runs the README's quickstart word for word, and holds the answers against those it prints.

The commands name the default port, so the test runs in a network of its own where it can (and on
this machine's, where it cannot). `…` in a printed answer stands for anything.

Usage: quickstart_test.py SEMEL README
"""
import fcntl
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile

INSIDE = "SEMEL_QUICKSTART_INSIDE"
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 0x1


def enter_own_network() -> None:
    """Starts this test again in a new network namespace, if the system allows one."""
    if os.environ.get(INSIDE):
        bring_loopback_up()
        return
    unshare = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
    if subprocess.run(unshare + ["true"], capture_output=True).returncode == 0:
        os.environ[INSIDE] = "1"
        os.execvp(unshare[0], unshare + [sys.executable] + sys.argv)


def bring_loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(control, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))


def steps(readme: str) -> list[tuple[str, str | None]]:
    """The commands of the quickstart, each with the answer that is printed after it, if any."""
    section = readme.split("<!-- quickstart", 1)[1].split("<!-- end of quickstart -->", 1)[0]
    blocks = re.findall(r"```(sh|json|text)\n(.*?)```", section, re.DOTALL)
    found: list[tuple[str, str | None]] = []
    for kind, text in blocks:
        if kind == "sh":
            found.append((text, None))
        else:
            found[-1] = (found[-1][0], text.strip())
    return found


def matches(printed: str, answer: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in printed.split("…"))
    return re.fullmatch(pattern, answer.strip(), re.DOTALL) is not None


def wait_for_banner(server: subprocess.Popen) -> str:
    assert server.stdout
    shown = ""
    for line in server.stdout:
        shown += line
        if "curl" in line:
            return shown
    raise SystemExit(f"the server ended before it said what to try:\n{shown}")


def main() -> int:
    enter_own_network()
    semel, readme = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    environment = os.environ | {"PATH": os.path.dirname(semel) + os.pathsep + os.environ["PATH"]}
    failed = 0
    with tempfile.TemporaryDirectory(prefix="semel-quickstart-") as folder:
        server = subprocess.Popen([semel, "serve"], cwd=folder, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            wait_for_banner(server)
            todo = steps(readme)
            assert len(todo) >= 3, "the README has lost its quickstart"
            for command, printed in todo:
                run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60,
                                     env=environment)
                good = run.returncode == 0 and (printed is None or matches(printed, run.stdout))
                if not good:
                    failed += 1
                    print(f"--- command\n{command}--- printed\n{printed}\n--- got ({run.returncode})\n"
                          f"{run.stdout}{run.stderr}")
        finally:
            server.terminate()
            server.wait(30)
    print(f"{len(todo) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

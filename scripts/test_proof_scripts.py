"""What the scripts of tests/prove share: their output reaches whoever reads it, whatever the standard error is."""
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = ROOT / "tests" / "support" / "proof.sh"


def run(script: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", f'set -euo pipefail; source "$0"; {script}', str(SHARED)],
                          stdout=subprocess.PIPE, text=True, check=False, timeout=30, **options)


class Aloud(unittest.TestCase):
    def hands_on(self, script: str = "aloud", **options: object) -> None:
        said = run(f"printf 'one\\n two\\nlast' | {script}", **options)
        self.assertEqual((said.returncode, said.stdout), (0, "one\n two\nlast\n"))

    def test_a_file_gets_what_is_said_behind_what_it_has(self) -> None:
        with tempfile.TemporaryFile() as log:
            log.write(b"before\n")
            log.flush()
            self.hands_on(stderr=log)
            log.seek(0)
            self.assertEqual(log.read(), b"before\none\n two\nlast\n")

    def test_a_socket_cannot_be_opened_by_name(self) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self.hands_on(stderr=theirs)
            self.assertEqual(ours.recv(100), b"one\n two\nlast\n")

    def test_nobody_need_be_there(self) -> None:
        self.hands_on("aloud 2>&-")
        with open("/dev/full", "wb") as full:
            self.hands_on(stderr=full)
        reading, writing = os.pipe()
        os.close(reading)
        try:
            self.hands_on(stderr=writing)
        finally:
            os.close(writing)

    def test_a_reader_that_has_seen_enough_ends_nobody(self) -> None:
        said = run("seq 100000 | aloud 2>/dev/null | grep --quiet '^7$'; echo found")
        self.assertEqual((said.returncode, said.stdout), (0, "found\n"))

    def test_a_failure_before_it_is_not_hidden(self) -> None:
        self.assertNotEqual(run("false | aloud").returncode, 0)


class ProofRow(unittest.TestCase):
    def test_is_added_to_the_file_or_shown(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            row = pathlib.Path(folder) / "row"
            row.write_text("figure=1\n")
            said = run("echo n=2 | proof_row", env=os.environ | {"SEMEL_PROOF_ROW": str(row)})
            self.assertEqual((said.returncode, said.stdout, row.read_text()), (0, "", "figure=1\nn=2\n"))
        self.assertEqual(run("echo n=2 | proof_row", env=os.environ | {"SEMEL_PROOF_ROW": ""}).stdout, "n=2\n")


class Scripts(unittest.TestCase):
    def test_none_opens_a_standard_stream_by_name(self) -> None:
        for script in [ROOT / "dev", *ROOT.glob("tests/prove/*.sh"), *ROOT.glob("bench/*.sh")]:
            self.assertIsNone(re.search(r"/dev/std(err|out)\b", script.read_text()), script.name)


if __name__ == "__main__":
    unittest.main()

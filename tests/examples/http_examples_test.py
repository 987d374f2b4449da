#!/usr/bin/env python3
"""The examples in plain HTTP print what they should, on a server of their own: http_examples_test.py SEMEL EXAMPLES"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import semel_process  # noqa: E402

SEMEL, EXAMPLES = sys.argv[1], pathlib.Path(sys.argv[2])

# What each prints, line by line; builders print while others go on.
PRINTED = {
    "webhook_consumer": [
        'crediting {"cents":250}',
        "evt_1: credit-1, answer 200",
        'crediting {"cents":90}',
        "evt_2: credit-2, answer 200",
        "evt_1: credit-1, as before, answer 200",
        'evt_1: not what it was, "diff":[{"op":"replace","path":"/cents","value":999}], answer 409',
        "credits: 2",
    ],
    "queue_consumer": ["m1: sent as mail-1", "m1: had been sent as mail-1", "m2: sent as mail-2", "mails: 2"],
    "document_ingest": [
        'manual cut into ["s1","s2"]',
        'manual is ["s1","s2"]',
        'manual cut into ["s3","s4","s5"]',
        'manual is ["s1","s2"]',
        "snippets: 5",
    ],
    "index_build": [
        "reader: no index of 9f2c yet, the one before serves",
        "building 9f2c",
        "there is index-of-9f2c",
        "there is index-of-9f2c",
        "reader: index-of-9f2c",
    ],
    "region_failover": [
        "west: new, charged, dies",
        "east: new, takeover true",
        "east: the bank has it already",
        "west: stale_token",
        "west: duplicate ch_9",
        "charges: 1",
    ],
}


class HttpExamples(unittest.TestCase):
    def test_they_print_what_they_should(self) -> None:
        scripts = sorted(EXAMPLES.glob("*.sh"))
        self.assertEqual([script.stem for script in scripts], sorted(PRINTED))
        with tempfile.TemporaryDirectory(prefix="semel-examples-") as folder:
            server = semel_process.Server(SEMEL, pathlib.Path(folder) / "semel.db", pathlib.Path(folder) / "log")
            server.start()
            try:
                for script in scripts:
                    with self.subTest(script.stem):
                        self.check(script, f"http://127.0.0.1:{server.port}")
            finally:
                server.stop()

    def check(self, script: pathlib.Path, url: str) -> None:
        done = subprocess.run(["bash", str(script)], env={**os.environ, "SEMEL_URL": url}, capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        printed = done.stdout.splitlines()
        self.assertCountEqual(printed, PRINTED[script.stem])
        self.assertEqual(printed[-1], PRINTED[script.stem][-1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

#!/usr/bin/env python3
"""The servers that process tests stand on: postgres_server_test.py"""
import os
import pathlib
import subprocess
import sys
import time
import unittest

SUPPORT = pathlib.Path(__file__).resolve().parents[2] / "support"
sys.path.insert(0, str(SUPPORT))

import pgbouncer  # noqa: E402
import postgres_pair  # noqa: E402
import postgres_server  # noqa: E402

END_SECONDS_MAX = 60.0

# Starts a server, says which process it is, and waits to be killed.
STARTER = """
import postgres_server, sys
server = postgres_server.PostgresServer()
print(server.process.pid, server.folder, flush=True)
sys.stdin.read()
"""


def is_alive(pid: int) -> bool:
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class PostgresServerTest(unittest.TestCase):
    def test_keeps_what_was_committed_through_a_crash(self) -> None:
        with postgres_server.PostgresServer() as server:
            one, other = server.make_database(), server.make_database()
            server.ask("create table notes as select 'here' as note, 1 as number", one)
            self.assertEqual(server.ask("select count(*) from pg_class where relname = 'notes'", other), "0")
            server.restart("immediate")
            self.assertEqual(server.ask("select * from notes", one), "here|1")
            server.stop("fast")
            with self.assertRaisesRegex(RuntimeError, "refused"):
                server.ask("select 1", one)
            server.start()
            with pgbouncer.PgBouncer(server.port) as bouncer:
                database = one.rsplit("/", 1)[1]
                self.assertEqual(postgres_server.psql(bouncer.url(database), "select note from notes"), "here")
            url, folder = one, server.folder
        self.assertFalse(folder.exists())
        with self.assertRaisesRegex(RuntimeError, "refused"):
            postgres_server.psql(url, "select 1")

    def test_ends_when_its_process_is_killed(self) -> None:
        starter = subprocess.Popen([sys.executable, "-B", "-c", STARTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   text=True, env=os.environ | {"PYTHONPATH": str(SUPPORT)})
        assert starter.stdout and starter.stdin
        pid, folder = starter.stdout.readline().split()
        self.assertTrue(is_alive(int(pid)))
        starter.kill()
        starter.communicate()
        deadline = time.monotonic() + END_SECONDS_MAX
        while is_alive(int(pid)) and time.monotonic() < deadline:
            time.sleep(0.01)  # waits: for the end of a process that is not our child
        self.assertFalse(is_alive(int(pid)))
        subprocess.run(["rm", "-r", folder], check=True)


class PostgresPairTest(unittest.TestCase):
    def test_standby_has_what_was_committed_and_takes_over(self) -> None:
        with postgres_pair.PostgresPair() as pair:
            assert pair.standby
            url = pair.make_database()
            postgres_server.psql(url, "create table notes as select 'here' as note")
            self.assertEqual(pair.standby.ask("select pg_is_in_recovery()"), "t")
            self.assertEqual(pair.primary.ask("select sync_state from pg_stat_replication"), "sync")
            pair.fail_over()
            self.assertEqual(postgres_server.psql(url, "select note from notes"), "here")
            postgres_server.psql(url, "insert into notes values ('there')")
            self.assertEqual(pair.standby.ask("select pg_is_in_recovery()"), "f")


if __name__ == "__main__":
    unittest.main()

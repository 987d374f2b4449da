"""Two real PostgreSQL servers: a primary, and a standby that can take its place."""
import time

import postgres_server

FOLLOW_SECONDS_MAX = 60.0


class PostgresPair:
    """A commit is answered when the standby has it, unless `synchronous` is off. Gone at the end of the `with` block."""

    def __init__(self, synchronous: bool = True, settings: dict[str, str] | None = None) -> None:
        self.primary = postgres_server.PostgresServer(settings=settings)
        self.standby: postgres_server.PostgresServer | None = None
        try:
            self.standby = postgres_server.PostgresServer(settings=settings, standby_of=self.primary)
            self._wait_for_state("streaming", "state")
            if synchronous:
                # Only now: without its standby a synchronous primary answers no commit.
                self.primary.ask("alter system set synchronous_standby_names = 'standby'")
                self.primary.ask("select pg_reload_conf()")
                self._wait_for_state("sync", "sync_state")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "PostgresPair":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def url(self, database: str = "postgres") -> str:
        """Finds whichever of the two is the primary."""
        assert self.standby
        hosts = f"127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}"
        return f"postgres://postgres@{hosts}/{database}?target_session_attrs=read-write"

    def make_database(self) -> str:
        """The URL of a new and empty one, on both."""
        return self.url(self.primary.make_database().rsplit("/", 1)[1])

    def fail_over(self) -> None:
        """The primary crashes, and the standby is promoted: it is a primary alone when this returns."""
        assert self.standby
        self.primary.stop("immediate")
        self.promote()

    def promote(self) -> None:
        """Of the standby, whether or not the primary still runs."""
        assert self.standby
        if self.standby.ask("select pg_promote()") != "t":
            raise RuntimeError(f"the standby was not promoted; its log:\n{self.standby.log_tail()}")

    def close(self) -> None:
        # The standby first: it has nobody to miss then.
        for server in (self.standby, self.primary):
            if server:
                server.close()

    def _wait_for_state(self, wanted: str, column: str) -> None:
        deadline = time.monotonic() + FOLLOW_SECONDS_MAX
        while self.primary.ask(f"select {column} from pg_stat_replication where application_name = 'standby'") != wanted:
            if time.monotonic() > deadline:
                raise RuntimeError(f"the standby did not become {wanted} in {FOLLOW_SECONDS_MAX} s; "
                                   f"the primary's log:\n{self.primary.log_tail()}")
            time.sleep(0.02)  # waits: for a state of the server, which nothing announces

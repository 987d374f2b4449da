"""Where PostgreSQL's programs are, and as which user they run."""
import functools
import glob
import os
import pathlib
import pwd
import shutil
import subprocess

DEBIAN_BINARIES = "/usr/lib/postgresql/*/bin"


class NotInstalled(RuntimeError):
    """In words that name what to install."""


def major_of(folder: str) -> int:
    return int(pathlib.PurePath(folder).parent.name)


@functools.cache
def folder() -> pathlib.Path:
    """Of initdb and postgres: SEMEL_TEST_PG_BIN, or the newest of Debian's."""
    named = os.environ.get("SEMEL_TEST_PG_BIN")
    if named:
        if not (pathlib.Path(named) / "postgres").is_file():
            raise NotInstalled(f"SEMEL_TEST_PG_BIN is {named}, and there is no program `postgres` in it")
        return pathlib.Path(named)
    found = [path for path in glob.glob(DEBIAN_BINARIES) if os.path.isfile(f"{path}/postgres")]
    if not found:
        raise NotInstalled(f"PostgreSQL is not installed: there is no `postgres` in {DEBIAN_BINARIES}. "
                           "Install Debian's package postgresql-15, or name a folder by SEMEL_TEST_PG_BIN")
    return pathlib.Path(max(found, key=major_of))


def client(name: str) -> str:
    """A client program such as psql. Those of any version will do: not every folder of servers has them."""
    own = folder() / name
    if own.is_file():
        return str(own)
    found = [path for path in glob.glob(DEBIAN_BINARIES) if os.path.isfile(f"{path}/{name}")]
    if not found:
        raise NotInstalled(f"there is no `{name}` in {DEBIAN_BINARIES}; install Debian's package postgresql-client-15")
    return f"{max(found, key=major_of)}/{name}"


@functools.cache
def user() -> pwd.struct_passwd | None:
    """Whom the servers run as, where that is somebody else: neither PostgreSQL nor PgBouncer runs as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            pass
    raise NotInstalled("this is root, and there is neither a user `postgres` nor `nobody` to run servers as")


def as_user(command: list[str], death_signal: str | None = None) -> list[str]:
    """The command as that user. The process is the program itself: signals reach it.

    It gets `death_signal` when the thread that started it is gone.
    """
    if not shutil.which("setpriv"):
        raise NotInstalled("there is no `setpriv`; install Debian's package util-linux")
    other = user()
    words = ["setpriv"]
    if other:
        words += [f"--reuid={other.pw_uid}", f"--regid={other.pw_gid}", "--clear-groups"]
    if death_signal:
        words += ["--pdeathsig", death_signal]
    return words + command if len(words) > 1 else command


def give(path: pathlib.Path) -> None:
    """The file or folder is that user's from now on."""
    other = user()
    if other:
        os.chown(path, other.pw_uid, other.pw_gid)


def run(command: list[str]) -> str:
    """Its output. Runs as that user, to its end."""
    done = subprocess.run(as_user(command), capture_output=True, text=True, check=False, cwd="/")
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {(done.stderr or done.stdout).strip()}")
    return done.stdout

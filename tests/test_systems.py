"""Other systems than the one at hand: what they lack is not needed, and what they have is used.

None of this replaces a run on Windows or macOS: it keeps known traps shut where neither is there.
"""

from __future__ import annotations

import builtins
import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from readmark.core.writing import lock

SOURCE = Path(__file__).resolve().parents[1] / "src" / "readmark"
WINDOWS_LACKS = (
    (
        "os",
        "fork forkpty killpg getpgid getpgrp setsid getuid geteuid getgid getgroups sysconf "
        "chown fchmod fchown mkfifo mknod nice wait waitpid statvfs pread pwrite sched_getaffinity "
        "sched_setaffinity register_at_fork openpty uname getloadavg sync posix_fadvise sendfile",
    ),
    (
        "signal",
        "SIGKILL SIGHUP SIGALRM SIGUSR1 SIGUSR2 SIGCHLD SIGPIPE SIGQUIT SIGSTOP SIGCONT "
        "alarm setitimer pthread_kill pthread_sigmask sigwait",
    ),
)
GUARDED = {
    ("core/confinement.py", "SIGKILL"): "Linux alone",
    ("core/confinement.py", "sysconf"): "where os has it",
    ("server/operations/processes.py", "sysconf"): "where there is /proc",
    **dict.fromkeys(
        [("sitting/worker.py", name) for name in ("getpgrp", "killpg", "SIGKILL")],
        "not on Windows",
    ),
    ("sitting/pipes.py", "killpg"): "after Windows has returned",
}
POSIX_MODULES = ["fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"]

EVERY_MODULE = f"""
import builtins, importlib, pkgutil, sys
found = builtins.__import__
def bare(name, globals=None, *args, **kwargs):
    if name in {POSIX_MODULES} and (globals or {{}}).get("__name__", "").startswith("readmark"):
        raise ModuleNotFoundError("No module named " + repr(name), name=name)
    return found(name, globals, *args, **kwargs)
builtins.__import__ = bare
import readmark
skipped = 0
for module in pkgutil.walk_packages(readmark.__path__, "readmark."):
    if module.name.endswith("__main__") or ".migrations.versions." in module.name:
        continue
    if module.name == "readmark.server.migrations.env":  # runs a migration
        continue
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        if error.name in {POSIX_MODULES}:
            raise
        skipped += 1  # an extra that is not installed
print(skipped)
"""


@pytest.mark.process
def test_no_module_needs_what_only_posix_has() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERY_MODULE], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 50, "hardly anything was imported"


def test_what_windows_lacks_is_used_behind_a_guard() -> None:
    spelt = (rf"\b{module}\.({'|'.join(names.split())})\b" for module, names in WINDOWS_LACKS)
    used = re.compile("|".join(spelt))
    found = {
        (path.relative_to(SOURCE).as_posix(), match[1] or match[2])
        for path in SOURCE.rglob("*.py")
        for match in used.finditer(path.read_text("utf-8"))
    }
    assert found == GUARDED.keys()


class Kernel:
    """As much of kernel32 as is used: one process has the byte, whoever comes second does not."""

    def __init__(self, error: int) -> None:
        self.taken: set[tuple[int, ...]] = set()
        self.error = error
        self.calls: list[tuple[int, ...]] = []
        self.LockFile = SimpleNamespace()

    def lock_file(self, handle: int, *region: int) -> int:
        self.calls.append((handle, *region))
        inode = os.fstat(handle).st_ino
        if self.error == 1 or (inode, *region) in self.taken:
            return 0
        self.taken.add((inode, *region))
        return 1


@pytest.mark.parametrize(("error", "expected"), [(33, (True, False)), (1, (None, None))])
def test_the_lock_of_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int, expected: tuple[Any, Any]
) -> None:
    """33 is a lock violation; 1, an invalid function, is what file systems without locks say."""
    kernel = Kernel(error)

    class Function:
        argtypes: tuple[Any, ...] = ()

        def __call__(self, *given: int) -> int:
            assert len(self.argtypes) == len(given) == 5
            return kernel.lock_file(*given)

    kernel.LockFile = Function()  # type: ignore[assignment]
    msvcrt = ModuleType("msvcrt")
    msvcrt.get_osfhandle = lambda descriptor: descriptor  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setattr(ctypes, "WinDLL", lambda name, use_last_error: kernel, raising=False)
    monkeypatch.setattr(ctypes, "get_last_error", lambda: error, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    file = tmp_path / "journal.jsonl"
    with file.open("ab", buffering=0) as first, file.open("ab", buffering=0) as second:
        first.write(b"a row\n")
        assert (lock(first.fileno()), lock(second.fileno())) == expected
        first.write(b"another\n")
    assert file.read_bytes() == b"a row\nanother\n"  # neither moved nor cut
    [(_, low, high, *size), _] = kernel.calls
    assert high * 2**32 + low > 2**60  # far beyond what anybody reads
    assert size == [1, 0]


def test_a_lock_goes_with_the_file(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    file = tmp_path / "journal.jsonl"
    with file.open("ab") as second:
        with file.open("ab") as first:
            assert (lock(first.fileno()), lock(second.fileno())) == (True, False)
        assert lock(second.fileno()) is True


def test_a_system_without_locks_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = builtins.__import__

    def bare(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "fcntl":
            raise ModuleNotFoundError(name=name)
        return found(name, *args, **kwargs)

    with (tmp_path / "file").open("ab") as stream:
        monkeypatch.setattr(builtins, "__import__", bare)
        assert lock(stream.fileno()) is None


def test_files_have_line_feeds_everywhere() -> None:
    """Python gives text the line ends of the system, so files are written as bytes."""
    text = re.compile(r"\.write_text\(|open\([^)\n]*[\"'][wax]t?[\"'][^b]")
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if text.search(path.read_text("utf-8"))
    }
    # A number without a line end, standard output to nowhere, and members of zips.
    assert found <= {"core/new_folders.py", "cli/main.py", "formats/workbook_writing.py",
                     "server/operations/backup.py"}  # fmt: skip

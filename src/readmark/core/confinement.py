"""What runs on behalf of other people's files, confined: databases, and processes of their own.

A database opens only the files that it is given, loads no extension and cannot be reconfigured. A
process is limited in time and memory and has no network, and can be cut off from every file before
it evaluates anything. Nothing here looks at the words of a query: the limits are the system's.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.configuration import configuration, use_only_limits
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.core.limits import Limits, limits
from readmark.core.no_network import refuse_network

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
SHARE = 4
"""By default a database or a process may use one part in so many of the machine's memory."""
LEAST_MEMORY = 1 << 29
"""Bytes that are allowed however small the machine is."""
MOST_MEMORY = 1 << 50
"""Bytes that stand for no limit: small multiples of them still fit into 64 bits."""
MOST_SPILLED = "16GiB"
"""What a database may write to disk when its memory does not suffice."""
OFF: dict[str, bool | str] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_unsigned_extensions": False,
    "allow_extension_repositories": "forbidden",
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
}
"""Settings of every database; access to files and the lock are set last."""
_NO_MEMORY = ("memory allocation of", "MemoryError", "bad_alloc")
_PARENT_DEATH_SIGNAL = 1
_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "PYTHONPATH", "SYSTEMROOT")
_CGROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


class Late(Exception):
    """The time is up."""


class OutOfMemory(DataError):
    """More memory is needed than is allowed."""

    def __init__(self, memory: int, what: str = "it") -> None:
        super().__init__(f"{what} needs more memory than the limit of {memory / 2**30:.1f} GiB")


def default_memory() -> int:
    """Bytes that a database or a process may use, unless it is told otherwise.

    ``files.memory`` of the configuration decides, else it is a quarter of the machine's.
    """
    if (allowed := limits().memory) is not None:
        return min(allowed, MOST_MEMORY)
    sizes = []
    if hasattr(os, "sysconf"):
        sizes.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for file in _CGROUPS:
        try:
            text = Path(file).read_text(encoding="ascii").strip()
        except OSError:
            continue
        if text.isdecimal():
            sizes.append(int(text))
    return max(min(sizes, default=0) // SHARE, LEAST_MEMORY)


def connect(
    database: str | Path = ":memory:",
    *,
    folder: str | Path | None = None,
    files: Iterable[str | Path] = (),
    memory: int | None = None,
    threads: int | None = None,
    ordered: bool = True,
) -> DuckDBPyConnection:
    """A DuckDB database that opens nothing but ``files`` and what lies in its own ``folder``.

    What does not fit into ``memory`` (bytes) goes to that folder; without one, it is an error.
    """
    require("duckdb")
    import duckdb

    config: dict[str, Any] = {
        **OFF,
        "temp_directory": "" if folder is None else os.fspath(Path(folder, "spilled")),
        "max_temp_directory_size": MOST_SPILLED,
        "memory_limit": f"{memory or default_memory()}B",
        "preserve_insertion_order": ordered,
    }
    if threads is not None:
        config["threads"] = threads
    connection = duckdb.connect(os.fspath(database), config=config)
    connection.execute(
        "SET enable_progress_bar = false; "
        f"SET allowed_paths = {_listed(files)}; "
        f"SET allowed_directories = {_listed([] if folder is None else [folder])}; "
        "SET enable_external_access = false; SET lock_configuration = true"
    )
    return connection


def _listed(paths: Iterable[str | Path]) -> str:
    quoted = (os.fspath(path).replace("'", "''") for path in paths)
    return "[" + ", ".join(f"'{path}'" for path in quoted) + "]"


def bare_environment() -> dict[str, str]:
    """What a process for other people's files needs of the environment: no password is in it."""
    return {name: os.environ[name] for name in _PASSED_ON if name in os.environ}


def run_confined(
    work: Callable[[Any], Any],
    task: Any,
    *,
    seconds: float,
    memory: int | None = None,
    what: str = "the query",
    environment: Mapping[str, str] | None = None,
    watch: Callable[[], None] | None = None,
) -> Any:
    """The result of a function of a module for a task, in a confined process.

    Task and result travel as JSON. The process has no network, and of the configuration only the
    limits on files. It is killed after so many ``seconds``, which raises ``Late``; more ``memory``
    than so many bytes raises ``OutOfMemory``, and any other failure a ``DataError``. Messages say
    ``what`` failed. ``environment`` replaces this process's environment. ``watch`` is called every
    second; what it raises ends the process.
    """
    allowed = default_memory() if memory is None else memory
    start = f"from {__name__} import serve; serve({work.__module__!r}, {work.__qualname__!r})"
    # -P: a module in the current folder must not pass for one of Readmark's.
    command = [sys.executable, "-P", "-c", start]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        env=None if environment is None else dict(environment),
    )
    try:
        files = asdict(configuration().files)
        request = json.dumps(
            {"memory": allowed, "task": task, "parent": os.getpid(), "files": files}
        )
        output, errors = _communicate(process, request, seconds, watch)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    if process.returncode:
        if any(words in errors for words in _NO_MEMORY):
            raise OutOfMemory(allowed, what)
        raise ProcessFailed(errors, process.returncode, what)
    return json.loads(output)


def _communicate(
    process: subprocess.Popen[str],
    request: str,
    seconds: float,
    watch: Callable[[], None] | None,
) -> tuple[str, str]:
    """Everything that a process writes; Late if it takes too long."""
    end = time.monotonic() + seconds
    step = seconds if watch is None else 1.0
    unsent: str | None = request
    while True:
        timeout = min(step, max(0.0, end - time.monotonic()))
        try:
            return process.communicate(unsent, timeout=timeout)
        except subprocess.TimeoutExpired:
            if time.monotonic() >= end:
                raise Late from None
            if watch is not None:
                watch()
        unsent = None  # a second call continues with what is left of the first


class ProcessFailed(DataError):
    """The process ended without a reply; ``errors`` is what it wrote."""

    def __init__(self, errors: str, status: int, what: str = "the query") -> None:
        self.errors = errors
        last = (errors.strip().splitlines() or [f"its process ended with status {status}"])[-1]
        super().__init__(f"{what} failed: {last}")


def serve(module: str, name: str) -> None:
    """The other process: reads the task, limits itself, works, writes the reply."""
    request = json.load(sys.stdin)
    _end_with(request["parent"])
    refuse_network()  # before anything is imported that starts threads: they would be left out
    use_only_limits(Limits(**request["files"]))
    work = getattr(importlib.import_module(module), name)
    _limit_memory(request["memory"])
    json.dump(work(request["task"]), sys.stdout)


def _end_with(parent: int) -> None:
    """Let Linux end this process when its parent ends, however that is."""
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os._exit(1)


def _limit_memory(allowed: int) -> None:
    try:
        import resource
    except ImportError:  # Windows: only the database's own limit is left
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard == resource.RLIM_INFINITY or allowed < hard:
        try:
            resource.setrlimit(resource.RLIMIT_DATA, (allowed, hard))
        except (OSError, ValueError):
            if sys.platform == "linux":
                raise  # other systems may not limit this, and the database has its own limit

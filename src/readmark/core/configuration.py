"""The configuration in force: ``readmark.toml`` here or in a parent, ``--config``, ``--set``."""

from __future__ import annotations

import functools
import json
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from readmark.core.configuration_reading import ConfigurationReader
from readmark.core.configuration_sections import FILE, UserConfiguration
from readmark.core.errors import DataError
from readmark.core.limits import Limits

FILE_VARIABLE = "READMARK_CONFIG"
"""The environment variable that passes ``--config`` on to processes that a command starts."""
SETTINGS_VARIABLE = "READMARK_SET"
"""The same for ``--set``: a JSON list of ``KEY=VALUE``."""
NO_CONFIGURATION = UserConfiguration()

_restricted: UserConfiguration | None = None
"""What `use_only_limits` leaves, which nothing else overrides."""


def configuration() -> UserConfiguration:
    """The configuration in force in this process: the file of the folder, and what was set."""
    if _restricted is not None:
        return _restricted
    # Every file that is read asks for its limits here: strings and stat alone, no Path.
    try:
        folder = os.getcwd()  # noqa: PTH109
    except OSError:  # the folder is gone
        folder = ""
    settings = os.environ.get(SETTINGS_VARIABLE, "")
    if file := os.environ.get(FILE_VARIABLE):
        return _load(file, settings, folder)
    for file in _candidates(folder):
        try:
            state = os.stat(file)  # noqa: PTH116
        except OSError:
            continue
        if stat.S_ISREG(state.st_mode):
            return _read(file, (state.st_mtime_ns, state.st_size), settings, folder)
    return _read("", (0, 0), settings, folder) if settings else NO_CONFIGURATION


@functools.lru_cache(maxsize=8)
def _candidates(folder: str) -> tuple[str, ...]:
    """The ``readmark.toml`` of a folder and of its parents, the nearest first."""
    if not folder:
        return ()
    return tuple(os.fspath(parent / FILE) for parent in (Path(folder), *Path(folder).parents))


def _load(file: str, settings: str, folder: str) -> UserConfiguration:
    """The configuration of a file that was named, which must be there."""
    try:
        state = Path(file).stat()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=file) from None
    return _read(file, (state.st_mtime_ns, state.st_size), settings, folder)


def use_only_limits(files: Limits) -> None:
    """Leave this process no configuration but these limits on files.

    The exam hall does this: what its users write must not reach models, addresses and files
    of whoever runs it.
    """
    global _restricted
    _restricted = UserConfiguration(files=files)


def lift_restriction() -> None:
    """End ``use_only_limits`` where a process runs several commands, as tests do."""
    global _restricted
    _restricted = None


def load_configuration(file: str | Path, settings: Sequence[str] = ()) -> UserConfiguration:
    """The configuration of a file, with ``KEY=VALUE`` settings over it."""
    encoded = json.dumps(list(settings)) if settings else ""
    return _load(os.fspath(file), encoded, os.fspath(Path.cwd()))


@functools.lru_cache(maxsize=8)
def _read(file: str, _state: tuple[int, int], settings: str, folder: str) -> UserConfiguration:
    # `_state` has the file's time and size: an edited file is another entry of the cache.
    reader = ConfigurationReader(Path(file) if file else None, folder)
    for pair in json.loads(settings) if settings else ():
        reader.set(pair)
    return reader.configuration()


def settings_in_force() -> list[str]:
    """The ``KEY=VALUE`` settings that hold in this process."""
    encoded = os.environ.get(SETTINGS_VARIABLE)
    settings: list[str] = json.loads(encoded) if encoded else []
    return settings


def put_in_force(file: str | None, settings: Sequence[str]) -> UserConfiguration:
    """Make ``--config`` and ``--set`` hold in this process and in those that it starts."""
    if file is not None:
        os.environ[FILE_VARIABLE] = os.fspath(Path(file).absolute())
    if settings:
        os.environ[SETTINGS_VARIABLE] = json.dumps(list(settings))
    return configuration()


@contextmanager
def using(file: str | Path) -> Iterator[UserConfiguration]:
    """A configuration file in force for a while, also in processes that are started meanwhile."""
    before = os.environ.get(FILE_VARIABLE)
    os.environ[FILE_VARIABLE] = os.fspath(Path(file).absolute())
    try:
        yield configuration()
    finally:
        os.environ.pop(FILE_VARIABLE)
        if before is not None:
            os.environ[FILE_VARIABLE] = before

"""The folder of a run: kept to one process, and to one run file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from readmark.cli.run.pairings import RunTest
from readmark.core.configuration import configuration
from readmark.core.configuration_sections import RunSettings
from readmark.core.display import counted
from readmark.core.errors import DataError
from readmark.core.numbers import first_ids
from readmark.core.writing import lock, writing

RECORD, LOCK = "run.json", ".run.lock"
"""In the folder of a run: what was run, and who is running it."""


@contextlib.contextmanager
def reserved(folder: Path) -> Iterator[None]:
    """The folder, kept to this process: two runs at a time would write the same files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stream = (folder / LOCK).open("ab")
    except OSError as error:
        place = configuration().place(("run", "out"))
        raise DataError(f"{place}: {folder} cannot be written: {error.strerror}") from None
    with stream:
        if lock(stream.fileno()) is False:
            raise DataError(
                "another run is writing here; wait for it, or change run.out", file=folder
            )
        yield


class _RecordedRun(msgspec.Struct, frozen=True):
    """``run.json``: which file was run into a folder, and its settings."""

    file: str
    run: dict[str, Any]
    readmark: int = 1


def record(settings: RunSettings, file: Path, folder: Path, tests: Sequence[RunTest]) -> list[str]:
    """Note what is run, and say what changed since the last run of the folder."""
    path = folder / RECORD
    changeable = {name: value for name, value in asdict(settings).items() if name != "out"}
    for name in ("tests", "people"):  # relative, so that a folder can be moved as a whole
        changeable[name] = [_relative(each, folder) for each in changeable[name]]
    run = msgspec.json.decode(msgspec.json.encode(changeable))
    this_run = _RecordedRun(_relative(file, folder), run)
    notes = []
    if path.exists():
        try:
            before = msgspec.json.decode(path.read_bytes(), type=_RecordedRun)
        except (OSError, msgspec.MsgspecError) as error:
            raise DataError(f"is not the record of a run: {error}", file=path) from None
        if before.file != this_run.file:
            raise DataError(
                f"belongs to the run of {os.path.normpath(folder / before.file)}; change run.out",
                file=folder,
            )
        for name, value in this_run.run.items():
            if before.run.get(name, value) != value:
                notes.append(f"{folder}: run.{name} has changed since the last run")
    expected = {pairing.sitting.name for test in tests for pairing in test.pairings}
    sittings = {path.name for path in folder.glob("*.sitting.jsonl")}
    unused = sorted(sittings - expected)
    if unused:
        notes.append(
            f"{folder}: {counted(len(unused), 'sitting')} of earlier runs not used: "
            f"{first_ids(unused)}"
        )
    with writing(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(this_run)) + b"\n")
    return notes


def _relative(path: str | Path, folder: Path) -> str:
    if "://" in str(path):
        return str(path)
    return Path(os.path.relpath(Path(path).absolute(), folder.absolute())).as_posix()

"""Calls on what programs send, each in a process of its own (`heavy_calls`).

The functions are those that ``readmark task`` calls. A call that takes too long, or is sent by a
file that breaks its process, affects nobody else. Errors are the command line's, without folders.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.folders import Folder
from readmark.server.full_disk import DiskFull, is_disk_full
from readmark.server.log import is_file_name
from readmark.tasks.service import PACKED, SECONDS, SORTS, check, make, read_manifest, work
from readmark.works import run_call

LONGEST = 3 * SECONDS
"""How long a call may take in all, with reading what was sent."""
NOTATIONS = {
    "statements": ".statements",
    "graph": ".graph",
    "turtle": ".ttl",
    "rdfxml": ".rdf",
    "ntriples": ".nt",
    "nquads": ".nq",
    "trig": ".trig",
}
"""What statements are sent in, with the suffix of its files."""


@contextmanager
def call_folder() -> Iterator[Path]:
    """A folder for the files of a call; errors do not name it."""
    try:
        with tempfile.TemporaryDirectory(prefix="readmark-call-") as name:
            try:
                yield Path(name)
            except ReadmarkError as error:
                error.args = (str(error).replace(f"{name}/", ""),)
                raise
    except (ReadmarkError, OSError) as error:
        if is_disk_full(error):
            raise DiskFull from error
        raise


def without_folder(result: Any, folder: Path) -> Any:
    """A result whose texts do not name the folder of its call."""
    return json.loads(json.dumps(result).replace(f"{folder}/", ""))


# The reasoner.


@dataclass(frozen=True, kw_only=True)
class ReasonerInput:
    """Statements that a program sends, and whether the task's public ones are added to them."""

    text: str = ""
    notation: str = "statements"
    document: str = ""
    """The document that the statements are about, whose words they may quote."""
    with_task: bool = False
    documents: Sequence[str] = ()
    """Graphs that are looked at; all where none is named."""


def reason(call: str, package: Path, sent: ReasonerInput, **wanted: Any) -> dict[str, Any]:
    """A call of the reasoner on statements, by the theory of a task's public package."""
    with call_folder() as folder:
        shutil.copyfile(package, folder / "task.zip")
        inputs = ["task.zip"] if sent.with_task else []
        inputs += _write_sent(folder, sent)
        if not inputs and call != "decompositions":
            raise UsageError("there are no statements: send some, or set with_task")
        task = {
            "call": call,
            "folder": str(folder),
            "inputs": inputs,
            "with_task": sent.with_task,
            "documents": list(sent.documents),
            **wanted,
        }
        result: dict[str, Any] = without_folder(run_call(work, task, seconds=LONGEST), folder)
        return result


def _write_sent(folder: Path, sent: ReasonerInput) -> list[str]:
    if not sent.text.strip():
        return []
    stem = sent.document if is_file_name(sent.document) else "sent"
    file = folder / f"{stem}{NOTATIONS[sent.notation]}"
    file.write_bytes(sent.text.encode())
    if sent.document:
        package = Folder(folder / "task.zip")
        for entry in read_manifest(package).of("document"):
            if entry.id == sent.document:
                file.with_suffix(".txt").write_bytes(package.read(entry.path))
                break
        else:
            raise UsageError(f"the task has no document {sent.document[:80]!r}")
    return [file.name]


# Packages that people send, and tasks with queries of their own.


def check_upload(stream: BinaryIO) -> tuple[str, bytes]:
    """A package that was uploaded: the name of the task, and what is kept of it."""
    with call_folder() as folder:
        with (folder / "upload.zip").open("wb") as target:
            shutil.copyfileobj(stream, target, 1 << 20)
        made = run_call(check, {"folder": str(folder), "file": "upload.zip"}, seconds=LONGEST)
        return made["name"], (folder / PACKED).read_bytes()


@dataclass(frozen=True, kw_only=True)
class QueryMaking:
    """Which queries are made from the ontology of a task."""

    sorts: Sequence[str] = SORTS
    language: str = "en"
    attested: bool = False
    """Whether values that statements attest are asked for too."""
    most: int | None = None
    """Attested values of a property; all where there is no number."""
    seed: int = 1


def make_task(package: Path, documents: Sequence[str], making: QueryMaking, name: str) -> bytes:
    """A package with some documents of a public one, with queries made for them and their gold."""
    with call_folder() as folder:
        shutil.copyfile(package, folder / "task.zip")
        task = {"folder": str(folder), "documents": list(documents), "name": name}
        run_call(make, {**task, **asdict(making)}, seconds=LONGEST)
        return (folder / PACKED).read_bytes()

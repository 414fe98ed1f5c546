"""Calls on what programs send, each in a process of its own.

The functions are those that ``readmark task`` and ``mark`` call. A call that takes too long, or is
sent by a file that breaks its process, affects nobody else. Errors are the command line's, without
folders.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec

from readmark.core.errors import UsageError
from readmark.core.folders import Folder
from readmark.formats.people_names import is_file_name
from readmark.tasks.manifest import read_manifest
from readmark.tasks.query_making import SORTS
from readmark.tasks.service.call_folder import call_folder, result_of, without_folder
from readmark.tasks.service.reasoner import reason_in_process
from readmark.tasks.service.scoring import NATIVE, score_in_process
from readmark.tasks.service.selection import TaskSelection
from readmark.tasks.service.uploads import PACKED, check_in_process, make_in_process

SCORING_SECONDS = 120.0

ReasonerCall = Literal["consistency", "consequences", "explanations", "query", "decompositions"]
Notation = Literal["statements", "graph", "turtle", "rdfxml", "ntriples", "nquads", "trig"]
"""What statements are sent in."""
_SUFFIXES: dict[Notation, str] = {
    "statements": ".statements",
    "graph": ".graph",
    "turtle": ".ttl",
    "rdfxml": ".rdf",
    "ntriples": ".nt",
    "nquads": ".nq",
    "trig": ".trig",
}


@dataclass(frozen=True, kw_only=True)
class ReasonerInput:
    """Statements that a program sends, and whether the task's public ones are added to them."""

    text: str = ""
    notation: Notation = "statements"
    document: str = ""
    """The document that the statements are about, whose words they may quote."""
    with_task: bool = False
    documents: Sequence[str] = ()
    """Graphs that are looked at; all where none is named."""


def reason(
    call: ReasonerCall,
    package: Path,
    statements: ReasonerInput,
    **settings: Any,
) -> dict[str, Any]:
    """A call of the reasoner on statements, by the theory of a task's public package.

    ``settings`` are those of the function that the call stands for, such as a ``query``.
    """
    with call_folder() as folder:
        shutil.copyfile(package, folder / "task.zip")
        inputs = ["task.zip"] if statements.with_task else []
        if statements.text.strip():
            inputs.append(_write_statements(folder, statements))
        if not inputs and call != "decompositions":
            raise UsageError("there are no statements: send some, or set with_task")
        task = {
            "call": call,
            "inputs": inputs,
            "with_task": statements.with_task,
            "documents": list(statements.documents),
            **settings,
        }
        result: dict[str, Any] = result_of(reason_in_process, task, folder)
        return result


def _write_statements(folder: Path, statements: ReasonerInput) -> str:
    """Write the statements beside the document that they quote; returns the name of their file."""
    stem = statements.document if is_file_name(statements.document) else "sent"
    file = folder / f"{stem}{_SUFFIXES[statements.notation]}"
    file.write_bytes(statements.text.encode())
    if statements.document:
        package = Folder(folder / "task.zip")
        for entry in read_manifest(package).of("document"):
            if entry.id == statements.document:
                file.with_suffix(".txt").write_bytes(package.read(entry.path))
                break
        else:
            raise UsageError(f"the task has no document {statements.document[:80]!r}")
    return file.name


@dataclass(frozen=True)
class ScoredSubmission:
    """A submission: who answered, its scores, and its answers as a native sitting."""

    candidate: str
    result: dict[str, Any]
    """``answers``, ``gold``, ``paper``, the marks of ``public`` splits as ``mark --json`` has
    them, and totals of ``hidden`` ones."""
    sitting: bytes


def score_answers(
    package: Path,
    answers: Path,
    selection: TaskSelection,
    *,
    people: Path | None = None,
    candidate: str = "",
    sender: str = "",
) -> ScoredSubmission:
    """Answers to a part of a task in any format of sittings, marked by the task's newest gold.

    ``people`` is a folder with people's sittings. The candidate is as asked for, else as the file
    names it, else the sender.
    """
    # The answers have a folder of their own: whatever they are called, they replace no other file.
    with call_folder() as folder, call_folder() as answers_folder:
        shutil.copyfile(package, folder / "task.zip")
        file = answers_folder / answers.name
        shutil.copyfile(answers, file)
        task = {
            "file": str(file),
            "selection": msgspec.to_builtins(selection),
            "people": None if people is None else str(people),
            "names": [candidate.strip(), sender],
        }
        result = result_of(score_in_process, task, folder, SCORING_SECONDS)
        result = without_folder(result, answers_folder)
        return ScoredSubmission(result["candidate"], result, (folder / NATIVE).read_bytes())


def check_upload(stream: BinaryIO) -> tuple[str, bytes]:
    """A package that was uploaded: the name of the task, and what is kept of it."""
    with call_folder() as folder:
        with (folder / "upload.zip").open("wb") as target:
            shutil.copyfileobj(stream, target, 1 << 20)
        checked = result_of(check_in_process, {"file": "upload.zip"}, folder)
        return checked["name"], (folder / PACKED).read_bytes()


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
        task = {"documents": list(documents), "name": name, **asdict(making)}
        result_of(make_in_process, task, folder)
        return (folder / PACKED).read_bytes()

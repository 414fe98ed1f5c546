"""A reading task as files: a manifest that names every file with its role and hash, and the rows.

Documents, ontology, rules, annotated graphs, guidelines, queries and answers lie in a folder or
zip with ``task.json`` ("The DARPA Machine Reading Program", section 3.1).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS, malformed
from readmark.core.folders import Folder
from readmark.core.json_lines import decode, in_words, refuse_newer
from readmark.core.problems import ReportProblem
from readmark.core.records import Value
from readmark.core.spans import Excerpt
from readmark.core.test import SCHEMA
from readmark.tasks.records import Solution

MANIFEST = "task.json"
ABOUT = "task.toml"
"""What the makers of a task write by hand; packing turns it into the manifest."""
ROLES = (
    "document",
    "background",
    "ontology",
    "rules",
    "annotations",
    "guidelines",
    "queries",
    "answers",
    "history",
    "decomposition",
    "categories",
    "patterns",
    "summary",
    "other",
)
"""What a file of a task is for."""
VERDICTS = ("right", "wrong", "out_of_bounds")

R = TypeVar("R", bound=msgspec.Struct)


class TaskFile(Value, frozen=True):
    """A file of a task. ``split`` says whose documents an answers file is the gold of."""

    path: str
    role: str
    sha256: str
    bytes: int
    id: str | None = None
    split: str | None = None


class Manifest(Value, frozen=True):
    """What a task says of itself; it plays the part of a test's header."""

    readmark: int = SCHEMA
    file: str = "task"
    kind: str = "task"
    name: str = ""
    language: str | None = None
    licence: str | None = None
    source: str | None = None
    phase: str | None = None
    capabilities: tuple[str, ...] = ()
    """What reading and reasoning are in bounds; gold answers need no others."""
    annotation: str = "complete"
    """complete, incomplete or query-driven: whether what is not in the gold is wrong."""
    hidden: tuple[str, ...] = ()
    preparation: dict[str, Any] = {}
    """Time and effort that the task took to prepare, such as hours and people."""
    namespaces: dict[str, str] = {}
    """The ontology's prefixes, and under '' where bare names lie: which names are one entity."""
    fields: dict[str, Any] = {}
    files: tuple[TaskFile, ...] = ()

    def of(self, *roles: str) -> Iterator[TaskFile]:
        """The files of these roles, in their order."""
        return (file for file in self.files if file.role in roles)


class QueryRow(Value, frozen=True):
    """A query, asked on every document or on those that are named."""

    id: str
    graph: str
    text: str | None = None
    property: str | None = None
    documents: tuple[str, ...] | None = None
    fields: dict[str, Any] = {}


class AnswerRow(Value, frozen=True):
    """An answer to a query on a document, and what was judged of it."""

    document: str
    query: str
    values: dict[str, str | int | float | bool]
    inferred: bool | None = None
    excerpts: tuple[Excerpt, ...] = ()
    mentions: dict[str, tuple[str, ...]] = {}
    verdict: str = "right"
    probability: float | None = None
    derivation: str | None = None
    by: str | None = None
    why: str | None = None

    def solution(self) -> Solution:
        """The answer without the query that it answers."""
        return Solution(**{name: getattr(self, name) for name in Solution.__struct_fields__})


Identity = tuple[str, str, tuple[tuple[str, str], ...]]


def identity(row: AnswerRow) -> Identity:
    """What makes two rows the same answer: document, query and values."""
    return row.document, row.query, row.solution().bound


class Judgement(AnswerRow, frozen=True):
    """A verdict on an answer, with the pool that it was judged in and who had given the answer."""

    pool: str | None = None
    candidates: tuple[str, ...] = ()


class GoldVersion(Value, frozen=True):
    """A version of the gold: how it was made, what was judged for it, and what it held."""

    version: int
    when: str
    """The day, such as 2026-11-16."""
    split: str | None = None
    annotator: str | None = None
    several: str = "error"
    """What became of documents with several annotators: error, union or agreed."""
    explicit: int = 0
    inferred: int = 0
    wrong: int = 0
    out_of_bounds: int = 0
    rows: str = ""
    """A hash of the answers and verdicts, in whatever order they are."""
    judgements: tuple[Judgement, ...] = ()
    """The verdicts that are new in this version."""


def read_manifest(folder: Folder) -> Manifest:
    """The manifest of a task; one of a newer schema is refused in words."""
    name = folder.find(MANIFEST)
    if name is None:
        raise DataError(f"no reading task: it has no {MANIFEST}", file=folder.path)
    folder.require_contained()
    data, file = folder.read(name), folder.place(name)
    try:
        refuse_newer(data, SCHEMA, file=file, where=1)
        return msgspec.json.decode(data, type=Manifest)
    except msgspec.ValidationError as error:
        raise DataError(f"schema: {in_words(error)}", file=file, where=1) from None
    except JSON_ERRORS as error:
        raise malformed(file, data, error) from None


def is_unpacked(folder: Folder) -> bool:
    """Whether a folder has the documents of a task, but no manifest."""
    if folder.is_zip or folder.find(MANIFEST):
        return False
    documents = any(name.lower().startswith("documents/") for name in folder.names)
    return documents and bool(folder.find("queries.jsonl") or folder.find(ABOUT))


def content(folder: Folder, path: str, *, whole: bool = False) -> bytes:
    """A file of the task; a path that leads out of its folder is no file of it."""
    if path not in folder:
        raise DataError("no such file in the task", file=folder.place(path))
    return folder.read(path, whole=whole)


def rows(
    folder: Folder, path: str, struct: type[R], report: ReportProblem
) -> Iterator[tuple[int, R]]:
    """The rows of a JSON Lines file of a task with their line numbers; bad lines are reported."""
    decoder = msgspec.json.Decoder(struct)
    file = folder.place(path)
    for number, raw in enumerate(content(folder, path).split(b"\n"), 1):
        if raw.strip():
            row = decode(file, number, raw, decoder, report)
            if row is not None:
                yield number, row


def sha256(data: bytes) -> str:
    """The hash that a manifest has of a file."""
    return hashlib.sha256(data).hexdigest()

"""A part of a reading task: some of its documents and queries, as a test and as a package."""

from __future__ import annotations

import functools
import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.json_lines import json_line
from readmark.core.problems import ignore
from readmark.core.records import Value
from readmark.core.test import Facts, Test
from readmark.formats.registry import open_test
from readmark.tasks.file_roles import role_of
from readmark.tasks.joined_folder import JoinedFolder
from readmark.tasks.manifest import AnswerRow, QueryRow, TaskFile, rows, sha256
from readmark.tasks.package import Package
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.provenance import write_provenance
from readmark.tasks.records import Document
from readmark.tasks.task_folder import Parts


class TaskSelection(Value, frozen=True):
    """The documents and queries of a part of a task; None stands for all of them."""

    documents: tuple[str, ...] | None = None
    queries: tuple[str, ...] | None = None

    def has(self, document: str) -> bool:
        """Whether a document is in it."""
        return self.documents is None or document in self.documents

    def asks(self, query: str | None) -> bool:
        """Whether a query is in it."""
        return self.queries is None or query in self.queries


WHOLE = TaskSelection()


def gold_version(test: Test) -> int:
    """The version of a task's gold; 0 is the annotation alone."""
    gold = test.header.fields.get("gold")
    return int(gold.get("version", 0)) if isinstance(gold, dict) else 0


@functools.lru_cache(maxsize=64)
def task_facts(package: Path, selection: TaskSelection) -> tuple[Facts, int]:
    """The size and fingerprints of a part of a task, and the version of its gold.

    A package's file never changes: the next version of it is another file.
    """
    test = selected_test(package, selection)
    return test.facts, gold_version(test)


def selected_test(package: Path, selection: TaskSelection) -> Test:
    """A part of a task as a test."""

    def selected(record: Document) -> Document | None:
        if not selection.has(record.id):
            return None
        queries = tuple(query for query in record.queries if selection.asks(query.query))
        return msgspec.structs.replace(record, queries=queries)

    test = open_test(package)
    return test if selection == WHOLE else test.changed(selected)


def selected_parts(parts: Parts, selection: TaskSelection) -> Parts:
    """What is packed of a part of a task; the history of the gold, which has names, is left out."""
    package = parts.package
    new: dict[str, bytes] = {}
    files: list[TaskFile] = []
    for file in package.manifest.files:
        if file.role == "history":
            continue
        if file.role == "document" and not selection.has(file.id or file.path):
            continue
        if selection == WHOLE or file.role not in _SELECTED:
            files.append(file)
            continue
        path, data = _SELECTED[file.role](package, file, selection)
        if data is None:
            continue
        if data:
            new[path] = data
            role, split = role_of(path)
            file = TaskFile(path=path, role=role, sha256=sha256(data), bytes=len(data), split=split)
        files.append(file)
    splits = {file.split for file in files if file.role == "document"}
    hidden = tuple(name for name in package.manifest.hidden if name in splits)
    manifest = msgspec.structs.replace(package.manifest, files=tuple(files), hidden=hidden)
    return Parts(Package(JoinedFolder(package.folder, {}, new), manifest), parts.lent)


_Rewritten = tuple[str, bytes | None]
"""A path with its new content; None leaves the file out, and no bytes keep it as it is."""


def _queries(package: Package, file: TaskFile, selection: TaskSelection) -> _Rewritten:
    queries = []
    for _, row in rows(package.folder, file.path, QueryRow, ignore):
        if selection.asks(row.id):
            documents = row.documents
            if documents is not None:
                documents = tuple(id for id in documents if selection.has(id))
            queries.append(msgspec.structs.replace(row, documents=documents))
    return file.path, b"".join(map(json_line, queries)) or b"\n"


def _answers(package: Package, file: TaskFile, selection: TaskSelection) -> _Rewritten:
    answers = [
        row
        for _, row in rows(package.folder, file.path, AnswerRow, ignore)
        if selection.has(row.document) and selection.asks(row.query)
    ]
    splits = {split for id, split in package.splits.items() if selection.has(id)}
    if file.split is not None and file.split not in splits:
        return file.path, None
    return file.path, b"".join(map(json_line, answers)) or b"\n"


def _annotations(package: Package, file: TaskFile, selection: TaskSelection) -> _Rewritten:
    ontology = package.ontology(ignore)
    names = ontology.namespaces if ontology is not None else Namespaces()
    try:
        statements = [statement.asserted for statement in package.annotated_in(file, names)]
    except DataError:
        return file.path, None
    selected = [asserted for asserted in statements if selection.has(asserted.graph)]
    if len(selected) == len(statements):
        return file.path, b""
    if not selected:
        return file.path, None
    path = str(Path(file.path).with_suffix(".trig"))
    return path, write_provenance(selected, format="TRIG", namespaces=names)


# What is wrong in a file was reported when the task was checked, so it is ignored here.
_SELECTED = {"queries": _queries, "answers": _answers, "annotations": _annotations}


@dataclass(frozen=True, kw_only=True)
class PartRequest:
    """What a part of a task has: everything that fits all of it."""

    documents: Collection[str] = ()
    splits: Collection[str] = ()
    queries: Collection[str] = ()
    properties: Collection[str] = ()
    number: int | None = None
    """How many documents are drawn."""
    seed: int = 1


def select_part(
    package: Package, within: TaskSelection, wanted: PartRequest, *, all: bool
) -> TaskSelection:
    """The documents and queries that are wanted; hidden documents only where ``all`` may be had.

    An id that the task does not have is refused.
    """
    splits = {id: split for id, split in package.splits.items() if within.has(id)}
    hidden = () if all else package.manifest.hidden
    open_splits = sorted({split for split in splits.values() if split and split not in hidden})
    for split in wanted.splits:
        if split not in open_splits:
            reason = "is hidden" if split in hidden else "is unknown"
            raise UsageError(f"the split {split!r} {reason}; {did_you_mean(split, open_splits)}")
    ids = [id for id, split in splits.items() if split not in hidden]
    require_ids("document", wanted.documents, ids)
    chosen = [
        id
        for id in ids
        if (not wanted.documents or id in wanted.documents)
        and (not wanted.splits or splits[id] in wanted.splits)
    ]
    if wanted.number is not None:
        drawn = sorted(chosen, key=lambda id: random.Random(f"{wanted.seed}:{id}").random())
        chosen = [id for id in chosen if id in drawn[: wanted.number]]
    queries = [row for _, _, row in package.queries() if within.asks(row.id)]
    require_ids("query", wanted.queries, [row.id for row in queries])
    known = sorted({row.property for row in queries if row.property})
    require_ids("property", wanted.properties, known)
    asked = [
        row.id
        for row in queries
        if (not wanted.queries or row.id in wanted.queries)
        and (not wanted.properties or row.property in wanted.properties)
        and (row.documents is None or set(row.documents) & set(chosen))
    ]
    if not chosen or not asked:
        missing = "document" if not chosen else "query"
        raise UsageError(f"no {missing} of the task is wanted: ask for less at a time")
    return TaskSelection(documents=tuple(chosen), queries=tuple(asked))


def require_ids(noun: str, wanted: Iterable[str], known: Sequence[str]) -> None:
    """Refuse what the task does not have."""
    have = set(known)
    for id in wanted:
        if id not in have:
            raise UsageError(f"the task has no {noun} {id[:80]!r}; {did_you_mean(id[:80], known)}")

"""A reading task in a folder or zip as a test: its manifest as the header, documents as records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.extras import MissingExtra
from readmark.core.files import BOM
from readmark.core.folders import Folder
from readmark.core.problems import Problem, ReportProblem, fail, ignore
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.tasks.manifest import (
    MANIFEST,
    VERDICTS,
    AnswerRow,
    GoldVersion,
    Manifest,
    QueryRow,
    TaskFile,
    content,
    is_unpacked,
    read_manifest,
    rows,
    sha256,
)
from readmark.tasks.names import respell
from readmark.tasks.records import (
    NAMESPACES,
    ROLE,
    UNKNOWN,
    Document,
    Query,
    QueryKey,
    Solution,
)

if TYPE_CHECKING:
    from readmark.tasks.reasoning.ontology import Ontology

IN_RECORDS = ("document", "queries", "answers")
"""Roles of files that are stored in records."""
GOLD = "gold"
"""The field of a header that has the version of the gold."""

Answers = dict[tuple[str, str], dict[str, list[Solution]]]
"""Document and query -> verdict -> answers."""


class TaskFormat:
    """A task package; every query is a unit on every document that it is asked on."""

    def recognises(self, source: Source) -> bool:
        """A folder or zip with a manifest, or a folder that is not packed."""
        folder = source.folder
        return folder is not None and (bool(folder.find(MANIFEST)) or is_unpacked(folder))

    def read(self, source: Source) -> Test:
        """The manifest now, documents as they are asked for."""
        folder, manifest = open_files(source)

        def stream(report: ReportProblem) -> Iterator[Placed]:
            yield from _documents(folder, manifest, report)

        return Test(_header(folder, manifest), stream, source.file)


TASK_FORMAT = TaskFormat()


def open_files(source: Source) -> tuple[Folder, Manifest]:
    """The files of a task, and the manifest that it has or would be packed with."""
    folder = source.folder
    if folder is None:
        raise DataError("is a file, expected the folder or zip of a task", file=source.file)
    if not is_unpacked(folder):
        return folder, read_manifest(folder)
    # Imported here: it brings the reasoner, which reading a packed task does not need.
    from readmark.tasks.task_folder import gather

    package = gather(source.path).package
    return package.folder, package.manifest


def _header(folder: Folder, manifest: Manifest) -> Header:
    """The manifest as a test's header, with the version of its gold."""
    described = {
        "phase": manifest.phase,
        "capabilities": list(manifest.capabilities),
        GOLD: _gold_version(folder, manifest),
        "preparation": manifest.preparation,
    }
    return Header(
        kind="task",
        name=manifest.name,
        language=manifest.language,
        licence=manifest.licence,
        source=manifest.source,
        hidden=manifest.hidden,
        fields={**manifest.fields, **{name: value for name, value in described.items() if value}},
    )


def _gold_version(folder: Folder, manifest: Manifest) -> dict[str, Any]:
    """The version of the gold; empty where nobody has judged any answer."""
    history = [
        row
        for file in manifest.of("history")
        if file.path in folder
        for _, row in rows(folder, file.path, GoldVersion, fail)
    ]
    if not history:
        return {}
    last = history[-1]
    judgements = sum(len(version.judgements) for version in history)
    return {"version": last.version, "when": last.when, "judgements": judgements}


def _documents(folder: Folder, manifest: Manifest, report: ReportProblem) -> Iterator[Placed]:
    queries = _queries(folder, manifest, report)
    answers = _answers(folder, manifest, report)
    splits_with_answers = {file.split for file in manifest.of("answers")}
    fields = {NAMESPACES: manifest.namespaces} if manifest.namespaces else {}
    for file in manifest.of("document"):
        id = file.id or file.path
        text = _text(folder, file, report)
        if text is None:
            continue
        # Answers of no split are those of all. Without any, nobody knows what is right.
        has_key = None in splits_with_answers or file.split in splits_with_answers
        asked = tuple(
            Query(
                id=f"{id}:{row.id}",
                graph=row.graph,
                query=row.id,
                text=row.text,
                property=row.property,
                fields=row.fields,
                key=_key(answers.get((id, row.id), {}), manifest) if has_key else None,
            )
            for row in queries
            if row.documents is None or id in row.documents
        )
        yield id, Document(id=id, text=text, split=file.split, fields=fields, queries=asked)


def _queries(folder: Folder, manifest: Manifest, report: ReportProblem) -> list[QueryRow]:
    """The queries, with what the ontology says of their variables and properties."""
    queries = [
        row
        for file in manifest.of("queries")
        for _, row in rows(folder, file.path, QueryRow, report)
    ]
    if not any(manifest.of("ontology")):
        return queries
    ontology = _ontology(folder, manifest)
    return [
        msgspec.structs.replace(row, fields={**row.fields, **_asked_fields(row, ontology)})
        for row in queries
    ]


def _ontology(folder: Folder, manifest: Manifest) -> Ontology | None:
    """The ontology; None where there is none that can be read, which a check reports."""
    from readmark.tasks.reasoning.owl import read_ontology

    for file in manifest.of("ontology"):
        place = folder.place(file.path)
        with suppress(DataError, MissingExtra):
            return read_ontology(content(folder, file.path), file=place, report=ignore)
    return None


def _asked_fields(row: QueryRow, ontology: Ontology | None) -> dict[str, Any]:
    """What a query's variables stand for and the role of its properties."""
    from readmark.tasks.asked_values import asked_fields

    if ontology is not None:
        with suppress(DataError, MissingExtra):
            return asked_fields(row.graph, ontology)
    return {ROLE: UNKNOWN}  # a check reports why


def _text(folder: Folder, file: TaskFile, report: ReportProblem) -> str | None:
    """A document's text; one that is not the one that was packed is reported."""
    try:
        data = content(folder, file.path, whole=True)
        if sha256(data) != file.sha256:
            message = "the document is not the one that was packed: its hash has changed"
            report(Problem(folder.place(file.path), file.id or 1, "changed", message))
        return data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError:
        message = "not valid UTF-8"
    except DataError as error:
        message = error.message
    report(Problem(folder.place(file.path), file.id or 1, "unreadable", message))
    return None


def _answers(folder: Folder, manifest: Manifest, report: ReportProblem) -> Answers:
    answers: Answers = defaultdict(lambda: defaultdict(list))
    for file in manifest.of("answers"):
        for number, row in rows(folder, file.path, AnswerRow, report):
            if row.verdict not in VERDICTS:
                message = f"verdict {row.verdict!r}, expected one of {', '.join(VERDICTS)}"
                report(Problem(folder.place(file.path), number, "schema", message))
            solution = respell(row.solution(), manifest.namespaces)
            answers[row.document, row.query][row.verdict].append(solution)
    return answers


def _key(by_verdict: dict[str, list[Solution]], manifest: Manifest) -> QueryKey:
    right, wrong, out_of_bounds = (tuple(by_verdict.get(verdict, ())) for verdict in VERDICTS)
    return QueryKey(
        solutions=right,
        rejected=wrong,
        out_of_bounds=out_of_bounds,
        annotation=manifest.annotation,
    )

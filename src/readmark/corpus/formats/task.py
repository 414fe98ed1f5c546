"""Reading tasks: a folder or zip with a manifest, as a test of queries on documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from readmark.corpus.documents import NAMESPACES, Document, Query, QueryKey, Solution
from readmark.corpus.errors import DataError
from readmark.corpus.files import BOM
from readmark.corpus.folders import Folder
from readmark.corpus.iris import respelt
from readmark.corpus.problems import Problem, Report
from readmark.corpus.source import Source
from readmark.corpus.task_package import (
    MANIFEST,
    VERDICTS,
    AnswerRow,
    Manifest,
    QueryRow,
    TaskFile,
    content,
    read_manifest,
    rows,
    sha256,
)
from readmark.corpus.test import Header, Placed, Test

Judged = dict[tuple[str, str], dict[str, list[Solution]]]
"""Document and query -> verdict -> answers."""


class TaskFormat:
    """A task package; every query is a unit on every document that it is asked on."""

    folders = True

    def recognises(self, source: Source) -> bool:
        """A folder or zip with a manifest."""
        return source.folder is not None and source.folder.find(MANIFEST) is not None

    def read(self, source: Source) -> Test:
        """The manifest now, documents as they are asked for."""
        folder = source.folder
        if folder is None:
            raise DataError("is a file, expected the folder or zip of a task", file=source.file)
        manifest = read_manifest(folder)

        def stream(report: Report) -> Iterator[Placed]:
            yield from _documents(folder, manifest, report)

        return Test(header_of(manifest), stream, source.file)


def header_of(manifest: Manifest) -> Header:
    """The manifest as a test's header."""
    said = {"phase": manifest.phase, "capabilities": list(manifest.capabilities)}
    fields = {**manifest.fields, **{name: value for name, value in said.items() if value}}
    if manifest.preparation:
        fields["preparation"] = manifest.preparation
    return Header(
        kind="task",
        name=manifest.name,
        language=manifest.language,
        licence=manifest.licence,
        source=manifest.source,
        hidden=manifest.hidden,
        fields=fields,
    )


def _documents(folder: Folder, manifest: Manifest, report: Report) -> Iterator[Placed]:
    queries = [
        row for one in manifest.of("queries") for _, row in rows(folder, one.path, QueryRow, report)
    ]
    judged = _judged(folder, manifest, report)
    splits = {one.split for one in manifest.of("answers")}
    fields = {NAMESPACES: manifest.namespaces} if manifest.namespaces else {}
    for file in manifest.of("document"):
        id = file.id or file.path
        text = _text(folder, file, report)
        if text is None:
            continue
        keyed = None in splits or file.split in splits
        asked = tuple(
            _query(id, row, manifest, judged if keyed else None)
            for row in queries
            if row.documents is None or id in row.documents
        )
        yield id, Document(id=id, text=text, split=file.split, fields=fields, queries=asked)


def _text(folder: Folder, file: TaskFile, report: Report) -> str | None:
    """A document's text; one that is not the one that was packed is reported."""
    try:
        data = content(folder, file.path, whole=True)
        if sha256(data) != file.sha256:
            said = "the document is not the one that was packed: its hash has changed"
            report(Problem(folder.place(file.path), file.id or 1, "changed", said))
        return data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError:
        said = "not valid UTF-8"
    except DataError as error:
        said = error.message
    report(Problem(folder.place(file.path), file.id or 1, "unreadable", said))
    return None


def _judged(folder: Folder, manifest: Manifest, report: Report) -> Judged:
    found: Judged = defaultdict(lambda: defaultdict(list))
    for file in manifest.of("answers"):
        for number, row in rows(folder, file.path, AnswerRow, report):
            if row.verdict not in VERDICTS:
                said = f"verdict {row.verdict!r}, expected one of {', '.join(VERDICTS)}"
                report(Problem(folder.place(file.path), number, "schema", said))
            solution = respelt(row.solution(), manifest.namespaces)
            found[row.document, row.query][row.verdict].append(solution)
    return found


def _query(document: str, row: QueryRow, manifest: Manifest, judged: Judged | None) -> Query:
    key = None
    if judged is not None:
        said = judged.get((document, row.id), {})
        right, wrong, beyond = (tuple(said.get(verdict, ())) for verdict in VERDICTS)
        key = QueryKey(
            solutions=right, rejected=wrong, out_of_bounds=beyond, annotation=manifest.annotation
        )
    return Query(
        id=f"{document}:{row.id}",
        graph=row.graph,
        query=row.id,
        text=row.text,
        property=row.property,
        fields=row.fields,
        key=key,
    )


TASK = TaskFormat()

"""A reading task as one RDF graph.

The graph has the ontology, the rules, the documents and the queries of a public package, and its
statements and answers. In formats with named graphs, a statement is in the graph of its document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from readmark.core.errors import DataError
from readmark.core.folders import Folder
from readmark.tasks.manifest import TaskFile, content
from readmark.tasks.names import document_iri, escaped
from readmark.tasks.package import Package
from readmark.tasks.reasoning.annotated_statements import read_annotated
from readmark.tasks.reasoning.blank_nodes import scoped, scopes
from readmark.tasks.reasoning.derivation_rdf import BINDING
from readmark.tasks.reasoning.graphs import Statement
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.provenance import (
    GRAPH,
    LABEL,
    annotation_of,
    provenance_of,
    reified,
    statement_iri,
)
from readmark.tasks.reasoning.rdf import Writable, parse
from readmark.tasks.reasoning.terms import Literal, Name
from readmark.tasks.value_tokens import token

TASK_IRI = "urn:readmark:task:"


def task_graph(package: Package, *, id: str, name: str, gold: int) -> Iterator[Writable]:
    """The graph of a task, part by part; of the documents one at a time is in memory."""
    manifest = package.manifest
    ontology = package.ontology()
    names = ontology.namespaces if ontology is not None else Namespaces()
    task = Name(TASK_IRI + escaped(id))
    yield Statement(task, TYPE, Name("rm:ReadingTask"))
    yield Statement(task, LABEL, Literal(name))
    about = {"language": manifest.language, "licence": manifest.licence, "phase": manifest.phase}
    for member, value in {**about, "annotation": manifest.annotation}.items():
        if value:
            yield _said(task, member, value)
    yield _said(task, "gold", gold)
    for split in manifest.hidden:
        yield _said(task, "hidden", split)
    for file in manifest.of("ontology"):
        place = package.folder.place(file.path)
        for quad in parse(content(package.folder, file.path), file=place).quads:
            yield quad._replace(graph=None)
    for file in manifest.of("rules"):
        node = Name(f"{task.text}/file/{escaped(file.path)}")
        yield Statement(node, TYPE, Name("rm:Rules"))
        yield _said(node, "text", _text(package, file))
        yield Statement(task, Name("rm:rules"), node)
    for file in manifest.of("document"):
        document = Name(document_iri(file.id or file.path))
        yield Statement(document, TYPE, Name("rm:Document"))
        yield Statement(document, Name("rm:task"), task)
        if file.split is not None:
            yield _said(document, "split", file.split)
        yield _said(document, "text", _text(package, file))
    yield from _queries(package, task)
    yield from _statements(package, names)
    yield from _answers(package, task)


def _said(subject: Name, member: str, value: str | int | float | bool) -> Statement:
    return Statement(subject, Name(f"rm:{member}"), Literal(value))


def _text(package: Package, file: TaskFile) -> str:
    try:
        return content(package.folder, file.path).decode("utf-8")
    except UnicodeDecodeError:
        raise DataError("not valid UTF-8", file=package.folder.place(file.path)) from None


def _query_name(task: Name, id: str) -> Name:
    return Name(f"{task.text}/query/{escaped(id)}")


def _queries(package: Package, task: Name) -> Iterator[Statement]:
    language = package.manifest.language or ""
    for _, _, row in package.queries():
        query = _query_name(task, row.id)
        yield Statement(query, TYPE, Name("rm:Query"))
        yield Statement(query, Name("rm:task"), task)
        yield Statement(query, LABEL, Literal(row.id))
        yield _said(query, "pattern", row.graph)
        if row.text is not None:
            yield Statement(query, Name("rm:question"), Literal(row.text, language))
        if row.property is not None:
            yield _said(query, "property", row.property)
        for variable in row.fields.get("variables") or ():
            yield _said(query, "variable", str(variable))
        for id in row.documents or ():
            yield Statement(query, Name("rm:document"), Name(document_iri(id)))


def _statements(package: Package, names: Namespaces) -> Iterator[Writable]:
    """The annotated statements: each in the graph of its document, and with its provenance."""
    files = list(package.manifest.of("annotations"))
    apart = scopes(file.path for file in files)
    texts = _Texts(package.folder, list(package.manifest.of("document")))
    seen: dict[str, int] = {}
    agents: set[str] = set()
    for file in files:
        annotated = read_annotated(
            content(package.folder, file.path),
            file=package.folder.place(file.path),
            namespaces=names,
            graph=package.graph_of(file),
            texts=texts,
        )
        for one in annotated:
            asserted = scoped(one.asserted, apart[file.path])
            node = Name(statement_iri(asserted, seen))
            statement, *about = reified(node, asserted.statement)
            yield document_iri(asserted.graph), statement
            yield from about
            yield from provenance_of(node, asserted, agents)


@dataclass
class _Texts(Mapping[str, str]):
    """The texts of documents by id, read when they are looked up; the last one is kept."""

    folder: Folder
    files: list[TaskFile]
    _last: tuple[str, str] = field(default=("", ""), init=False)

    def __post_init__(self) -> None:
        self._paths = {file.id or file.path: file.path for file in self.files}

    def __getitem__(self, id: str) -> str:
        if self._last[0] != id or not id:
            text = content(self.folder, self._paths[id]).decode("utf-8", "replace")
            self._last = id, text
        return self._last[1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def _answers(package: Package, task: Name) -> Iterator[Statement]:
    for number, (_, _, row) in enumerate(package.answers(), 1):
        answer = Name(f"{task.text}/answer/{number}")
        yield Statement(answer, TYPE, Name("rm:Answer"))
        yield Statement(answer, Name("rm:query"), _query_name(task, row.query))
        yield Statement(answer, GRAPH, Name(document_iri(row.document)))
        yield _said(answer, "verdict", row.verdict)
        if row.inferred is not None:
            yield _said(answer, "inferred", row.inferred)
        if row.probability is not None:
            yield _said(answer, "probability", float(row.probability))
        for name, value in row.values.items():
            yield Statement(answer, BINDING, Literal(f"?{name} {token(value)}"))
        for entity, words in row.mentions.items():
            for word in words:
                yield _said(answer, "mention", f"{entity} “{word}”")
        if row.derivation is not None:
            yield _said(answer, "derivation", row.derivation)
        for order, excerpt in enumerate(row.excerpts, 1):
            yield from annotation_of(answer, "statement", order, excerpt)

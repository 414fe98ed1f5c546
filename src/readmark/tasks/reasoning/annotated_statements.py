"""Annotated statements read: RDF with provenance, and the two notations that people write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from readmark.core.errors import DataError
from readmark.core.spans import Excerpt
from readmark.tasks.names import document_id, unescaped
from readmark.tasks.reasoning.graphs import (
    PARTS,
    Asserted,
    Statement,
    Support,
    read_placed,
    statement_of,
)
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.provenance import (
    ANNOTATOR,
    ATTRIBUTED,
    BODY,
    END,
    EXACT,
    GRAPH,
    ORDER,
    PART,
    PROBABILITY,
    REIFIED,
    SELECTOR,
    SOURCE,
    START,
    STATEMENT,
    TARGET,
)
from readmark.tasks.reasoning.rdf import read_rdf, require_assertable
from readmark.tasks.reasoning.statement_notation import STATEMENTS_SUFFIX, read_statements_file
from readmark.tasks.reasoning.terms import Literal, Name

GRAPH_SUFFIX = ".graph"
"""Files in the parenthesised notation."""
NOTATIONS = (STATEMENTS_SUFFIX, GRAPH_SUFFIX)
"""Suffixes of statements that people write."""

_ANNOTATION, _REIFIED = Name("oa:Annotation"), Name("rdf:Statement")
_PART_NAMES = {_REIFIED: "statement", **{name: part for part, name in REIFIED.items()}}
_READMARK_NODES = (STATEMENT, ANNOTATOR)


class AnnotatedStatement(NamedTuple):
    """An asserted statement with its line, and the line of each of its excerpts."""

    asserted: Asserted
    line: int
    lines: dict[Excerpt, int]


def read_annotated(
    data: bytes,
    *,
    file: str,
    namespaces: Namespaces,
    graph: str = "",
    texts: Mapping[str, str] | None = None,
) -> list[AnnotatedStatement]:
    """The statements of a file with their provenance, in the order of the file.

    ``texts`` are the documents by id, in which quotations of the light notation are looked up.
    """
    if file.lower().endswith(STATEMENTS_SUFFIX):
        return _read_statements(_decoded(data, file), file, namespaces, graph, texts or {})
    if file.lower().endswith(GRAPH_SUFFIX):
        return _read_graph(_decoded(data, file), file, namespaces, graph)
    return _RdfReader(data, file, namespaces).annotated(graph)


def _decoded(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        where = data.count(b"\n", 0, wrong.start) + 1
        raise DataError("not valid UTF-8", file=file, where=where) from None


def _read_statements(
    text: str, file: str, namespaces: Namespaces, graph: str, texts: Mapping[str, str]
) -> list[AnnotatedStatement]:
    annotated = []
    for asserted, line in read_statements_file(text, texts, file=file, document=graph):
        statement = _with_canonical_names(asserted.statement, namespaces)
        require_assertable(statement, file=file, line=line)
        lines = {excerpt: line for _, excerpt in asserted.support.excerpts()}
        annotated.append(AnnotatedStatement(replace(asserted, statement=statement), line, lines))
    return annotated


def _read_graph(
    text: str, file: str, namespaces: Namespaces, graph: str
) -> list[AnnotatedStatement]:
    annotated = []
    for line, pattern in read_placed(text, file=file):
        try:
            statement = statement_of(pattern)
        except DataError as wrong:
            raise DataError(wrong.message, file=file, where=line) from None
        statement = _with_canonical_names(statement, namespaces)
        require_assertable(statement, file=file, line=line)
        annotated.append(AnnotatedStatement(Asserted(graph, statement), line, {}))
    return annotated


def _with_canonical_names(statement: Statement, namespaces: Namespaces) -> Statement:
    object_ = statement.object
    return Statement(
        namespaces.canonical(statement.subject),
        namespaces.canonical(statement.predicate),
        namespaces.canonical(object_) if isinstance(object_, Name) else object_,
    )


class _PlacedExcerpt(NamedTuple):
    """An excerpt of a file: which part it supports, its rank among those, and its line."""

    part: str
    rank: int
    line: int
    excerpt: Excerpt


_Supports = dict[Name, list[_PlacedExcerpt]]
_Objects = list[tuple[int, Name | Literal]]
"""The objects of a subject and predicate, each with its line."""


class _RdfReader:
    """The triples of a file, and the statements that they assert and annotate."""

    def __init__(self, data: bytes, file: str, namespaces: Namespaces) -> None:
        self._file = file
        self._namespaces = namespaces
        self._triples: dict[Name, dict[Name, _Objects]] = {}
        """Subject -> predicate -> objects, of the default graph."""
        self._default: list[tuple[int, Statement]] = []
        self._named: dict[str, list[tuple[int, Statement]]] = defaultdict(list)
        for line, graph, statement in read_rdf(data, file=file, namespaces=namespaces):
            if graph is not None:
                self._named[graph].append((line, statement))
                continue
            self._default.append((line, statement))
            about = self._triples.setdefault(statement.subject, {})
            about.setdefault(statement.predicate, []).append((line, statement.object))

    def annotated(self, graph: str) -> list[AnnotatedStatement]:
        """Every statement that the file asserts; ``graph`` is theirs where it names none."""
        supports = self._supports()
        annotated: list[AnnotatedStatement] = []
        for iri, triples in self._named.items():
            node = self._namespaces.compact(iri)
            document = self._document(node) or document_id(iri) or graph
            for line, statement in triples:
                annotated.append(self._annotated(node, statement, line, document, supports))
        reified = [node for node in self._triples if self._is(node, _REIFIED)]
        reified_statements = set()
        for node in reified:
            line, statement = self._reified_statement(node)
            reified_statements.add(statement)
            document = self._document(node) or graph
            annotated.append(self._annotated(node, statement, line, document, supports))
        for line, statement in self._default:
            if statement not in reified_statements and not self._is_metadata(statement):
                annotated.append(AnnotatedStatement(Asserted(graph, statement), line, {}))
        named = map(self._namespaces.compact, self._named)
        self._require_statements(supports, {*named, *reified})
        return sorted(annotated, key=lambda each: each.line)

    def _supports(self) -> _Supports:
        """The excerpts of each annotated statement."""
        supports: _Supports = defaultdict(list)
        for node, about in self._triples.items():
            if not self._is(node, _ANNOTATION):
                continue
            line, body = self._only(node, BODY)
            part = about.get(PART, [(line, _REIFIED)])[0][1]
            if not isinstance(body, Name) or not isinstance(part, Name) or part not in _PART_NAMES:
                message = (
                    "an annotation is of a statement, or of its rdf:subject, predicate or object"
                )
                raise DataError(message, file=self._file, where=line)
            order = about.get(ORDER, [(line, Literal(len(supports[body]) + 1))])[0][1]
            rank = order.value if isinstance(order, Literal) else 0
            if not isinstance(rank, int):
                rank = 0
            for _, target in self._all(node, TARGET):
                excerpt_line, excerpt = self._excerpt(target, line)
                placed = _PlacedExcerpt(_PART_NAMES[part], rank, excerpt_line, excerpt)
                supports[body].append(placed)
        return supports

    def _excerpt(self, target: Name | Literal, line: int) -> tuple[int, Excerpt]:
        """The excerpt that an annotation is about, with the line of its start."""
        if not isinstance(target, Name):
            raise DataError("a target is no literal", file=self._file, where=line)
        line, source = self._only(target, SOURCE, line)
        document = document_id(self._namespaces.expand(source)) if isinstance(source, Name) else ""
        # Start and end may be in one selector and the words in another.
        values: dict[Name, tuple[int, object]] = {}
        for _, selector in self._all(target, SELECTOR, line):
            about = self._triples.get(selector, {}) if isinstance(selector, Name) else {}
            for name in (START, END, EXACT):
                for value_line, value in about.get(name, ()):
                    values[name] = value_line, value.value if isinstance(value, Literal) else None
        start_line, start = values.get(START, (line, None))
        _, end = values.get(END, (line, None))
        _, exact = values.get(EXACT, (line, None))
        if (
            not document
            or type(start) is not int  # nor a boolean, which is an integer in Python
            or type(end) is not int
            or not isinstance(exact, str)
        ):
            message = (
                "an excerpt has oa:start, oa:end and oa:exact, and an oa:hasSource that is "
                "urn:readmark:document:ID"
            )
            raise DataError(message, file=self._file, where=start_line)
        return start_line, Excerpt(document, start, end, exact)

    def _annotated(
        self, node: Name, statement: Statement, line: int, document: str, supports: _Supports
    ) -> AnnotatedStatement:
        """The statement that a node stands for, with what the file says of it."""
        excerpts = sorted(supports.get(node, ()), key=lambda placed: placed.rank)
        parts = {
            part: tuple(placed.excerpt for placed in excerpts if placed.part == part)
            for part in PARTS
        }
        asserted = Asserted(
            document, statement, Support(**parts), self._probability(node), self._annotator(node)
        )
        return AnnotatedStatement(
            asserted, line, {placed.excerpt: placed.line for placed in excerpts}
        )

    def _reified_statement(self, node: Name) -> tuple[int, Statement]:
        line, subject = self._only(node, REIFIED["subject"])
        _, predicate = self._only(node, REIFIED["predicate"])
        _, object_ = self._only(node, REIFIED["object"])
        if not isinstance(subject, Name) or not isinstance(predicate, Name):
            raise DataError("a literal is no subject or predicate", file=self._file, where=line)
        return line, Statement(subject, predicate, object_)

    def _document(self, node: Name) -> str | None:
        for line, value in self._objects(node, GRAPH):
            iri = self._namespaces.expand(value) if isinstance(value, Name) else ""
            document = document_id(iri)
            if document is None:
                raise DataError("rm:graph is no document", file=self._file, where=line)
            return document
        return None

    def _probability(self, node: Name) -> float:
        for line, term in self._objects(node, PROBABILITY):
            value = term.value if isinstance(term, Literal) else None
            if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1:
                return float(value)
            raise DataError("a probability is above 0 and at most 1", file=self._file, where=line)
        return 1.0

    def _annotator(self, node: Name) -> str | None:
        for _, value in self._objects(node, ATTRIBUTED):
            if isinstance(value, Name):
                iri = self._namespaces.expand(value)
                return unescaped(iri[len(ANNOTATOR) :]) if iri.startswith(ANNOTATOR) else iri
        return None

    def _is_metadata(self, statement: Statement) -> bool:
        """Whether a triple speaks of statements, annotations and annotators."""
        subject = statement.subject
        predicates = self._triples[subject]
        if subject.text.startswith(_READMARK_NODES):
            return True
        if any(predicate.text.startswith("oa:") for predicate in predicates):
            return True
        types = {type.text for _, type in self._objects(subject, TYPE) if isinstance(type, Name)}
        return any(type.startswith(("oa:", "prov:")) or type == "rdf:Statement" for type in types)

    def _require_statements(self, supports: _Supports, nodes: set[Name]) -> None:
        """Refuses provenance of a statement that the file does not assert: it would be lost."""
        for node, excerpts in supports.items():
            if node not in nodes:
                message = f"provenance of {node.text}, which is no statement of this file"
                raise DataError(message, file=self._file, where=excerpts[0].line)

    def _is(self, node: Name, type: Name) -> bool:
        return any(value == type for _, value in self._objects(node, TYPE))

    def _objects(self, node: Name, predicate: Name) -> _Objects:
        return self._triples.get(node, {}).get(predicate, [])

    def _all(self, node: Name, predicate: Name, line: int = 0) -> _Objects:
        """The objects, of which there must be one; ``line`` is where the node is mentioned."""
        objects = self._objects(node, predicate)
        if not objects:
            others = self._triples.get(node, {}).values()
            where = line or min(other_line for objects in others for other_line, _ in objects)
            message = f"{node.text} has no {predicate.text}"
            raise DataError(message, file=self._file, where=where)
        return objects

    def _only(self, node: Name, predicate: Name, line: int = 0) -> tuple[int, Name | Literal]:
        objects = self._all(node, predicate, line)
        if len(objects) > 1:
            message = f"{node.text} has {len(objects)} values of {predicate.text}, expected one"
            raise DataError(message, file=self._file, where=objects[1][0])
        return objects[0]

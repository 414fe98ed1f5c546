"""Statements with their text provenance as RDF, and back.

Each statement is a named graph of one triple. What is said of it is in the default graph:
PROV-O says who asserted it, Web Annotation says which excerpts of which document support it and its
subject, predicate and object. Formats without named graphs write the statement as an rdf:Statement.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from readmark.core.errors import DataError
from readmark.core.spans import Excerpt
from readmark.tasks.names import document_id, document_iri, escaped, unescaped
from readmark.tasks.reasoning.derivations import Derivation
from readmark.tasks.reasoning.graphs import (
    PARTS,
    Asserted,
    Statement,
    Support,
    read_placed,
    statement_of,
    write_triple,
)
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.rdf import DATASETS, read_rdf, require_assertable, write_rdf
from readmark.tasks.reasoning.rules.values import write_condition, write_denied
from readmark.tasks.reasoning.statement_notation import STATEMENTS_SUFFIX, read_statements_file
from readmark.tasks.reasoning.terms import Literal, Name, written

STATEMENT = "urn:readmark:statement:"
ANNOTATOR = "urn:readmark:annotator:"

PROBABILITY = Name("rm:probability")
GRAPH = Name("rm:graph")
PART = Name("rm:part")
ORDER = Name("rm:order")
ATTRIBUTED = Name("prov:wasAttributedTo")
QUOTED = Name("prov:wasQuotedFrom")
BODY, TARGET = Name("oa:hasBody"), Name("oa:hasTarget")
SOURCE, SELECTOR = Name("oa:hasSource"), Name("oa:hasSelector")
START, END, EXACT = Name("oa:start"), Name("oa:end"), Name("oa:exact")
LABEL = Name("rdfs:label")
REIFIED = {
    "subject": Name("rdf:subject"),
    "predicate": Name("rdf:predicate"),
    "object": Name("rdf:object"),
}

WrittenStatement = tuple[str | None, Statement]


def write_provenance(
    asserted: Iterable[Asserted], *, format: str, namespaces: Namespaces, file: object = None
) -> bytes:
    """Asserted statements as a file: one named graph each, or one rdf:Statement each."""
    named = format in DATASETS
    seen: dict[str, int] = {}
    agents: set[str] = set()
    written: list[WrittenStatement] = []
    for one in asserted:
        iri = statement_iri(one, seen)
        node = Name(iri)
        if named:
            written.append((iri, one.statement))
        else:
            written += [(None, part) for part in reified(node, one.statement)]
        written += [(None, part) for part in provenance_of(node, one, agents)]
    return write_rdf(written, format=format, namespaces=namespaces, file=file)


def statement_iri(one: Asserted, seen: dict[str, int]) -> str:
    """The name of a statement: made of its content, numbered when it is said again."""
    digest = _digest(f"{one.graph}\n{one.annotator}\n{write_triple(one.statement)}")
    seen[digest] = time = seen.get(digest, 0) + 1
    return f"{STATEMENT}{digest}" + (f"-{time}" if time > 1 else "")


def reified(node: Name, statement: Statement) -> Iterator[Statement]:
    """A statement, and the same as an rdf:Statement of that name."""
    yield statement
    yield Statement(node, TYPE, Name("rdf:Statement"))
    yield Statement(node, REIFIED["subject"], statement.subject)
    yield Statement(node, REIFIED["predicate"], statement.predicate)
    yield Statement(node, REIFIED["object"], statement.object)


def provenance_of(node: Name, one: Asserted, agents: set[str]) -> Iterator[Statement]:
    """Who asserted the statement of that name, how surely, and which excerpts support it."""
    yield Statement(node, TYPE, Name("prov:Entity"))
    yield Statement(node, GRAPH, Name(document_iri(one.graph)))
    if one.probability != 1.0:
        yield Statement(node, PROBABILITY, Literal(float(one.probability)))
    if one.annotator is not None:
        agent = Name(ANNOTATOR + escaped(one.annotator))
        yield Statement(node, ATTRIBUTED, agent)
        if one.annotator not in agents:
            agents.add(one.annotator)
            yield Statement(agent, TYPE, Name("prov:Agent"))
            yield Statement(agent, LABEL, Literal(one.annotator))
    for document in sorted({excerpt.document for _, excerpt in one.support.excerpts()}):
        yield Statement(node, QUOTED, Name(document_iri(document)))
    for part in PARTS:
        for order, excerpt in enumerate(getattr(one.support, part), 1):
            yield from annotation_of(node, part, order, excerpt)


def annotation_of(node: Name, part: str, order: int, excerpt: Excerpt) -> Iterator[Statement]:
    """An excerpt that supports what a name stands for, or a part of it, as a Web Annotation."""
    annotation = Name(f"{node.text}/{part}/{order}")
    target, position, quote = (
        Name(f"{annotation.text}/{end}") for end in ("target", "position", "quote")
    )
    yield Statement(annotation, TYPE, Name("oa:Annotation"))
    yield Statement(annotation, BODY, node)
    yield Statement(annotation, PART, REIFIED.get(part, Name("rdf:Statement")))
    yield Statement(annotation, ORDER, Literal(order))
    yield Statement(annotation, TARGET, target)
    yield Statement(target, TYPE, Name("oa:SpecificResource"))
    yield Statement(target, SOURCE, Name(document_iri(excerpt.document)))
    yield Statement(target, SELECTOR, position)
    yield Statement(target, SELECTOR, quote)
    yield Statement(position, TYPE, Name("oa:TextPositionSelector"))
    yield Statement(position, START, Literal(excerpt.start))
    yield Statement(position, END, Literal(excerpt.end))
    yield Statement(quote, TYPE, Name("oa:TextQuoteSelector"))
    yield Statement(quote, EXACT, Literal(excerpt.quote))


# Rule-based provenance as RDF: PROV-O activities that use antecedents and generate conclusions.


APPLICATION = "urn:readmark:application:"
GENERATED, USED = Name("prov:wasGeneratedBy"), Name("prov:used")
DERIVED = Name("prov:wasDerivedFrom")
RULE, BINDING, HELD, DENIED = (Name(f"rm:{one}") for one in ("rule", "binding", "held", "denied"))


def write_derivations(
    derivations: Iterable[Derivation], *, namespaces: Namespaces, format: str = "RDF_XML"
) -> bytes:
    """The derivations and everything they rest on as a file, each statement once."""
    return write_rdf(_statements(derivations), format=format, namespaces=namespaces)


def _statements(derivations: Iterable[Derivation]) -> Iterator[Statement]:
    stack = list(derivations)[::-1]
    seen: set[str] = set()
    agents: set[str] = set()
    while stack:
        derivation = stack.pop()
        node = _node(derivation)
        if node.text in seen:
            continue
        seen.add(node.text)
        yield from reified(node, derivation.statement)
        if derivation.rule is None:
            annotators: tuple[str | None, ...] = derivation.annotators or (None,)
            documents = derivation.documents or (derivation.graph,)
            for annotator, document in product(annotators, documents):
                asserted = Asserted(
                    document,
                    derivation.statement,
                    derivation.support,
                    derivation.probability if derivation.stated is None else derivation.stated,
                    annotator,
                )
                yield from provenance_of(node, asserted, agents)
            for link in derivation.links:
                yield Statement(node, DERIVED, _node(link))
            stack.extend(reversed(derivation.links))
            continue
        yield from provenance_of(
            node,
            Asserted(derivation.graph, derivation.statement, probability=derivation.probability),
            agents,
        )
        yield from _application(node, derivation)
        stack.extend(reversed(derivation.antecedents))


def _application(node: Name, one: Derivation) -> Iterator[Statement]:
    activity = Name(APPLICATION + node.text.removeprefix(STATEMENT))
    yield Statement(node, GENERATED, activity)
    yield Statement(activity, TYPE, Name("prov:Activity"))
    if one.rule is not None:
        yield Statement(activity, RULE, Literal(one.rule.name))
    for name, value in one.bindings.items():
        yield Statement(activity, BINDING, Literal(f"?{name} {written(value)}"))
    for antecedent in one.antecedents:
        yield Statement(activity, USED, _node(antecedent))
    for builtin in one.computed:
        yield Statement(activity, HELD, Literal(write_condition(builtin)))
    for group in one.denied:
        yield Statement(activity, DENIED, Literal(write_denied(group)))


def _node(one: Derivation) -> Name:
    return Name(STATEMENT + _digest(f"{one.graph}\n{write_triple(one.statement)}"))


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


# Reading statements with their text provenance from RDF.


GRAPH_SUFFIX = ".graph"
"""Files in the parenthesised notation."""
NOTATIONS = (STATEMENTS_SUFFIX, GRAPH_SUFFIX)
"""Suffixes of statements that people write."""

_ANNOTATION, _REIFIED = Name("oa:Annotation"), Name("rdf:Statement")
_PART_NAMES = {_REIFIED: "statement", **{name: part for part, name in REIFIED.items()}}
_OWN = (STATEMENT, ANNOTATOR)


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
        return _of_statements(_decoded(data, file), file, namespaces, graph, texts or {})
    if file.lower().endswith(GRAPH_SUFFIX):
        return _of_notation(_decoded(data, file), file, namespaces, graph)
    return _Reading(data, file, namespaces).annotated(graph)


def _decoded(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        where = data.count(b"\n", 0, wrong.start) + 1
        raise DataError("not valid UTF-8", file=file, where=where) from None


def _of_statements(
    text: str, file: str, namespaces: Namespaces, graph: str, texts: Mapping[str, str]
) -> list[AnnotatedStatement]:
    found = []
    for asserted, line in read_statements_file(text, texts, file=file, document=graph):
        statement = _canonical(asserted.statement, namespaces)
        require_assertable(statement, file=file, line=line)
        lines = {excerpt: line for _, excerpt in asserted.support.excerpts()}
        found.append(AnnotatedStatement(replace(asserted, statement=statement), line, lines))
    return found


def _of_notation(
    text: str, file: str, namespaces: Namespaces, graph: str
) -> list[AnnotatedStatement]:
    found = []
    for line, pattern in read_placed(text, file=file):
        try:
            statement = statement_of(pattern)
        except DataError as wrong:
            raise DataError(wrong.message, file=file, where=line) from None
        statement = _canonical(statement, namespaces)
        require_assertable(statement, file=file, line=line)
        found.append(AnnotatedStatement(Asserted(graph, statement), line, {}))
    return found


def _canonical(statement: Statement, namespaces: Namespaces) -> Statement:
    object_ = statement.object
    return Statement(
        namespaces.canonical(statement.subject),
        namespaces.canonical(statement.predicate),
        namespaces.canonical(object_) if isinstance(object_, Name) else object_,
    )


class _Reading:
    """The triples of a file, by subject and by graph."""

    def __init__(self, data: bytes, file: str, namespaces: Namespaces) -> None:
        self._file = file
        self._namespaces = namespaces
        self._of: dict[Name, dict[Name, list[tuple[int, Name | Literal]]]] = {}
        self._plain: list[tuple[int, Statement]] = []
        self._named: dict[str, list[tuple[int, Statement]]] = defaultdict(list)
        for line, name, statement in read_rdf(data, file=file, namespaces=namespaces):
            if name is not None:
                self._named[name].append((line, statement))
                continue
            self._plain.append((line, statement))
            of = self._of.setdefault(statement.subject, {})
            of.setdefault(statement.predicate, []).append((line, statement.object))

    def annotated(self, graph: str) -> list[AnnotatedStatement]:
        """Every statement that the file asserts."""
        supports = self._supports()
        found: list[AnnotatedStatement] = []
        for iri, triples in self._named.items():
            node = self._namespaces.compact(iri)
            home = self._home(node) or document_id(iri) or graph
            for line, statement in triples:
                found.append(self._one(node, statement, line, home, supports))
        reified = {}
        for node in self._of:
            if self._is(node, _REIFIED):
                line, statement = self._statement(node)
                reified[statement] = line
                home = self._home(node) or graph
                found.append(self._one(node, statement, line, home, supports))
        for line, statement in self._plain:
            if statement not in reified and not self._metadata(statement):
                found.append(AnnotatedStatement(Asserted(graph, statement), line, {}))
        self._require_used(supports, found)
        return sorted(found, key=lambda one: one.line)

    def _one(
        self,
        node: Name,
        statement: Statement,
        line: int,
        graph: str,
        supports: dict[Name, list[tuple[str, int, int, Excerpt]]],
    ) -> AnnotatedStatement:
        excerpts = sorted(supports.get(node, ()), key=lambda support: support[1])
        parts = {
            part: tuple(excerpt for name, _, _, excerpt in excerpts if name == part)
            for part in PARTS
        }
        asserted = Asserted(
            graph, statement, Support(**parts), self._probability(node), self._annotator(node)
        )
        return AnnotatedStatement(asserted, line, {excerpt: at for _, _, at, excerpt in excerpts})

    def _metadata(self, statement: Statement) -> bool:
        """Whether a triple speaks of statements, annotations and annotators."""
        subject = statement.subject
        about = self._of[subject]
        if subject.text.startswith(_OWN) or any(name.text.startswith("oa:") for name in about):
            return True
        kinds = {kind.text for _, kind in about.get(TYPE, ()) if isinstance(kind, Name)}
        return any(kind.startswith(("oa:", "prov:")) or kind == "rdf:Statement" for kind in kinds)

    def _is(self, node: Name, kind: Name) -> bool:
        return any(one == kind for _, one in self._of.get(node, {}).get(TYPE, ()))

    def _statement(self, node: Name) -> tuple[int, Statement]:
        line, subject = self._only(node, REIFIED["subject"])
        _, predicate = self._only(node, REIFIED["predicate"])
        _, object_ = self._only(node, REIFIED["object"])
        if not isinstance(subject, Name) or not isinstance(predicate, Name):
            raise DataError("a literal is no subject or predicate", file=self._file, where=line)
        return line, Statement(subject, predicate, object_)

    def _supports(self) -> dict[Name, list[tuple[str, int, int, Excerpt]]]:
        """Statement -> part, order, line and excerpt of each annotation."""
        found: dict[Name, list[tuple[str, int, int, Excerpt]]] = defaultdict(list)
        for node, about in self._of.items():
            if not self._is(node, _ANNOTATION):
                continue
            line, body = self._only(node, BODY)
            part = about.get(PART, [(line, _REIFIED)])[0][1]
            if not isinstance(body, Name) or not isinstance(part, Name) or part not in _PART_NAMES:
                message = (
                    "an annotation is of a statement, or of its rdf:subject, predicate or object"
                )
                raise DataError(message, file=self._file, where=line)
            order = about.get(ORDER, [(line, Literal(len(found[body]) + 1))])[0][1]
            rank = order.value if isinstance(order, Literal) else 0
            for _, target in self._all(node, TARGET):
                at, excerpt = self._excerpt(target, line)
                placed = rank if isinstance(rank, int) else 0
                found[body].append((_PART_NAMES[part], placed, at, excerpt))
        return found

    def _excerpt(self, target: Name | Literal, line: int) -> tuple[int, Excerpt]:
        if not isinstance(target, Name):
            raise DataError("a target is no literal", file=self._file, where=line)
        line, source = self._only(target, SOURCE, line)
        document = document_id(self._namespaces.expand(source)) if isinstance(source, Name) else ""
        found: dict[Name, tuple[int, object]] = {}
        for _, selector in self._all(target, SELECTOR, line):
            about = self._of.get(selector, {}) if isinstance(selector, Name) else {}
            for name in (START, END, EXACT):
                for at, value in about.get(name, ()):
                    found[name] = at, value.value if isinstance(value, Literal) else None
        start, end, exact = (found.get(name, (line, None)) for name in (START, END, EXACT))
        if (
            not document
            or type(start[1]) is not int
            or type(end[1]) is not int
            or not isinstance(exact[1], str)
        ):
            message = (
                "an excerpt has oa:start, oa:end and oa:exact, and an oa:hasSource that is "
                "urn:readmark:document:ID"
            )
            raise DataError(message, file=self._file, where=start[0])
        return start[0], Excerpt(document, start[1], end[1], exact[1])

    def _home(self, node: Name) -> str | None:
        for line, value in self._of.get(node, {}).get(GRAPH, ()):
            iri = self._namespaces.expand(value) if isinstance(value, Name) else ""
            if (found := document_id(iri)) is not None:
                return found
            raise DataError("rm:graph is no document", file=self._file, where=line)
        return None

    def _probability(self, node: Name) -> float:
        for line, value in self._of.get(node, {}).get(PROBABILITY, ()):
            said = value.value if isinstance(value, Literal) else None
            if isinstance(said, int | float) and not isinstance(said, bool) and 0 < said <= 1:
                return float(said)
            raise DataError("a probability is above 0 and at most 1", file=self._file, where=line)
        return 1.0

    def _annotator(self, node: Name) -> str | None:
        for _, value in self._of.get(node, {}).get(ATTRIBUTED, ()):
            if isinstance(value, Name):
                iri = self._namespaces.expand(value)
                return unescaped(iri[len(ANNOTATOR) :]) if iri.startswith(ANNOTATOR) else iri
        return None

    def _all(self, node: Name, name: Name, line: int = 0) -> Iterator[tuple[int, Name | Literal]]:
        values = self._of.get(node, {}).get(name, [])
        if not values:
            message = f"{node.text} has no {name.text}"
            where = line or min((at for of in self._of.get(node, {}).values() for at, _ in of))
            raise DataError(message, file=self._file, where=where)
        return iter(values)

    def _only(self, node: Name, name: Name, line: int = 0) -> tuple[int, Name | Literal]:
        values = list(self._all(node, name, line))
        if len(values) > 1:
            message = f"{node.text} has {len(values)} values of {name.text}, expected one"
            raise DataError(message, file=self._file, where=values[1][0])
        return values[0]

    def _require_used(
        self,
        supports: dict[Name, list[tuple[str, int, int, Excerpt]]],
        found: list[AnnotatedStatement],
    ) -> None:
        """Provenance of a statement that the file does not assert would be lost."""
        known = {self._namespaces.compact(iri) for iri in self._named} | {
            node for node in self._of if self._is(node, _REIFIED)
        }
        for node, excerpts in supports.items():
            if node not in known:
                message = f"provenance of {node.text}, which is no statement of this file"
                raise DataError(message, file=self._file, where=excerpts[0][2])

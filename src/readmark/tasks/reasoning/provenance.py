"""Statements with their text provenance as RDF.

Each statement is a named graph of one triple. What is said of it is in the default graph:
PROV-O says who asserted it, Web Annotation says which excerpts of which document support it and its
subject, predicate and object. Formats without named graphs write the statement as an rdf:Statement.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from readmark.core.spans import Excerpt
from readmark.tasks.names import document_iri, escaped
from readmark.tasks.reasoning.graphs import PARTS, Asserted, Statement, write_triple
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.rdf import DATASETS, write_rdf
from readmark.tasks.reasoning.terms import Literal, Name

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


def write_provenance(
    asserted: Iterable[Asserted], *, format: str, namespaces: Namespaces, file: object = None
) -> bytes:
    """Asserted statements as a file: one named graph each, or one rdf:Statement each."""
    seen: dict[str, int] = {}
    agents: set[str] = set()
    triples: list[tuple[str | None, Statement]] = []
    for each in asserted:
        iri = statement_iri(each, seen)
        node = Name(iri)
        if format in DATASETS:
            triples.append((iri, each.statement))
        else:
            triples += [(None, triple) for triple in reified(node, each.statement)]
        triples += [(None, triple) for triple in provenance_of(node, each, agents)]
    return write_rdf(triples, format=format, namespaces=namespaces, file=file)


def statement_iri(asserted: Asserted, seen: dict[str, int]) -> str:
    """The name of a statement: made of its content, and numbered if it is asserted again."""
    digest = content_digest(
        f"{asserted.graph}\n{asserted.annotator}\n{write_triple(asserted.statement)}"
    )
    seen[digest] = count = seen.get(digest, 0) + 1
    return f"{STATEMENT}{digest}" + (f"-{count}" if count > 1 else "")


def content_digest(content: str) -> str:
    """The end of a statement's name."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def reified(node: Name, statement: Statement) -> Iterator[Statement]:
    """A statement, and the same as an rdf:Statement of that name."""
    yield statement
    yield Statement(node, TYPE, Name("rdf:Statement"))
    yield Statement(node, REIFIED["subject"], statement.subject)
    yield Statement(node, REIFIED["predicate"], statement.predicate)
    yield Statement(node, REIFIED["object"], statement.object)


def provenance_of(node: Name, asserted: Asserted, agents: set[str]) -> Iterator[Statement]:
    """Who asserted the statement of that name, how surely, and which excerpts support it.

    ``agents`` are the annotators that the file describes already; a new one is added.
    """
    yield Statement(node, TYPE, Name("prov:Entity"))
    yield Statement(node, GRAPH, Name(document_iri(asserted.graph)))
    if asserted.probability != 1.0:
        yield Statement(node, PROBABILITY, Literal(float(asserted.probability)))
    if asserted.annotator is not None:
        agent = Name(ANNOTATOR + escaped(asserted.annotator))
        yield Statement(node, ATTRIBUTED, agent)
        if asserted.annotator not in agents:
            agents.add(asserted.annotator)
            yield Statement(agent, TYPE, Name("prov:Agent"))
            yield Statement(agent, LABEL, Literal(asserted.annotator))
    for document in sorted({excerpt.document for _, excerpt in asserted.support.excerpts()}):
        yield Statement(node, QUOTED, Name(document_iri(document)))
    for part in PARTS:
        for order, excerpt in enumerate(getattr(asserted.support, part), 1):
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

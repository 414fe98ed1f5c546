"""Statements with their text provenance as RDF, and back.

Each statement is a named graph of one triple. What is said of it stands in the default graph:
PROV-O says who asserted it, Web Annotation says which excerpts of which document support it and its
subject, predicate and object. Formats without named graphs write the statement as an rdf:Statement.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from readmark.reasoning.graphs import Asserted, Excerpt, Statement, Support, write_triple
from readmark.reasoning.namespaces import Namespaces, document_iri, escaped
from readmark.reasoning.rdf import DATASETS, write_rdf
from readmark.reasoning.terms import Literal, Name

STATEMENT = "urn:readmark:statement:"
ANNOTATOR = "urn:readmark:annotator:"

PARTS = ("statement", "subject", "predicate", "object")
"""What an excerpt may support, as the fields of :class:`Support` are called."""

TYPE = Name("type")
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

Written = tuple[str | None, Statement]


def write_provenance(
    asserted: Iterable[Asserted], *, format: str, namespaces: Namespaces, file: object = None
) -> bytes:
    """Asserted statements as a file: one named graph each, or one rdf:Statement each."""
    named = format in DATASETS
    seen: dict[str, int] = {}
    agents: set[str] = set()
    written: list[Written] = []
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
    told = f"{one.graph}\n{one.annotator}\n{write_triple(one.statement)}"
    digest = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    seen[digest] = time = seen.get(digest, 0) + 1
    return f"{STATEMENT}{digest}" + (f"-{time}" if time > 1 else "")


def annotator_iri(name: str) -> str:
    """The IRI of somebody who annotates."""
    return ANNOTATOR + escaped(name)


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
        agent = Name(annotator_iri(one.annotator))
        yield Statement(node, ATTRIBUTED, agent)
        if one.annotator not in agents:
            agents.add(one.annotator)
            yield Statement(agent, TYPE, Name("prov:Agent"))
            yield Statement(agent, LABEL, Literal(one.annotator))
    for document in sorted({excerpt.document for _, _, excerpt in _excerpts(one.support)}):
        yield Statement(node, QUOTED, Name(document_iri(document)))
    for part, order, excerpt in _excerpts(one.support):
        yield from _annotation(node, part, order, excerpt)


def _excerpts(support: Support) -> Iterator[tuple[str, int, Excerpt]]:
    for part in PARTS:
        for order, excerpt in enumerate(getattr(support, part), 1):
            yield part, order, excerpt


def _annotation(node: Name, part: str, order: int, excerpt: Excerpt) -> Iterator[Statement]:
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

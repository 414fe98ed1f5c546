"""Whether annotated statements keep to the ontology and point at what the documents say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from readmark.corpus.documents import excerpt_fault
from readmark.corpus.problems import Problem
from readmark.reasoning.graphs import Excerpt, write_triple
from readmark.reasoning.ontology import Ontology
from readmark.reasoning.provenance_rdf import PARTS
from readmark.setting.tasks.package import InFile, Package
from readmark.setting.tasks.vocabulary import Vocabulary


def graph_problems(
    package: Package, annotated: Iterable[InFile], ontology: Ontology | None
) -> Iterator[Problem]:
    """A problem a statement: unknown names, wrong values, provenance that does not hold."""
    vocabulary = Vocabulary(ontology) if ontology is not None else None
    documents = package.documents
    unknown: set[tuple[str, str]] = set()
    for file, one, _ in annotated:
        asserted = one.asserted
        said = write_triple(asserted.statement)
        if asserted.graph not in documents and (file, asserted.graph) not in unknown:
            unknown.add((file, asserted.graph))
            message = f"{said} is of {asserted.graph!r}, which is no document of the task"
            yield Problem(file, one.line, "unknown_document", message)
        if vocabulary is not None:
            for code, message in vocabulary.findings(asserted.statement, asserted=True):
                yield Problem(file, one.line, code, f"{said}: {message}")
        for part in PARTS:
            for excerpt in getattr(asserted.support, part):
                line = one.lines.get(excerpt, one.line)
                about = "" if part == "statement" else f"the {part} of "
                for code, fault in excerpt_problems(excerpt, documents):
                    yield Problem(file, line, code, f"{about}{said}: {fault}")


def excerpt_problems(excerpt: Excerpt, documents: dict[str, str]) -> Iterator[tuple[str, str]]:
    """A code and a line of prose for an excerpt that its document does not have."""
    text = documents.get(excerpt.document)
    if text is None:
        said = f"an excerpt is of {excerpt.document!r}, which is no document of the task"
        yield "unknown_document", said
    elif fault := excerpt_fault(excerpt, text):
        outside = not 0 <= excerpt.start < excerpt.end <= len(text)
        yield "outside" if outside else "quote", f"the excerpt {fault}"

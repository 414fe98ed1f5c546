"""Whether annotated statements keep to the ontology and point at what the documents say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from readmark.core.problems import Problem
from readmark.core.spans import Excerpt, excerpt_fault
from readmark.tasks.package import InFile, Package
from readmark.tasks.reasoning.graphs import write_triple
from readmark.tasks.vocabulary import Finding, Vocabulary


def statement_problems(
    package: Package, annotated: Iterable[InFile], vocabulary: Vocabulary | None
) -> Iterator[Problem]:
    """Unknown names, wrong values and provenance that does not hold, statement by statement."""
    documents = package.documents
    unknown: set[tuple[str, str]] = set()
    for in_file in annotated:
        file, statement = in_file.file, in_file.annotated
        asserted = statement.asserted
        triple = write_triple(asserted.statement)
        # Once a file: a graph of an unknown document may have hundreds of statements.
        if asserted.graph not in documents and (file, asserted.graph) not in unknown:
            unknown.add((file, asserted.graph))
            message = f"{triple} is about {asserted.graph!r}, which is not a document of the task"
            yield Problem(file, statement.line, "unknown_document", message)
        if vocabulary is not None:
            for code, message in vocabulary.findings(asserted.statement, asserted=True):
                yield Problem(file, statement.line, code, f"{triple}: {message}")
        for part, excerpt in asserted.support.excerpts():
            line = statement.lines.get(excerpt, statement.line)
            subject = triple if part == "statement" else f"the {part} of {triple}"
            for code, message in excerpt_findings(excerpt, documents):
                yield Problem(file, line, code, f"{subject}: {message}")


def excerpt_findings(excerpt: Excerpt, documents: Mapping[str, str]) -> Iterator[Finding]:
    """Whether an excerpt is of no known document, or is not what its document has there."""
    text = documents.get(excerpt.document)
    if text is None:
        message = f"an excerpt is from {excerpt.document!r}, which is not a document of the task"
        yield "unknown_document", message
    elif fault := excerpt_fault(excerpt, text):
        is_outside = not 0 <= excerpt.start < excerpt.end <= len(text)
        yield "outside" if is_outside else "quote", f"the excerpt {fault}"

"""Files of annotated statements: the light notation and RDF, converted without loss."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from readmark.core.counts import counted
from readmark.core.distinct_files import require_distinct_files
from readmark.core.files import read_bytes
from readmark.core.source import Source
from readmark.core.writing import writing

SUFFIXES = (".statements", ".graph", ".ttl", ".trig", ".nq", ".nt", ".rdf")


class StatementFiles:
    """What the format `statements` is: neither a test nor a sitting, only converted."""

    def recognises(self, source: Source) -> bool:
        """By the suffix: RDF has no other sign that all of its notations share."""
        return bool(source.suffixes) and source.suffixes[-1] in SUFFIXES

    def convert(
        self, source: str, target: str, *, passages: str | None = None, ontology: str | None = None
    ) -> Sequence[str]:
        """Write the statements in the notation of the target's suffix; notes say how many.

        Excerpts, annotators and probabilities are kept, and every quotation is checked against the
        text: ``passages``, by default the .txt file next to either file. ``ontology`` is an OWL
        file, by which names are spelt.
        """
        from readmark.tasks.knowledge_base import texts_near
        from readmark.tasks.reasoning.annotated_statements import read_annotated
        from readmark.tasks.reasoning.namespaces import Namespaces
        from readmark.tasks.reasoning.owl import read_ontology
        from readmark.tasks.reasoning.provenance import write_provenance
        from readmark.tasks.reasoning.rdf import format_of
        from readmark.tasks.reasoning.statement_notation import (
            STATEMENTS_SUFFIX,
            write_statements_file,
        )

        require_distinct_files([target], [source, passages, ontology])
        namespaces = Namespaces()
        if ontology is not None:
            namespaces = read_ontology(read_bytes(ontology), file=ontology).namespaces
        id = Path(source).stem
        texts: dict[str, str] = {}
        if passages is not None:
            texts[id] = read_bytes(passages).decode("utf-8", "replace")
        elif nearby := texts_near(Path(source)) or texts_near(Path(target)):
            [texts[id]] = nearby.values()
        annotated = read_annotated(
            read_bytes(source), file=source, namespaces=namespaces, graph=id, texts=texts
        )
        asserted = [each.asserted for each in annotated]
        if target.lower().endswith(STATEMENTS_SUFFIX):
            data = write_statements_file(asserted, texts, document=id).encode()
        else:
            data = write_provenance(
                asserted, format=format_of(target), namespaces=namespaces, file=target
            )
        with writing(target) as stream:
            stream.write(data)
        return [counted(len(asserted), "statement")]


STATEMENTS = StatementFiles()

"""What follows from statements by rules: what is derived, and what contradicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from rich.text import Text

from readmark.core.display import Result, counted
from readmark.core.errors import DataError
from readmark.core.numbers import and_more
from readmark.core.writing import writing
from readmark.tasks.derivation_json import DerivationNodes, contradiction_json, triple_json
from readmark.tasks.knowledge_base import (
    KnowledgeBase,
    Reasoning,
    knowledge_batches,
    require_separate_output,
)
from readmark.tasks.names import document_iri
from readmark.tasks.off_ontology import OffOntology, each_once, off_ontology
from readmark.tasks.reasoning.context_results import Contexts
from readmark.tasks.reasoning.contexts import contexts as find_contexts
from readmark.tasks.reasoning.contradictions import MOST, Contradiction, contradictions
from readmark.tasks.reasoning.corpus import documents_of
from readmark.tasks.reasoning.derivation_text import contradiction_text
from readmark.tasks.reasoning.derivations import Derivation, explain
from readmark.tasks.reasoning.engine.chance import chance_json, chance_text
from readmark.tasks.reasoning.engine.inference import Derived
from readmark.tasks.reasoning.entity_links import EntityLink
from readmark.tasks.reasoning.graphs import Asserted, write_graph, write_triple
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.provenance import write_provenance
from readmark.tasks.reasoning.rdf import DATASETS, format_of, write_rdf
from readmark.tasks.reasoning.terms import written

if TYPE_CHECKING:
    from rich.console import Console

LINE_FORMATS = ("N_QUADS",)
"""Formats with graphs that are a statement a line, so that a file can be continued."""


@dataclass(frozen=True, repr=False)
class Inferred(Result):
    """What followed in all, the first or every derived statement, and the contradictions."""

    counts: Mapping[str, int]
    derived: Sequence[Derived]
    contradictions: Sequence[Contradiction]
    notes: tuple[str, ...] = ()
    contexts: Contexts | None = None
    """What can be right together, where that was asked for."""
    documents: Sequence[tuple[str, ...]] = ()
    """Across documents, those that each derived statement rests on."""
    links: Sequence[EntityLink] | None = None
    """Across documents, the names that are another entity's."""
    findings: Sequence[OffOntology] = ()
    """Properties and classes that the ontology does not have."""

    @property
    def failed(self) -> bool:
        """Whether anything contradicts the rules or the ontology, or is not in its vocabulary."""
        return self.counts.get("contradictions", 0) > 0 or bool(self.findings)

    def as_json(self) -> dict[str, Any]:
        """Counts, derived statements, and contradictions with what they rest on."""
        nodes = DerivationNodes()
        return {
            **self.counts,
            "statements": [
                {
                    "graph": derived.graph,
                    **triple_json(derived.statement),
                    **chance_json(derived.probability, derived.bound),
                    **({"documents": list(self.documents[index])} if self.documents else {}),
                }
                for index, derived in enumerate(self.derived)
            ],
            "contradicting": [
                contradiction_json(contradiction, nodes) for contradiction in self.contradictions
            ],
            "not_listed": self.counts.get("contradictions", 0) - len(self.contradictions),
            "findings": [finding.as_json() for finding in self.findings],
            "derivations": nodes.nodes,
            **({} if self.links is None else {"links": [link.as_json() for link in self.links]}),
            **({} if self.contexts is None else {"contexts": self.contexts.as_json()}),
        }

    def show(self, console: Console) -> None:
        """Counts, the derived statements, and every contradiction with its derivation."""
        counts = ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
        console.print(counts, style="bold")
        for link in self.links or ():
            rules = " and ".join(dict.fromkeys(_source(step) for step in link.steps))
            line = f"{written(link.name)} is {written(link.entity)}, {rules}"
            console.print(Text(line), soft_wrap=True)
        for index, derived in enumerate(self.derived):
            where = ", ".join(self.documents[index]) if self.documents else derived.graph
            line = f"{where}: {write_triple(derived.statement)}"
            if derived.probability != 1:
                line += f"  probability {chance_text(derived.probability, derived.bound)}"
            console.print(Text(line), soft_wrap=True)
        if more := self.counts["derived"] - len(self.derived):
            console.print(and_more(more, "--show N, --json or -o FILE"))
        for contradiction in self.contradictions:
            console.print(Text(contradiction_text(contradiction)), soft_wrap=True)
        if more := self.counts["contradictions"] - len(self.contradictions):
            console.print(f"and {counted(more, 'more contradiction')}: --show N or --json")
        for finding in self.findings:
            console.print(Text(str(finding)), soft_wrap=True)
        if self.contexts is not None:
            for line in self.contexts.lines(len(self.contradictions) or None):
                console.print(Text(line), soft_wrap=True)


def _source(step: Derivation) -> str:
    return "asserted" if step.rule is None else f"by {step.rule.name}"


def run_rules(
    inputs: Sequence[str],
    reasoning: Reasoning | None = None,
    *,
    output: str | None = None,
    show: int | None = None,
    most: int = MOST,
    contexts: bool = False,
) -> Inferred:
    """Runs rules over tasks and files; all that is derived goes to ``output``, whole or not at all.

    ``show`` limits how many derived statements are returned, ``most`` how many contradictions.
    With ``contexts``, what contradicts is grouped into what can be right together.
    """
    reasoning = reasoning or Reasoning()
    require_separate_output(output, inputs, reasoning)
    format = None if output is None or output.endswith(".graph") else format_of(output)
    results = _Results(show=show, most=most, contexts=contexts, seconds=reasoning.seconds)
    with ExitStack() as stack:
        file = None
        if output is not None:
            file = _DerivedFile(output, format, stack.enter_context(writing(output)))
        for base in knowledge_batches(inputs, reasoning):
            results.add(base)
            if file is not None:
                file.add(base)
        if file is not None:
            file.finish()
    return results.inferred(output)


@dataclass
class _Results:
    """What the knowledge bases of a run bring, one after the other."""

    show: int | None
    most: int
    contexts: bool
    seconds: float
    counts: Counter[str] = field(default_factory=Counter)
    derived: list[Derived] = field(default_factory=list)
    contradictions: list[Contradiction] = field(default_factory=list)
    findings: list[OffOntology] = field(default_factory=list)
    contradicted: list[Asserted] = field(default_factory=list)
    """The statements that contradictions rest on, if contexts are asked for."""
    documents: list[tuple[str, ...]] = field(default_factory=list)
    last: KnowledgeBase | None = None
    """All have the same rules and ontology; across documents there is only one."""

    def add(self, base: KnowledgeBase) -> None:
        """Take what follows in a knowledge base, while it is open."""
        inference = base.inference
        self.last = base
        self.counts.update(inference.counts())
        self.findings += off_ontology(base)
        if len(self.contradictions) < self.most:
            limit = self.most - len(self.contradictions)
            self.contradictions += contradictions(inference, most=limit)
        limit_shown = None if self.show is None else max(self.show - len(self.derived), 0)
        self.derived += islice(inference.derived(), limit_shown)
        if self.contexts:
            self.contradicted += inference.asserted(inference.contradicted())
        if base.corpus is not None:
            statements = [(derived.graph, derived.statement) for derived in self.derived]
            trees = explain(inference, statements, seconds=self.seconds)
            self.documents = [documents_of([tree]) for tree in trees]

    def inferred(self, output: str | None) -> Inferred:
        """The result; ``output`` is the file that has every derived statement."""
        corpus = self.last.corpus if self.last is not None else None
        best_contexts = None
        if self.contexts and self.last is not None:
            best_contexts = find_contexts(
                self.contradicted, self.last.theory, self.last.ontology, seconds=self.seconds
            )
            if corpus is not None:
                best_contexts = replace(best_contexts, documents=corpus.documents)
        count = counted(self.counts["derived"], "statement")
        return Inferred(
            counts=dict(self.counts),
            derived=self.derived,
            contradictions=self.contradictions,
            notes=() if output is None else (f"{output}: {count}",),
            contexts=best_contexts,
            documents=self.documents,
            links=None if corpus is None else list(corpus.links.values()),
            findings=each_once(self.findings),
        )


class _DerivedFile:
    """The file of derived statements, written a knowledge base at a time where its format can be.

    Other formats have one beginning for all statements, which are kept until then.
    """

    def __init__(self, path: str, format: str | None, stream: IO[bytes]) -> None:
        self._path = path
        self._format = format
        self._stream = stream
        self._unwritten: list[Derived] = []
        self._namespaces = Namespaces()

    def add(self, base: KnowledgeBase) -> None:
        """Take what is derived in a knowledge base, while it is open."""
        self._namespaces = base.namespaces
        self._unwritten.extend(base.inference.derived())
        if self._format in LINE_FORMATS:
            self._write()

    def finish(self) -> None:
        """Write what is still unwritten."""
        if self._format not in LINE_FORMATS:
            self._write()

    def _write(self) -> None:
        data = _derived_data(self._unwritten, self._format, self._namespaces, self._path)
        self._stream.write(data)
        self._unwritten.clear()


def _derived_data(
    derived: Sequence[Derived], format: str | None, namespaces: Namespaces, output: str | None
) -> bytes:
    """The statements as RDF, or without a format as a parenthesised graph.

    Where plain triples would lose graphs or probabilities, each statement is written with its own.
    """
    graphs = {each.graph for each in derived}
    is_uncertain = any(each.probability != 1 for each in derived)
    if format is None:
        if len(graphs) > 1 or is_uncertain:
            have = f"are of {len(graphs)} graphs" if len(graphs) > 1 else "have probabilities"
            hint = "write .trig, .nq, .ttl, .rdf or .nt"
            raise DataError(f"the notation has one graph, and these {have}: {hint}", file=output)
        return (write_graph(each.statement for each in derived) + "\n").encode()
    if is_uncertain or (len(graphs) > 1 and format not in DATASETS):
        asserted = [
            Asserted(each.graph, each.statement, probability=each.probability) for each in derived
        ]
        return write_provenance(asserted, format=format, namespaces=namespaces, file=output)
    pairs = [(document_iri(each.graph), each.statement) for each in derived]
    return write_rdf(pairs, format=format, namespaces=namespaces, file=output)

"""Why statements hold, and how graphs contradict the rules or the ontology: derivations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.text import Text

from readmark.core.display import Result, counted
from readmark.core.errors import UsageError
from readmark.core.writing import writing
from readmark.tasks.derivation_json import DerivationNodes
from readmark.tasks.knowledge_base import (
    KnowledgeBase,
    Reasoning,
    knowledge_base,
    require_separate_output,
)
from readmark.tasks.querying import answers_in
from readmark.tasks.reasoning.contradictions import contradictions
from readmark.tasks.reasoning.corpus import documents_of
from readmark.tasks.reasoning.derivation_rdf import write_derivations
from readmark.tasks.reasoning.derivation_text import derivation_text
from readmark.tasks.reasoning.derivations import Derivation
from readmark.tasks.reasoning.known_names import require_graphs
from readmark.tasks.reasoning.rdf import DATASETS, format_of

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, repr=False)
class Explained(Result):
    """The derivations of every statement that a graph with variables matches, each once."""

    derivations: Sequence[Derivation]
    notes: tuple[str, ...] = field(default=(), compare=False)

    def as_json(self) -> dict[str, Any]:
        """The numbers of the derivations that were asked for, and all derivations once."""
        nodes = DerivationNodes()
        return {"explained": nodes.add(self.derivations), "derivations": nodes.nodes}

    def show(self, console: Console) -> None:
        """The trees, each under its graph's name."""
        for derivation in self.derivations:
            where = ", ".join(documents_of([derivation])) or derivation.graph
            console.print(where, style="bold")
            console.print(Text(derivation_text(derivation)), soft_wrap=True)


def explain_statements(
    inputs: Sequence[str],
    statement: str,
    reasoning: Reasoning | None = None,
    *,
    graphs: Sequence[str] = (),
    output: str | None = None,
) -> Explained:
    """Why statements of tasks and files hold; ``output`` is an .html page or an RDF file."""
    reasoning = reasoning or Reasoning()
    require_separate_output(output, inputs, reasoning)
    notes = []
    with knowledge_base(inputs, reasoning) as base:
        answers = answers_in(base, statement, reasoning, graphs=graphs, explained=True)
        distinct = {
            (derivation.graph, derivation.statement): derivation
            for answer in answers
            for derivation in answer.derivations
        }
        derivations = list(distinct.values())
        if output is not None:
            _write_derivations(base, derivations, output)
            notes.append(f"{output}: {counted(len(derivations), 'derivation')}")
    if not derivations:
        notes.append(f"{statement} does not hold")
    return Explained(derivations, tuple(notes))


def explain_contradictions(
    inputs: Sequence[str],
    reasoning: Reasoning | None = None,
    *,
    graphs: Sequence[str] = (),
    output: str | None = None,
) -> Explained:
    """How graphs contradict the rules or the ontology; ``output`` is a page or an RDF file."""
    reasoning = reasoning or Reasoning()
    require_separate_output(output, inputs, reasoning)
    notes = []
    with knowledge_base(inputs, reasoning) as base:
        require_graphs(base.inference, graphs, base.documents)
        derivations = [
            contradiction.derivation()
            for contradiction in contradictions(base.inference)
            if not graphs or contradiction.graph in graphs
        ]
        if output is not None:
            _write_derivations(base, derivations, output)
            notes.append(f"{output}: {counted(len(derivations), 'derivation')}")
    if not derivations:
        notes.append("nothing contradicts the rules or the ontology")
    return Explained(derivations, tuple(notes))


def _write_derivations(base: KnowledgeBase, derivations: Sequence[Derivation], output: str) -> None:
    if output.lower().endswith((".html", ".htm")):
        from readmark.tasks.derivation_page import write_page

        write_page(derivations, base.documents, output)
        return
    format = format_of(output)
    if format in DATASETS:
        raise UsageError(f"{output}: derivations are written as .html, .rdf, .ttl or .nt")
    with writing(output) as file:
        file.write(write_derivations(derivations, namespaces=base.namespaces, format=format))

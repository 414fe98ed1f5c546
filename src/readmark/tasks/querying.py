"""What answers a query graph or a SPARQL query over statements and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.text import Text

from readmark.core.display import Result, counted, plain_table
from readmark.tasks.derivation_json import DerivationNodes
from readmark.tasks.knowledge_base import KnowledgeBase, Reasoning, knowledge_base
from readmark.tasks.reasoning.corpus import documents_of
from readmark.tasks.reasoning.derivation_text import derivation_text
from readmark.tasks.reasoning.derivations import Derivation, explain
from readmark.tasks.reasoning.engine.chance import chance_json, chance_text
from readmark.tasks.reasoning.graphs import write_triple
from readmark.tasks.reasoning.known_names import require_graphs, require_known
from readmark.tasks.reasoning.queries import GraphAnswer, answer
from readmark.tasks.reasoning.rules.parser import parse_query
from readmark.tasks.reasoning.rules.values import rename_condition
from readmark.tasks.reasoning.sparql import SparqlRows, sparql, unknown_names
from readmark.tasks.reasoning.terms import bindings_json, written

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class ExplainedAnswer:
    """An answer with the derivations of its statements, where they were asked for."""

    answer: GraphAnswer
    derivations: tuple[Derivation, ...] = ()
    documents: tuple[str, ...] = ()
    """Across documents, those that the answer rests on."""


@dataclass(frozen=True, repr=False)
class QueryAnswers(Result):
    """The answers of a query graph."""

    query: str
    answers: Sequence[ExplainedAnswer]

    def as_json(self) -> dict[str, Any]:
        """The answers, each with the numbers of its derivations, and the derivations once."""
        nodes = DerivationNodes()
        answers = []
        for explained in self.answers:
            answer = explained.answer
            row: dict[str, Any] = {
                "graph": answer.graph,
                "bindings": bindings_json(answer.bindings),
                "statements": [write_triple(statement) for statement in answer.statements],
                **chance_json(answer.probability, answer.bound),
                "inferred": answer.inferred,
            }
            if explained.documents:
                row["documents"] = list(explained.documents)
            if explained.derivations:
                row["derivations"] = nodes.add(explained.derivations)
            answers.append(row)
        derivations = {"derivations": nodes.nodes} if nodes.nodes else {}
        return {"query": self.query, "answers": answers, **derivations}

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per answer, with a column for each variable."""
        return [
            {
                "graph": explained.answer.graph,
                **{name: written(term) for name, term in explained.answer.bindings.items()},
                "inferred": explained.answer.inferred,
                "probability": explained.answer.probability,
            }
            for explained in self.answers
        ]

    def show(self, console: Console) -> None:
        """A line an answer, its derivations below it."""
        console.print(counted(len(self.answers), "answer"), style="bold")
        for explained in self.answers:
            answer = explained.answer
            values = ", ".join(
                f"?{name} = {written(term)}" for name, term in answer.bindings.items()
            )
            where = ", ".join(explained.documents) or answer.graph
            how = "inferred" if answer.inferred else "stated"
            if answer.probability != 1:
                how += f", probability {chance_text(answer.probability, answer.bound)}"
            console.print(Text(f"{where}: {values or 'yes'} ({how})"), soft_wrap=True)
            for tree in explained.derivations:
                for line in derivation_text(tree).splitlines():
                    console.print(Text(f"  {line}"), soft_wrap=True)


def answer_query(
    inputs: Sequence[str],
    query: str,
    reasoning: Reasoning | None = None,
    *,
    graphs: Sequence[str] = (),
    explained: bool = False,
) -> QueryAnswers:
    """The answers of a query graph over tasks and files, or some of their graphs."""
    reasoning = reasoning or Reasoning()
    with knowledge_base(inputs, reasoning) as base:
        answers = answers_in(base, query, reasoning, graphs=graphs, explained=explained)
    return QueryAnswers(query, answers)


def answers_in(
    base: KnowledgeBase,
    query: str,
    reasoning: Reasoning,
    *,
    graphs: Sequence[str] = (),
    explained: bool = False,
) -> list[ExplainedAnswer]:
    """The answers of a query graph over a knowledge base, with derivations where asked for."""
    conditions = [
        rename_condition(condition, base.namespaces.canonical)
        for condition in parse_query(query, "query")
    ]
    require_graphs(base.inference, graphs, base.documents)
    if base.ontology is not None:
        require_known(conditions, base.ontology, base.inference)
    answers = answer(base.inference, conditions, graphs=graphs or None, seconds=reasoning.seconds)
    across = base.corpus is not None
    if not explained and not across:
        return [ExplainedAnswer(graph_answer) for graph_answer in answers]

    statements = [
        (graph_answer.graph, statement)
        for graph_answer in answers
        for statement in graph_answer.statements
    ]
    trees = iter(
        explain(base.inference, statements, seconds=reasoning.seconds, every_way=explained)
    )
    explanations = []
    for graph_answer in answers:
        derivations = tuple(next(trees) for _ in graph_answer.statements)
        explanations.append(
            ExplainedAnswer(
                graph_answer,
                derivations if explained else (),
                documents_of(derivations) if across else (),
            )
        )
    return explanations


@dataclass(frozen=True, repr=False)
class SparqlResult(Result):
    """A SPARQL query with what it gave."""

    query: str
    found: SparqlRows
    notes: tuple[str, ...] = ()
    """Names in the query that neither the ontology nor any statement has."""

    def as_json(self) -> dict[str, Any]:
        """The query with rows, a truth value or statements."""
        if self.found.truth is not None:
            return {"query": self.query, "truth": self.found.truth}
        if self.found.variables:
            rows = [bindings_json(row) for row in self.found.rows]
            return {"query": self.query, "variables": list(self.found.variables), "rows": rows}
        return {"query": self.query, "statements": list(map(write_triple, self.found.statements))}

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per row of the result; a truth value or statements are one column."""
        if self.found.truth is not None:
            return [{"truth": self.found.truth}]
        if not self.found.variables:
            return [{"statement": write_triple(one)} for one in self.found.statements]
        return [{name: written(term) for name, term in row.items()} for row in self.found.rows]

    def show(self, console: Console) -> None:
        """A table of rows, a line a statement, or a word."""
        if self.found.truth is not None:
            console.print("true" if self.found.truth else "false")
            return
        for statement in self.found.statements:
            console.print(Text(write_triple(statement)), soft_wrap=True)
        if self.found.variables:
            first, *rest = self.found.variables
            table = plain_table(first, *rest)
            for row in self.found.rows:
                values = (row.get(name) for name in self.found.variables)
                table.add_row(*("" if value is None else written(value) for value in values))
            console.print(table)


def answer_sparql(
    inputs: Sequence[str],
    query: str,
    reasoning: Reasoning | None = None,
    *,
    graphs: Sequence[str] = (),
) -> SparqlResult:
    """Runs a read-only query over everything stated and inferred, or over some graphs."""
    reasoning = reasoning or Reasoning()
    with knowledge_base(inputs, reasoning) as base:
        require_graphs(base.inference, graphs, base.documents)
        rows = sparql(
            base.inference,
            query,
            namespaces=base.namespaces,
            graphs=graphs or None,
            seconds=reasoning.seconds,
            memory=reasoning.memory,
        )
        notes = tuple(unknown_names(query, base.inference, base.namespaces, base.ontology))
    return SparqlResult(query, rows, notes)

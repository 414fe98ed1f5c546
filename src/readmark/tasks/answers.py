"""What follows from statements, what answers a query and why: functions with their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from rich.text import Text

from readmark.core.display import Result, counted, plain_table
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import and_more
from readmark.core.writing import writing
from readmark.tasks.ground import Ground, Reasoning, ground, grounds
from readmark.tasks.names import document_iri
from readmark.tasks.off_ontology import OffOntology, each_once, off_ontology
from readmark.tasks.reasoning.contexts import Contexts
from readmark.tasks.reasoning.contexts import contexts as find_contexts
from readmark.tasks.reasoning.contradictions import (
    MOST,
    Contradiction,
    contradiction_text,
    contradictions,
)
from readmark.tasks.reasoning.corpus import EntityLink, documents_of
from readmark.tasks.reasoning.derivations import Derivation, derivation_text, explain
from readmark.tasks.reasoning.engine.inference import Derived
from readmark.tasks.reasoning.engine.lineage import chance_json, chance_text
from readmark.tasks.reasoning.graphs import (
    Asserted,
    Namespaces,
    Statement,
    write_graph,
    write_triple,
)
from readmark.tasks.reasoning.provenance import (
    write_derivations,
    write_provenance,
)
from readmark.tasks.reasoning.queries import GraphAnswer, answer, require_graphs, require_known
from readmark.tasks.reasoning.rdf import DATASETS, format_of, write_rdf
from readmark.tasks.reasoning.rules.parser import parse_query
from readmark.tasks.reasoning.rules.values import rename_condition, write_condition
from readmark.tasks.reasoning.sparql import SparqlRows, sparql, unknown_names
from readmark.tasks.reasoning.terms import bindings_json, value_json, written

if TYPE_CHECKING:
    from rich.console import Console

LINE_FORMATS = ("N_QUADS",)
"""Formats with graphs in which a file may be written bit by bit."""


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
        steps = _Steps()
        return {
            **self.counts,
            "statements": [
                {
                    "graph": derived.graph,
                    **_triple(derived.statement),
                    **chance_json(derived.probability, derived.bound),
                    **({"documents": list(self.documents[at])} if self.documents else {}),
                }
                for at, derived in enumerate(self.derived)
            ],
            "contradicting": [
                _contradiction(contradiction, steps) for contradiction in self.contradictions
            ],
            "not_listed": self.counts.get("contradictions", 0) - len(self.contradictions),
            "findings": [finding.as_json() for finding in self.findings],
            "derivations": steps.nodes,
            **({} if self.links is None else {"links": [link.as_json() for link in self.links]}),
            **({} if self.contexts is None else {"contexts": self.contexts.as_json()}),
        }

    def show(self, console: Console) -> None:
        """Counts, the derived statements, and every contradiction with its derivation."""
        counts = ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
        console.print(counts, style="bold")
        for link in self.links or ():
            rules = " and ".join(dict.fromkeys(_by(step) for step in link.steps))
            line = f"{written(link.name)} is {written(link.entity)}, {rules}"
            console.print(Text(line), soft_wrap=True)
        for at, derived in enumerate(self.derived):
            where = ", ".join(self.documents[at]) if self.documents else derived.graph
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


def _by(step: Derivation) -> str:
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

    ``show`` limits how many derived statements are given back, ``most`` how many contradictions.
    With ``contexts``, what contradicts is grouped into what can be right together.
    """
    _require_apart(output, inputs, reasoning)
    settings = reasoning or Reasoning()
    unsettled: list[Asserted] = []
    ground: Ground | None = None
    documents: list[tuple[str, ...]] = []
    counts: Counter[str] = Counter()
    derived: list[Derived] = []
    broken: list[Contradiction] = []
    unknown: list[OffOntology] = []
    format = None if output is None or output.endswith(".graph") else format_of(output)
    waiting: list[Derived] = []
    namespaces = Namespaces()
    with ExitStack() as stack:
        file = stack.enter_context(writing(output)) if output is not None else None
        for batch in grounds(inputs, reasoning):
            namespaces, ground = batch.namespaces, batch
            counts.update(batch.inference.counts())
            unknown += off_ontology(batch)
            if len(broken) < most:
                broken += contradictions(batch.inference, most=most - len(broken))
            missing = None if show is None else max(show - len(derived), 0)
            derived.extend(islice(batch.inference.derived(), missing))
            if contexts:
                unsettled.extend(batch.inference.asserted(batch.inference.contradicted()))
            if batch.corpus is not None:
                wanted = [(one.graph, one.statement) for one in derived]
                trees = explain(batch.inference, wanted, seconds=settings.seconds)
                documents = [documents_of([tree]) for tree in trees]
            if file is not None:
                waiting.extend(batch.inference.derived())
                if format in LINE_FORMATS:
                    file.write(_derived_data(waiting, format, namespaces, output))
                    waiting.clear()
        if file is not None and format not in LINE_FORMATS:
            file.write(_derived_data(waiting, format, namespaces, output))
    notes = () if output is None else (f"{output}: {counted(counts['derived'], 'statement')}",)
    corpus = None if ground is None else ground.corpus
    found = None
    if contexts and ground is not None:
        theory, ontology = ground.theory, ground.ontology
        found = find_contexts(unsettled, theory, ontology, seconds=settings.seconds)
        found = found if corpus is None else replace(found, documents=corpus.documents)
    links = None if corpus is None else list(corpus.links.values())
    return Inferred(
        dict(counts), derived, broken, notes, found, documents, links, each_once(unknown)
    )


def _derived_data(
    derived: Sequence[Derived], format: str | None, namespaces: Namespaces, output: str | None
) -> bytes:
    """The statements as RDF, or without a format as a parenthesised graph.

    Where plain triples would lose graphs or probabilities, each statement is written with its own.
    """
    graphs = {one.graph for one in derived}
    unsure = any(one.probability != 1 for one in derived)
    if format is None:
        if len(graphs) > 1 or unsure:
            message = f"are of {len(graphs)} graphs" if len(graphs) > 1 else "have probabilities"
            hint = "write .trig, .nq, .ttl, .rdf or .nt"
            raise DataError(f"the notation has one graph, and these {message}: {hint}", file=output)
        return (write_graph(one.statement for one in derived) + "\n").encode()
    if unsure or (len(graphs) > 1 and format not in DATASETS):
        asserted = [
            Asserted(one.graph, one.statement, probability=one.probability) for one in derived
        ]
        return write_provenance(asserted, format=format, namespaces=namespaces, file=output)
    pairs = [(document_iri(one.graph), one.statement) for one in derived]
    return write_rdf(pairs, format=format, namespaces=namespaces, file=output)


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
        steps = _Steps()
        answers = []
        for explained in self.answers:
            graph_answer = explained.answer
            row: dict[str, Any] = {
                "graph": graph_answer.graph,
                "bindings": bindings_json(graph_answer.bindings),
                "statements": [write_triple(statement) for statement in graph_answer.statements],
                **chance_json(graph_answer.probability, graph_answer.bound),
                "inferred": graph_answer.inferred,
            }
            if explained.documents:
                row["documents"] = list(explained.documents)
            if explained.derivations:
                row["derivations"] = steps.add(explained.derivations)
            answers.append(row)
        derivations = {"derivations": steps.nodes} if steps.nodes else {}
        return {"query": self.query, "answers": answers, **derivations}

    def show(self, console: Console) -> None:
        """A line an answer, its derivations below it."""
        console.print(counted(len(self.answers), "answer"), style="bold")
        for explained in self.answers:
            graph_answer = explained.answer
            values = ", ".join(
                f"?{name} = {written(term)}" for name, term in graph_answer.bindings.items()
            )
            where = ", ".join(explained.documents) or graph_answer.graph
            how = "inferred" if graph_answer.inferred else "stated"
            chance = (
                ""
                if graph_answer.probability == 1
                else f", probability {chance_text(graph_answer.probability, graph_answer.bound)}"
            )
            console.print(Text(f"{where}: {values or 'yes'} ({how}{chance})"), soft_wrap=True)
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
    settings = reasoning or Reasoning()
    with ground(inputs, settings) as found:
        return QueryAnswers(query, _answers(found, query, settings, graphs, explained))


def _answers(
    found: Ground, query: str, settings: Reasoning, graphs: Sequence[str], explained: bool
) -> list[ExplainedAnswer]:
    spell, inference = found.namespaces.canonical, found.inference
    conditions = [rename_condition(one, spell) for one in parse_query(query, "query")]
    require_graphs(inference, graphs, found.documents)
    if found.ontology is not None:
        require_known(conditions, found.ontology, inference)
    answers = answer(inference, conditions, graphs=graphs or None, seconds=settings.seconds)
    across = found.corpus is not None
    if not explained and not across:
        return [ExplainedAnswer(answer) for answer in answers]
    wanted = [(answer.graph, statement) for answer in answers for statement in answer.statements]
    trees = iter(explain(inference, wanted, seconds=settings.seconds, every_way=explained))
    explanations = []
    for answer_ in answers:
        own = tuple(next(trees) for _ in answer_.statements)
        documents = documents_of(own) if across else ()
        explanations.append(ExplainedAnswer(answer_, own if explained else (), documents))
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
    settings = reasoning or Reasoning()
    with ground(inputs, settings) as found:
        require_graphs(found.inference, graphs, found.documents)
        rows = sparql(
            found.inference,
            query,
            namespaces=found.namespaces,
            graphs=graphs or None,
            seconds=settings.seconds,
            memory=settings.memory,
        )
        notes = tuple(unknown_names(query, found.inference, found.namespaces, found.ontology))
    return SparqlResult(query, rows, notes)


@dataclass(frozen=True, repr=False)
class Explained(Result):
    """The derivations of every statement that a graph with variables matches, each once."""

    derivations: Sequence[Derivation]
    notes: tuple[str, ...] = field(default=(), compare=False)

    def as_json(self) -> dict[str, Any]:
        """The numbers of the derivations that were asked for, and all derivations once."""
        steps = _Steps()
        return {"explained": steps.add(self.derivations), "derivations": steps.nodes}

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
    _require_apart(output, inputs, reasoning)
    settings = reasoning or Reasoning()
    notes = []
    with ground(inputs, settings) as found:
        answers = _answers(found, statement, settings, graphs, explained=True)
        every = {
            (derivation.graph, derivation.statement): derivation
            for each in answers
            for derivation in each.derivations
        }
        derivations = list(every.values())
        if output is not None:
            _write_derivations(found, derivations, output)
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
    _require_apart(output, inputs, reasoning)
    settings = reasoning or Reasoning()
    with ground(inputs, settings) as found:
        require_graphs(found.inference, graphs, found.documents)
        broken = [
            contradiction
            for contradiction in contradictions(found.inference)
            if not graphs or contradiction.graph in graphs
        ]
        derivations = [contradiction.derivation() for contradiction in broken]
        if output is not None:
            _write_derivations(found, derivations, output)
    written_to = [] if output is None else [f"{output}: {counted(len(broken), 'derivation')}"]
    none = [] if broken else ["nothing contradicts the rules or the ontology"]
    return Explained(derivations, (*written_to, *none))


def _write_derivations(found: Ground, derivations: Sequence[Derivation], output: str) -> None:
    if output.lower().endswith((".html", ".htm")):
        from readmark.tasks.derivation_page import write_page

        write_page(derivations, found.documents, output)
        return
    format = format_of(output)
    if format in DATASETS:
        raise UsageError(f"{output}: derivations are written as .html, .rdf, .ttl or .nt")
    with writing(output) as file:
        file.write(write_derivations(derivations, namespaces=found.namespaces, format=format))


def _require_apart(output: str | None, inputs: Sequence[str], reasoning: Reasoning | None) -> None:
    settings = reasoning or Reasoning()
    require_distinct_files([output], [*inputs, *settings.rules, settings.ontology])


# Derivations as JSON.


class _Steps:
    """Derivations for JSON: every statement once, its antecedents by their numbers."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self._numbers: dict[tuple[str, Statement], int] = {}

    def add(self, trees: Iterable[Derivation]) -> list[int]:
        """The numbers of derivations; what is new is added, with all it rests on."""
        roots = list(trees)
        new: list[Derivation] = []
        stack = roots[::-1]
        while stack:
            derivation = stack.pop()
            key = (derivation.graph, derivation.statement)
            if key not in self._numbers:
                self._numbers[key] = len(self._numbers)
                new.append(derivation)
                ways = (each for way in derivation.others for each in way.antecedents)
                stack.extend(reversed((*derivation.antecedents, *derivation.links, *ways)))
        self.nodes.extend(self._node(derivation) for derivation in new)
        return [self._number(root) for root in roots]

    def _number(self, one: Derivation) -> int:
        return self._numbers[one.graph, one.statement]

    def _node(self, one: Derivation) -> dict[str, Any]:
        found: dict[str, Any] = {
            "id": self._number(one),
            "graph": one.graph,
            **_triple(one.statement),
            **chance_json(one.probability, one.bound),
        }
        if one.stated is not None:
            found["stated"] = one.stated
        if one.others:
            found["alone"] = one.alone
            found["others"] = [self._way(way) for way in one.others]
        if one.rule is None:
            if one.documents:
                found["documents"] = list(one.documents)
            if one.links:
                found["links"] = [self._number(link) for link in one.links]
            if one.annotators:
                found["annotators"] = list(one.annotators)
            found["excerpts"] = [
                {
                    "part": part,
                    "document": excerpt.document,
                    "start": excerpt.start,
                    "end": excerpt.end,
                    "quote": excerpt.quote,
                }
                for part, excerpt in one.support.excerpts()
            ]
            return found
        return {**found, **self._way(one), **chance_json(one.probability, one.bound)} | {
            "ways": one.ways
        }

    def _way(self, one: Derivation) -> dict[str, Any]:
        """A rule with what met its conditions, and how likely the statement is by it."""
        assert one.rule is not None
        return {
            "rule": one.rule.name,
            "comment": one.rule.comment,
            "default": one.rule.assumes,
            "probability": one.probability,
            "bindings": bindings_json(one.bindings),
            "antecedents": [self._number(each) for each in one.antecedents],
            "held": [write_condition(builtin) for builtin in one.computed],
            "denied": [[write_condition(each) for each in group] for group in one.denied],
        }


def _contradiction(one: Contradiction, steps: _Steps) -> dict[str, Any]:
    """A contradiction with the inputs to repair and how it comes about."""
    return {
        "graph": one.graph,
        "theory": one.rule.contradicts,
        "rule": one.rule.name,
        "comment": one.rule.comment,
        "bindings": bindings_json(one.bindings),
        "inputs": [write_triple(statement) for statement in one.inputs],
        **chance_json(one.probability, one.bound),
        "antecedents": steps.add(one.antecedents),
        "text": contradiction_text(one),
    }


def _triple(statement: Statement) -> dict[str, Any]:
    return {
        "statement": write_triple(statement),
        "subject": statement.subject.text,
        "predicate": statement.predicate.text,
        "object": value_json(statement.object),
    }

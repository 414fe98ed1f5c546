"""The answers to a query graph as rows: values, mentions, excerpts and derivations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from readmark.core.errors import DataError
from readmark.core.spans import Excerpt
from readmark.tasks.manifest import AnswerRow, QueryRow
from readmark.tasks.reasoning.derivation_text import derivations_text
from readmark.tasks.reasoning.derivations import Derivation, explain, leaves
from readmark.tasks.reasoning.engine.inference import Inference
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.queries import GraphAnswer, answer
from readmark.tasks.reasoning.rules.parser import parse_query
from readmark.tasks.reasoning.rules.values import Condition
from readmark.tasks.reasoning.terms import Literal, Name, written
from readmark.tasks.records import asked_of

MentionsOf = Mapping[tuple[str, Name], tuple[str, ...]]
"""Document and entity -> the words that the document has for it."""


def mentions_of(asserted: Iterable[Asserted]) -> MentionsOf:
    """What each document calls its entities, by the excerpts of subjects and objects."""
    mentions: dict[tuple[str, Name], dict[str, None]] = defaultdict(dict)
    for assertion in asserted:
        statement, support = assertion.statement, assertion.support
        for term, excerpts in (
            (statement.subject, support.subject),
            (statement.object, support.object),
        ):
            if isinstance(term, Name):
                for excerpt in excerpts:
                    mentions[assertion.graph, term].setdefault(excerpt.quote)
    return {key: tuple(quotes) for key, quotes in mentions.items()}


def conditions_of(query: QueryRow, file: str, line: int) -> tuple[Condition, ...]:
    """The conditions of a query's graph; a faulty graph is named with its file and line."""
    try:
        return parse_query(query.graph)
    except DataError as error:
        message = f"the graph of the query {query.id!r} at {error.where}: {error.message}"
        raise DataError(message, file=file, where=line) from None


def answers_to(
    inference: Inference,
    query: QueryRow,
    conditions: tuple[Condition, ...],
    graphs: Sequence[str],
    mentions: MentionsOf,
    *,
    document_of: Callable[[str], str] = str,
    explained: bool = True,
) -> Iterator[AnswerRow]:
    """The answers to a query on graphs, with mentions, and excerpts and derivations if explained.

    ``document_of`` names the document of a graph, where it is not called after it.
    """
    asked_on = [
        graph
        for graph in graphs
        if query.documents is None or document_of(graph) in query.documents
    ]
    graph_answers = answer(inference, conditions, graphs=asked_on)
    derivations: list[list[Derivation]] = [[] for _ in graph_answers]
    if explained:
        statements = [
            (graph_answer.graph, statement)
            for graph_answer in graph_answers
            for statement in graph_answer.statements
        ]
        trees = iter(explain(inference, statements))
        derivations = [
            [next(trees) for _ in graph_answer.statements] for graph_answer in graph_answers
        ]

    def is_inferred(pair: tuple[GraphAnswer, list[Derivation]]) -> bool:
        return pair[0].inferred

    # Of equal answers the first counts, so those that are stated come before those inferred.
    variables = asked_of(query.fields)
    seen: set[object] = set()
    for graph_answer, trees_of_answer in sorted(
        zip(graph_answers, derivations, strict=True), key=is_inferred
    ):
        bindings = {
            name: term
            for name, term in graph_answer.bindings.items()
            if variables is None or name in variables
        }
        if (graph_answer.graph, *bindings.items()) in seen:
            continue
        seen.add((graph_answer.graph, *bindings.items()))
        yield AnswerRow(
            document=graph_answer.graph,
            query=query.id,
            values={name: value_of(term) for name, term in bindings.items()},
            inferred=graph_answer.inferred,
            excerpts=excerpts_of(trees_of_answer),
            mentions=_mentions_in(graph_answer.graph, bindings, mentions),
            probability=graph_answer.probability if graph_answer.probability < 1 else None,
            derivation=derivations_text(trees_of_answer) if explained else None,
        )


def excerpts_of(derivations: Sequence[Derivation]) -> tuple[Excerpt, ...]:
    """The text behind derivations: of whole statements, else of their parts, in reading order."""
    return tuple(
        sorted({excerpt for leaf in leaves(derivations) for excerpt in leaf.support.spread()})
    )


def value_of(term: Name | Literal) -> str | int | float | bool:
    """A value in a row: numbers and truth as they are, the rest as the notation writes it."""
    if isinstance(term, Literal) and isinstance(term.value, bool | int | float):
        return term.value
    return written(term)


def _mentions_in(
    graph: str, bindings: Mapping[str, Name | Literal], mentions: MentionsOf
) -> dict[str, tuple[str, ...]]:
    """The words that a document has for the entities of an answer."""
    entities = [term for term in bindings.values() if isinstance(term, Name)]
    return {
        written(entity): mentions[graph, entity]
        for entity in entities
        if mentions.get((graph, entity))
    }

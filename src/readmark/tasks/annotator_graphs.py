"""Two annotators' statements about a document, compared whatever they name its entities.

Entities are the same when their excerpts overlap. Objects that no words name, such as a game, are
the same when the same is stated of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from readmark.core.spans import Excerpt
from readmark.statistics.assignment import best_assignment
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.terms import Name

STATEMENTS, ENTITIES, RELATIONS = "statements", "entities", "relations"


class StatementSort(NamedTuple):
    """What annotators can agree on: what one of them is called, and a measure that asks less."""

    noun: str
    looser: str


STATEMENT_SORTS: Mapping[str, StatementSort] = {
    STATEMENTS: StatementSort("statement", "words"),
    ENTITIES: StatementSort("entity", "untyped"),
    RELATIONS: StatementSort("relation", "words"),
}
SAME_CLASS = 0.5
"""What a common class adds to the characters that two entities share: it decides ties only."""


ExcerptSet = frozenset[Excerpt]
Alignment = Mapping[Name, Name]


class DocumentGraph:
    """What one annotator stated of one document."""

    def __init__(self, asserted: Iterable[Asserted]) -> None:
        words: dict[Statement, set[Excerpt]] = defaultdict(set)
        mentions: dict[Name, set[Excerpt]] = defaultdict(set)
        for assertion in asserted:
            statement, support = assertion.statement, assertion.support
            words[statement].update(support.spread())
            mentions[statement.subject].update(support.subject)
            if statement.predicate == TYPE:
                if not support.subject:
                    mentions[statement.subject].update(support.statement)
            elif isinstance(statement.object, Name):
                mentions[statement.object].update(support.object)
        self.words: dict[Statement, ExcerptSet] = {
            key: frozenset(value) for key, value in words.items()
        }
        self.mentions: dict[Name, ExcerptSet] = {
            name: frozenset(excerpts) for name, excerpts in mentions.items()
        }

    @cached_property
    def classes(self) -> dict[Name, frozenset[Hashable]]:
        """The classes of each entity."""
        by_name: dict[Name, set[Hashable]] = {name: set() for name in self.mentions}
        for statement in self.words:
            if statement.predicate == TYPE:
                by_name[statement.subject].add(statement.object)
        return {name: frozenset(classes) for name, classes in by_name.items()}

    @cached_property
    def about(self) -> dict[Name, list[Statement]]:
        """The statements that each entity is in."""
        statements: dict[Name, list[Statement]] = {name: [] for name in self.mentions}
        for statement in self.words:
            for name in {statement.subject, statement.object}:
                if isinstance(name, Name) and name in statements:
                    statements[name].append(statement)
        return statements

    def relations(self) -> list[Statement]:
        """The statements between two entities."""
        return [
            statement
            for statement in self.words
            if statement.predicate != TYPE and isinstance(statement.object, Name)
        ]


def aligned(a: DocumentGraph, b: DocumentGraph) -> dict[Name, Name]:
    """Entities of one annotator with those of the other, one to one."""
    names = dict(_by_words(a, b))
    while (pair := _most_alike(a, b, names)) is not None:
        names[pair[0]] = pair[1]
    return names


def _by_words(a: DocumentGraph, b: DocumentGraph) -> Iterable[tuple[Name, Name]]:
    """The pairs that share most characters in all."""
    ours = sorted(name for name, words in a.mentions.items() if words)
    theirs = sorted(name for name, words in b.mentions.items() if words)
    weights = [
        [
            shared + SAME_CLASS * (a.classes[our_name] == b.classes[their_name])
            if (shared := _shared(a.mentions[our_name], b.mentions[their_name]))
            else 0.0
            for their_name in theirs
        ]
        for our_name in ours
    ]
    for row, column in best_assignment(weights):
        if weights[row][column] > 0:
            yield ours[row], theirs[column]


def _shared(a: ExcerptSet, b: ExcerptSet) -> int:
    return len(_characters(a) & _characters(b))


def _characters(words: ExcerptSet) -> set[tuple[str, int]]:
    return {(word.document, offset) for word in words for offset in range(word.start, word.end)}


def _most_alike(a: DocumentGraph, b: DocumentGraph, names: Alignment) -> tuple[Name, Name] | None:
    """The two entities, at least one of them without words, with most statements in common."""
    aligned_names = set(names.values())
    ours = [name for name in sorted(a.mentions) if name not in names]
    theirs = [name for name in sorted(b.mentions) if name not in aligned_names]
    best: tuple[tuple[int, bool], Name, Name] | None = None
    for our_name in ours:
        for their_name in theirs:
            if a.mentions[our_name] and b.mentions[their_name]:
                continue
            trial = {**names, our_name: their_name}
            common = sum(mapped(each, trial) in b.words for each in a.about[our_name])
            rank = (common, our_name == their_name)
            if common and (best is None or rank > best[0]):
                best = rank, our_name, their_name
    return best[1:] if best is not None else None


def mapped(statement: Statement, names: Alignment) -> Statement | None:
    """The statement in the other's names; None where it is about what the other does not have."""
    subject, object_ = names.get(statement.subject), statement.object
    if statement.predicate != TYPE and isinstance(object_, Name):
        if object_ not in names:
            return None
        object_ = names[object_]
    return Statement(subject, statement.predicate, object_) if subject is not None else None


class GraphOverlap(NamedTuple):
    """How many one has, the other has, both have, and both have from overlapping words."""

    a: int
    b: int
    both: int
    loosely: int


def overlap(a: DocumentGraph, b: DocumentGraph, what: str) -> GraphOverlap:
    """The overlap of two annotators' statements, relations or entities of a document.

    Of entities ``both`` counts those of one class, ``loosely`` those of any. Of statements and
    relations ``loosely`` counts those whose words overlap, or have none on either side.
    """
    names = aligned(a, b)
    if what == ENTITIES:
        of_one_class = sum(a.classes[ours] == b.classes[theirs] for ours, theirs in names.items())
        return GraphOverlap(len(a.mentions), len(b.mentions), of_one_class, len(names))
    ours, theirs = (
        (graph.relations() if what == RELATIONS else list(graph.words)) for graph in (a, b)
    )
    common = [
        (statement, same_statement)
        for statement in ours
        if (same_statement := mapped(statement, names)) is not None and same_statement in b.words
    ]
    from_common_words = sum(
        bool(_shared(a.words[statement], b.words[same_statement]))
        or not (a.words[statement] or b.words[same_statement])
        for statement, same_statement in common
    )
    return GraphOverlap(len(ours), len(theirs), len(common), from_common_words)


class AnnotatorGraphs:
    """What one annotator stated, document by document."""

    def __init__(self, statements: Mapping[str, Iterable[Asserted]]) -> None:
        self._graphs = {id: DocumentGraph(asserted) for id, asserted in statements.items()}

    def overlaps(self, other: AnnotatorGraphs, what: str) -> dict[str, GraphOverlap]:
        """By document that both annotated, how far they agree on ``what`` of `STATEMENT_SORTS`."""
        return {
            id: overlap(graph, other._graphs[id], what)
            for id, graph in self._graphs.items()
            if id in other._graphs
        }

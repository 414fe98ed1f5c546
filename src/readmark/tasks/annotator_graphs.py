"""Two annotators' statements of a document: whatever they call an entity, its words tell.

Entities are the same when their excerpts overlap. Objects that no words name, such as a game, are
the same when what is stated of them is.
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
        for one in asserted:
            statement, support = one.statement, one.support
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
            name: frozenset(found) for name, found in mentions.items()
        }

    @cached_property
    def classes(self) -> dict[Name, frozenset[Hashable]]:
        """The classes of each entity."""
        found: dict[Name, set[Hashable]] = {name: set() for name in self.mentions}
        for statement in self.words:
            if statement.predicate == TYPE:
                found[statement.subject].add(statement.object)
        return {name: frozenset(classes) for name, classes in found.items()}

    @cached_property
    def about(self) -> dict[Name, list[Statement]]:
        """The statements that each entity is in."""
        found: dict[Name, list[Statement]] = {name: [] for name in self.mentions}
        for statement in self.words:
            for name in {statement.subject, statement.object}:
                if isinstance(name, Name) and name in found:
                    found[name].append(statement)
        return found

    def relations(self) -> list[Statement]:
        """The statements between two entities."""
        return [one for one in self.words if one.predicate != TYPE and isinstance(one.object, Name)]


def aligned(a: DocumentGraph, b: DocumentGraph) -> dict[Name, Name]:
    """Entities of one annotator with those of the other, one to one."""
    found = dict(_by_words(a, b))
    while (best := _most_alike(a, b, found)) is not None:
        found[best[0]] = best[1]
    return found


def _by_words(a: DocumentGraph, b: DocumentGraph) -> Iterable[tuple[Name, Name]]:
    """The pairs that share most characters in all."""
    ones = sorted(name for name, words in a.mentions.items() if words)
    others = sorted(name for name, words in b.mentions.items() if words)
    weights = [
        [
            shared + SAME_CLASS * (a.classes[one] == b.classes[other])
            if (shared := _shared(a.mentions[one], b.mentions[other]))
            else 0.0
            for other in others
        ]
        for one in ones
    ]
    for row, column in best_assignment(weights):
        if weights[row][column] > 0:
            yield ones[row], others[column]


def _shared(a: ExcerptSet, b: ExcerptSet) -> int:
    return len(_characters(a) & _characters(b))


def _characters(words: ExcerptSet) -> set[tuple[str, int]]:
    return {(word.document, at) for word in words for at in range(word.start, word.end)}


def _most_alike(a: DocumentGraph, b: DocumentGraph, found: Alignment) -> tuple[Name, Name] | None:
    """The two entities, one of them at least without words, of which most is stated in common."""
    taken = set(found.values())
    left = [name for name in sorted(a.mentions) if name not in found]
    right = [name for name in sorted(b.mentions) if name not in taken]
    best: tuple[tuple[int, bool], Name, Name] | None = None
    for one in left:
        for other in right:
            if a.mentions[one] and b.mentions[other]:
                continue
            trial = {**found, one: other}
            common = sum(mapped(each, trial) in b.words for each in a.about[one])
            rank = (common, one == other)
            if common and (best is None or rank > best[0]):
                best = rank, one, other
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
        same = sum(a.classes[one] == b.classes[other] for one, other in names.items())
        return GraphOverlap(len(a.mentions), len(b.mentions), same, len(names))
    ours, theirs = (
        (graph.relations() if what == RELATIONS else list(graph.words)) for graph in (a, b)
    )
    pairs = [
        (one, other)
        for one in ours
        if (other := mapped(one, names)) is not None and other in b.words
    ]
    worded = sum(
        bool(_shared(a.words[one], b.words[other])) or not (a.words[one] or b.words[other])
        for one, other in pairs
    )
    return GraphOverlap(len(ours), len(theirs), len(pairs), worded)


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

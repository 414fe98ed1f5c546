"""An answer with what it rests on: its tree beside the document's words.

Every line of the tree and every excerpt has a name on the page, and each leads to the other. The
derivation is the text that answers keep, which ``task explain`` prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from readmark.core.spans import Excerpt, excerpt_fault
from readmark.core.test import Test
from readmark.tasks.derivation_page import passage_pieces
from readmark.tasks.hall.judging_view import value_words
from readmark.tasks.reasoning.derivation_text import DerivationLine, read_derivation
from readmark.tasks.service.answer_entries import AnswerEntry, gold_entries


@dataclass(frozen=True)
class ShownNode:
    """A line of the tree, with the excerpt that it quotes, if it does."""

    id: str
    text: str
    place: str = ""
    number: int = 0
    below: list[ShownNode] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many lines are below it."""
        return sum(1 + node.size for node in self.below)


@dataclass(frozen=True)
class ShownPlace:
    """Where an excerpt begins in the document, and the lines that quote it."""

    id: str
    number: int
    nodes: tuple[str, ...]


class ShownPiece(NamedTuple):
    """A stretch of the document."""

    text: str
    is_marked: bool
    places: tuple[ShownPlace, ...]


@dataclass(frozen=True)
class AnswerProvenance:
    """An answer with its tree and its document."""

    entry: AnswerEntry
    graph: str
    values: Sequence[tuple[str, str]]
    nodes: Sequence[ShownNode]
    pieces: Sequence[ShownPiece]
    title: str
    split: str | None
    elsewhere: Sequence[tuple[str, str]]
    """Excerpts that are not in this document as they say: the document, and the quotation."""
    gold: Sequence[AnswerEntry] = ()
    """The gold of the same unit, where it may be seen."""
    before: AnswerEntry | None = None
    after: AnswerEntry | None = None
    position: int = 0
    count: int = 0


def answer_provenance(test: Test, entries: Sequence[AnswerEntry], index: int) -> AnswerProvenance:
    """The answer at a place of a list, with its neighbours there."""
    entry = entries[index]
    unit = next(unit for unit in test.units() if unit.id == entry.unit)
    text: str = unit.record.text
    solution = entry.solution
    lines = read_derivation(solution.derivation or "")
    quoted = [line.excerpt for line in _with_those_below(lines) if line.excerpt is not None]
    excerpts = dict.fromkeys((*solution.excerpts, *quoted))
    in_document = [
        excerpt
        for excerpt in excerpts
        if excerpt.document == unit.group and excerpt_fault(excerpt, text) is None
    ]
    numbers = {excerpt: number for number, excerpt in enumerate(sorted(in_document), 1)}
    # An excerpt that no line of the derivation quotes is a line of its own.
    lines += [
        DerivationLine(f"“{excerpt.quote}”", excerpt=excerpt)
        for excerpt in in_document
        if excerpt not in quoted
    ]
    nodes, nodes_of = _nodes(lines, numbers)
    places = {
        excerpt: ShownPlace(f"e{number}", number, tuple(nodes_of[excerpt]))
        for excerpt, number in numbers.items()
    }
    # An entry with a verdict is gold itself.
    gold = [] if entry.verdict else [each for each in gold_entries(test) if each.unit == unit.id]
    return AnswerProvenance(
        entry=entry,
        graph=unit.item.graph,
        values=[
            (name, value_words(value, solution.mentions)) for name, value in solution.values.items()
        ],
        nodes=nodes,
        pieces=[
            ShownPiece(piece.text, piece.is_marked, tuple(places[each] for each in piece.begins))
            for piece in passage_pieces(text, sorted(in_document))
        ],
        title=unit.record.title or unit.group,
        split=unit.record.split,
        elsewhere=[
            (excerpt.document, excerpt.quote) for excerpt in excerpts if excerpt not in numbers
        ],
        gold=gold,
        before=entries[index - 1] if index else None,
        after=entries[index + 1] if index + 1 < len(entries) else None,
        position=index + 1,
        count=len(entries),
    )


def _with_those_below(lines: Sequence[DerivationLine]) -> Iterator[DerivationLine]:
    """All lines of a tree from top to bottom."""
    stack = list(reversed(lines))
    while stack:
        line = stack.pop()
        yield line
        stack.extend(reversed(line.below))


def _nodes(
    lines: Sequence[DerivationLine], numbers: Mapping[Excerpt, int]
) -> tuple[list[ShownNode], dict[Excerpt, list[str]]]:
    """The lines with names in their order, and the names of those that quote each excerpt."""
    nodes_of: dict[Excerpt, list[str]] = {excerpt: [] for excerpt in numbers}
    names = {id(line): f"n{number}" for number, line in enumerate(_with_those_below(lines), 1)}

    def node(line: DerivationLine) -> ShownNode:
        name = names[id(line)]
        number = 0
        if line.excerpt is not None and line.excerpt in numbers:
            number = numbers[line.excerpt]
            nodes_of[line.excerpt].append(name)
        below = [node(child) for child in line.below]
        return ShownNode(name, line.text, f"e{number}" if number else "", number, below)

    return [node(line) for line in lines], nodes_of

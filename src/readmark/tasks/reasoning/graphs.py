"""Statements with their text provenance, patterns, and the notation that writes them as graphs.

``((Game-1 type NFLGame) (Game-1 hasOvertimePlay true))`` is a graph of two statements; queries and
answers are written like this too ("The DARPA Machine Reading Program", Table 3).
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from readmark.core.errors import DataError
from readmark.core.spans import Excerpt
from readmark.tasks.reasoning.terms import KEYWORDS, TOKEN, Literal, Name, Term, term_of, written

Change = Callable[[Term], Term]
PARTS = ("statement", "subject", "predicate", "object")
"""What an excerpt may support."""


@dataclass(frozen=True, slots=True, order=True)
class Statement:
    """A triple without variables."""

    subject: Name
    predicate: Name
    object: Name | Literal


@dataclass(frozen=True, slots=True)
class Pattern:
    """A triple that may hold variables."""

    subject: Term
    predicate: Term
    object: Term

    @property
    def property_name(self) -> str:
        """The property's name; empty where a variable or a literal is in its place."""
        return self.predicate.text if isinstance(self.predicate, Name) else ""

    def with_terms(self, change: Change) -> Pattern:
        """The pattern with each of its terms changed."""
        return Pattern(change(self.subject), change(self.predicate), change(self.object))


@dataclass(frozen=True, slots=True)
class Support:
    """Text provenance: the excerpts behind a statement and behind each of its parts."""

    statement: tuple[Excerpt, ...] = ()
    subject: tuple[Excerpt, ...] = ()
    predicate: tuple[Excerpt, ...] = ()
    object: tuple[Excerpt, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.statement or self.subject or self.predicate or self.object)

    def excerpts(self) -> Iterator[tuple[str, Excerpt]]:
        """Every excerpt with the part that it supports."""
        for part in PARTS:
            yield from ((part, excerpt) for excerpt in getattr(self, part))

    def spread(self) -> tuple[Excerpt, ...]:
        """The excerpts of the whole; where it has none, those of its parts in reading order."""
        parts = {*self.subject, *self.predicate, *self.object}
        return self.statement or tuple(sorted(parts))


@dataclass(frozen=True, slots=True)
class Asserted:
    """An input statement of a document or graph, with where it was read and how surely."""

    graph: str
    statement: Statement
    support: Support = Support()
    probability: float = 1.0
    annotator: str | None = None


_ErrorAt = Callable[[str, int], DataError]
"""Makes an error of a message and the offset that it points at."""


class _Token(NamedTuple):
    """A piece of the notation and the offset where it starts."""

    kind: str
    text: str
    start: int


def read_graph(text: str, *, file: object = None) -> list[Pattern]:
    """The triples of a parenthesised graph, or of a lone triple, in their order."""
    return [pattern for _, pattern in read_placed(text, file=file)]


def read_placed(text: str, *, file: object = None) -> list[tuple[int, Pattern]]:
    """The triples of a graph, each with the line that it begins in."""
    lines = [0, *(index + 1 for index, character in enumerate(text) if character == "\n")]

    def error(message: str, offset: int) -> DataError:
        line = bisect.bisect_right(lines, offset)
        return DataError(message, file=file, where=f"{line}:{offset - lines[line - 1] + 1}")

    patterns: list[tuple[int, Pattern]] = []
    terms: list[Term] = []
    opened: list[int] = []  # where the parentheses start that are still open
    is_closed = False
    for token in _tokens(text, error):
        if is_closed:
            raise error(f"a graph ends before {token.text!r}", token.start)
        if token.kind == "open":
            opened.append(token.start)
            if len(opened) > 2 or terms:
                raise error("a triple holds three terms, not a list", token.start)
        elif token.kind == "close":
            if not opened:
                raise error("')' without '('", token.start)
            start = opened.pop()
            if opened or terms:
                pattern = _triple(terms, start, error)
                patterns.append((bisect.bisect_right(lines, start), pattern))
                terms = []
            is_closed = not opened
        elif not opened or (len(opened) == 1 and patterns):
            raise error(f"expected '(', found {token.text!r}", token.start)
        else:
            terms.append(_term(token, error))
    if opened:
        raise error("'(' is never closed", opened[-1])
    if not is_closed:
        raise error("expected a graph, found nothing", len(text))
    return patterns


def read_statements(text: str, *, file: object = None) -> list[Statement]:
    """The statements of a parenthesised graph without variables."""
    return [statement_of(pattern, file=file) for pattern in read_graph(text, file=file)]


def statement_of(pattern: Pattern, *, file: object = None) -> Statement:
    """The pattern as a statement: names where a statement has names, and no variable."""
    subject, predicate, object_ = pattern.subject, pattern.predicate, pattern.object
    if (
        isinstance(subject, Name)
        and isinstance(predicate, Name)
        and isinstance(object_, Name | Literal)
    ):
        return Statement(subject, predicate, object_)
    raise DataError(
        f"{write_triple(pattern)} is no statement: its subject and predicate are names and it "
        "holds no variable",
        file=file,
    )


def write_triple(triple: Pattern | Statement) -> str:
    """``(Game-1 type NFLGame)``."""
    return f"({written(triple.subject)} {written(triple.predicate)} {written(triple.object)})"


def write_graph(triples: Iterable[Pattern | Statement]) -> str:
    """``((Game-1 type NFLGame) (Game-1 hasOvertimePlay true))``."""
    return f"({' '.join(map(write_triple, triples))})"


def _tokens(text: str, error: _ErrorAt) -> Iterator[_Token]:
    offset = 0
    while offset < len(text):
        match = TOKEN.match(text, offset)
        if match is None:
            character = text[offset]
            fault = "a string is never closed" if character == '"' else f"unexpected {character!r}"
            raise error(fault, offset)
        if match.lastgroup != "space":
            yield _Token(str(match.lastgroup), match[0], offset)
        offset = match.end()


def _term(token: _Token, error: _ErrorAt) -> Term:
    if token.text in KEYWORDS:
        raise error(f"{token.text} belongs to rules, not to a graph", token.start)
    try:
        return term_of(token.text)
    except ValueError as fault:
        raise error(str(fault), token.start) from None


def _triple(terms: list[Term], start: int, error: _ErrorAt) -> Pattern:
    if len(terms) != 3:
        raise error(f"a triple holds three terms, this one {len(terms)}", start)
    return Pattern(*terms)

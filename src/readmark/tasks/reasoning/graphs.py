"""Statements with their text provenance, patterns, and the document's parenthesised graphs.

``((Game-1 type NFLGame) (Game-1 hasOvertimePlay true))`` writes statements, queries and answers
("The DARPA Machine Reading Program", Table 3).
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from readmark.core.errors import DataError
from readmark.core.spans import Excerpt
from readmark.tasks.names import NameSpelling
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


_Wrong = Callable[[str, int], DataError]


class _Token(NamedTuple):
    """A piece of the notation and where it starts."""

    kind: str
    text: str
    at: int


def read_graph(text: str, *, file: object = None) -> list[Pattern]:
    """The triples of a parenthesised graph, or of a lone triple, in their order."""
    return [pattern for _, pattern in read_placed(text, file=file)]


def read_placed(text: str, *, file: object = None) -> list[tuple[int, Pattern]]:
    """The triples of a graph, each with the line that it begins in."""
    starts = [0, *(index + 1 for index, character in enumerate(text) if character == "\n")]

    def wrong(message: str, at: int) -> DataError:
        line = bisect.bisect_right(starts, at)
        return DataError(message, file=file, where=f"{line}:{at - starts[line - 1] + 1}")

    depth, patterns, terms = 0, list[tuple[int, Pattern]](), list[Term]()
    opened: list[int] = []
    closed = lone = False
    for token in _tokens(text, wrong):
        if closed:
            raise wrong(f"a graph ends before {token.text!r}", token.at)
        if token.kind == "open":
            depth += 1
            if depth > 2 or terms:
                raise wrong("a triple holds three terms, not a list", token.at)
            opened.append(token.at)
        elif token.kind == "close":
            if depth == 2 or terms:
                line = bisect.bisect_right(starts, opened[-1])
                patterns.append((line, _triple(terms, opened[-1], wrong)))
                lone = depth == 1
                terms = []
            elif depth == 0:
                raise wrong("')' without '('", token.at)
            opened.pop()
            depth -= 1
            closed = depth == 0
        elif depth == 0 or (depth == 1 and patterns):
            raise wrong(f"expected '(', found {token.text!r}", token.at)
        else:
            terms.append(_term(token, wrong))
    if opened:
        raise wrong("'(' is never closed", opened[-1])
    if not closed:
        raise wrong("expected a graph, found nothing", len(text))
    return patterns if not lone else patterns[-1:]


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


def _tokens(text: str, wrong: _Wrong) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            what = "a string is never closed" if text[at] == '"' else f"unexpected {text[at]!r}"
            raise wrong(what, at)
        if match.lastgroup != "space":
            yield _Token(str(match.lastgroup), match[0], at)
        at = match.end()


def _term(token: _Token, wrong: _Wrong) -> Term:
    if token.text in KEYWORDS:
        raise wrong(f"{token.text} belongs to rules, not to a graph", token.at)
    try:
        return term_of(token.text)
    except ValueError as bad:
        raise wrong(str(bad), token.at) from None


def _triple(terms: list[Term], at: int, wrong: _Wrong) -> Pattern:
    if len(terms) != 3:
        raise wrong(f"a triple holds three terms, this one {len(terms)}", at)
    return Pattern(*terms)


# Names and IRIs as terms: ``nfl:gameDate`` and ``Game-1`` by prefixes and a default.


@dataclass(frozen=True)
class Namespaces(NameSpelling):
    """Prefixes with their IRIs, and the IRI that bare names are in."""

    def expand(self, name: Name) -> str:
        """The IRI of a name."""
        return self.iri_of(name.text)

    def compact(self, iri: str) -> Name:
        """The shortest name of an IRI: bare, with a prefix, or the IRI itself."""
        return Name(self.name_of(iri))

    def canonical(self, name: Name) -> Name:
        """The name that an RDF file with the same IRI would be read as."""
        known = self._canonical.get(name)
        if known is None:
            known = self._canonical[name] = self.compact(self.expand(name))
        return known

    @cached_property
    def _canonical(self) -> dict[Name, Name]:
        return {}

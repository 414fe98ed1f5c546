"""Annotated statements as people write them: the words of the document, an arrow, statements.

    annotator: ida
    "Hurricane Delia" -> (Delia type Hurricane)
    "winds of 190 km/h" -> (Delia windSpeed 190)
    "it"#2 + "Port Alba" -> (Delia="it"#2 struck Port-Alba="Port Alba")
    -> (Season-1 type Season)

A file is about one document. Quotations are looked up in its text, so nobody counts characters;
what occurs several times has a number (``#2``, the second) or its offset (``@310``). Statements
without words are implied. The notation holds everything that TriG does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from readmark.core.errors import DataError
from readmark.core.numbers import first_ids
from readmark.core.spans import Excerpt, places
from readmark.tasks.reasoning.graphs import Asserted, Pattern, Support, statement_of
from readmark.tasks.reasoning.terms import Term, term_of, written

STATEMENTS_SUFFIX = ".statements"
"""Files in this notation."""
SHOWN = 5
"""How many places of an ambiguous quotation are listed."""

_DIRECTIVE = re.compile(r"(?P<name>annotator|document)\s*:\s*(?P<value>.*?)\s*")
_TOKEN = re.compile(
    r"""(?P<space>\s+|;.*)
    |(?P<arrow>->|→)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<quote>(?:"(?:[^"\\]|\\.)*"|“[^”]*”))
    |(?P<place>[\#@][0-9]+(?:/\S+?(?=[\s)+]|$))?)
    |(?P<plus>\+(?=\s|"|“|$))
    |(?P<equals>=(?="|“))
    |(?P<probability>p=[0-9.]+(?:e-?[0-9]+)?(?=\s|$))
    |(?P<tag>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    |(?P<term><[^<>\s]*>|\??(?:(?![=]["“])[^\s()"“<>?;→])+)""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A piece of a line: what it is, its text, and its column."""

    kind: str
    text: str
    column: int


class PlacedStatement(NamedTuple):
    """A statement with the line that it is written in."""

    asserted: Asserted
    line: int


class Quotation(NamedTuple):
    """Words of the document, with the number or the offset that tells one place from others."""

    words: str
    place: str | None
    column: int


def read_statements_file(
    text: str, texts: Mapping[str, str], *, file: str, document: str
) -> list[PlacedStatement]:
    """The statements of a file, their quotations found in the texts of the documents."""
    return list(_Reader(texts, file, document).statements(text))


class _Reader:
    def __init__(self, texts: Mapping[str, str], file: str, document: str) -> None:
        self._texts, self._file, self._document = texts, file, document
        self._annotator: str | None = None
        self._line = 0

    def statements(self, text: str) -> Iterator[PlacedStatement]:
        entry: list[Token] = []
        words: tuple[Excerpt, ...] | None = None
        for number, raw in enumerate(text.split("\n"), 1):
            self._line, line = number, raw.removesuffix("\r")
            if directive := _DIRECTIVE.fullmatch(line.strip()):
                self._direct(directive["name"], directive["value"])
                words = None
                continue
            tokens = list(self._tokens(line))
            if not tokens:
                continue
            if tokens[0].kind == "open" and line[0].isspace():
                if words is None:
                    raise self._wrong('a statement needs an arrow: "words" -> (…)', tokens[0])
                entry = tokens
            else:
                words, entry = self._words(tokens)
            yield from self._entry(entry, words)

    def _direct(self, name: str, value: str) -> None:
        if name == "annotator":
            self._annotator = value or None
        elif value not in self._texts:
            raise self._wrong(f"there is no document {value!r}")
        else:
            self._document = value

    def _words(self, tokens: Sequence[Token]) -> tuple[tuple[Excerpt, ...], list[Token]]:
        """The quotations before the arrow, and what is after it."""
        arrow = next((at for at, token in enumerate(tokens) if token.kind == "arrow"), None)
        if arrow is None:
            raise self._wrong('expected "words" -> (subject property value)', tokens[0])
        quotations, rest = self._quotations(tokens[:arrow])
        if rest:
            raise self._wrong(f"expected a quotation or an arrow, found {rest[0].text!r}", rest[0])
        return tuple(self._excerpt(one) for one in quotations), list(tokens[arrow + 1 :])

    def _entry(self, tokens: list[Token], words: tuple[Excerpt, ...]) -> Iterator[PlacedStatement]:
        found: list[Asserted] = []
        while tokens and tokens[0].kind == "open":
            asserted, tokens = self._triple(tokens, words)
            found.append(asserted)
        if tokens and tokens[0].kind == "probability":
            chance = self._chance(tokens[0])
            found = [replace(one, probability=chance) for one in found]
            tokens = tokens[1:]
        if tokens:
            raise self._wrong(f"expected a statement, found {tokens[0].text!r}", tokens[0])
        yield from (PlacedStatement(one, self._line) for one in found)

    def _chance(self, token: Token) -> float:
        number = token.text.removeprefix("p=")
        chance = float(number) if re.fullmatch(r"[0-9]*\.?[0-9]+(e-?[0-9]+)?", number) else 0.0
        if not 0 < chance <= 1:
            raise self._wrong(f"{number!r} is no probability above 0 and up to 1", token)
        return chance

    def _triple(
        self, tokens: Sequence[Token], words: tuple[Excerpt, ...]
    ) -> tuple[Asserted, list[Token]]:
        opened, rest = tokens[0], list(tokens[1:])
        terms: list[Term] = []
        parts: list[tuple[Excerpt, ...]] = []
        while rest and rest[0].kind != "close":
            term, rest = self._term(rest)
            quoted: list[Quotation] = []
            if rest and rest[0].kind == "equals":
                quoted, rest = self._quotations(rest[1:])
            terms.append(term)
            parts.append(tuple(self._excerpt(one, words) for one in quoted))
        if not rest:
            raise self._wrong("'(' is never closed", opened)
        if len(terms) != 3:
            raise self._wrong(f"a statement has three terms, this one {len(terms)}", opened)
        try:
            statement = statement_of(Pattern(*terms))
        except DataError as wrong:
            raise self._wrong(wrong.message, opened) from None
        support = Support(words, *parts)
        asserted = Asserted(self._document, statement, support, annotator=self._annotator)
        return asserted, rest[1:]

    def _term(self, tokens: Sequence[Token]) -> tuple[Term, list[Token]]:
        token, rest = tokens[0], list(tokens[1:])
        if token.kind not in ("term", "quote"):
            raise self._wrong(f"expected a term, found {token.text!r}", token)
        text = token.text
        if token.kind == "quote":
            text = _in_quotes(_unquoted(text)) if text.startswith("“") else text
            text += rest.pop(0).text if rest and rest[0].kind == "tag" else ""
        try:
            return term_of(text), rest
        except ValueError as wrong:
            raise self._wrong(str(wrong), token) from None

    def _quotations(self, tokens: Sequence[Token]) -> tuple[list[Quotation], list[Token]]:
        """Quotations joined by +, and what follows them."""
        found: list[Quotation] = []
        rest = list(tokens)
        while rest and rest[0].kind == "quote":
            token = rest.pop(0)
            place = rest.pop(0).text if rest and rest[0].kind == "place" else None
            found.append(Quotation(_unquoted(token.text), place, token.column))
            if not (rest and rest[0].kind == "plus"):
                break
            rest.pop(0)
        return found, rest

    def _excerpt(self, one: Quotation, within: Sequence[Excerpt] = ()) -> Excerpt:
        """Where the document has the words; those in the statement's own words come first."""
        place, _, other = (one.place or "").partition("/")
        document = other or self._document
        text = self._texts.get(document)
        if text is None:
            raise self._wrong(f"there is no text of the document {document!r}", column=one.column)
        if not one.words:
            raise self._wrong("a quotation is empty", column=one.column)
        found = places(text, one.words)
        if place.startswith("@"):
            found = [start for start in found if start == int(place[1:])]
        elif place.startswith("#"):
            found = found[int(place[1:]) - 1 : int(place[1:])] if int(place[1:]) else []
        elif len(found) > 1:
            size = len(one.words)
            inside = [
                start
                for start in found
                if any(
                    each.document == document and each.start <= start and start + size <= each.end
                    for each in within
                )
            ]
            found = inside if len(inside) == 1 else found
        if len(found) == 1:
            return Excerpt(document, found[0], found[0] + len(one.words), one.words)
        if not found:
            where = f" at {place}" if place else ""
            message = f"“{one.words}” is not in the document {document}{where}"
        else:
            named = [f"#{at} is @{start}" for at, start in enumerate(found[: SHOWN + 1], 1)]
            shown = first_ids(named, SHOWN)
            message = f"“{one.words}” is {len(found):,} times in {document}: {shown}"
        raise self._wrong(message, column=one.column)

    def _tokens(self, line: str) -> Iterator[Token]:
        at = 0
        while at < len(line):
            match = _TOKEN.match(line, at)
            if match is None:
                closed = line[at] not in '"“'
                what = f"unexpected {line[at]!r}" if closed else "a quotation is never closed"
                raise self._wrong(what, column=at + 1)
            if match.lastgroup != "space":
                yield Token(str(match.lastgroup), match[0], at + 1)
            at = match.end()

    def _wrong(self, message: str, token: Token | None = None, column: int = 0) -> DataError:
        column = token.column if token is not None else column
        where = f"{self._line}:{column}" if column else str(self._line)
        return DataError(message, file=self._file, where=where)


def _unquoted(text: str) -> str:
    if text.startswith("“"):
        return text[1:-1]
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text[1:-1])


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_UNPRINTED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _in_quotes(text: str) -> str:
    return '"' + "".join(_UNPRINTED.get(character, character) for character in text) + '"'


def write_statements_file(
    asserted: Iterable[Asserted], texts: Mapping[str, str], *, document: str
) -> str:
    """Statements of one document in this notation; what is read back is the same."""
    lines = [f"document: {document}"]
    annotator: str | None = None
    for one in asserted:
        if one.graph != document:
            raise DataError(f"a statement of {one.graph!r}, in the file of {document!r}")
        if one.annotator != annotator:
            lines += ["", f"annotator: {one.annotator or ''}".rstrip()]
            annotator = one.annotator
        words = _quoted(one.support.statement, texts, document)
        chance = "" if one.probability == 1 else f" p={one.probability!r}"
        triple = _triple_text(one, texts)
        lines.append(f"{words}{' ' if words else ''}-> {triple}{chance}")
    return "\n".join(lines) + "\n"


def _triple_text(one: Asserted, texts: Mapping[str, str]) -> str:
    statement, support = one.statement, one.support
    parts = [
        f"{written(term)}{'=' if excerpts else ''}{_quoted(excerpts, texts, one.graph)}"
        for term, excerpts in (
            (statement.subject, support.subject),
            (statement.predicate, support.predicate),
            (statement.object, support.object),
        )
    ]
    return f"({' '.join(parts)})"


def _quoted(excerpts: Sequence[Excerpt], texts: Mapping[str, str], document: str) -> str:
    return " + ".join(_quotation(one, texts, document) for one in excerpts)


def _quotation(one: Excerpt, texts: Mapping[str, str], document: str) -> str:
    """The words, with their number where the document has them several times."""
    words = _in_quotes(one.quote)
    text = texts.get(one.document)
    found = places(text, one.quote) if text is not None else []
    if one.start not in found:
        raise DataError(f"“{one.quote}” is not at {one.start} of the document {one.document}")
    if one.document != document:
        return f"{words}@{one.start}/{one.document}"
    return words if len(found) == 1 else f"{words}#{found.index(one.start) + 1}"

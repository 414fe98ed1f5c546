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
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


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
    """Reads line by line, and looks quotations up in the texts of the documents."""

    def __init__(self, texts: Mapping[str, str], file: str, document: str) -> None:
        self._texts, self._file, self._document = texts, file, document
        self._annotator: str | None = None
        self._line = 0

    def statements(self, text: str) -> Iterator[PlacedStatement]:
        words: tuple[Excerpt, ...] | None = None
        for number, raw in enumerate(text.split("\n"), 1):
            self._line, line = number, raw.removesuffix("\r")
            if directive := _DIRECTIVE.fullmatch(line.strip()):
                self._set_directive(directive["name"], directive["value"])
                words = None
                continue
            tokens = list(self._tokens(line))
            if not tokens:
                continue
            if tokens[0].kind == "open" and line[0].isspace():
                # An indented line continues the entry above it, with the same words.
                if words is None:
                    raise self._wrong('a statement needs an arrow: "words" -> (…)', tokens[0])
            else:
                words, tokens = self._words(tokens)
            yield from self._entry(tokens, words)

    def _set_directive(self, name: str, value: str) -> None:
        if name == "annotator":
            self._annotator = value or None
        elif value not in self._texts:
            raise self._wrong(f"there is no document {value!r}")
        else:
            self._document = value

    def _words(self, tokens: Sequence[Token]) -> tuple[tuple[Excerpt, ...], list[Token]]:
        """The quotations before the arrow, and what is after it."""
        kinds = [token.kind for token in tokens]
        if "arrow" not in kinds:
            raise self._wrong('expected "words" -> (subject property value)', tokens[0])
        arrow = kinds.index("arrow")
        quotations, rest = self._quotations(tokens[:arrow])
        if rest:
            raise self._wrong(f"expected a quotation or an arrow, found {rest[0].text!r}", rest[0])
        return tuple(map(self._excerpt, quotations)), list(tokens[arrow + 1 :])

    def _entry(self, tokens: list[Token], words: tuple[Excerpt, ...]) -> Iterator[PlacedStatement]:
        statements: list[Asserted] = []
        while tokens and tokens[0].kind == "open":
            asserted, tokens = self._triple(tokens, words)
            statements.append(asserted)
        if tokens and tokens[0].kind == "probability":
            chance = self._chance(tokens[0])
            statements = [replace(asserted, probability=chance) for asserted in statements]
            tokens = tokens[1:]
        if tokens:
            raise self._wrong(f"expected a statement, found {tokens[0].text!r}", tokens[0])
        yield from (PlacedStatement(asserted, self._line) for asserted in statements)

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
            quotations: list[Quotation] = []
            if rest and rest[0].kind == "equals":
                quotations, rest = self._quotations(rest[1:])
            terms.append(term)
            parts.append(tuple(self._excerpt(quotation, words) for quotation in quotations))
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
        quotations: list[Quotation] = []
        rest = list(tokens)
        while rest and rest[0].kind == "quote":
            token = rest.pop(0)
            place = rest.pop(0).text if rest and rest[0].kind == "place" else None
            quotations.append(Quotation(_unquoted(token.text), place, token.column))
            if not (rest and rest[0].kind == "plus"):
                break
            rest.pop(0)
        return quotations, rest

    def _excerpt(self, quotation: Quotation, within: Sequence[Excerpt] = ()) -> Excerpt:
        """Where the document has the words; those in the statement's own words come first."""
        place, _, other_document = (quotation.place or "").partition("/")
        document = other_document or self._document
        words, column = quotation.words, quotation.column
        text = self._texts.get(document)
        if text is None:
            raise self._wrong(f"there is no text of the document {document!r}", column=column)
        if not words:
            raise self._wrong("a quotation is empty", column=column)
        starts = places(text, words)
        if place.startswith("@"):
            starts = [start for start in starts if start == int(place[1:])]
        elif place.startswith("#"):
            number = int(place[1:])
            starts = starts[number - 1 : number] if number else []
        elif len(starts) > 1:
            inside = [
                start
                for start in starts
                if any(
                    excerpt.document == document
                    and excerpt.start <= start
                    and start + len(words) <= excerpt.end
                    for excerpt in within
                )
            ]
            starts = inside if len(inside) == 1 else starts
        if len(starts) == 1:
            return Excerpt(document, starts[0], starts[0] + len(words), words)
        if not starts:
            where = f" at {place}" if place else ""
            message = f"“{words}” is not in the document {document}{where}"
        else:
            choices = [f"#{nth} is @{start}" for nth, start in enumerate(starts[: SHOWN + 1], 1)]
            listed = first_ids(choices, SHOWN)
            message = f"“{words}” is {len(starts):,} times in {document}: {listed}"
        raise self._wrong(message, column=column)

    def _tokens(self, line: str) -> Iterator[Token]:
        offset = 0
        while offset < len(line):
            match = _TOKEN.match(line, offset)
            if match is None:
                message = f"unexpected {line[offset]!r}"
                if line[offset] in '"“':
                    message = "a quotation is never closed"
                raise self._wrong(message, column=offset + 1)
            if match.lastgroup != "space":
                yield Token(str(match.lastgroup), match[0], offset + 1)
            offset = match.end()

    def _wrong(self, message: str, token: Token | None = None, column: int = 0) -> DataError:
        column = token.column if token is not None else column
        where = f"{self._line}:{column}" if column else str(self._line)
        return DataError(message, file=self._file, where=where)


def _unquoted(text: str) -> str:
    if text.startswith("“"):
        return text[1:-1]
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text[1:-1])


def _in_quotes(text: str) -> str:
    return '"' + "".join(_ESCAPED.get(character, character) for character in text) + '"'


def write_statements_file(
    asserted: Iterable[Asserted], texts: Mapping[str, str], *, document: str
) -> str:
    """Statements of one document in this notation; what is read back is the same."""
    lines = [f"document: {document}"]
    annotator: str | None = None
    for each in asserted:
        if each.graph != document:
            raise DataError(f"a statement of {each.graph!r}, in the file of {document!r}")
        if each.annotator != annotator:
            lines += ["", f"annotator: {each.annotator or ''}".rstrip()]
            annotator = each.annotator
        words = _quoted(each.support.statement, texts, document)
        chance = "" if each.probability == 1 else f" p={each.probability!r}"
        triple = _triple_text(each, texts)
        lines.append(f"{words}{' ' if words else ''}-> {triple}{chance}")
    return "\n".join(lines) + "\n"


def _triple_text(asserted: Asserted, texts: Mapping[str, str]) -> str:
    statement, support = asserted.statement, asserted.support
    parts = [
        f"{written(term)}{'=' if excerpts else ''}{_quoted(excerpts, texts, asserted.graph)}"
        for term, excerpts in (
            (statement.subject, support.subject),
            (statement.predicate, support.predicate),
            (statement.object, support.object),
        )
    ]
    return f"({' '.join(parts)})"


def _quoted(excerpts: Sequence[Excerpt], texts: Mapping[str, str], document: str) -> str:
    return " + ".join(_quotation(excerpt, texts, document) for excerpt in excerpts)


def _quotation(excerpt: Excerpt, texts: Mapping[str, str], document: str) -> str:
    """The words, with their number where the document has them several times."""
    words = _in_quotes(excerpt.quote)
    text = texts.get(excerpt.document)
    starts = places(text, excerpt.quote) if text is not None else []
    if excerpt.start not in starts:
        raise DataError(
            f"“{excerpt.quote}” is not at {excerpt.start} of the document {excerpt.document}"
        )
    if excerpt.document != document:
        return f"{words}@{excerpt.start}/{excerpt.document}"
    return words if len(starts) == 1 else f"{words}#{starts.index(excerpt.start) + 1}"

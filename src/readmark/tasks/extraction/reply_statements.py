"""The statements in a language model's reply: read, held to the ontology, placed in the document.

Whatever is not of the ontology, has a value of another kind, or quotes words that the document does
not have, is dropped and counted.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from readmark.core.errors import DataError
from readmark.core.records import Offsets
from readmark.core.spans import Excerpt
from readmark.tasks.extraction.materials import Materials
from readmark.tasks.reasoning.datatypes import datatype, literal_fits
from readmark.tasks.reasoning.graphs import Asserted, Pattern, Statement, Support, statement_of
from readmark.tasks.reasoning.ontology import THING
from readmark.tasks.reasoning.statement_notation import read_statements_file
from readmark.tasks.reasoning.terms import Literal, Name, term_of
from readmark.tasks.records import Document
from readmark.text.answers.thoughts import without_thoughts

TYPE = "type"
MALFORMED, UNKNOWN, RANGE, QUOTE = (
    "no subject, property or value",
    "an unknown class or property",
    "a value of the wrong kind",
    "a quote that is not in the document",
)
"""Why statements are dropped."""
LONGEST = 1_000_000
"""Characters of a reply that are read."""
MEMBERS = (
    ("subject", "s", "主体"),
    ("property", "predicate", "p", "属性"),
    ("value", "object", "o", "值"),
    ("quote", "evidence", "引文"),
)
"""The members of a statement: the name that is asked for, then others that models write."""
_OBJECT = re.compile(r"\{[^{}]*\}")
_NOTATION_LINE = re.compile(r"^.*(?:->|→).*$", re.MULTILINE)
_NOT_IN_NAMES = re.compile(r"[^\w.'’:-]+")


def statements_in(
    reply: str, document: Document, materials: Materials
) -> tuple[list[Asserted] | None, Counter[str]]:
    """The valid statements of a reply, and how many were dropped for what.

    None where there is nothing to use: no statements at all, or none that is valid.
    """
    text = without_thoughts(reply)[:LONGEST]
    dropped: Counter[str] = Counter()
    rows = list(_rows(text, dropped))
    validator = _Validator(document, materials, dropped)
    statements = validator.of_rows(rows)
    if not rows:
        statements += validator.of_notation(_NOTATION_LINE.findall(text))
    if statements:
        return statements, dropped
    is_empty = re.search(r'"statements"\s*:\s*\[\s*\]', text) is not None and not dropped
    return ([] if is_empty else None), dropped


def _rows(reply: str, dropped: Counter[str]) -> Iterator[tuple[str, str, str, str]]:
    """Subject, property, value and quote of every object in a reply, however it is wrapped."""
    for match in _OBJECT.finditer(reply):
        try:
            members = json.loads(match[0], strict=False)
        except (ValueError, RecursionError):
            dropped[MALFORMED] += 1
            continue
        if "statements" in members:  # the empty list around them
            continue
        parts = (
            next((members[name] for name in names if name in members), "") for names in MEMBERS
        )
        subject, property, value, quote = map(_text_of, parts)
        if subject.strip() and property.strip() and value.strip():
            yield subject.strip(), property.strip(), value.strip(), quote
        else:
            dropped[MALFORMED] += 1


def _text_of(part: object) -> str:
    """A member as the text that was asked for; null is no text."""
    if part is None:
        return ""
    return str(part).lower() if isinstance(part, bool) else str(part)


class _Validator:
    """Holds statements to the ontology and to the words of the document."""

    def __init__(self, document: Document, materials: Materials, dropped: Counter[str]) -> None:
        assert materials.ontology is not None
        self._document, self._ontology = document, materials.ontology
        self._dropped = dropped
        self._properties = {name.text: name for name in self._ontology.properties}
        self._classes = {name.text: name for name in self._ontology.classes}

    def of_rows(self, rows: Sequence[tuple[str, str, str, str]]) -> list[Asserted]:
        """The valid statements, in their order, each once."""
        types: dict[str, list[Name]] = defaultdict(list)
        for subject, property, value, _ in rows:
            if property.removeprefix(":") == TYPE and value.removeprefix(":") in self._classes:
                types[_entity(subject)].append(self._classes[value.removeprefix(":")])
        valid: dict[Statement, Asserted] = {}
        for row in rows:
            asserted = self._of_row(*row, types)
            if asserted is not None:
                valid.setdefault(asserted.statement, asserted)
        return list(valid.values())

    def of_notation(self, lines: Sequence[str]) -> list[Asserted]:
        """Statements in the notation that people annotate in, line by line."""
        valid: list[Asserted] = []
        for line in lines:
            try:
                texts = {self._document.id: self._document.text}
                placed = read_statements_file(
                    line.strip(" `*"), texts, file="reply", document=self._document.id
                )
            except DataError as error:
                self._drop(QUOTE if "quot" in error.message else MALFORMED)
                continue
            for placed_statement in placed:
                asserted = placed_statement.asserted
                property, value = asserted.statement.predicate.text, asserted.statement.object
                if property == TYPE:
                    is_known = isinstance(value, Name) and value.text in self._classes
                else:
                    is_known = property in self._properties
                if not is_known:
                    self._drop(UNKNOWN)
                elif not self._in_range(property, value):
                    self._drop(RANGE)
                else:
                    valid.append(asserted)
        return valid

    def _of_row(
        self,
        subject: str,
        property: str,
        value: str,
        quote: str,
        types: Mapping[str, Sequence[Name]],
    ) -> Asserted | None:
        property, name = property.removeprefix(":"), _entity(subject)
        if not name:
            return self._drop(MALFORMED)
        if property == TYPE:
            if value.removeprefix(":") not in self._classes:
                return self._drop(UNKNOWN)
            object: Name | Literal | None = self._classes[value.removeprefix(":")]
        elif property not in self._properties:
            return self._drop(UNKNOWN)
        else:
            object = self._value(property, value, types)
        if object is None:
            return self._drop(RANGE)
        place = _place(self._document.text, quote)
        if place is None:
            return self._drop(QUOTE)
        predicate = Name(TYPE) if property == TYPE else self._properties[property]
        object_words: tuple[Excerpt, ...] = ()
        if property != TYPE:
            object_name = object.text if isinstance(object, Name) else value
            object_words = self._words(object_name, value, place)
        support = Support(
            (self._excerpt(place),), self._words(name, subject, place), (), object_words
        )
        statement = statement_of(Pattern(Name(name), predicate, object))
        return Asserted(self._document.id, statement, support)

    def _value(
        self, property: str, value: str, types: Mapping[str, Sequence[Name]]
    ) -> Name | Literal | None:
        """The value as a term, None where the property takes no such value."""
        range = self._ontology.properties[self._properties[property]].range
        type = datatype(range) if range is not None else None
        if type is None:
            name = _entity(value)
            stated_types = types.get(name, ())
            fits = (
                not stated_types
                or range in (None, THING)
                or any(
                    self._ontology.is_a(stated, range) or self._ontology.is_a(range, stated)
                    for stated in stated_types
                )
            )
            return Name(name) if name and fits else None
        if literal_fits(Literal(value), type) and type not in ("date", "dateTime"):
            return Literal(value)
        try:
            term = term_of(value.replace(",", "") if value[:1].isdigit() else value)
        except (ValueError, DataError):
            return None
        return term if isinstance(term, Literal) and literal_fits(term, type) else None

    def _in_range(self, property: str, value: Name | Literal) -> bool:
        if property == TYPE:
            return True
        range = self._ontology.properties[self._properties[property]].range
        type = datatype(range) if range is not None else None
        if type is None:
            return isinstance(value, Name)
        return isinstance(value, Literal) and literal_fits(value, type)

    def _words(self, name: str, replied: str, place: Offsets) -> tuple[Excerpt, ...]:
        """Where the quote names something, as the reply has it or as its name."""
        start, end = place
        quote = self._document.text[start:end]
        for words in (replied, replied.replace("-", " "), name.replace("-", " ")):
            # Not by lower(), which makes two characters of İ: the offsets would be wrong.
            match = re.search(re.escape(words), quote, re.IGNORECASE) if words else None
            if match is not None:
                return (self._excerpt((start + match.start(), start + match.end())),)
        return ()

    def _excerpt(self, place: Offsets) -> Excerpt:
        return Excerpt(self._document.id, *place, self._document.text[slice(*place)])

    def _drop(self, why: str) -> Asserted | None:
        """Count a statement that is not valid; the None stands in its place."""
        self._dropped[why] += 1
        return None


def _entity(words: str) -> str:
    """A name for what words name; empty where they have no letter."""
    name = _NOT_IN_NAMES.sub("-", words.strip()).strip("-.'’:")
    return name if re.search(r"[^\W\d]", name) else ""


def _place(text: str, quote: str) -> Offsets | None:
    """Where a quote is in a text; blanks, case and quotation marks need not be the same."""
    words = quote.strip()
    if not words:
        return None
    start = text.find(words)
    if start >= 0:
        return start, start + len(words)
    loose = r"\s+".join(re.escape(part) for part in words.strip("\"“”'.…").split())
    loose = re.sub(r"[\"“”]|\\?['’‘]", lambda match: "[\"“”'’‘]", loose)
    match = re.search(loose, text, re.IGNORECASE) if loose and len(words) < 2000 else None
    return match.span() if match is not None else None

"""A language model's replies about documents as statements: asked for, validated, placed.

Whatever is not of the ontology, has a value of another kind, or quotes words that the document does
not have, is dropped and counted.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Offsets, Unit
from readmark.core.sitting import Row
from readmark.core.spans import Excerpt
from readmark.llm import RecordAnswers
from readmark.tasks.extraction.extractor import Extractor
from readmark.tasks.extraction.materials import Materials
from readmark.tasks.reasoning.datatypes import datatype, literal_fits
from readmark.tasks.reasoning.graphs import Asserted, Pattern, Support, statement_of
from readmark.tasks.reasoning.ontology import THING, Ontology
from readmark.tasks.reasoning.statement_notation import read_statements_file
from readmark.tasks.reasoning.terms import Literal, Name, term_of
from readmark.tasks.records import Document
from readmark.text.answers.thoughts import without_thoughts

if TYPE_CHECKING:
    from readmark.llm import Llm

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
_OBJECT = re.compile(r"\{[^{}]*\}")
_LINE = re.compile(r"^.*(?:->|→).*$", re.MULTILINE)
_NO_NAME = re.compile(r"[^\w.'’:-]+")
_MEMBERS = (
    ("subject", "s", "主体"),
    ("property", "predicate", "p", "属性"),
    ("value", "object", "o", "值"),
    ("quote", "evidence", "引文"),
)


@dataclass
class RepliedStatements(Extractor):
    """Answers queries from the statements of replies."""

    statements: dict[str, list[Asserted]] = field(default_factory=dict, init=False, repr=False)

    def read(self, document: Document) -> list[Asserted]:
        """The statements of the reply about a document."""
        return self.statements[document.id]


@dataclass
class ModelExtractor(Extractor):
    """Reads documents by a candidate that asks a language model, in one request each."""

    candidate: Llm = field(kw_only=True, repr=False)
    form: ReplyForm = field(kw_only=True, repr=False)

    def read(self, document: Document) -> list[Asserted]:
        """The statements of the reply about a document."""
        found, failed = self.read_all([document])
        for error in failed.values():
            raise error
        return found

    def read_all(
        self, documents: Sequence[Document]
    ) -> tuple[list[Asserted], dict[str, Exception]]:
        """Ask about several at once."""
        kept: dict[str, list[Asserted]] = {}
        self.form.kept = kept
        units = [Unit(each.id, each.id, each, None) for each in documents]
        errors = {row.id: row.error for row in self.candidate.answer(units)}
        failed: dict[str, Exception] = {
            each.id: DataError(errors.get(each.id) or "there was no reply", where=each.id)
            for each in documents
            if each.id not in kept
        }
        return [one for each in documents for one in kept.get(each.id, ())], failed

    def closing_notes(self) -> list[str]:
        """What was dropped of replies, and what the endpoint did."""
        return self.candidate.closing_notes()


class ReplyForm:
    """A document, the ontology and the guidelines; statements come back."""

    places = frozenset({"document", "ontology", "guidelines", "fence"})
    needed = frozenset({"document", "ontology"})
    member = "statements"

    def __init__(self) -> None:
        self._extractor = RepliedStatements()
        self._shown = ""
        self.kept: dict[str, list[Asserted]] | None = None
        """Where there is a dictionary, statements go there and no query is answered."""

    def take_materials(self, materials: Mapping[str, bytes], *, reason: bool) -> None:
        """The files of the task that a model may see."""
        self._extractor = RepliedStatements(reason=reason)
        self._extractor.show(materials)
        known = self._extractor.known
        if known.ontology is None:
            raise UsageError("a language model reads a task with an ontology; this one has none")
        self._shown = ontology_text(known.ontology)

    @property
    def _known(self) -> Materials:
        return self._extractor.known

    def prompts(self, answer_in: str) -> Sequence[str]:
        """One prompt."""
        return ("extract",)

    def prompt_name(self, unit: Unit, *, free: bool) -> str:
        """The same for all."""
        return "extract"

    def fill(self, unit: Unit, language: str, *, none: bool) -> dict[str, str]:
        """The document, the classes and properties, and the guidelines."""
        from readmark.llm import fence

        text, guidelines = unit.record.text, self._known.guidelines.strip() or "-"
        return {
            "document": text,
            "ontology": self._shown,
            "guidelines": guidelines,
            "fence": fence(self._shown, guidelines, text),
        }

    def members(self, unit: Unit) -> dict[str, Any]:
        """A list of statements, each with its four parts as texts."""
        parts = [names[0] for names in _MEMBERS]
        statement = {
            "type": "object",
            "properties": {part: {"type": "string"} for part in parts},
            "required": parts,
            "additionalProperties": False,
        }
        return {self.member: {"type": "array", "items": statement}}

    def example(self, unit: Unit, answer: Any, language: str, *, blank: bool) -> dict[str, Any]:
        """There are no examples of whole documents."""
        raise UsageError("a reading task has no examples for a prompt")

    def text(self, unit: Unit) -> str:
        """The document."""
        text: str = unit.record.text
        return text

    def may_be_empty(self, unit: Unit) -> bool:
        """A document may state nothing."""
        return True

    def read(
        self, unit: Unit, text: str, quote: str, evidence: dict[str, Any], *, free: bool
    ) -> tuple[Any, Offsets | None, dict[str, Any]]:
        """Replies are about whole documents: see ``answers``."""
        raise UsageError("a reply about a document answers all of its queries")

    def answers(self, units: Sequence[Unit], reply: str) -> RecordAnswers:
        """The answers to a document's queries that follow from a reply."""
        document: Document = units[0].record
        found, dropped = statements_in(reply, document, self._known)
        if found is None:
            total = sum(dropped.values())
            why = f"none of its {total} statements is valid" if total else "it has no statements"
            return RecordAnswers((), dropped, f"the reply cannot be used: {why}")
        if self.kept is not None:
            self.kept[document.id] = found
            return RecordAnswers(tuple(Row(id=each.id) for each in units), dropped)
        self._extractor.statements = {document.id: found}
        return RecordAnswers(tuple(self._extractor.answer(units)), dropped)


def ontology_text(ontology: Ontology) -> str:
    """The classes and the properties to read, a line each, with labels and comments."""
    lines = ["Classes:"]
    for class_ in ontology.classes.values():
        above = ", ".join(name.text for name in class_.superclasses)
        lines.append(_entry(class_.name.text, f"a {above}" if above else "", class_))
    lines.append("Properties (subject -> value):")
    for one in ontology.with_role("target", "auxiliary"):
        domain = one.domain.text if one.domain is not None else "anything"
        range = one.range.text if one.range is not None else "anything"
        lines.append(_entry(one.name.text, f"{domain} -> {range.removeprefix('xsd:')}", one))
    return "\n".join(lines)


def _entry(name: str, what: str, one: Any) -> str:
    label = one.label if one.label and one.label != name else ""
    more = "; ".join(part for part in (what, label, one.comment) if part)
    return f"- {name}: {' '.join(more.split())}" if more else f"- {name}"


def statements_in(
    reply: str, document: Document, known: Materials
) -> tuple[list[Asserted] | None, Counter[str]]:
    """The valid statements of a reply, and how many were dropped for what.

    None where there is nothing to use: no statements at all, or none that is valid.
    """
    said = without_thoughts(reply)[:LONGEST]
    dropped: Counter[str] = Counter()
    rows = list(_rows(said, dropped))
    reader = _Validator(document, known, dropped)
    found = reader.statements(rows)
    found += reader.of_notation(_LINE.findall(said)) if not rows else []
    if found:
        return found, dropped
    is_empty = re.search(r'"statements"\s*:\s*\[\s*\]', said) is not None and not dropped
    return ([] if is_empty else None), dropped


def _rows(reply: str, dropped: Counter[str]) -> Iterator[tuple[str, str, str, str]]:
    """Subject, property, value and quote of every object in a reply, however it is wrapped."""
    for match in _OBJECT.finditer(reply):
        try:
            said = json.loads(match[0], strict=False)
        except (ValueError, RecursionError):
            dropped[MALFORMED] += 1
            continue
        if "statements" in said:
            continue
        parts = [next((said[name] for name in names if name in said), "") for names in _MEMBERS]
        subject, property, value, quote = (
            str(part).lower() if isinstance(part, bool) else str(part) for part in parts
        )
        if subject.strip() and property.strip() and value.strip():
            yield subject.strip(), property.strip(), value.strip(), quote
        else:
            dropped[MALFORMED] += 1


class _Validator:
    """Holds statements to the ontology and to the words of the document."""

    def __init__(self, document: Document, known: Materials, dropped: Counter[str]) -> None:
        assert known.ontology is not None
        self._document, self._ontology, self._dropped = document, known.ontology, dropped
        self._namespaces = known.namespaces
        self._properties = {one.text: one for one in self._ontology.properties}
        self._classes = {one.text: one for one in self._ontology.classes}

    def statements(self, rows: Sequence[tuple[str, str, str, str]]) -> list[Asserted]:
        """The valid ones, in their order, each once."""
        types: dict[str, list[Name]] = defaultdict(list)
        for subject, property, value, _ in rows:
            if property.removeprefix(":") == TYPE and value.removeprefix(":") in self._classes:
                types[_entity(subject)].append(self._classes[value.removeprefix(":")])
        found: dict[Any, Asserted] = {}
        for row in rows:
            asserted = self._statement(*row, types)
            if asserted is not None:
                found.setdefault(asserted.statement, asserted)
        return list(found.values())

    def _statement(
        self,
        subject: str,
        property: str,
        value: str,
        quote: str,
        types: Mapping[str, Sequence[Name]],
    ) -> Asserted | None:
        property, name = property.removeprefix(":"), _entity(subject)
        if not name:
            return self._dropped_for(MALFORMED)
        if property == TYPE:
            if value.removeprefix(":") not in self._classes:
                return self._dropped_for(UNKNOWN)
            object: Name | Literal | None = self._classes[value.removeprefix(":")]
        elif property not in self._properties:
            return self._dropped_for(UNKNOWN)
        else:
            object = self._value(property, value, types)
        if object is None:
            return self._dropped_for(RANGE)
        place = _place(self._document.text, quote)
        if place is None:
            return self._dropped_for(QUOTE)
        predicate = Name(TYPE) if property == TYPE else self._properties[property]
        words = self._excerpt(place)
        support = Support(
            (words,),
            self._words(name, subject, place),
            (),
            self._words(object.text if isinstance(object, Name) else value, value, place)
            if property != TYPE
            else (),
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
            own = types.get(name, ())
            fits = (
                not own
                or range in (None, THING)
                or any(
                    self._ontology.is_a(each, range) or self._ontology.is_a(range, each)
                    for each in own
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

    def _words(self, name: str, said: str, place: Offsets) -> tuple[Excerpt, ...]:
        """Where the quote names something, as its name or as the reply has it."""
        start, end = place
        quote = self._document.text[start:end]
        for words in (said, said.replace("-", " "), name.replace("-", " ")):
            at = quote.lower().find(words.lower())
            if words and at >= 0:
                return (self._excerpt((start + at, start + at + len(words))),)
        return ()

    def _excerpt(self, place: Offsets) -> Excerpt:
        return Excerpt(self._document.id, *place, self._document.text[slice(*place)])

    def _drop(self, why: str) -> None:
        self._dropped[why] += 1

    def _dropped_for(self, why: str) -> Asserted | None:
        self._dropped[why] += 1
        return None

    def of_notation(self, lines: Sequence[str]) -> list[Asserted]:
        """Statements in the notation that people annotate in, line by line."""
        rows: list[Asserted] = []
        for line in lines:
            try:
                texts = {self._document.id: self._document.text}
                placed = read_statements_file(
                    line.strip(" `*"), texts, file="reply", document=self._document.id
                )
            except DataError as wrong:
                self._dropped[QUOTE if "quot" in wrong.message else MALFORMED] += 1
                continue
            for one in placed:
                statement = one.asserted.statement
                property = statement.predicate.text
                known = self._classes if property == TYPE else self._properties
                named = _plain_name(statement.object) if property == TYPE else property
                if named not in known:
                    self._drop(UNKNOWN)
                elif not self._in_range(property, statement.object):
                    self._drop(RANGE)
                else:
                    rows.append(one.asserted)
        return rows

    def _in_range(self, property: str, value: Any) -> bool:
        if property == TYPE:
            return True
        range = self._ontology.properties[self._properties[property]].range
        type = datatype(range) if range is not None else None
        if type is None:
            return isinstance(value, Name)
        return isinstance(value, Literal) and literal_fits(value, type)


def _plain_name(term: Name | Literal) -> str:
    return term.text if isinstance(term, Name) else ""


def _entity(words: str) -> str:
    """A name for what words name."""
    name = _NO_NAME.sub("-", words.strip()).strip("-.'’:")
    return name if re.search(r"[^\W\d]", name) else ""


def _place(text: str, quote: str) -> Offsets | None:
    """Where a quote is in a text; blanks and quotation marks need not be the same."""
    words = quote.strip()
    if not words:
        return None
    at = text.find(words)
    if at >= 0:
        return at, at + len(words)
    loose = r"\s+".join(re.escape(part) for part in words.strip("\"“”'.…").split())
    loose = re.sub(r"[\"“”]|\\?['’‘]", lambda match: "[\"“”'’‘]", loose)
    found = re.search(loose, text, re.IGNORECASE) if loose and len(words) < 2000 else None
    return found.span() if found is not None else None

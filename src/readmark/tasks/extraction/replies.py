"""A language model as an extractor: what its prompts show, and what becomes of its replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Offsets, Unit
from readmark.core.sitting import Row
from readmark.llm import RecordAnswers
from readmark.tasks.extraction.extractor import Extractor
from readmark.tasks.extraction.materials import Materials
from readmark.tasks.extraction.reply_statements import MEMBERS, statements_in
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.ontology import Ontology, OwlClass, Property
from readmark.tasks.records import Document

if TYPE_CHECKING:
    from readmark.llm import Llm


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
        asserted, failures = self.read_all([document])
        for error in failures.values():
            raise error
        return asserted

    def read_all(
        self, documents: Sequence[Document]
    ) -> tuple[list[Asserted], dict[str, Exception]]:
        """The statements in documents, asked about together, and why some cannot be read."""
        statements: dict[str, list[Asserted]] = {}
        self.form.statements = statements
        units = [Unit(document.id, document.id, document, None) for document in documents]
        errors = {row.id: row.error for row in self.candidate.answer(units)}
        failures: dict[str, Exception] = {
            document.id: DataError(
                errors.get(document.id) or "there was no reply", where=document.id
            )
            for document in documents
            if document.id not in statements
        }
        asserted = [
            statement for document in documents for statement in statements.get(document.id, ())
        ]
        return asserted, failures

    def closing_notes(self) -> list[str]:
        """What was dropped of replies, and what the endpoint did."""
        return self.candidate.closing_notes()


class ReplyForm:
    """The prompt with a document, ontology and guidelines, and the answers that a reply gives."""

    places = frozenset({"document", "ontology", "guidelines", "fence"})
    needed = frozenset({"document", "ontology"})
    member = "statements"

    def __init__(self) -> None:
        self._extractor = RepliedStatements()
        self._ontology_text = ""
        self.statements: dict[str, list[Asserted]] | None = None
        """The statements of each document; where it is None, queries are answered instead."""

    def take_materials(self, materials: Mapping[str, bytes], *, reason: bool) -> None:
        """The files of the task that a model may see."""
        self._extractor = RepliedStatements(reason=reason)
        self._extractor.show(materials)
        ontology = self._materials.ontology
        if ontology is None:
            raise UsageError("a language model reads a task with an ontology; this one has none")
        self._ontology_text = ontology_text(ontology)

    @property
    def _materials(self) -> Materials:
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

        text, guidelines = unit.record.text, self._materials.guidelines.strip() or "-"
        return {
            "document": text,
            "ontology": self._ontology_text,
            "guidelines": guidelines,
            "fence": fence(self._ontology_text, guidelines, text),
        }

    def members(self, unit: Unit) -> dict[str, Any]:
        """A list of statements, each with its four parts as texts."""
        parts = [names[0] for names in MEMBERS]
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
        statements, dropped = statements_in(reply, document, self._materials)
        if statements is None:
            total = sum(dropped.values())
            why = f"none of its {total} statements is valid" if total else "it has no statements"
            return RecordAnswers((), dropped, f"the reply cannot be used: {why}")
        if self.statements is not None:
            self.statements[document.id] = statements
            return RecordAnswers(tuple(Row(id=unit.id) for unit in units), dropped)
        self._extractor.statements = {document.id: statements}
        return RecordAnswers(tuple(self._extractor.answer(units)), dropped)


def ontology_text(ontology: Ontology) -> str:
    """The classes and the properties to read, a line each, with labels and comments."""
    lines = ["Classes:"]
    for owl_class in ontology.classes.values():
        superclasses = ", ".join(name.text for name in owl_class.superclasses)
        lines.append(_entry(owl_class, f"a {superclasses}" if superclasses else ""))
    lines.append("Properties (subject -> value):")
    for property in ontology.with_role("target", "auxiliary"):
        domain = property.domain.text if property.domain is not None else "anything"
        range = property.range.text if property.range is not None else "anything"
        lines.append(_entry(property, f"{domain} -> {range.removeprefix('xsd:')}"))
    return "\n".join(lines)


def _entry(term: OwlClass | Property, kind: str) -> str:
    name = term.name.text
    label = term.label if term.label != name else ""
    description = "; ".join(part for part in (kind, label, term.comment) if part)
    return f"- {name}: {' '.join(description.split())}" if description else f"- {name}"

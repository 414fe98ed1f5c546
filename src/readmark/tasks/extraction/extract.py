"""``readmark task extract``: texts read into entities of a domain, and a domain's summary of them.

``summary.toml`` maps statements to members of the JSON that programs want::

    [events]                       # a list; with one = true the first entity alone
    class = "ScoringEvent"
    excerpt = "excerpt"            # the member that has where the entity is read
    [events.members]
    team = "scoringTeam"           # a property, or a path such as "eventOf/teamScoringAll"
    type = { property = "type", names = { FieldGoal = "field_goal" } }
    player = { property = "scorer", words = true }
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from rich.text import Text

from readmark.core.candidate_run import Run
from readmark.core.display import Result
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import read_bytes, read_lines, toml_of
from readmark.core.json_lines import decode, in_words
from readmark.core.kinds import kind_named
from readmark.core.numbers import significant
from readmark.core.problems import fail
from readmark.core.records import Value
from readmark.core.source import Source
from readmark.core.spans import Excerpt
from readmark.core.traffic import Traffic
from readmark.hooks import hook
from readmark.llm import Llm
from readmark.sitting import CANDIDATES, make_ready
from readmark.tasks.domain_folders import domain_folder
from readmark.tasks.extraction.extractor import Extractor, Reading, shown_files
from readmark.tasks.extraction.replies import ModelExtractor
from readmark.tasks.manifest import is_unpacked
from readmark.tasks.package import Package
from readmark.tasks.reasoning.derivation_text import contradiction_text
from readmark.tasks.reasoning.derivations import Derivation, leaves
from readmark.tasks.reasoning.graphs import Asserted, Statement, write_triple
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Rule
from readmark.tasks.reasoning.terms import Literal, Name, written
from readmark.tasks.records import Document
from readmark.tasks.task_folder import gather, open_task

if TYPE_CHECKING:
    from rich.console import Console

EXTRACTOR = "patterns"
"""Who reads when nobody is named."""
TYPE = "type"


class SummaryMember(Value, frozen=True):
    """What a member of a summary holds: the values at the end of a path of properties."""

    property: str
    names: dict[str, str] = {}
    """Other names of values."""
    words: bool = False
    """Whether an entity is given by the longest words that the text has for it."""
    many: bool = False


class SummaryTable(Value, frozen=True, rename={"of": "class"}):
    """A member of the JSON: an object or a list of objects, one for each entity of a class."""

    of: str
    members: dict[str, SummaryMember | str]
    one: bool = False
    excerpt: str = ""


Summary = Mapping[str, SummaryTable]


def read_summary(package: Package) -> Summary:
    """The summary of a domain; empty where it has none."""
    for file in package.manifest.of("summary"):
        place = package.folder.place(file.path)
        said = toml_of(package.folder.read(file.path), place)
        try:
            return msgspec.convert(said, dict[str, SummaryTable])
        except msgspec.ValidationError as error:
            raise DataError(in_words(error), file=place) from None
    return {}


@dataclass(frozen=True)
class ReadValue:
    """A value of a property: read in the text, or inferred by a rule from what was."""

    value: Any
    excerpts: tuple[tuple[int, int], ...] = ()
    """The words that state it, or that it was inferred from."""
    probability: float = 1.0
    rule: Rule | None = None
    """What it was inferred by; of an uncertain value the likeliest."""
    others: tuple[Rule, ...] = ()
    """The other rules by which an uncertain value was inferred."""
    assumed: bool = False
    """Whether that, or what it rests on, is a default: something else may be so."""

    def as_json(self) -> dict[str, Any]:
        """The value with where it is from."""
        found = {
            "value": self.value,
            "inferred": self.rule is not None,
            "probability": self.probability,
            "excerpts": [list(span) for span in self.excerpts],
        }
        if self.rule is None:
            return found
        others = {"others": [rule.name for rule in self.others]} if self.others else {}
        return {**found, "rule": self.rule.name, **others, "default": self.assumed}

    def __str__(self) -> str:
        notes = []
        if self.rule is not None:
            assumed = ", a default" if self.assumed else ""
            *most, last = (rule.name for rule in (self.rule, *self.others))
            rules = f"{', '.join(most)} and {last}" if most else last
            notes.append(f"inferred by {rules}{assumed}")
        if self.probability != 1:
            notes.append(f"probability {significant(self.probability)}")
        return f"{self.value} ({', '.join(notes)})" if notes else str(self.value)


@dataclass(frozen=True)
class ReadEntity:
    """Something that a document tells of, with all that is known of it."""

    id: str
    classes: tuple[str, ...]
    """Its classes, the narrowest first."""
    properties: Mapping[str, tuple[Any, ...]]
    excerpts: tuple[tuple[int, int], ...]
    words: str = ""
    values: Mapping[str, tuple[ReadValue, ...]] = field(default_factory=dict)
    """The same properties with where each value is from."""

    def shown(self, hidden: Set[str]) -> dict[str, tuple[ReadValue, ...]]:
        """The properties that a reader wants to see."""
        return {name: values for name, values in self.values.items() if name not in hidden}

    def as_json(self, hidden: Set[str] = frozenset()) -> dict[str, Any]:
        """As ``task extract --json`` has it."""
        return {
            "id": self.id,
            "class": self.classes[0] if self.classes else None,
            "properties": {
                name: [one.value for one in values] for name, values in self.shown(hidden).items()
            },
            "values": {
                name: [one.as_json() for one in values]
                for name, values in self.shown(hidden).items()
            },
            "excerpts": [list(span) for span in self.excerpts],
        }


def entities_of(reading: Reading, ontology: Ontology | None) -> dict[str, ReadEntity]:
    """The subjects of a reading's statements by id, in the order of the text."""
    classes: dict[str, set[str]] = defaultdict(set)
    properties: dict[str, dict[str, dict[Any, ReadValue]]] = defaultdict(lambda: defaultdict(dict))
    chances = {derived.statement: derived.probability for derived in reading.statements}
    read: dict[Statement, list[Asserted]] = defaultdict(list)
    for asserted in reading.asserted:
        read[asserted.statement].append(asserted)
    for statement in _in_order(reading):
        id = written(statement.subject)
        if statement.predicate.text == TYPE:
            name = written(statement.object)
            classes[id].add(name)
            if ontology is not None:
                classes[id] |= {above.text for above in ontology.ancestors(Name(name))}
            properties[id]
            continue
        value, derivation = _plain(statement.object), reading.derivations.get(statement)
        of_property = properties[id][statement.predicate.text]
        # What was read comes before what follows, and 1 is not True.
        if (type(value), value) not in of_property:
            of_property[type(value), value] = _sourced(
                value, read[statement], derivation, chances[statement]
            )
    spans: dict[str, set[tuple[int, int]]] = defaultdict(set)
    words: dict[str, str] = defaultdict(str)
    for asserted in reading.asserted:
        for id, excerpt in _mentions(asserted):
            spans[id].add((excerpt.start, excerpt.end))
            if len(excerpt.quote) > len(words[id]):
                words[id] = excerpt.quote
    found = {
        id: ReadEntity(
            id,
            tuple(sorted(classes[id], key=lambda name: (-_depth(ontology, name), name))),
            {
                name: tuple(one.value for one in values.values())
                for name, values in sorted(properties[id].items())
            },
            tuple(sorted(spans[id])),
            words[id],
            {name: tuple(values.values()) for name, values in sorted(properties[id].items())},
        )
        for id in properties
    }
    last = len(reading.document.text) + 1
    order = sorted(found, key=lambda id: (found[id].excerpts[:1] or ((last, last),), _natural(id)))
    return {id: found[id] for id in order}


def _sourced(
    value: Any, read: Sequence[Asserted], derivation: Derivation | None, chance: float
) -> ReadValue:
    """A value with the words behind it, and the rule that it was inferred by."""
    if derivation is not None and derivation.rule is not None:
        ways = (derivation, *derivation.others)
        excerpts = [one for way in ways for leaf in leaves([way]) for one in leaf.support.spread()]
        rule: Rule | None
        rule, *others = dict.fromkeys(way.rule for way in ways if way.rule is not None)
        assumed = any(rule.assumes for way in ways for rule in _rules_in(way))
    else:
        excerpts = [excerpt for one in read for excerpt in one.support.spread()]
        rule, others, assumed = None, [], False
        chance = max((one.probability for one in read), default=chance)
    spans = tuple(sorted({(one.start, one.end) for one in excerpts}))
    return ReadValue(value, spans, chance, rule, tuple(others), assumed)


def _rules_in(derivation: Derivation) -> Iterator[Rule]:
    stack, seen = [derivation], set[int]()
    while stack:
        one = stack.pop()
        if id(one) not in seen and one.rule is not None:
            seen.add(id(one))
            stack.extend(one.antecedents)
            yield one.rule


def _in_order(reading: Reading) -> list[Statement]:
    """The statements; names as objects in the order of the document, whatever was read with it."""
    places: dict[str, int] = {}
    for asserted in reading.asserted:
        for term in (asserted.statement.subject, asserted.statement.object):
            if isinstance(term, Name):
                places.setdefault(term.text, len(places))

    def place(statement: Statement) -> tuple[str, int, int, str]:
        value, predicate = statement.object, statement.predicate.text
        if isinstance(value, Name):
            return predicate, 1, places.get(value.text, len(places)), value.text
        return predicate, 2 if isinstance(value.value, str) else 0, 0, ""

    return sorted((derived.statement for derived in reading.statements), key=place)


def _natural(id: str) -> list[tuple[int, str]]:
    return [(int(part) if part.isdecimal() else -1, part) for part in re.split(r"(\d+)", id)]


def _mentions(asserted: Asserted) -> Iterator[tuple[str, Excerpt]]:
    statement, support = asserted.statement, asserted.support
    for excerpt in support.subject:
        yield written(statement.subject), excerpt
    if isinstance(statement.object, Name):
        for excerpt in support.object:
            yield written(statement.object), excerpt


def _plain(term: Name | Literal) -> Any:
    if isinstance(term, Literal):
        return term.value if isinstance(term.value, bool | int | float | str) else term.lexical
    return written(term)


def _depth(ontology: Ontology | None, name: str) -> int:
    """How many classes a class is within."""
    if ontology is None:
        return 0
    return len(ontology.ancestors(Name(name)))


def summarise(entities: Mapping[str, ReadEntity], summary: Summary) -> dict[str, Any]:
    """The members that a domain's summary adds for a document."""
    found: dict[str, Any] = {}
    for name, table in summary.items():
        rows = [
            _summary_row(entity, table, entities)
            for entity in entities.values()
            if table.of in entity.classes
        ]
        if table.one:
            found[name] = rows[0] if rows else dict.fromkeys(table.members)
        else:
            found[name] = rows
    return found


def _summary_row(
    entity: ReadEntity, table: SummaryTable, entities: Mapping[str, ReadEntity]
) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, said in table.members.items():
        member = SummaryMember(said) if isinstance(said, str) else said
        values = _at_path(entity, member.property.split("/"), entities)
        values = [_shown(value, member, entities) for value in values]
        if member.names:
            values = [member.names[value] for value in values if value in member.names]
        row[name] = values if member.many else values[0] if values else None
    if table.excerpt:
        row[table.excerpt] = list(entity.excerpts[0]) if entity.excerpts else None
    return row


def _at_path(
    entity: ReadEntity, path: Sequence[str], entities: Mapping[str, ReadEntity]
) -> list[Any]:
    first, *rest = path
    values = entity.classes if first == TYPE else entity.properties.get(first, ())
    if not rest:
        return list(values)
    return [
        end
        for value in values
        if isinstance(value, str) and value in entities
        for end in _at_path(entities[value], rest, entities)
    ]


def _shown(value: Any, member: SummaryMember, entities: Mapping[str, ReadEntity]) -> Any:
    if member.words and isinstance(value, str) and value in entities:
        return " ".join(entities[value].words.split()) or value
    return value


@dataclass(frozen=True, repr=False)
class Extraction(Result):
    """What was read in each document."""

    readings: Mapping[str, Reading]
    ontology: Ontology | None
    summary: Summary
    notes: tuple[str, ...] = ()
    errors: Mapping[str, str] = field(default_factory=dict)
    """Why documents could not be read."""

    @property
    def failed(self) -> bool:
        """Whether a document could not be read."""
        return bool(self.errors)

    @property
    def _hidden(self) -> frozenset[str]:
        """Properties that only help to reason."""
        if self.ontology is None:
            return frozenset()
        return frozenset(one.name.text for one in self.ontology.with_role("auxiliary"))

    def entities(self, id: str) -> dict[str, ReadEntity]:
        """The entities of a document."""
        return entities_of(self.readings[id], self.ontology)

    def as_json(self) -> dict[str, Any]:
        """Entities, contexts and contradictions of each document, and its summary."""
        documents: dict[str, Any] = {}
        for id, reading in self.readings.items():
            entities = self.entities(id)
            documents[id] = {
                "entities": [entity.as_json(self._hidden) for entity in entities.values()],
                "contexts": [group.as_json() for group in reading.contexts],
                "contradictions": [
                    {
                        "rule": one.rule.name,
                        "comment": one.rule.comment,
                        "statements": [write_triple(statement) for statement in one.inputs],
                    }
                    for one in reading.contradictions
                ],
                **summarise(entities, self.summary),
            }
        documents |= {id: {"error": error} for id, error in self.errors.items()}
        return {"documents": documents, **({"notes": list(self.notes)} if self.notes else {})}

    def show(self, console: Console) -> None:
        """Each document: its entities with their properties and words."""
        for id, reading in self.readings.items():
            console.print(Text(id), style="bold")
            for entity in self.entities(id).values():
                kind = f" ({entity.classes[0]})" if entity.classes else ""
                quote = ""
                if entity.excerpts:
                    start, end = entity.excerpts[0]
                    quote = f"  “{' '.join(reading.document.text[start:end].split())}”"
                console.print(Text(f"  {entity.id}{kind}{quote}"), soft_wrap=True)
                for name, values in entity.shown(self._hidden).items():
                    shown = ", ".join(str(value) for value in values)
                    console.print(Text(f"    {name}: {shown}"), soft_wrap=True)
            for one in reading.contradictions:
                console.print(Text(contradiction_text(one)), soft_wrap=True)
        for id, error in self.errors.items():
            console.print(Text(id), style="bold")
            console.print(Text(f"  error: {error}"), soft_wrap=True)


def open_domain(name: str) -> Package:
    """A task, or the folder of a domain: one that ships, by its name, or any other."""
    path = Path(name)
    if path.exists() and Source(name).folder is not None:
        folder = Source(name).folder
        assert folder is not None
        if folder.is_zip or folder.find("task.json") or is_unpacked(folder):
            return open_task(name)
    if path.is_file():
        raise DataError("expected a domain or a task", file=name)
    return gather(domain_folder(name)).package


def read_texts(paths: Iterable[str]) -> list[Document]:
    """Text files, the id of each its stem, and JSON lines with ``id`` and ``text``."""
    found: dict[str, Document] = {}
    for path in paths:
        for document in _documents_in(path):
            if document.id in found:
                raise DataError(f"the id {document.id!r} occurs twice", file=path)
            found[document.id] = document
    return list(found.values())


class _TextRow(msgspec.Struct):
    id: str
    text: str


def _documents_in(path: str) -> Iterator[Document]:
    if Path(path).suffix.lower() in (".jsonl", ".ndjson"):
        decoder = msgspec.json.Decoder(_TextRow)
        for number, raw in read_lines(path):
            row = decode(path, number, raw, decoder, fail)
            if row is not None:
                yield Document(id=row.id, text=row.text)
        return
    try:
        text = read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as wrong:
        message = f"not valid UTF-8 (byte {wrong.start + 1})"
        raise DataError(message, file=path) from None
    yield Document(id=Path(path).stem, text=text)


def build_extractor(name: str, package: Package) -> Extractor:
    """An extractor that is ready to read texts of a domain."""
    parsed, built = CANDIDATES.build(name)
    if not isinstance(built, Extractor | Llm):
        known = [one for one, cls in CANDIDATES.working() if issubclass(cls, Extractor | Llm)]
        raise UsageError(f"{parsed.base} is no extractor; {did_you_mean(parsed.base, known)}")
    language = package.manifest.language or "en"
    files = shown_files(package)
    run = Run(materials=files, traffic=Traffic(cache=""), may_ask=False)
    make_ready(str(parsed), built, kind_named("task"), language, run)
    if isinstance(built, Llm):
        asking = ModelExtractor(built.reason, candidate=built, form=built.form)
        asking.show(files)
        return asking
    return built


def extract(domain: str, texts: Sequence[str], *, extractor: str = EXTRACTOR) -> Extraction:
    """Read text files, or JSON lines with ``id`` and ``text``, into statements of a domain."""
    package = open_domain(domain)
    built = build_extractor(extractor, package)
    errors: dict[str, str] = {}
    readings = {one.document.id: one for one in built.extract(read_texts(texts), errors)}
    notes = tuple(hook(built, "closing_notes", list)())
    return Extraction(readings, built.known.ontology, read_summary(package), notes, errors)

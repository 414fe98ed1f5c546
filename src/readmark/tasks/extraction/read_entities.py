"""What a document tells of: entities with their properties, and where each value is from."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from readmark.core.numbers import significant
from readmark.core.records import Offsets
from readmark.core.spans import Excerpt
from readmark.tasks.extraction.extractor import Reading
from readmark.tasks.reasoning.derivations import Derivation, leaves
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Rule
from readmark.tasks.reasoning.terms import Literal, Name, written

TYPE = "type"


@dataclass(frozen=True)
class ReadValue:
    """A value of a property: read in the text, or inferred by a rule from what was."""

    value: Any
    excerpts: tuple[Offsets, ...] = ()
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
        members: dict[str, Any] = {
            "value": self.value,
            "inferred": self.rule is not None,
            "probability": self.probability,
            "excerpts": [list(span) for span in self.excerpts],
        }
        if self.rule is not None:
            members["rule"] = self.rule.name
            if self.others:
                members["others"] = [rule.name for rule in self.others]
            members["default"] = self.assumed
        return members

    def __str__(self) -> str:
        notes = []
        if self.rule is not None:
            *first, last = (rule.name for rule in (self.rule, *self.others))
            rules = f"{', '.join(first)} and {last}" if first else last
            notes.append(f"inferred by {rules}{', a default' if self.assumed else ''}")
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
    excerpts: tuple[Offsets, ...]
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
                name: [value.value for value in values]
                for name, values in self.shown(hidden).items()
            },
            "values": {
                name: [value.as_json() for value in values]
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
        of_subject = properties[id]
        if statement.predicate.text == TYPE:
            name = written(statement.object)
            classes[id].add(name)
            if ontology is not None:
                classes[id] |= {above.text for above in ontology.ancestors(Name(name))}
            continue
        value, derivation = _plain(statement.object), reading.derivations.get(statement)
        of_property = of_subject[statement.predicate.text]
        # What was read comes before what follows, and 1 is not True.
        if (type(value), value) not in of_property:
            of_property[type(value), value] = _sourced(
                value, read[statement], derivation, chances[statement]
            )

    spans: dict[str, set[Offsets]] = defaultdict(set)
    words: dict[str, str] = defaultdict(str)
    for asserted in reading.asserted:
        for id, excerpt in _mentions(asserted):
            spans[id].add((excerpt.start, excerpt.end))
            if len(excerpt.quote) > len(words[id]):
                words[id] = excerpt.quote

    entities = {}
    for id, by_property in properties.items():
        values = {name: tuple(by_property[name].values()) for name in sorted(by_property)}
        entities[id] = ReadEntity(
            id,
            tuple(sorted(classes[id], key=lambda name: (-_depth(ontology, name), name))),
            {name: tuple(read_value.value for read_value in values[name]) for name in values},
            tuple(sorted(spans[id])),
            words[id],
            values,
        )
    end = len(reading.document.text) + 1
    order = sorted(
        entities, key=lambda id: (entities[id].excerpts[:1] or ((end, end),), _natural(id))
    )
    return {id: entities[id] for id in order}


def _sourced(
    value: Any, read: Sequence[Asserted], derivation: Derivation | None, chance: float
) -> ReadValue:
    """A value with the words behind it, and the rule that it was inferred by."""
    if derivation is not None and derivation.rule is not None:
        ways = (derivation, *derivation.others)
        excerpts = [
            excerpt for way in ways for leaf in leaves([way]) for excerpt in leaf.support.spread()
        ]
        rule: Rule | None
        rule, *others = dict.fromkeys(way.rule for way in ways if way.rule is not None)
        assumed = any(rule.assumes for way in ways for rule in _rules_in(way))
    else:
        excerpts = [excerpt for asserted in read for excerpt in asserted.support.spread()]
        rule, others, assumed = None, [], False
        chance = max((asserted.probability for asserted in read), default=chance)
    spans = tuple(sorted({(excerpt.start, excerpt.end) for excerpt in excerpts}))
    return ReadValue(value, spans, chance, rule, tuple(others), assumed)


def _rules_in(derivation: Derivation) -> Iterator[Rule]:
    stack, seen = [derivation], set[int]()
    while stack:
        step = stack.pop()
        if id(step) not in seen and step.rule is not None:
            seen.add(id(step))
            stack.extend(step.antecedents)
            yield step.rule


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
    """A key that sorts Game-10 after Game-9."""
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

"""Patterns over a text: what they find becomes marks.

In each sentence names, numbers and entities become chunks (:mod:`chunks`); patterns match over them
(:mod:`matches`); matches are read in the order of the text (:mod:`findings`), and whose they are is
decided over the whole document (:mod:`ownership`, :mod:`ledger_balance`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from readmark.tasks.categories.definitions import (
    ENTITY,
    ID,
    PROBABILITY,
    Categories,
    Category,
)
from readmark.tasks.categories.definitions import NUMBER as COUNTER
from readmark.tasks.categories.marks import MarkedText, TextMark
from readmark.tasks.extraction.chunks import Chunker, TextChunk
from readmark.tasks.extraction.findings import DocumentReading, EntityId
from readmark.tasks.extraction.ownership import Finding
from readmark.tasks.extraction.pattern_set import NAME, PatternSet, ScopeRule


class PatternReader:
    """Reads documents with the patterns of a file."""

    def __init__(self, patterns: PatternSet, categories: Categories) -> None:
        self.categories = categories
        self._chunker = Chunker(patterns)

    def read(self, id: str, text: str) -> DocumentReading:
        """A text in sentences of chunks, with the patterns that match."""
        return DocumentReading(self._chunker, self.categories, id, text)

    def marks(self, id: str, text: str) -> MarkedText:
        """The marks on a text: mentions of entities, then findings in the order of the text."""
        reading = self.read(id, text)
        return _Marking(reading, reading.findings()).marked()


class _Marking:
    """Findings of a document as marks."""

    def __init__(self, reading: DocumentReading, findings: Sequence[Finding]) -> None:
        self._reading, self._findings = reading, findings
        self._marks: list[TextMark] = []
        self._mentions: dict[tuple[int, int, str, str], str] = {}
        """The mark at a place, by the entity's id and category."""
        self._of_entity: dict[EntityId, list[tuple[int, str]]] = defaultdict(list)
        """Where an entity is mentioned, and by which marks."""
        self._last_in_chain: dict[tuple[str, EntityId], str] = {}

    def marked(self) -> MarkedText:
        self._mark_mentions()
        ordered = sorted(enumerate(self._findings), key=lambda pair: (pair[1].start, pair[0]))
        for number, (_, finding) in enumerate(ordered, 1):
            self._mark_finding(f"E{number}", finding)
        reading = self._reading
        return MarkedText(reading.id, reading.text, tuple(self._marks), reading.patterns.file)

    def _mark_mentions(self) -> None:
        """Mark entities: those that matches name, those of the same names, and those of lists."""
        reading = self._reading
        for entity, chunk in reading.named:
            self._mention(entity, chunk)
        type_of = {id: type for type, id in self._of_entity}
        for sentence in reading.sentences:
            for item in sentence.items:
                name = "-".join(item.value) if item.type == NAME and len(item.value) > 1 else ""
                if name in type_of:
                    self._mention((type_of[name], name), item)
        for sentence in reading.sentences:
            for item in _with_those_within(sentence.items):
                type = reading.patterns.types.get(item.type)
                if type is not None and type.category and item.type != NAME:
                    id = reading.entity(item, type)
                    if id is not None and item.value != "pronoun":
                        self._mention((type.name, id), item)
        for places in self._of_entity.values():
            places.sort()

    def _mention(self, entity: EntityId, chunk: TextChunk) -> str:
        """The id of the mark on a mention of an entity; it is made if there is none yet."""
        type, id = entity
        entity_type = self._reading.patterns.types[type]
        start, end = chunk.span
        place = (start, end, id, entity_type.category)
        if place in self._mentions:
            return self._mentions[place]
        mark_id = f"T{len(self._mentions) + 1}"
        self._mentions[place] = mark_id
        self._of_entity[entity].append((start, mark_id))
        attributes = self._reading.categories.categories[entity_type.category].attributes
        values = {**entity_type.values, **chunk.values, **self._reading.stated[entity]}
        if entity_type.full and chunk.type == NAME and _is_full(chunk.value, id):
            values[entity_type.full] = " ".join(chunk.value)
        values = {name: value for name, value in values.items() if name in attributes}
        values[ENTITY] = _name(id)
        self._marks.append(TextMark(mark_id, entity_type.category, ((start, end),), values))
        return mark_id

    def _mark_finding(self, id: str, finding: Finding) -> None:
        """Mark a finding, unless it lacks what its category needs or would state nothing."""
        category = self._reading.categories.categories[finding.category]
        values, links = self._filled(finding, category)
        chain = self._reading.patterns.chains.get(finding.category)
        if not _is_complete(category, values, links) or (chain and chain.by not in links):
            return
        if not self._states(category, {*values, *links}):
            return
        if chain is not None:
            key = (finding.category, finding.entities[chain.by])
            if key in self._last_in_chain and chain.after:
                links[chain.after] = self._last_in_chain[key]
            elif key not in self._last_in_chain and chain.first:
                values[chain.first] = True
            self._last_in_chain[key] = id
        if finding.probability is not None:
            values[PROBABILITY] = finding.probability
        self._marks.append(
            TextMark(id, finding.category, ((finding.start, finding.end),), values, links)
        )

    def _filled(
        self, finding: Finding, category: Category
    ) -> tuple[dict[str, Any], dict[str, str]]:
        """The values of a finding and its lines to mentions, with what it inherits."""
        values, links = dict(finding.values), dict[str, str]()
        rules = defaultdict(ScopeRule, self._reading.patterns.scopes)
        for name, value in finding.inherited.items():
            if isinstance(value, tuple):
                if rules[name].first and value in finding.entities.values():
                    continue  # nobody is his own parent
                finding.entities.setdefault(name, value)
            else:
                values.setdefault(name, value)
        for name, entity in finding.entities.items():
            if name in finding.mentions:
                target: str | None = self._mention(entity, finding.mentions[name])
            else:
                target = self._nearest(entity, finding.start)
            if target is not None and name in category.relations:
                links[name] = target
            elif name in category.attributes:
                values[name] = entity[1].replace("-", " ")
        return values, links

    def _states(self, category: Category, names: set[str]) -> bool:
        """Whether a mark with these values and relations yields a statement."""
        objects = self._reading.categories.objects

        def has(hole: str) -> bool:
            if hole in names or hole in (ID, COUNTER):
                return True
            attribute = category.attributes.get(hole)
            if attribute is not None:
                return attribute.default is not None or attribute.words
            return hole in objects and all(map(has, objects[hole].holes))

        return any(all(map(has, template.holes)) for template in category.templates)

    def _nearest(self, entity: EntityId, place: int) -> str | None:
        """The last mention before a place, else the first."""
        places = self._of_entity.get(entity, ())
        before = [mark for start, mark in places if start <= place]
        if before:
            return before[-1]
        return places[0][1] if places else None


def _is_complete(category: Category, values: Mapping[str, Any], links: Mapping[str, str]) -> bool:
    """Whether a mark has everything that its category needs."""
    has_values = all(
        not attribute.required or name in values or attribute.words
        for name, attribute in category.attributes.items()
    )
    return has_values and all(
        relation.optional or name in links for name, relation in category.relations.items()
    )


def _is_full(words: Sequence[str], id: str) -> bool:
    """Whether words are a whole name, with given name and surname."""
    return "-".join(words) == id and (len(words) > 1 or not words[0].isascii())


def _with_those_within(items: Sequence[TextChunk]) -> Iterator[TextChunk]:
    """Chunks, and those in the slots of each."""
    for item in items:
        yield item
        yield from _with_those_within([chunk for _, chunk in item.slots])


def _name(id: str) -> str:
    """An id as a name of the graph notation."""
    return re.sub(r"[^\w.'’-]+", "-", id).strip("-.'’")

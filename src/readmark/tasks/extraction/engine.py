"""Patterns over a text: what they find becomes marks.

In each sentence names, numbers and entities become chunks (:mod:`chunks`); patterns match over them
(:mod:`matches`); matches are read in the order of the text (:mod:`findings`), and whose they are is
decided over the whole document (:mod:`ownership`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
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
from readmark.tasks.extraction.findings import DocumentReading
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
        self._of_entity: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)

    def marked(self) -> MarkedText:
        reading = self._reading
        for entity, chunk in reading.named:
            self._mention(entity, chunk)
        known = {id: type for type, id in self._of_entity}
        for sentence in reading.sentences:
            for item in sentence.items:
                name = "-".join(item.value) if item.type == NAME and len(item.value) > 1 else ""
                if name in known:
                    self._mention((known[name], name), item)
        for sentence in reading.sentences:
            for item in _flat(sentence.items):
                type = reading.patterns.types.get(item.type)
                if type is not None and type.category and item.type != NAME:
                    id = reading.entity(item, type)
                    if id is not None and item.value != "pronoun":
                        self._mention((type.name, id), item)
        for places in self._of_entity.values():
            places.sort()
        chains: dict[tuple[str, Any], str] = {}
        ordered = sorted(enumerate(self._findings), key=lambda pair: (pair[1].start, pair[0]))
        for number, (_, finding) in enumerate(ordered, 1):
            self._finding(f"E{number}", finding, chains)
        return MarkedText(reading.id, reading.text, tuple(self._marks), reading.patterns.file)

    def _mention(self, entity: tuple[str, str], chunk: TextChunk) -> str:
        type, id = entity
        start, end = chunk.span
        place = (start, end, id, self._reading.patterns.types[type].category)
        known = self._mentions.get(place)
        if known is None:
            known = f"T{len(self._mentions) + 1}"
            self._mentions[place] = known
            self._of_entity[entity].append((start, known))
            of = self._reading.patterns.types[type]
            attributes = self._reading.categories.categories[of.category].attributes
            values = {**of.values, **chunk.values, **self._reading.stated[entity]}
            if of.full and chunk.type == NAME and _is_full(chunk.value, id):
                values[of.full] = " ".join(chunk.value)
            own = {name: value for name, value in values.items() if name in attributes}
            own[ENTITY] = _name(id)
            self._marks.append(TextMark(known, of.category, ((start, end),), own))
        return known

    def _finding(self, id: str, finding: Finding, chains: dict[tuple[str, Any], str]) -> None:
        category = self._reading.categories.categories[finding.category]
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
            chunk = finding.mentions.get(name)
            target = (
                self._mention(entity, chunk)
                if chunk is not None
                else self._nearest(entity, finding.start)
            )
            if target is not None and name in category.relations:
                links[name] = target
            elif name in category.attributes:
                values[name] = entity[1].replace("-", " ")
        chain = self._reading.patterns.chains.get(finding.category)
        complete = all(
            not of.required or name in values or of.words
            for name, of in category.attributes.items()
        ) and all(of.optional or name in links for name, of in category.relations.items())
        if not complete or (chain is not None and chain.by not in links):
            return
        if not self._states(category, {*values, *links}):
            return
        if chain is not None and chain.by in links:
            key = (finding.category, finding.entities[chain.by])
            if key in chains and chain.after:
                links[chain.after] = chains[key]
            elif key not in chains and chain.first:
                values[chain.first] = True
            chains[key] = id
        if finding.probability is not None:
            values[PROBABILITY] = finding.probability
        self._marks.append(
            TextMark(id, finding.category, ((finding.start, finding.end),), values, links)
        )

    def _states(self, category: Category, known: set[str]) -> bool:
        """Whether a mark with these values and relations yields a statement."""
        objects = self._reading.categories.objects

        def has(hole: str) -> bool:
            if hole in known or hole in (ID, COUNTER):
                return True
            attribute = category.attributes.get(hole)
            if attribute is not None:
                return attribute.default is not None or attribute.words
            return hole in objects and all(map(has, objects[hole].holes))

        return any(all(map(has, template.holes)) for template in category.templates)

    def _nearest(self, entity: tuple[str, str], place: int) -> str | None:
        """The last mention before a place, else the first."""
        places = self._of_entity.get(entity, ())
        before = [mark for start, mark in places if start <= place]
        return before[-1] if before else places[0][1] if places else None


def _is_full(words: Sequence[str], id: str) -> bool:
    """Whether words are a whole name, with given name and surname."""
    return "-".join(words) == id and (len(words) > 1 or not words[0].isascii())


def _flat(items: Sequence[TextChunk]) -> Iterator[TextChunk]:
    for item in items:
        yield item
        yield from _flat([chunk for _, chunk in item.slots])


def _name(id: str) -> str:
    return re.sub(r"[^\w.'’-]+", "-", id).strip("-.'’")

"""What the training documents teach besides patterns, and the documents as the engine sees them.

A lexicon has the types, the words that tell of a category, and who is meant where nobody is named.
It is written as the tables of a ``patterns.toml`` that the patterns need.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from readmark.tasks.categories.definitions import ENTITY, Categories
from readmark.tasks.extraction.chunks import TextChunk
from readmark.tasks.extraction.engine import PatternReader
from readmark.tasks.extraction.findings import DocumentReading
from readmark.tasks.extraction.induction.lessons import (
    HAN,
    NOTHING,
    Lesson,
    TypeFacts,
    TypeLearner,
    escaped,
    names_entity,
    phrase_tables,
    quoted,
    type_table,
)
from readmark.tasks.extraction.notation import PATTERNS, read_patterns
from readmark.tasks.extraction.pattern_set import NAME

TRIGGER = 0.5
"""Share of a word's sentences that must be marked so that it tells of a category."""
ALIKE = {"he": ("he", "she"), "his": ("his", "her"), "ta": ("他", "她")}
"""Words that patterns take for each other."""
STOP = "stop"
STOPS = (
    ",",
    ".",
    ";",
    ")",
    "at",
    "in",
    "on",
    "and",
    "after",
    "from",
    "for",
    "to",
    "when",
    "while",
    "，",
    "。",
    "；",
    "、",
    "）",
    "在",
    "于",
    "和",
    "并",
    "去",
    "逝",
    "的",
)
"""Words that end a few words of any kind."""
_STRATEGIES = ("first", "opening", "last")
"""Who is meant where nobody is named: the first of the document, of a sentence, or the last."""
IT = "_it"
"""The slot of the entity that a pattern is about."""
DUMMY = ("[[pattern]]", f'find = "{NOTHING}"', "hide = true")
"""A file needs a pattern."""


class LearntLexicon:
    """The types, words and scopes that lessons teach, and a reading of each training document."""

    def __init__(
        self,
        texts: Mapping[str, str],
        lessons: Sequence[Lesson],
        categories: Categories,
    ) -> None:
        self.texts, self.lessons, self.categories = texts, lessons, categories
        self.of_document: dict[str, list[Lesson]] = defaultdict(list)
        for lesson in lessons:
            self.of_document[lesson.document].append(lesson)
        self.entity_words: dict[str, dict[str, str]] = defaultdict(dict)
        """Document -> words in lower case -> the entity that they name."""
        self.entity_spans: dict[str, list[tuple[int, int, str, str]]] = defaultdict(list)
        """Document -> where entities of which category are named."""
        for lesson in lessons:
            text = texts[lesson.document]
            for role in lesson.roles:
                if role.name == ENTITY and role.span is not None:
                    named = (*role.span, lesson.category, role.value)
                    self.entity_spans[lesson.document].append(named)
                if role.span is not None and names_entity(
                    categories.categories[lesson.category], role.name
                ):
                    words = " ".join(text[slice(*role.span)].lower().split())
                    self.entity_words[lesson.document].setdefault(words, role.value)
        learner = TypeLearner(texts, lessons, categories)
        self.types, self.values = learner.types, learner.values
        self.triggers: dict[str, list[str]] = {}
        self.scopes: dict[str, str] = {}
        self._read()
        self._choose_scopes()
        self._find_triggers()

    def type_of(self, category: str, role: str) -> TypeFacts | None:
        """The type of what fills a role."""
        if role == ENTITY:
            return self.types.get(category)
        relation = self.categories.categories[category].relations.get(role)
        return self.types.get(relation.targets[0]) if relation is not None else None

    def preamble(self, without: str | None = None) -> list[str]:
        """The tables of words, types and scopes, as lines of TOML.

        ``without`` leaves out the names that only one document has.
        """
        lines: list[str] = []
        phrases: list[str] = []
        lists = {list_name(name): words for name, words in self.triggers.items() if words}
        chinese = any(map(HAN.search, self.texts.values()))
        lists |= {
            name: list(words)
            for name, words in ALIKE.items()
            if chinese or not HAN.search(words[0])
        }
        lists[STOP] = list(STOPS)
        if lists:
            lines.append("[words]")
            for name, words in lists.items():
                entries = ", ".join(quoted(escaped(word)) for word in words)
                lines.append(f"{name} = [{entries}]")
            lines.append("")
        for facts in self.types.values():
            if facts.is_found:
                lines += type_table(facts, without)
        for facts in self.types.values():
            if facts.is_found:
                phrases += phrase_tables(facts, without)
        for (category, role), values in self.values.items():
            lines += [f"[type.{value_type(category, role)}.entities]"]
            for value, words in values.items():
                lines.append(f"{quoted(value)} = [{', '.join(map(quoted, words))}]")
            lines.append("")
        for scope, strategy in self.scopes.items():
            lines.append(f"[scope.{scope}]")
            if strategy == "first":
                lines.append("first = true")
            lines.append("")
        return lines + phrases

    def setters(self) -> list[str]:
        """Patterns that set the scopes, as lines of TOML."""
        by_type: dict[tuple[str, str], list[str]] = defaultdict(list)
        for scope, strategy in self.scopes.items():
            facts = self.scope_type(scope)
            if facts is not None:
                by_type[facts.name, strategy].append(scope)
        lines = []
        for (type, strategy), scopes in by_type.items():
            sets = ", ".join(f'{scope} = "{{_it}}"' for scope in scopes)
            find = f"^ ...2 {{_it:{type}}}" if strategy == "opening" else f"{{_it:{type}}}"
            lines += ["[[pattern]]", f"find = {quoted(find)}", f"set = {{ {sets} }}", ""]
        return lines

    def scope_type(self, scope: str) -> TypeFacts | None:
        """The type of what a scope holds."""
        for category in self.categories.categories.values():
            if scope in category.relations:
                return self.types.get(category.relations[scope].targets[0])
        return None

    def _read(self) -> None:
        self.readings: dict[str, DocumentReading] = {}
        for id, text in self.texts.items():
            file = "\n".join([*self.preamble(id), *DUMMY])
            patterns = read_patterns(file, PATTERNS, self.categories)
            assert patterns is not None
            self.readings[id] = PatternReader(patterns, self.categories).read(id, text)
            for sentence in self.readings[id].sentences:
                sentence.render(self.readings[id].chunks)

    def places(self, id: str, type: TypeFacts) -> list[tuple[int, bool, str]]:
        """Where things of a type are named, whether at a sentence's beginning, and which."""
        accepted = {type.name, NAME} if type.names else {type.name}
        reading = self.readings[id]
        return [
            (item.start, place < 3, self.entity(id, item, type))
            for sentence in reading.sentences
            for place, item in enumerate(sentence.items)
            if item.type in accepted
        ]

    def entity(self, id: str, chunk: TextChunk, type: TypeFacts) -> str:
        """The entity of the annotation that a chunk names, or what the engine calls it."""
        start, end = chunk.span
        for first, last, category, entity in self.entity_spans[id]:
            if category == type.category and first < end and start < last:
                return entity
        reading = self.readings[id]
        known = self.entity_words[id]
        words = " ".join(reading.text[slice(*chunk.span)].lower().split())
        if words in known:
            return known[words]
        spec = reading.patterns.types.get(type.name)
        named = reading.entity(chunk, spec) if spec is not None else None
        return known.get((named or words).replace("-", " ").lower(), named or words)

    def _choose_scopes(self) -> None:
        """For each relation that is often not in the words: who is meant then."""
        implicit: dict[str, list[tuple[Lesson, str]]] = defaultdict(list)
        stated: Counter[str] = Counter()
        of = Counter(lesson.category for lesson in self.lessons)
        given = Counter(
            (lesson.category, role.name) for lesson in self.lessons for role in lesson.roles
        )
        for lesson in self.lessons:
            category = self.categories.categories[lesson.category]
            for name, relation in category.relations.items():
                value = lesson.value(name)
                facts = self.types.get(relation.targets[0])
                if value is None or facts is None or not facts.is_found:
                    continue
                if relation.optional and given[lesson.category, name] < 0.8 * of[lesson.category]:
                    continue
                stated[name] += 1
                role = next(role for role in lesson.roles if role.name == name)
                if role.span is None:
                    implicit[name].append((lesson, value))
        for name, cases in sorted(implicit.items()):
            if len(cases) < 0.1 * stated[name]:
                continue
            facts = self.scope_type(name)
            assert facts is not None
            hits: Counter[str] = Counter()
            for lesson, value in cases:
                places = self.places(lesson.document, facts)
                for strategy in _STRATEGIES:
                    hits[strategy] += meant_at(places, strategy, lesson.fragments[0][0]) == value
            best = max(_STRATEGIES, key=lambda strategy: hits[strategy])
            if hits[best] >= 0.3 * len(cases):
                self.scopes[name] = best

    def _find_triggers(self) -> None:
        """Words that tell of a category: most sentences with them are marked so."""
        total: Counter[str] = Counter()
        marked: dict[str, Counter[str]] = defaultdict(Counter)
        sources: dict[tuple[str, str], set[str]] = defaultdict(set)
        for id, reading in self.readings.items():
            roles = [
                role.span
                for lesson in self.of_document[id]
                for role in lesson.roles
                if role.span is not None
            ]
            for sentence in reading.sentences:
                plain = [item for item in sentence.items if not item.type]
                total.update({word for word, _ in _grams(plain)})
                for lesson in self.of_document[id]:
                    category = self.categories.categories[lesson.category]
                    if category.id and not any(r.name != ENTITY for r in lesson.roles):
                        continue
                    inside = [
                        item
                        for item in plain
                        if any(a <= item.start and item.end <= b for a, b in lesson.fragments)
                        and not any(a <= item.start and item.end <= b for a, b in roles)
                    ]
                    for word in {word for word, _ in _grams(inside)}:
                        sources[lesson.category, word].add(f"{id}:{sentence.number}")
        for (name, word), places in sources.items():
            marked[name][word] = len(places)
        for name, counts in sorted(marked.items()):
            words = [
                word
                for word, count in sorted(counts.items())
                if count >= 2
                and count >= TRIGGER * total[word]
                and len({place.rsplit(":", 1)[0] for place in sources[name, word]}) > 1
                and re.search(r"\w", word)
            ]
            # A longer run of characters says what a shorter one in it does.
            self.triggers[name] = [
                word
                for word in words
                if not any(
                    word != other and word in other and counts[other] >= 0.8 * counts[word]
                    for other in words
                )
                or not HAN.search(word)
            ]


def meant_at(places: Sequence[tuple[int, bool, str]], strategy: str, at: int) -> str | None:
    """Who is meant at a place where nobody is named."""
    if strategy == "first":
        return places[0][2] if places else None
    before = [
        entity for start, opens, entity in places if start <= at and (opens or strategy == "last")
    ]
    return before[-1] if before else None


def _grams(items: Sequence[TextChunk]) -> Iterator[tuple[str, int]]:
    """Words, and runs of up to three Chinese characters."""
    for at, item in enumerate(items):
        text = item.text.lower()
        if not HAN.fullmatch(text):
            yield text, 1
            continue
        run = text
        yield run, 1
        for size in (2, 3):
            if at + size > len(items):
                break
            following = items[at + size - 1]
            if not HAN.fullmatch(following.text) or following.start != items[at + size - 2].end:
                break
            run += following.text
            yield run, size


def list_name(category: str) -> str:
    """The list of the words that tell of a category."""
    return f"tells_{category.lower()}"


def value_type(category: str, role: str) -> str:
    """The type of the words that say a role's values."""
    return f"{category}{role[:1].upper()}{role[1:]}"

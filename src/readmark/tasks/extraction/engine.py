"""Patterns over a text: entities and phrases are found, and matches become marks.

In each sentence names, numbers and entities become chunks; hidden stretches are taken out;
titles join their names; phrases become chunks; then patterns match, in the order of the file, and
each phrase is used once. Afterwards the matches are read in the order of the text: scopes are set
and inherited, names are resolved, and what an entity belongs to is decided over the whole document.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from readmark.tasks.categories.definitions import (
    ENTITY,
    ID,
    PROBABILITY,
    Categories,
    Category,
    MarkAttribute,
)
from readmark.tasks.categories.definitions import NUMBER as COUNTER
from readmark.tasks.categories.marks import MarkedText, TextMark
from readmark.tasks.categories.values import value_in_words
from readmark.tasks.extraction.notation import (
    DATE,
    NAME,
    NUMBER,
    TIMES,
    USED,
    WORDS,
    YEAR,
    EntityType,
    Expression,
    Ledger,
    MarkPattern,
    PatternSet,
    ScopeRule,
    SlotReference,
)
from readmark.tasks.extraction.tokens import TextToken, number_in, sentences_of

STRONG, FRESH = 6, 2
"""How much a stated membership, and a scope that was set in the same sentence, count against a
scope from before."""
NEAR = 40
"""How many characters after a finding a scope may still be its own."""
AGREES = 3
"""The agreement of findings with totals that they add up to as they mostly do."""
MOST_TIMES = 6
"""So many marks a phrase makes at most."""
MOST_DOUBTFUL = 8
"""So many members are tried with the other owner."""
_CAPITAL = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:['’-][^\W\d_]+)*\.?|(?:[A-Z]\.\s?)+")
_PARTICLES = frozenset(("de", "da", "del", "di", "la", "le", "van", "von", "der", "den", "du"))
_SUFFIXES = frozenset(("jr.", "jr", "sr.", "sr", "ii", "iii", "iv"))
COMMON_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an the in on at of to as by for with from after before during when while although "
        "though but and or so yet then thus however also both it its he his she her they their "
        "this that these those there here not no despite trailing coming following later early "
        "late meanwhile fortunately unfortunately afterwards eventually finally even once if "
        "because since until under over another each every neither either one two three four "
        "five next just still now what who which where how out up down off again some most many "
        "several all only first second third fourth having looking trying hoping entering leading "
        "facing playing immediately soon shortly midway moments hosting opening",
    )
)
"""Words that begin sentences and are no names."""
_DATE_START = re.compile(r"\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)
_DATE_ATTRIBUTE = MarkAttribute(type="date", words=True)


@dataclass(eq=False)
class TextChunk:
    """An item of a sentence: a word, or an entity, number or phrase with what is in it."""

    type: str
    start: int
    end: int
    text: str
    value: Any = None
    """A number or date, or the entities that the words may stand for."""
    slots: list[tuple[str, TextChunk]] = field(default_factory=list)
    values: Mapping[str, Any] = field(default_factory=dict)
    inner: tuple[int, int] | None = None
    """The name itself, where a title is part of the chunk."""
    index: int = 0
    used: bool = False
    part: bool = False

    @property
    def span(self) -> tuple[int, int]:
        """Where the words are that name it."""
        return self.inner or (self.start, self.end)


@dataclass(eq=False)
class ChunkedSentence:
    """The chunks of a sentence and their rendering as one string."""

    items: list[TextChunk]
    number: int
    places: list[int] = field(default_factory=list)
    present: set[str] = field(default_factory=set)
    """The types and words of its items."""
    rendering: str = ""

    def change(self, start: int, end: int, items: Sequence[TextChunk]) -> None:
        """Put other items in the place of some."""
        self.items[start:end] = items
        self.rendering = ""

    def render(self, chunks: list[TextChunk]) -> str:
        """Each item as a token; ``places`` has where each one starts."""
        if self.rendering:
            return self.rendering
        parts, at = [], 0
        self.places, self.present = [], set()
        for item in self.items:
            if item.type:
                if not item.index:
                    chunks.append(item)
                    item.index = len(chunks)
                number = f"={item.value}" if item.type in (NUMBER, YEAR) else ""
                name = USED if item.used else item.type
                part = f"⟦{name}#{item.index}{number}⟧ "
            else:
                part = item.text.lower() + " "
            self.present.add(name if item.type else item.text.lower())
            self.places.append(at)
            parts.append(part)
            at += len(part)
        self.rendering = "".join(parts)
        return self.rendering

    def item_at(self, place: int) -> int:
        """The item that starts at a place of the rendering, or after it."""
        return bisect.bisect_left(self.places, place)


@dataclass(eq=False)
class Match:
    """A pattern that matched: its slots and the rows of the phrases in it."""

    pattern: MarkPattern
    sentence: ChunkedSentence
    start: int
    end: int
    slots: dict[str, list[TextChunk]]
    phrases: list[TextChunk]

    def overlaps(self, other: Match) -> bool:
        """Whether both make marks of one category from some of the same words."""
        (start, end), (first, last) = self.core, other.core
        return self.pattern.mark == other.pattern.mark and start < last and first < end

    @property
    def core(self) -> tuple[int, int]:
        """Where its slots and phrases are, without the words around them."""
        chunks = [*self.phrases, *(one for several in self.slots.values() for one in several)]
        if not chunks:
            return self.start, self.end
        return min(one.start for one in chunks), max(one.end for one in chunks)


@dataclass(eq=False)
class Finding:
    """A mark to be: values by name, entities by name, and where its words are."""

    category: str
    start: int
    end: int
    values: dict[str, Any]
    entities: dict[str, tuple[str, str]]
    """Relation -> type and id."""
    mentions: dict[str, TextChunk]
    inherited: dict[str, Any] = field(default_factory=dict)
    probability: float | None = None
    pattern: str = ""
    decided: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def owners(self) -> dict[str, tuple[str, str]]:
        """Its entities, those that it inherits included."""
        inherited = {name: one for name, one in self.inherited.items() if isinstance(one, tuple)}
        return {**inherited, **self.entities}


class PatternReader:
    """Reads documents with the patterns of a file."""

    def __init__(self, patterns: PatternSet, categories: Categories) -> None:
        self.patterns, self.categories = patterns, categories
        self._lexicon: dict[str, list[tuple[tuple[str, ...], str, str]]] = defaultdict(list)
        for type in patterns.types.values():
            for id, names in type.entities.items():
                for name in names:
                    words = tuple(_cut(name))
                    if words:
                        self._lexicon[words[0]].append((words, type.name, id))
        for entries in self._lexicon.values():
            entries.sort(key=lambda entry: -len(entry[0]))
        self._shared = frozenset(
            word.lower() for type in patterns.types.values() for word in type.shared
        )
        self._never = frozenset(word for type in patterns.types.values() for word in type.never)
        self._pronouns = {
            word: type.name for type in patterns.types.values() for word in type.pronouns
        }
        self._has_names = any(type.names for type in patterns.types.values())
        self._phrase_types = {phrase.type for phrase in patterns.phrases} - patterns.types.keys()
        self._surnames = frozenset(one for type in patterns.types.values() for one in type.surnames)
        self._ends = tuple(one for type in patterns.types.values() for one in type.ends)

    def marks(self, id: str, text: str) -> MarkedText:
        """The marks on a text."""
        return DocumentReading(self, id, text).marked()

    # Entities, numbers and names of a sentence.

    def chunks(self, tokens: Sequence[TextToken], text: str) -> list[TextChunk]:
        """Words and what the lexicon and the shapes of words make of them."""
        found: list[TextChunk] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            length, chunk = self._entity(tokens, at, text)
            if chunk is not None and self._in_name(tokens, at, length):
                chunk = None
            if chunk is None:
                length, chunk = self._dated(tokens, at, text)
            if chunk is None and (number := number_in(token)) is not None:
                is_year = (
                    isinstance(number, int) and 1000 <= number <= 2100 and token.kind == "number"
                )
                kind = YEAR if is_year else NUMBER
                length, chunk = 1, TextChunk(kind, token.start, token.end, token.text, number)
            if chunk is None and token.text.lower() in self._pronouns:
                type = self._pronouns[token.text.lower()]
                length, chunk = 1, TextChunk(type, token.start, token.end, token.text, "pronoun")
            if chunk is None and self._has_names:
                length, chunk = self._named(tokens, at, text, first=not found)
            if chunk is None:
                length, chunk = 1, TextChunk("", token.start, token.end, token.text)
            found.append(chunk)
            at += length
        return found

    def _entity(
        self, tokens: Sequence[TextToken], at: int, text: str
    ) -> tuple[int, TextChunk | None]:
        first = tokens[at].text.lower()
        longest, ids, type = 0, list[str](), ""
        for words, of, id in self._lexicon.get(first, ()):
            size = len(words)
            if size < longest or at + size > len(tokens):
                continue
            if all(tokens[at + k].text.lower() == words[k] for k in range(1, size)):
                if not tokens[at].text[:1].isupper() and _is_proper(words, self, of, id):
                    continue
                if size > longest:
                    longest, ids, type = size, [id], of
                elif of == type and id not in ids:
                    ids.append(id)
        if not longest:
            return 1, None
        start, end = tokens[at].start, tokens[at + longest - 1].end
        return longest, TextChunk(type, start, end, text[start:end], tuple(ids))

    def _in_name(self, tokens: Sequence[TextToken], at: int, length: int) -> bool:
        """Whether a word that entities share with people's names is in such a name here."""
        if length > 1 or tokens[at].text.lower() not in self._shared:
            return False
        before = tokens[at - 1] if at > 1 else None
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        return any(
            token is not None and self._is_name(token) and token.text.lower() not in self._lexicon
            for token in (before, after)
        )

    def _is_name(self, token: TextToken) -> bool:
        text = token.text
        return (
            text[:1].isupper()
            and bool(_CAPITAL.fullmatch(text))
            and text.lower() not in self._never
            and text.lower() not in COMMON_WORDS
        )

    def _dated(
        self, tokens: Sequence[TextToken], at: int, text: str
    ) -> tuple[int, TextChunk | None]:
        if not _DATE_START.match(tokens[at].text):
            return 1, None
        for size in (5, 4, 3, 6):
            if at + size > len(tokens):
                continue
            start, end = tokens[at].start, tokens[at + size - 1].end
            words = text[start:end]
            if not any(character.isdigit() for character in words) or end - start > 30:
                continue
            found = value_in_words(_DATE_ATTRIBUTE, words)
            if found is not None and found[1] == (0, len(words)):
                return size, TextChunk(DATE, start, end, words, found[0].lexical)
        return 1, None

    def _named(
        self, tokens: Sequence[TextToken], at: int, text: str, *, first: bool
    ) -> tuple[int, TextChunk | None]:
        """A run of capitalised words; a sentence's first word counts only within one."""
        size = 0
        while at + size < len(tokens):
            token = tokens[at + size]
            lower = token.text.lower()
            if size and lower in _SUFFIXES:
                size += 1
                break
            following = tokens[at + size + 1] if at + size + 1 < len(tokens) else None
            if size and token.text in _PARTICLES and following and self._is_name(following):
                size += 1
                continue
            if not self._is_name(token) or (lower in self._never):
                break
            is_entity = size and self._entity(tokens, at + size, text)[1] is not None
            if is_entity and not self._in_name(tokens, at + size, 1):
                break
            size += 1
        rest = [token.text.lower() for token in tokens[at + size : at + size + 2]]
        if size and rest[:1] == [","] and rest[-1] in _SUFFIXES:
            size += 2
        if not size:
            return 1, None
        start, end = tokens[at].start, tokens[at + size - 1].end
        words = tuple(token.text for token in tokens[at : at + size] if token.text != ",")
        chunk = TextChunk(NAME, start, end, text[start:end], words)
        chunk.used = False
        if first and size == 1:
            chunk.values = {"doubtful": True}
        return size, chunk


def _is_proper(words: tuple[str, ...], reader: PatternReader, type: str, id: str) -> bool:
    """Whether an entity's name is written with a capital, so that a small one is another word."""
    names = reader.patterns.types[type].entities[id]
    return any(tuple(_cut(name)) == words and name[:1].isupper() for name in names)


def _cut(name: str) -> list[str]:
    from readmark.tasks.extraction.tokens import token_texts

    return [word.lower() for word in token_texts(name)]


class DocumentReading:
    """A document as a reader sees it: its sentences as chunks, and what patterns find in them."""

    def __init__(self, reader: PatternReader, id: str, text: str) -> None:
        self.reader, self.patterns = reader, reader.patterns
        self.id, self.text = id, text
        self.chunks: list[TextChunk] = []
        self.sentences: list[ChunkedSentence] = []
        self.hidden: list[TextChunk] = []
        self.memory: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.evidence: Counter[tuple[str, str]] = Counter()
        """How much more than a scope from before says what a member belongs to."""
        self.last: dict[str, str] = {}
        self.seen: dict[tuple[str, str], int] = {}
        self.named: list[tuple[tuple[str, str], TextChunk]] = []
        self.stated: dict[tuple[str, str], dict[str, Any]] = defaultdict(dict)
        self.worded: dict[str, list[str]] = defaultdict(list)
        for number, tokens in enumerate(sentences_of(text)):
            self.sentences.append(ChunkedSentence(reader.chunks(tokens, text), number))
        self._full_names = self._known_names()
        by_first = any(type.first for type in self.patterns.types.values())
        self._first_names = {
            words[0] for several in self._full_names.values() for words in several if by_first
        }
        for sentence in self.sentences:
            self._settle_doubtful(sentence)
            self._hide(sentence)
        self.pairs = self._pairs()
        for sentence in self.sentences:
            self._join_titles(sentence)
            self._join_phrases(sentence, entities=True)
            self._join_han_names(sentence)
        self.matches = [match for one in self.sentences for match in self._matches(one, early=True)]
        for sentence in self.sentences:
            self._join_phrases(sentence, entities=False)
        self.matches += [match for one in self.sentences for match in self._matches(one)]
        self.resolved: dict[int, str] = {}

    def _known_names(self) -> dict[str, list[tuple[str, ...]]]:
        """Full names by their last word, and by their first."""
        found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for sentence in self.sentences:
            for item in sentence.items:
                if item.type == NAME and len(item.value) > 1:
                    words = tuple(item.value)
                    for key in {_last(words), " ".join(words[1:])}:
                        if words not in found[key]:
                            found[key].append(words)
        return found

    def _settle_doubtful(self, sentence: ChunkedSentence) -> None:
        """A capitalised first word is a name only where the document knows it as one."""
        first = sentence.items[0] if sentence.items else None
        if first is not None and first.type == NAME and len(first.value) > 2:
            rest = tuple(first.value[1:])
            if rest in self._full_names.get(_last(rest), ()):  # "Yesterday Ann Bell"
                cut = self.text.index(rest[0], first.start)
                word = TextChunk("", first.start, first.start + len(first.value[0]), first.value[0])
                name = TextChunk(NAME, cut, first.end, self.text[cut : first.end], rest)
                sentence.change(0, 1, [word, name])
        for item in sentence.items:
            if item.type == NAME and item.values.get("doubtful"):
                known = item.text in self._full_names or item.text in self._first_names
                if not known and not self._elsewhere(item.text):
                    item.type, item.value = "", None
                    sentence.rendering = ""
                item.values = {}

    def _elsewhere(self, word: str) -> bool:
        return any(
            item.type == NAME and item.text == word and not item.values.get("doubtful")
            for sentence in self.sentences
            for item in sentence.items
        )

    # Stretches that become one chunk, or none.

    def _hide(self, sentence: ChunkedSentence) -> None:
        for pattern in self.patterns.hiding:
            for find in pattern.finds:
                while True:
                    match = self._search(find, sentence)
                    if match is None or match.start() == match.end():
                        break
                    start, end = sentence.item_at(match.start()), sentence.item_at(match.end())
                    self.hidden += sentence.items[start:end]
                    sentence.change(start, end, ())

    def _search(self, find: Expression, sentence: ChunkedSentence) -> re.Match[str] | None:
        rendering = sentence.render(self.chunks)
        if not find.may_match(sentence.present):
            return None
        return find.regex.search(rendering)

    def _join_titles(self, sentence: ChunkedSentence) -> None:
        for type in self.patterns.types.values():
            for find in (*type.titles, *type.tails):
                is_tail = find in type.tails
                rendering = sentence.render(self.chunks)
                if not find.may_match(sentence.present):
                    continue
                places = sentence.places
                for match in reversed(list(find.regex.finditer(rendering))):
                    start = bisect.bisect_left(places, match.start())
                    end = bisect.bisect_left(places, match.end())
                    name = sentence.items[start if is_tail else end - 1]
                    if end - start < 2 or (name.inner is not None and not is_tail):
                        continue
                    slots, _ = self.slots(find, match, sentence)
                    first, last = sentence.items[start].start, sentence.items[end - 1].end
                    own = [(slot, chunk) for slot, several in slots.items() for chunk in several]
                    joined = TextChunk(
                        NAME,
                        first,
                        last,
                        self.text[first:last],
                        name.value,
                        [*name.slots, *own],
                        inner=name.span,
                    )
                    sentence.change(start, end, [joined])

    def _join_phrases(self, sentence: ChunkedSentence, *, entities: bool) -> None:
        for phrase in self.patterns.phrases:
            if (phrase.type in self.patterns.types) != entities:
                continue
            for find in phrase.finds:
                rendering = sentence.render(self.chunks)
                if not find.may_match(sentence.present):
                    continue
                places = sentence.places
                for match in reversed(list(find.regex.finditer(rendering))):
                    start = bisect.bisect_left(places, match.start())
                    end = bisect.bisect_left(places, match.end())
                    if start == end:
                        continue
                    slots, phrases = self.slots(find, match, sentence)
                    values = dict(phrase.values)
                    for inner in phrases:
                        values = {**inner.values, **values}
                    own = [(slot, chunk) for slot, several in slots.items() for chunk in several]
                    own += [pair for inner in phrases for pair in inner.slots]
                    first, last = sentence.items[start], sentence.items[end - 1]
                    chunk = TextChunk(
                        phrase.type,
                        first.start,
                        last.end,
                        self.text[first.start : last.end],
                        self._worded(phrase.type, self.text[first.start : last.end]),
                        own,
                        values,
                        part=phrase.part,
                    )
                    sentence.change(start, end, [chunk])

    def _worded(self, type: str, words: str) -> tuple[str, ...] | None:
        """The entity that words name by themselves, where the type is one of entities."""
        if type not in self.patterns.types:
            return None
        if words not in self.worded[type]:
            self.worded[type].append(words)
        return (words,)

    def _join_han_names(self, sentence: ChunkedSentence) -> None:
        """Chinese names: a surname and one or two characters.

        The second belongs to the name unless the document has the shorter name with several
        endings and repeats none of them.
        """
        surnames, items = self.reader._surnames, sentence.items
        for at in range(len(items) - 2, -1, -1) if surnames else ():
            first = items[at]
            if first.type or first.text not in surnames:
                continue
            size = 1
            while size < 3 and at + size < len(items) and self._goes_on(items, at + size):
                size += 1
            if size == 3:
                two = self.text[first.start : first.start + 2]
                endings = Counter(re.findall(re.escape(two) + r"(.)", self.text))
                if endings.total() > 1 == max(endings.values()):
                    size = 2
            while size > 1 and self.text.startswith(self.reader._ends, items[at + size - 1].end):
                size -= 1
            if size > 1:
                last = items[at + size - 1]
                words = self.text[first.start : last.end]
                items[at : at + size] = [TextChunk(NAME, first.start, last.end, words, (words,))]
                sentence.rendering = ""

    def _goes_on(self, items: Sequence[TextChunk], at: int) -> bool:
        item = items[at]
        return (
            (not item.type or item.type == NUMBER)
            and "\u4e00" <= item.text <= "\u9fff"
            and len(item.text) == 1
            and item.text not in self.reader._never
            and item.start == items[at - 1].end
        )

    def slots(
        self, find: Expression, match: re.Match[str], sentence: ChunkedSentence
    ) -> tuple[dict[str, list[TextChunk]], list[TextChunk]]:
        """Chunks by slot, in the order of the text, and the phrases that matched."""
        placed: list[tuple[int, str, TextChunk]] = []
        phrases: list[tuple[int, TextChunk]] = []
        self._collect(find, match, sentence, placed, phrases)
        slots: dict[str, list[TextChunk]] = {}
        for _, name, chunk in sorted(placed, key=lambda each: each[0]):
            slots.setdefault(name, []).append(chunk)
        return slots, [chunk for _, chunk in sorted(phrases, key=lambda each: each[0])]

    def _collect(
        self,
        find: Expression,
        match: re.Match[str],
        sentence: ChunkedSentence,
        placed: list[tuple[int, str, TextChunk]],
        phrases: list[tuple[int, TextChunk]],
    ) -> None:
        for slot in find.slots:
            text = match[slot.group]
            if text is None or match.start(slot.group) >= match.end():  # what only follows
                continue
            chunk = self._chunk_of(slot.type, text, sentence, match.span(slot.group))
            if chunk.type in self.reader._phrase_types:
                phrases.append((match.start(slot.group), chunk))
            elif slot.name:
                placed.append((match.start(slot.group), slot.name, _Typed.of(chunk, slot.type)))
        for group, inner in find.repeats:
            if match[group]:
                start, end = match.span(group)
                for round in inner.regex.finditer(match.string, start, end):
                    self._collect(inner, round, sentence, placed, phrases)

    def _chunk_of(
        self, type: str, text: str, sentence: ChunkedSentence, span: tuple[int, int]
    ) -> TextChunk:
        if type == WORDS:
            return TextChunk(WORDS, 0, 0, text.strip(), text.strip())
        if not text.startswith("⟦"):
            first, last = sentence.item_at(span[0]), sentence.item_at(span[1]) - 1
            start, end = sentence.items[first].start, sentence.items[last].end
            words = self.text[start:end]
            return TextChunk(type, start, end, words, self._worded(type, words))
        found = re.match(r"⟦[^#]*#(\d+)", text)
        assert found is not None
        return self.chunks[int(found[1]) - 1]

    def _matches(self, sentence: ChunkedSentence, *, early: bool = False) -> Iterator[Match]:
        rendering = sentence.render(self.chunks)
        made: list[Match] = []
        for pattern in self.patterns.patterns:
            if pattern.hide or pattern.early != early:
                continue
            for find in pattern.finds:
                if not find.may_match(sentence.present):
                    continue
                at = 0
                while (match := find.regex.search(rendering, at)) is not None:
                    if match.end() == match.start():
                        break
                    slots, phrases = self.slots(find, match, sentence)
                    first = sentence.items[sentence.item_at(match.start())]
                    last = sentence.items[sentence.item_at(match.end()) - 1]
                    found = Match(pattern, sentence, first.start, last.end, slots, phrases)
                    at = match.end()
                    # What only words say must not be in the words of an earlier mark.
                    bare = pattern.mark and all(phrase.part for phrase in phrases)
                    if bare and any(one.phrases and one.overlaps(found) for one in made):
                        continue
                    if pattern.mark:
                        made.append(found)
                    yield found
                    if phrases:
                        for phrase in phrases:
                            phrase.used = True
                        sentence.rendering = ""
                        rendering = sentence.render(self.chunks)
                        at = (
                            sentence.places[sentence.items.index(last)]
                            if last in sentence.items
                            else 0
                        )
                        if last in phrases:
                            at += 1

    # Who is who.

    def _pairs(self) -> dict[str, tuple[str, ...]]:
        """The two entities of a type that a document is about: those that it names most."""
        found: dict[str, tuple[str, ...]] = {}
        for type in self.patterns.types.values():
            if not type.pair:
                continue
            counts: Counter[str] = Counter()
            for sentence in self.sentences:
                for item in sentence.items:
                    ids = item.value if item.type == type.name else None
                    if isinstance(ids, tuple) and len(ids) == 1:
                        counts[ids[0]] += 1
            unsure = [
                item.value
                for sentence in self.sentences
                for item in sentence.items
                if item.type == type.name and isinstance(item.value, tuple) and len(item.value) > 1
            ]
            for ids in unsure:
                known = [id for id in ids if id in counts]
                counts[known[0] if known else ids[0]] += 1
            order = {id: place for place, id in enumerate(counts)}
            ranked = sorted(counts, key=lambda id: (-counts[id], order[id]))
            found[type.name] = tuple(sorted(ranked[:2], key=order.__getitem__))
        return found

    def entity(self, chunk: TextChunk, type: EntityType, near: str | None = None) -> str | None:
        """The entity that a chunk names; ``near`` is what it most likely belongs to."""
        if chunk.value == "pronoun":
            return self.last.get(type.name)
        if chunk.type != NAME:
            ids = chunk.value if isinstance(chunk.value, tuple) else ()
            pair = self.pairs.get(type.name)
            if pair is not None:
                known = [id for id in ids if id in pair]
                return known[0] if known else None
            return self._longest(ids[0], type) if ids else None
        words = tuple(chunk.value)
        if not type.surname or (len(words) > 1 and words in self._full_names[_last(words)]):
            return "-".join(words)
        candidates = self._full_names.get(" ".join(words)) or self._full_names.get(_last(words))
        if not candidates:
            first = [
                full
                for several in self._full_names.values()
                for full in several
                if full[0] == words[0]
            ]
            candidates = first[:1] if len(words) == 1 else None
        if not candidates:
            return self._longest("-".join(words), type)
        named = ["-".join(full) for full in candidates]
        if len(named) == 1:
            return named[0]
        if type.first:
            return min(named, key=lambda id: self.text.find(id.replace("-", " ")))
        seen = [id for id in named if (type.name, id) in self.seen]
        if near is not None:
            own = [
                id
                for id in named
                if (votes := self.memory.get((type.name, id)))
                and votes.most_common(1)[0][0] == near
            ]
            if own:
                return max(own, key=lambda id: self.seen.get((type.name, id), -1))
        if seen:
            return max(seen, key=lambda id: self.seen[type.name, id])
        return named[0]

    def _longest(self, id: str, type: EntityType) -> str:
        """The longer name in the document that a short one is the beginning or the end of."""
        if not type.short:
            return id
        found = [
            words
            for words in self.worded[type.name]
            if words.lower().startswith((f"{id.lower()} ", f"{id.lower()},"))
            or (words.endswith(id) and words != id and not id.isascii())
        ]
        return max(found, key=len, default=id)

    # From matches to marks.

    def findings(self) -> list[Finding]:
        scopes: dict[str, Any] = {}
        set_in: dict[str, int] = {}
        reached: dict[str, Any] = {}
        pending: dict[str, list[Finding]] = defaultdict(list)
        found: list[Finding] = []
        by_sentence: dict[int, list[Match]] = defaultdict(list)
        for match in self.matches:
            by_sentence[match.sentence.number].append(match)
        for sentence in self.sentences:
            for scope, rule in self.patterns.scopes.items():
                if rule.brief:
                    scopes.pop(scope, None)
            claimed: set[tuple[str, int]] = set()
            skipped: set[int] = set()
            events: list[tuple[int, int, str, Any]] = []
            order = 0
            for match in by_sentence[sentence.number]:
                order += 1
                for scope, value in match.pattern.sets.items():
                    chunk = self._referred(match, value)
                    named = isinstance(value, SlotReference) and not value.scope
                    if named and chunk is None:  # an optional slot, or a title without it
                        continue
                    key = (scope, chunk.index if chunk is not None else -match.start)
                    if key in claimed:
                        continue
                    claimed.add(key)
                    place = chunk.start if chunk is not None else match.start
                    events.append((place, order, scope, (match, value)))
                for slot in match.pattern.skip:
                    skipped |= {chunk.index for chunk in match.slots.get(slot, ())}
                    claimed |= {(slot, chunk.index) for chunk in match.slots.get(slot, ())}
                pattern = match.pattern
                if pattern.remember or pattern.mark or pattern.amend or pattern.about:
                    events.append((match.start, order, "", match))
            for item in sentence.items:
                if item.type == NAME and item.slots:
                    owners = list(self._remember_title(item))
                    if item.index not in skipped:
                        events.append((item.start, 0, "title", owners))
            events.sort(key=lambda event: (event[0], event[2] == "", event[1]))
            for scope, rule in self.patterns.scopes.items():
                first = next((event for event in events if event[2] == scope), None)
                if rule.sentence and first is not None:
                    events.remove(first)
                    events.insert(0, first)
            for _, _, what, given in events:
                if what == "title":
                    for scope, owner in given:
                        if scope in self.patterns.scopes:
                            scopes[scope] = owner
                            set_in[scope] = sentence.number
                elif what:
                    match, value = given
                    rule = self.patterns.scopes[what]
                    if rule.first and reached.get(what) is not None:
                        continue
                    held = self._scope_value(match, value, scopes, what)
                    if held is None and isinstance(value, SlotReference):
                        continue  # nothing in the text says it
                    past = isinstance(value, SlotReference) and value.after
                    scopes[what] = rule.following(held) if past else held
                    before, reached[what] = reached.get(what), held
                    set_in[what] = sentence.number
                    if rule.sentence and found and scopes[what] is not None:
                        self._set_back(found[-1], what, scopes[what], match.start)
                    if rule.ordered and _skipped(before, held):
                        for finding in pending[what]:
                            finding.inherited.pop(what, None)
                    pending[what] = []
                elif given.pattern.amend:
                    self._amend(given, found)
                else:
                    fresh = {scope for scope, at in set_in.items() if at == sentence.number}
                    for finding in self._of_match(given, scopes, fresh):
                        if given.pattern.once and _among(finding, found):
                            continue
                        found.append(finding)
                        for scope, owner in finding.decided.items():
                            if scope in self.patterns.scopes:
                                scopes[scope] = owner
                        for scope in self.patterns.scopes:
                            if scope in finding.inherited and set_in.get(scope) != sentence.number:
                                pending[scope].append(finding)
        return found

    def _set_back(self, finding: Finding, scope: str, value: Any, place: int) -> None:
        """A scope that is set right after a finding is the finding's: "a run in the second"."""
        between = self.text[finding.end : place]
        is_near = finding.end <= place and len(between) < NEAR
        if is_near and scope in finding.inherited and not re.search(r"[,;:.，；。]", between):
            finding.inherited[scope] = value

    def _amend(self, match: Match, found: Sequence[Finding]) -> None:
        """Add the values of a match to the mark that it is within, else to the last before it."""
        pattern = match.pattern
        fitting = [
            finding
            for finding in found
            if finding.category == pattern.amend
            and all(finding.values.get(name) == value for name, value in pattern.where.items())
        ]
        own = [one for one in fitting if one.start <= match.start < one.end] or fitting[-1:]
        for finding in own[-1:]:
            values = {**pattern.values}
            for phrase in match.phrases:
                values |= phrase.values
            for name, value in values.items():
                finding.values.setdefault(name, value)
            together = [
                one for one in fitting if (one.start, one.end) == (finding.start, finding.end)
            ]
            for name, chunks in match.slots.items():
                held = self._value(name, chunks[0])
                for one in together if isinstance(held, tuple) else ():
                    if name not in one.entities:
                        one.entities[name] = held
                        one.mentions[name] = chunks[0]
                        self._vote(one, frozenset())
            if match.start - finding.end < 3 and not match.slots:
                finding.end = max(finding.end, match.end)

    def _remember_title(self, item: TextChunk) -> Iterator[tuple[str, tuple[str, str]]]:
        """What a title says that somebody belongs to, which then is who acts."""
        for type in self.patterns.types.values():
            if type.names and type.titles and type.member:
                for slot, chunk in item.slots:
                    if slot == type.member:
                        owner = self._entity_in(slot, chunk)
                        who = self.entity(item, type, owner)
                        if who is not None and owner is not None:
                            self.memory[type.name, who][owner] += STRONG
                            self.evidence[type.name, who] += STRONG
                            yield slot, (chunk.type, owner)

    def _referred(self, match: Match, value: Any) -> TextChunk | None:
        if isinstance(value, SlotReference):
            # In the pattern itself, else in its phrases and in the titles of its names.
            within = [*match.phrases, *(one for several in match.slots.values() for one in several)]
            chunks = match.slots.get(value.slot) or [
                chunk for one in within for slot, chunk in one.slots if slot == value.slot
            ]
            return chunks[0] if chunks else None
        return None

    def _scope_value(
        self, match: Match, value: Any, scopes: Mapping[str, Any], of: str = ""
    ) -> Any:
        """What a pattern gives; for the scope of owners, a member stands for its owner."""
        if not isinstance(value, SlotReference):
            return None if value == "" else value
        if value.scope:
            found = scopes.get(value.slot)
        else:
            chunk = self._referred(match, value)
            if chunk is None:
                return None
            found = self._value(value.slot, chunk, self._near(chunk, scopes))
        if of and isinstance(found, tuple) and self.patterns.types[found[0]].member == of:
            votes = self.memory[found].most_common(1)
            owners = [type.name for type in self.patterns.types.values() if type.pair]
            found = (owners[0], votes[0][0]) if votes and owners else None
        if value.other and isinstance(found, tuple):
            return self._other(found)
        return found if value.more is None else self._more(match, found, *value.more)

    def _more(self, match: Match, held: Any, less: bool, more: str) -> int | None:
        """A number, or the year of a date, with another added or taken away."""
        chunks = match.slots.get(more)
        amount = int(more) if more.isdecimal() else chunks[0].value if chunks else None
        if isinstance(held, str) and held[:4].isdecimal():
            held = int(held[:4])
        if not isinstance(held, int) or not isinstance(amount, int):
            return None
        return held - amount if less else held + amount

    def _near(self, chunk: TextChunk, scopes: Mapping[str, Any]) -> str | None:
        """What a name most likely belongs to: what its title says, else the scope."""
        type = self.patterns.types.get(getattr(chunk, "as_type", chunk.type))
        if type is None or not type.member:
            return None
        for slot, owner in chunk.slots:
            if slot == type.member and (own := self._entity_in(slot, owner)) is not None:
                return own
        held = scopes.get(type.member)
        return held[1] if isinstance(held, tuple) else None

    def _other(self, entity: tuple[str, str]) -> tuple[str, str] | None:
        type, id = entity
        others = [one for one in self.pairs.get(type, ()) if one != id]
        return (type, others[0]) if len(others) == 1 else None

    def _value(self, slot: str, chunk: TextChunk, near: str | None = None) -> Any:
        """What a slot holds: type and id of an entity, or a plain value."""
        type = self.patterns.types.get(getattr(chunk, "as_type", chunk.type))
        if type is None:
            return chunk.value if chunk.type != NAME else " ".join(chunk.value)
        id = self.entity(chunk, type, near)
        if id is None or (type.category and not re.search(r"[^\W\d]", id)):
            return None
        if type.category:
            self.seen[type.name, id] = chunk.start
            self.last[type.name] = id
            if chunk.value != "pronoun":
                self.named.append(((type.name, id), chunk))
            return type.name, id
        return int(id) if id.isdecimal() else id

    def _entity_in(self, slot: str, chunk: TextChunk) -> str | None:
        value = self._value(slot, chunk)
        return value[1] if isinstance(value, tuple) else None

    def _of_match(
        self, match: Match, scopes: Mapping[str, Any], fresh: Set[str]
    ) -> Iterator[Finding]:
        pattern = match.pattern
        for holder, member in pattern.remember.items():
            for chunk in match.slots.get(holder, ()):
                held, stated = scopes.get(member), match.slots.get(member)
                whose = held[1] if isinstance(held, tuple) else None
                if stated:
                    whose = self._entity_in(member, stated[0])
                type = self.patterns.types.get(getattr(chunk, "as_type", chunk.type))
                who = self.entity(chunk, type, whose) if type is not None else None
                if type is not None and who is not None and whose is not None:
                    self.memory[type.name, who][whose] += STRONG if stated else FRESH
        for chunk in match.slots.get(pattern.about, ()):
            entity = self._value(pattern.about, chunk)
            if isinstance(entity, tuple):
                self.stated[entity].update(pattern.values)
        if not pattern.mark:
            return
        category = self.reader.categories.categories[pattern.mark]
        known = (*category.attributes, *category.relations)
        for row in match_rows(match):
            values: dict[str, Any] = {}
            entities: dict[str, tuple[str, str]] = {}
            mentions: dict[str, TextChunk] = {}
            start, end = match.start, match.end
            at: TextChunk | None
            for name, value in {**pattern.values, **row}.items():
                if name not in known:
                    continue
                if isinstance(value, SlotReference):
                    at = None if value.scope else self._referred(match, value)
                    held = self._scope_value(match, value, scopes)
                elif isinstance(value, TextChunk):
                    at, held = value, self._value(name, value, self._near(value, scopes))
                else:
                    at, held = None, value
                if held is None:
                    continue
                attribute = category.attributes.get(name)
                if at is not None and at.type == DATE and attribute is not None:
                    held = int(str(held)[:4]) if attribute.type == "integer" else held
                if isinstance(held, tuple):
                    entities[name] = held
                    if at is not None and not (isinstance(value, SlotReference) and value.other):
                        mentions[name] = at
                else:
                    values[name] = held
            inherited = {
                name: value
                for name, value in scopes.items()
                if value is not None
                and name in known
                and name not in values
                and name not in entities
            }
            finding = Finding(
                pattern.mark,
                start,
                end,
                values,
                entities,
                mentions,
                inherited,
                pattern.probability,
                pattern.name,
            )
            finding.decided = self._vote(finding, fresh)
            yield finding

    def _vote(self, finding: Finding, fresh: Set[str]) -> dict[str, tuple[str, str]]:
        """Members that a finding names belong to its owner, as far as a scope can say.

        Gives the owners that the text states.
        """
        decided: dict[str, tuple[str, str]] = {}
        members: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for name, entity in finding.entities.items():
            member = self.patterns.types[entity[0]].member
            if member and name != member:
                members[member].append(entity)
        for member, entities in members.items():
            stated, scope = finding.entities.get(member), finding.inherited.get(member)
            votes: Counter[str] = Counter()
            for entity in entities:
                votes.update(self.memory.get(entity, Counter()))
            known = Counter(votes)  # What the document said before outweighs as much from a scope.
            weight = STRONG if stated else FRESH if member in fresh else 1
            owner = stated or scope
            if owner is not None:
                votes[owner[1]] += weight
            if votes:
                best = max(votes, key=lambda id: (votes[id], known[id]))
                for entity in entities:
                    self.memory[entity][best] += weight
                    self.evidence[entity] += weight if weight >= FRESH else 0
                if votes[best] >= STRONG:
                    owners = [type.name for type in self.patterns.types.values() if type.pair]
                    decided[member] = (owners[0] if owners else member, best)
        return decided

    def _settle_members(self, finding: Finding) -> None:
        """The owner of a finding is that of its members, by all that the document says."""
        for member, type in {
            (type.member, owner.name)
            for type in self.patterns.types.values()
            if type.member
            for owner in self.patterns.types.values()
            if owner.pair
        }:
            if member in finding.entities:
                continue
            votes: Counter[str] = Counter()
            for of, id in finding.entities.values():
                if self.patterns.types[of].member == member:
                    votes.update(self.memory.get((of, id), Counter()))
            ranked = votes.most_common(2)
            if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]):
                finding.inherited[member] = (type, ranked[0][0])

    def _balance(self, category: str, findings: list[Finding]) -> None:
        """Give findings to the other owner where only that agrees with the totals in the text.

        Only owners that nothing states are changed, all findings of a member together, and as few
        as possible.
        """
        ledger = self.patterns.ledgers[category]
        checks = self._checks(ledger)
        own = [one for one in findings if one.category == category and ledger.by in one.owners]
        if not checks or not own:
            return
        type = own[0].owners[ledger.by][0]
        pair = self.pairs.get(type, ())
        if len(pair) != 2:
            return
        groups: dict[Any, list[Finding]] = defaultdict(list)
        counts = Counter(entity for finding in own for entity in finding.entities.values())
        for number, finding in enumerate(own):
            if ledger.by in finding.entities:
                continue
            key, sure = self._group(finding, ledger.by, counts)
            if not sure:
                groups[key or number].append(finding)

        def sides(flipped: Set[int]) -> list[tuple[Finding, bool]]:
            return [
                (one, (pair[0] == one.owners[ledger.by][1]) != (id(one) in flipped)) for one in own
            ]

        def agreeing(flipped: Set[int]) -> int:
            totals = sides(flipped)
            return sum(_agreement(check, totals, ledger, pair)[0] for check in checks)

        best, base = frozenset[int](), agreeing(frozenset())
        most = base + 1
        keys = list(groups)[:MOST_DOUBTFUL]
        for size in (1, 2, 3):
            if max(base, most if best else 0) == AGREES * len(checks):
                break
            for chosen in combinations(keys, size):
                flipped = frozenset(id(one) for key in chosen for one in groups[key])
                # Where the sentence itself names who acts, totals have to agree better.
                doubts = sum(self.evidence[key] >= FRESH for key in chosen)
                if (count := agreeing(flipped) - doubts) > most:
                    best, most = flipped, count
        for check in checks:  # What is not worth what it mostly is, is so for all totals after it.
            for finding, points in _agreement(check, sides(best), ledger, pair)[1]:
                names = [name for name, worth in ledger.exact.items() if worth == points]
                if ledger.told and names:
                    finding.values.setdefault(ledger.told, names[0])
        for finding in own:
            if id(finding) in best:
                other = self._other(finding.owners[ledger.by])
                if other is not None:
                    finding.inherited[ledger.by] = other
        if ledger.total:
            self._drop_others(sides(frozenset()), ledger, findings)
            findings += self._stated_totals(checks, sides(frozenset()), ledger, findings)

    def _checks(self, ledger: Ledger) -> list[_Totals]:
        """The totals in the text, in its order."""
        found: dict[int, _Totals] = {}
        for match in self.matches:
            if not match.pattern.check:
                continue
            chunks = [match.slots[slot][0] for slot in match.pattern.check]
            low, high = sorted(chunk.value for chunk in chunks)
            owner = match.pattern.values.get(ledger.by)
            leader = self._scope_value(match, owner, {}) if owner is not None else None
            start, end = chunks[0].start, chunks[-1].end
            totals = _Totals(low, high, start, end, match.sentence, leader and leader[1])
            if start not in found or found[start].leader is None:
                found[start] = totals
        return [found[start] for start in sorted(found)]

    def _drop_others(
        self, own: Sequence[tuple[Finding, bool]], ledger: Ledger, findings: list[Finding]
    ) -> None:
        """Drop final totals that are lower than the findings, where no owner's agrees.

        They are those of something else: "since a 10-3 win in 2004".
        """
        stated = [one for one in findings if one.category == ledger.total]
        low, usual = Counter[Any](), Counter[Any]()
        for finding, _ in own:
            worth = ledger.points(finding.values)
            low[finding.owners[ledger.by]] += min(worth)
            usual[finding.owners[ledger.by]] += worth[0]
        pairs = [(one.entities.get(ledger.by), one.values.get(ledger.amount)) for one in stated]
        agrees = any(low[owner] <= amount <= usual[owner] for owner, amount in pairs if amount)
        if not agrees and sum(amount or 0 for _, amount in pairs) < low.total():
            findings[:] = [one for one in findings if one not in stated]

    def _stated_totals(
        self,
        checks: Sequence[_Totals],
        own: Sequence[tuple[Finding, bool]],
        ledger: Ledger,
        findings: Sequence[Finding],
    ) -> list[Finding]:
        """Totals by the last ones that the text states, where findings do not add up to them.

        Lower ones than the findings add up to are from before: "came back from a 14-0 deficit".
        """
        type = own[0][0].owners[ledger.by][0]
        pair = self.pairs[type]
        for check in reversed(checks):
            if _agreement(check, own, ledger, pair)[0]:
                return []
            ways = []
            for limit in check.limits:
                sums, later = [0, 0], [0, 0]
                for finding, first in own:
                    worth = ledger.points(finding.values)[0]
                    (sums if finding.start < limit else later)[0 if first else 1] += worth
                for stated in check.ways(pair):
                    if 0 < sum(sums) <= sum(stated):
                        apart = sum(abs(a - b) for a, b in zip(sums, stated, strict=True))
                        ways.append((apart, [a + b for a, b in zip(stated, later, strict=True)]))
            ways.sort(key=lambda way: way[0])
            if not ways or any(way[0] == ways[0][0] and way[1] != ways[0][1] for way in ways):
                continue
            known = {
                one.entities.get(ledger.by) for one in findings if one.category == ledger.total
            }
            return [
                Finding(
                    *(ledger.total, check.start, check.end, {ledger.amount: points}),
                    *({ledger.by: (type, id)}, {}),
                    probability=ledger.probability,
                )
                for id, points in zip(pair, ways[0][1], strict=True)
                if (type, id) not in known
            ]
        return []

    def _group(self, finding: Finding, by: str, counts: Mapping[Any, int]) -> tuple[Any, bool]:
        """The member that a finding goes with, and whether the text states whose it is."""
        key, sure = None, False
        for name, entity in finding.entities.items():
            if self.patterns.types[entity[0]].member == by and name != by:
                key = max(key or entity, entity, key=counts.__getitem__)
                sure = sure or self.evidence[entity] > FRESH
        return key, sure

    def marked(self) -> MarkedText:
        """The marks: mentions of entities, then findings in the order of the text."""
        findings = self.findings()
        for finding in findings:
            self._settle_members(finding)
        for category in self.patterns.ledgers:
            self._balance(category, findings)
        return _Marking(self, findings).marked()


@dataclass(eq=False)
class _Typed(TextChunk):
    """A chunk as a slot of a type takes it: a name may be of any type with names."""

    as_type: str = ""

    @staticmethod
    def of(chunk: TextChunk, type: str) -> TextChunk:
        if chunk.type != NAME or type == NAME:
            return chunk
        return _Typed(**{**chunk.__dict__, "as_type": type})


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
            attributes = self._reading.reader.categories.categories[of.category].attributes
            values = {**of.values, **chunk.values, **self._reading.stated[entity]}
            if of.full and chunk.type == NAME and _is_full(chunk.value, id):
                values[of.full] = " ".join(chunk.value)
            own = {name: value for name, value in values.items() if name in attributes}
            own[ENTITY] = _name(id)
            self._marks.append(TextMark(known, of.category, ((start, end),), own))
        return known

    def _finding(self, id: str, finding: Finding, chains: dict[tuple[str, Any], str]) -> None:
        category = self._reading.reader.categories.categories[finding.category]
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
        objects = self._reading.reader.categories.objects

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


def match_rows(match: Match) -> list[dict[str, Any]]:
    """The marks that a match makes: one, or one for each of a list ("respectively")."""
    rows: list[dict[str, Any]] = []
    shared = {name: list(several) for name, several in match.slots.items()}
    given: dict[str, Any] = {}
    for phrase in match.phrases:
        slots: dict[str, list[TextChunk]] = {}
        for name, chunk in phrase.slots:
            slots.setdefault(name, []).append(chunk)
        if phrase.part:
            for name, several in slots.items():
                both = [*shared.get(name, ()), *several]
                shared[name] = sorted(both, key=lambda chunk: chunk.start)
            given |= phrase.values
            continue
        count = max((len(several) for several in slots.values()), default=1)
        values = dict(phrase.values)
        times = slots.pop(TIMES)[0].value if TIMES in slots else values.pop(TIMES, 1)
        for index in range(max(count, min(times, MOST_TIMES))):
            row: dict[str, Any] = dict(values)
            for name, several in slots.items():
                if len(several) == 1:
                    row[name] = several[0]
                elif index < len(several):
                    row[name] = several[index]
            rows.append(row)
    rows = rows or [{}]
    most = max((len(several) for several in shared.values()), default=1)
    if len(rows) == 1 and most > 1:
        rows = [dict(rows[0]) for _ in range(most)]
    for name, several in shared.items():
        for index, row in enumerate(rows):
            if name in row:
                continue
            if len(several) == 1:
                row[name] = several[0]
            elif index < len(several):
                row[name] = several[index]
    return [{**given, **row} for row in rows]


def _is_full(words: Sequence[str], id: str) -> bool:
    """Whether words are a whole name, with given name and surname."""
    return "-".join(words) == id and (len(words) > 1 or not words[0].isascii())


def _among(finding: Finding, found: Sequence[Finding]) -> bool:
    return any(
        one.category == finding.category
        and one.values == finding.values
        and one.entities == finding.entities
        for one in found
    )


Odd = tuple[tuple[Finding, int], ...]
"""Findings that are not worth what they mostly are, with what they are worth."""


class _Totals(NamedTuple):
    """Two totals in the text, and who has the higher one where it says so."""

    low: int
    high: int
    start: int
    end: int
    sentence: ChunkedSentence
    leader: str | None

    @property
    def limits(self) -> tuple[int, ...]:
        """How far findings may count: to the totals, or to the end of their sentence."""
        end = self.sentence.items[-1].end if self.sentence.items else self.start
        return tuple(dict.fromkeys((self.start, end)))

    def ways(self, pair: Sequence[str]) -> list[tuple[int, int]]:
        """The totals of the first and the second of a pair, as far as the text says."""
        own = [(self.low, self.high)] if self.leader == pair[1] else [(self.high, self.low)]
        if self.leader is None and self.low != self.high:
            own.append((self.low, self.high))
        return own


def _agreement(
    check: _Totals,
    findings: Sequence[tuple[Finding, bool]],
    ledger: Ledger,
    pair: Sequence[str],
) -> tuple[int, Odd]:
    """How well findings up to a place, or to the end of its sentence, add up to two totals.

    Each finding that is not worth what it mostly is takes one off, and so does the rest of the
    sentence.
    """
    best: tuple[int, Odd] = (0, ())
    for limit in check.limits:
        sums: list[dict[int, Odd]] = [{0: ()}, {0: ()}]
        for finding, first in findings:
            if finding.start < limit:
                worth = ledger.points(finding.values)
                side = 0 if first else 1
                more: dict[int, Odd] = {}
                for total, odd in sums[side].items():
                    for points in worth:
                        way = odd if points == worth[0] else (*odd, (finding, points))
                        if len(way) < len(more.get(total + points, (way,) * AGREES)):
                            more[total + points] = way
                sums[side] = more
        for one, other in check.ways(pair):
            if one in sums[0] and other in sums[1]:
                odd = sums[0][one] + sums[1][other]
                agreement = AGREES - len(odd) - (limit != check.start)
                if agreement > best[0]:
                    best = agreement, odd
    return best


def _flat(items: Sequence[TextChunk]) -> Iterator[TextChunk]:
    for item in items:
        yield item
        yield from _flat([chunk for _, chunk in item.slots])


def _last(words: Sequence[str]) -> str:
    """The last name, without Jr. and the like."""
    own = [word for word in words if word.lower() not in _SUFFIXES]
    return own[-1] if own else words[-1]


def _skipped(before: Any, after: Any) -> bool:
    return isinstance(before, int) and isinstance(after, int) and after > before + 1


def _name(id: str) -> str:
    return re.sub(r"[^\w.'’-]+", "-", id).strip("-.'’")

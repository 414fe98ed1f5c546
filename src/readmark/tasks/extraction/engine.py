"""Patterns over a text: entities and phrases are found, and matches become marks.

Sentence by sentence: names, numbers and entities become chunks; hidden stretches are taken out;
titles join their names; phrases become chunks; then patterns match, in the order of the file, and
each phrase is used once. Afterwards the matches are read in the order of the text: scopes are set
and inherited, names are resolved, and what an entity belongs to is decided over the whole document.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from readmark.tasks.categories.definitions import ENTITY, PROBABILITY, Categories, MarkAttribute
from readmark.tasks.categories.marks import MarkedText, TextMark
from readmark.tasks.categories.values import value_in_words
from readmark.tasks.extraction.notation import (
    DATE,
    NAME,
    NUMBER,
    WORDS,
    YEAR,
    EntityType,
    Expression,
    MarkPattern,
    PatternSet,
    Reference,
)
from readmark.tasks.extraction.tokens import Token, number_in, sentences_of

STRONG = 4
"""How much a stated membership counts against one that only a scope suggests."""
_CAPITAL = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:['’-][^\W\d_]+)*\.?|(?:[A-Z]\.\s?)+")
_PARTICLES = frozenset(("de", "da", "del", "di", "la", "le", "van", "von", "der", "den", "du"))
_SUFFIXES = frozenset(("jr.", "jr", "sr.", "sr", "ii", "iii", "iv"))
_COMMON = frozenset(
    "a an the in on at of to as by for with from after before during when while although though "
    "but and or so yet then thus however also both it its he his she her they their this that "
    "these those there here not no with despite trailing coming following later early late "
    "meanwhile fortunately unfortunately afterwards eventually finally even once if because since "
    "until under over another each every neither either one two three four five next just still "
    "now what who which where how out up down off another again some most many several all only "
    "first second third fourth having looking trying hoping entering leading facing playing "
    "following immediately soon shortly midway moments hosting opening".split()
)
_DATE_ATTRIBUTE = MarkAttribute(type="date", words=True)


@dataclass(eq=False)
class Chunk:
    """An item of a sentence: a word, or an entity, number or phrase with what is in it."""

    type: str
    start: int
    end: int
    text: str
    value: Any = None
    """A number or date, or the entities that the words may stand for."""
    slots: list[tuple[str, Chunk]] = field(default_factory=list)
    values: Mapping[str, Any] = field(default_factory=dict)
    inner: tuple[int, int] | None = None
    """The name itself, where a title is part of the chunk."""
    index: int = 0
    used: bool = False

    @property
    def span(self) -> tuple[int, int]:
        """Where the words are that name it."""
        return self.inner or (self.start, self.end)


@dataclass(eq=False)
class Sentence:
    """The chunks of a sentence and their rendering as one string."""

    items: list[Chunk]
    number: int
    places: list[int] = field(default_factory=list)
    rendering: str = ""

    def render(self, chunks: list[Chunk]) -> str:
        """Each item as a token; ``places`` has where each one starts."""
        parts, at = [], 0
        self.places = []
        for item in self.items:
            if item.type:
                if not item.index:
                    chunks.append(item)
                    item.index = len(chunks)
                number = f"={item.value}" if item.type in (NUMBER, YEAR) else ""
                name = "used" if item.used else item.type
                part = f"⟦{name}#{item.index}{number}⟧ "
            else:
                part = item.text.lower() + " "
            self.places.append(at)
            parts.append(part)
            at += len(part)
        self.rendering = "".join(parts)
        return self.rendering

    def item_at(self, place: int) -> int:
        """The item that starts at a place of the rendering, or after it."""
        import bisect

        return bisect.bisect_left(self.places, place)


@dataclass(eq=False)
class Match:
    """A pattern that matched: its slots and the rows of the phrases in it."""

    pattern: MarkPattern
    sentence: Sentence
    start: int
    end: int
    slots: dict[str, list[Chunk]]
    phrases: list[Chunk]

    @property
    def place(self) -> int:
        return self.start


@dataclass(eq=False)
class Finding:
    """A mark to be: values by name, entities by name, and where its words are."""

    category: str
    start: int
    end: int
    values: dict[str, Any]
    entities: dict[str, tuple[str, str]]
    """Relation -> type and id."""
    mentions: dict[str, Chunk]
    inherited: dict[str, Any] = field(default_factory=dict)
    probability: float | None = None
    pattern: str = ""


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
        self._phrase_types = {phrase.type for phrase in patterns.phrases}
        self._phrase_values = {type: {} for type in self._phrase_types}

    def marks(self, id: str, text: str) -> MarkedText:
        """The marks on a text."""
        return _Reading(self, id, text).marked()

    # Entities, numbers and names of a sentence.

    def chunks(self, tokens: Sequence[Token], text: str) -> list[Chunk]:
        """Words and what the lexicon and the shapes of words make of them."""
        found: list[Chunk] = []
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
                length, chunk = 1, Chunk(kind, token.start, token.end, token.text, number)
            if chunk is None and token.text.lower() in self._pronouns:
                type = self._pronouns[token.text.lower()]
                length, chunk = 1, Chunk(type, token.start, token.end, token.text, "pronoun")
            if chunk is None and self._has_names:
                length, chunk = self._named(tokens, at, text, first=not found)
            if chunk is None:
                length, chunk = 1, Chunk("", token.start, token.end, token.text)
            found.append(chunk)
            at += length
        return found

    def _entity(self, tokens: Sequence[Token], at: int, text: str) -> tuple[int, Chunk | None]:
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
        return longest, Chunk(type, start, end, text[start:end], tuple(ids))

    def _in_name(self, tokens: Sequence[Token], at: int, length: int) -> bool:
        """Whether a word that entities share with people's names is in such a name here."""
        if length > 1 or tokens[at].text.lower() not in self._shared:
            return False
        before = tokens[at - 1] if at > 1 else None
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        return any(
            token is not None and self._is_name(token) and token.text.lower() not in self._lexicon
            for token in (before, after)
        )

    def _is_name(self, token: Token) -> bool:
        text = token.text
        return (
            bool(_CAPITAL.fullmatch(text))
            and text.lower() not in self._never
            and text.lower() not in _COMMON
        )

    def _dated(self, tokens: Sequence[Token], at: int, text: str) -> tuple[int, Chunk | None]:
        for size in (5, 4, 3, 6):
            if at + size > len(tokens):
                continue
            start, end = tokens[at].start, tokens[at + size - 1].end
            words = text[start:end]
            if not any(character.isdigit() for character in words) or end - start > 30:
                continue
            found = value_in_words(_DATE_ATTRIBUTE, words)
            if found is not None and found[1] == (0, len(words)):
                return size, Chunk(DATE, start, end, words, found[0].lexical)
        return 1, None

    def _named(
        self, tokens: Sequence[Token], at: int, text: str, *, first: bool
    ) -> tuple[int, Chunk | None]:
        """A run of capitalised words; a sentence's first word counts only within one."""
        size = 0
        while at + size < len(tokens):
            token = tokens[at + size]
            lower = token.text.lower()
            if size and lower in _SUFFIXES:
                size += 1
                break
            if size and lower in _PARTICLES and at + size + 1 < len(tokens):
                if self._is_name(tokens[at + size + 1]) and token.text[:1].islower():
                    size += 1
                    continue
            if not self._is_name(token) or (lower in self._never):
                break
            if size and self._entity(tokens, at + size, text)[1] is not None:
                if not self._in_name(tokens, at + size, 1):
                    break
            size += 1
        if size and at + size + 1 < len(tokens) and tokens[at + size].text == ",":
            if tokens[at + size + 1].text.lower() in _SUFFIXES:
                size += 2
        if not size:
            return 1, None
        start, end = tokens[at].start, tokens[at + size - 1].end
        words = tuple(token.text for token in tokens[at : at + size] if token.text != ",")
        chunk = Chunk(NAME, start, end, text[start:end], words)
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


class _Reading:
    """One document."""

    def __init__(self, reader: PatternReader, id: str, text: str) -> None:
        self.reader, self.patterns = reader, reader.patterns
        self.id, self.text = id, text
        self.chunks: list[Chunk] = []
        self.sentences: list[Sentence] = []
        self.hidden: list[Chunk] = []
        self.memory: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.last: dict[str, str] = {}
        self.seen: dict[tuple[str, str], int] = {}
        self.named: list[tuple[tuple[str, str], Chunk]] = []
        for number, tokens in enumerate(sentences_of(text)):
            self.sentences.append(Sentence(reader.chunks(tokens, text), number))
        self._full_names = self._known_names()
        for sentence in self.sentences:
            self._settle_doubtful(sentence)
            self._hide(sentence)
        self.pairs = self._pairs()
        for sentence in self.sentences:
            self._join_titles(sentence)
            self._join_phrases(sentence)
        self.matches = [match for one in self.sentences for match in self._matches(one)]
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

    def _settle_doubtful(self, sentence: Sentence) -> None:
        """A capitalised first word is a name only where the document knows it as one."""
        for item in sentence.items:
            if item.type == NAME and item.values.get("doubtful"):
                if item.text not in self._full_names and not self._elsewhere(item.text):
                    item.type, item.value = "", None
                item.values = {}

    def _elsewhere(self, word: str) -> bool:
        return any(
            item.type == NAME and item.text == word and not item.values.get("doubtful")
            for sentence in self.sentences
            for item in sentence.items
        )

    # Stretches that become one chunk, or none.

    def _hide(self, sentence: Sentence) -> None:
        for pattern in self.patterns.hiding:
            for find in pattern.finds:
                while True:
                    match = self._search(find, sentence)
                    if match is None or match.start() == match.end():
                        break
                    start, end = sentence.item_at(match.start()), sentence.item_at(match.end())
                    self.hidden += sentence.items[start:end]
                    del sentence.items[start:end]

    def _search(self, find: Expression, sentence: Sentence) -> re.Match[str] | None:
        rendering = sentence.render(self.chunks)
        if any(needed not in rendering for needed in find.needed):
            return None
        return find.regex.search(rendering)

    def _join_titles(self, sentence: Sentence) -> None:
        for type in self.patterns.types.values():
            for find in type.titles:
                rendering = sentence.render(self.chunks)
                if any(needed not in rendering for needed in find.needed):
                    continue
                for match in reversed(list(find.regex.finditer(rendering))):
                    start, end = sentence.item_at(match.start()), sentence.item_at(match.end())
                    name = sentence.items[end - 1]
                    if end - start < 2 or name.inner is not None:
                        continue
                    slots, _ = self._slots(find, match)
                    joined = Chunk(
                        NAME,
                        sentence.items[start].start,
                        name.end,
                        self.text[sentence.items[start].start : name.end],
                        name.value,
                        [(slot, chunk) for slot, several in slots.items() for chunk in several],
                        inner=(name.start, name.end),
                    )
                    sentence.items[start:end] = [joined]

    def _join_phrases(self, sentence: Sentence) -> None:
        for phrase in self.patterns.phrases:
            for find in phrase.finds:
                rendering = sentence.render(self.chunks)
                if any(needed not in rendering for needed in find.needed):
                    continue
                for match in reversed(list(find.regex.finditer(rendering))):
                    start, end = sentence.item_at(match.start()), sentence.item_at(match.end())
                    if start == end:
                        continue
                    slots, phrases = self._slots(find, match)
                    values = dict(phrase.values)
                    for inner in phrases:
                        values = {**inner.values, **values}
                    own = [(slot, chunk) for slot, several in slots.items() for chunk in several]
                    own += [pair for inner in phrases for pair in inner.slots]
                    first, last = sentence.items[start], sentence.items[end - 1]
                    chunk = Chunk(
                        phrase.type,
                        first.start,
                        last.end,
                        self.text[first.start : last.end],
                        None,
                        own,
                        values,
                    )
                    sentence.items[start:end] = [chunk]

    def _slots(
        self, find: Expression, match: re.Match[str]
    ) -> tuple[dict[str, list[Chunk]], list[Chunk]]:
        """Chunks by slot, in the order of the text, and the phrases that matched."""
        placed: list[tuple[int, str, Chunk]] = []
        phrases: list[tuple[int, Chunk]] = []
        self._collect(find, match, placed, phrases)
        slots: dict[str, list[Chunk]] = {}
        for _, name, chunk in sorted(placed, key=lambda each: each[0]):
            slots.setdefault(name, []).append(chunk)
        return slots, [chunk for _, chunk in sorted(phrases, key=lambda each: each[0])]

    def _collect(
        self,
        find: Expression,
        match: re.Match[str],
        placed: list[tuple[int, str, Chunk]],
        phrases: list[tuple[int, Chunk]],
    ) -> None:
        for slot in find.slots:
            text = match[slot.group]
            if text is None:
                continue
            chunk = self._chunk_of(slot.type, text)
            if chunk.type in self.reader._phrase_types:
                phrases.append((match.start(slot.group), chunk))
            elif slot.name:
                placed.append((match.start(slot.group), slot.name, _Typed.of(chunk, slot.type)))
        for group, inner in find.repeats:
            if match[group]:
                start, end = match.span(group)
                for round in inner.regex.finditer(match.string, start, end):
                    self._collect(inner, round, placed, phrases)

    def _chunk_of(self, type: str, text: str) -> Chunk:
        if type == WORDS:
            return Chunk(WORDS, 0, 0, text.strip(), text.strip())
        found = re.match(r"⟦[^#]*#(\d+)", text)
        assert found is not None
        return self.chunks[int(found[1]) - 1]

    def _matches(self, sentence: Sentence) -> Iterator[Match]:
        rendering = sentence.render(self.chunks)
        for pattern in self.patterns.patterns:
            if pattern.hide:
                continue
            for find in pattern.finds:
                if any(needed not in rendering for needed in find.needed):
                    continue
                at = 0
                while (match := find.regex.search(rendering, at)) is not None:
                    if match.end() == match.start():
                        break
                    slots, phrases = self._slots(find, match)
                    first = sentence.items[sentence.item_at(match.start())]
                    last = sentence.items[sentence.item_at(match.end()) - 1]
                    yield Match(pattern, sentence, first.start, last.end, slots, phrases)
                    at = match.end()
                    if phrases:
                        for phrase in phrases:
                            phrase.used = True
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
                    if item.type == type.name and isinstance(item.value, tuple):
                        if len(item.value) == 1:
                            counts[item.value[0]] += 1
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

    def entity(self, chunk: Chunk, type: EntityType, near: str | None = None) -> str | None:
        """The entity that a chunk names; ``near`` is what it most likely belongs to."""
        if chunk.value == "pronoun":
            return self.last.get(type.name)
        if chunk.type != NAME:
            ids = chunk.value if isinstance(chunk.value, tuple) else ()
            pair = self.pairs.get(type.name)
            if pair is not None:
                known = [id for id in ids if id in pair]
                return known[0] if known else None
            return ids[0] if ids else None
        words = tuple(chunk.value)
        if not type.surname or len(words) > 1 and words in self._full_names[_last(words)]:
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
            return "-".join(words)
        named = ["-".join(full) for full in candidates]
        if len(named) == 1:
            return named[0]
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
            claimed: set[tuple[str, int]] = set()
            events: list[tuple[int, int, str, Any]] = []
            order = 0
            for match in by_sentence[sentence.number]:
                order += 1
                for slot in match.pattern.skip:
                    claimed |= {(slot, chunk.index) for chunk in match.slots.get(slot, ())}
                for scope, value in match.pattern.sets.items():
                    chunk = self._referred(match, value)
                    key = (scope, chunk.index if chunk is not None else -match.start)
                    if key in claimed:
                        continue
                    claimed.add(key)
                    place = chunk.start if chunk is not None else match.start
                    events.append((place, order, scope, (match, value)))
                if match.pattern.remember or match.pattern.mark:
                    events.append((match.start, order, "", match))
            for item in sentence.items:
                if item.type == NAME and item.slots:
                    events.append((item.start, 0, "title", item))
            events.sort(key=lambda event: (event[0], event[2] == "", event[1]))
            for scope, rule in self.patterns.scopes.items():
                first = next((event for event in events if event[2] == scope), None)
                if rule.sentence and first is not None:
                    events.remove(first)
                    events.insert(0, first)
            for place, _, what, given in events:
                if what == "title":
                    self._remember_title(given)
                elif what:
                    match, value = given
                    held = self._scope_value(match, value)
                    past = isinstance(value, Reference) and value.after
                    scopes[what] = None if past else held
                    before, reached[what] = reached.get(what), held
                    set_in[what] = sentence.number
                    rule = self.patterns.scopes[what]
                    if rule.ordered and _skipped(before, held):
                        for finding in pending[what]:
                            finding.inherited.pop(what, None)
                    pending[what] = []
                else:
                    for finding in self._of_match(given, scopes):
                        found.append(finding)
                        for scope in self.patterns.scopes:
                            if scope in finding.inherited and set_in.get(scope) != sentence.number:
                                pending[scope].append(finding)
        return found

    def _remember_title(self, item: Chunk) -> None:
        for type in self.patterns.types.values():
            if type.names and type.titles and type.member:
                for slot, chunk in item.slots:
                    if slot == type.member:
                        owner = self._entity_in(slot, chunk)
                        who = self.entity(item, type, owner)
                        if who is not None and owner is not None:
                            self.memory[type.name, who][owner] += STRONG

    def _referred(self, match: Match, value: Any) -> Chunk | None:
        if isinstance(value, Reference):
            chunks = match.slots.get(value.slot) or [
                chunk
                for phrase in match.phrases
                for slot, chunk in phrase.slots
                if slot == value.slot
            ]
            return chunks[0] if chunks else None
        return None

    def _scope_value(self, match: Match, value: Any) -> Any:
        if not isinstance(value, Reference):
            return None if value == "" else value
        chunk = self._referred(match, value)
        if chunk is None:
            return None
        found = self._value(value.slot, chunk)
        if value.other and isinstance(found, tuple):
            return self._other(found)
        return found

    def _other(self, entity: tuple[str, str]) -> tuple[str, str] | None:
        type, id = entity
        others = [one for one in self.pairs.get(type, ()) if one != id]
        return (type, others[0]) if len(others) == 1 else None

    def _value(self, slot: str, chunk: Chunk, near: str | None = None) -> Any:
        """What a slot holds: type and id of an entity, or a plain value."""
        type = self.patterns.types.get(getattr(chunk, "as_type", chunk.type))
        if type is None:
            return chunk.value if chunk.type != NAME else " ".join(chunk.value)
        id = self.entity(chunk, type, near)
        if id is None:
            return None
        if type.category:
            self.seen[type.name, id] = chunk.start
            self.last[type.name] = id
            if chunk.value != "pronoun":
                self.named.append(((type.name, id), chunk))
            return type.name, id
        return int(id) if id.isdecimal() else id

    def _entity_in(self, slot: str, chunk: Chunk) -> str | None:
        value = self._value(slot, chunk)
        return value[1] if isinstance(value, tuple) else None

    def _of_match(self, match: Match, scopes: Mapping[str, Any]) -> Iterator[Finding]:
        pattern = match.pattern
        near = {name: value[1] for name, value in scopes.items() if isinstance(value, tuple)}
        for holder, member in pattern.remember.items():
            for chunk in match.slots.get(holder, ()):
                for owner in match.slots.get(member, ()):
                    whose = self._entity_in(member, owner)
                    type = self.patterns.types.get(getattr(chunk, "as_type", chunk.type))
                    who = self.entity(chunk, type, whose) if type is not None else None
                    if type is not None and who is not None and whose is not None:
                        self.memory[type.name, who][whose] += STRONG
        if not pattern.mark:
            return
        category = self.reader.categories.categories[pattern.mark]
        known = (*category.attributes, *category.relations)
        for row in _rows(match):
            values: dict[str, Any] = {}
            entities: dict[str, tuple[str, str]] = {}
            mentions: dict[str, Chunk] = {}
            start, end = match.start, match.end
            for name, value in {**pattern.values, **row}.items():
                if name not in known:
                    continue
                if isinstance(value, Reference):
                    chunk = self._referred(match, value)
                    held = self._scope_value(match, value)
                elif isinstance(value, Chunk):
                    chunk = value
                    type = self.patterns.types.get(getattr(chunk, "as_type", chunk.type))
                    member = type.member if type is not None else ""
                    held = self._value(name, chunk, near.get(member))
                else:
                    chunk, held = None, value
                if held is None:
                    continue
                if isinstance(held, tuple):
                    entities[name] = held
                    if chunk is not None and not (isinstance(value, Reference) and value.other):
                        mentions[name] = chunk
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
            self._vote(finding)
            yield finding

    def _vote(self, finding: Finding) -> None:
        """Members that a finding names belong to its owner, as far as a scope can say."""
        for name, (type, id) in finding.entities.items():
            member = self.patterns.types[type].member
            if not member or name == member:
                continue
            stated = finding.entities.get(member)
            owner = stated or finding.inherited.get(member)
            if owner is not None:
                self.memory[type, id][owner[1]] += STRONG if stated else 1

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
            for name, (of, id) in finding.entities.items():
                if self.patterns.types[of].member == member:
                    votes.update(self.memory.get((of, id), Counter()))
            ranked = votes.most_common(2)
            if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]):
                finding.inherited[member] = (type, ranked[0][0])

    def marked(self) -> MarkedText:
        """The marks: mentions of entities, then findings in the order of the text."""
        findings = self.findings()
        for finding in findings:
            self._settle_members(finding)
        return _Marking(self, findings).marked()


@dataclass(eq=False)
class _Typed(Chunk):
    """A chunk as a slot of a type takes it: a name may be of any type with names."""

    as_type: str = ""

    @staticmethod
    def of(chunk: Chunk, type: str) -> Chunk:
        if chunk.type != NAME or type == NAME:
            return chunk
        return _Typed(**{**chunk.__dict__, "as_type": type})


class _Marking:
    """Findings of a document as marks."""

    def __init__(self, reading: _Reading, findings: Sequence[Finding]) -> None:
        self._reading, self._findings = reading, findings
        self._marks: list[TextMark] = []
        self._mentions: dict[tuple[int, int, str], str] = {}
        self._of_entity: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)

    def marked(self) -> MarkedText:
        reading = self._reading
        for entity, chunk in reading.named:
            self._mention(entity, chunk)
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

    def _mention(self, entity: tuple[str, str], chunk: Chunk) -> str:
        type, id = entity
        start, end = chunk.span
        known = self._mentions.get((start, end, type))
        if known is None:
            known = f"T{len(self._mentions) + 1}"
            self._mentions[start, end, type] = known
            self._of_entity[entity].append((start, known))
            category = self._reading.patterns.types[type].category
            self._marks.append(TextMark(known, category, ((start, end),), {ENTITY: _name(id)}))
        return known

    def _finding(self, id: str, finding: Finding, chains: dict[tuple[str, Any], str]) -> None:
        category = self._reading.reader.categories.categories[finding.category]
        values, links = dict(finding.values), dict[str, str]()
        for name, value in finding.inherited.items():
            if isinstance(value, tuple):
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
        if chain is not None and chain.by in finding.entities:
            key = (finding.category, finding.entities[chain.by])
            if key in chains and chain.after:
                links[chain.after] = chains[key]
            elif key not in chains and chain.first:
                values[chain.first] = True
            chains[key] = id
        complete = all(
            not of.required or name in values or of.words
            for name, of in category.attributes.items()
        ) and all(of.optional or name in links for name, of in category.relations.items())
        if not complete:
            return
        if finding.probability is not None:
            values[PROBABILITY] = finding.probability
        self._marks.append(
            TextMark(id, finding.category, ((finding.start, finding.end),), values, links)
        )

    def _nearest(self, entity: tuple[str, str], place: int) -> str | None:
        """The last mention before a place, else the first."""
        places = self._of_entity.get(entity, ())
        before = [mark for start, mark in places if start <= place]
        return before[-1] if before else places[0][1] if places else None


def _rows(match: Match) -> list[dict[str, Any]]:
    """The marks that a match makes: one, or one for each of a list ("respectively")."""
    rows: list[dict[str, Any]] = []
    for phrase in match.phrases:
        slots: dict[str, list[Chunk]] = {}
        for name, chunk in phrase.slots:
            slots.setdefault(name, []).append(chunk)
        count = max((len(several) for several in slots.values()), default=1)
        for index in range(count):
            row: dict[str, Any] = dict(phrase.values)
            for name, several in slots.items():
                if len(several) == 1:
                    row[name] = several[0]
                elif index < len(several):
                    row[name] = several[index]
            rows.append(row)
    rows = rows or [{}]
    most = max((len(several) for several in match.slots.values()), default=1)
    if len(rows) == 1 and most > 1:
        rows = [dict(rows[0]) for _ in range(most)]
    for name, several in match.slots.items():
        for index, row in enumerate(rows):
            if name in row:
                continue
            if len(several) == 1:
                row[name] = several[0]
            elif index < len(several):
                row[name] = several[index]
    return rows


def _flat(items: Sequence[Chunk]) -> Iterator[Chunk]:
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
    return re.sub(r"[^\w.'’-]+", "-", id)

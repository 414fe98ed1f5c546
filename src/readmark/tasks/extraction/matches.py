"""Patterns over the sentences of a document.

Hidden stretches are taken out; titles join their names; phrases become chunks; then patterns match,
in the order of the file, and each phrase is used once.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.tasks.extraction.chunks import (
    ChunkedSentence,
    Chunker,
    TextChunk,
    TypedChunk,
    last_name,
)
from readmark.tasks.extraction.pattern_set import (
    NAME,
    NUMBER,
    TIMES,
    WORDS,
    Expression,
    MarkPattern,
)
from readmark.tasks.extraction.tokens import sentences_of

MOST_TIMES = 6
"""The most marks that one phrase makes, whatever number it states."""


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
        chunks = [*self.phrases, *(chunk for filled in self.slots.values() for chunk in filled)]
        if not chunks:
            return self.start, self.end
        return min(chunk.start for chunk in chunks), max(chunk.end for chunk in chunks)


def match_rows(match: Match) -> list[dict[str, Any]]:
    """The marks that a match makes: one, or one for each of a list ("respectively")."""
    rows: list[dict[str, Any]] = []
    shared = {name: list(chunks) for name, chunks in match.slots.items()}
    shared_values: dict[str, Any] = {}
    for phrase in match.phrases:
        slots: dict[str, list[TextChunk]] = {}
        for name, chunk in phrase.slots:
            slots.setdefault(name, []).append(chunk)
        if phrase.part:  # it makes no mark of its own: what it says goes to every mark
            for name, chunks in slots.items():
                all_chunks = [*shared.get(name, ()), *chunks]
                shared[name] = sorted(all_chunks, key=lambda chunk: chunk.start)
            shared_values |= phrase.values
            continue
        count = max((len(chunks) for chunks in slots.values()), default=1)
        values = dict(phrase.values)
        times = slots.pop(TIMES)[0].value if TIMES in slots else values.pop(TIMES, 1)
        for index in range(max(count, min(times, MOST_TIMES))):
            row: dict[str, Any] = dict(values)
            for name, chunks in slots.items():
                _put_chunk(row, name, chunks, index)
            rows.append(row)
    rows = rows or [{}]
    longest = max((len(chunks) for chunks in shared.values()), default=1)
    if len(rows) == 1 and longest > 1:
        rows = [dict(rows[0]) for _ in range(longest)]
    for name, chunks in shared.items():
        for index, row in enumerate(rows):
            if name not in row:
                _put_chunk(row, name, chunks, index)
    return [{**shared_values, **row} for row in rows]


def _put_chunk(row: dict[str, Any], name: str, chunks: Sequence[TextChunk], index: int) -> None:
    """Give a row its chunk of a slot: the only one, or of several the one at its place."""
    if len(chunks) == 1:
        row[name] = chunks[0]
    elif index < len(chunks):
        row[name] = chunks[index]


class MatchedDocument:
    """The sentences of a document as chunks, and the patterns that match in them."""

    def __init__(self, chunker: Chunker, id: str, text: str) -> None:
        self.chunker, self.patterns = chunker, chunker.patterns
        self.id, self.text = id, text
        self.chunks: list[TextChunk] = []
        self.sentences: list[ChunkedSentence] = []
        self.hidden: list[TextChunk] = []
        self.worded: dict[str, list[str]] = defaultdict(list)
        for number, tokens in enumerate(sentences_of(text)):
            self.sentences.append(ChunkedSentence(chunker.chunks(tokens, text), number))
        self.full_names = self._names_by_ending()
        by_first = any(type.first for type in self.patterns.types.values())
        self._first_names = {
            words[0] for names in self.full_names.values() for words in names if by_first
        }
        for sentence in self.sentences:
            self._settle_doubtful(sentence)
            self._hide(sentence)
        self.pairs = self._pairs()
        for sentence in self.sentences:
            self._join_titles(sentence)
            self._join_phrases(sentence, entities=True)
            self._join_han_names(sentence)
        self.matches = [
            match for sentence in self.sentences for match in self._matches(sentence, early=True)
        ]
        for sentence in self.sentences:
            self._join_phrases(sentence, entities=False)
        self.matches += [match for sentence in self.sentences for match in self._matches(sentence)]

    def _names_by_ending(self) -> dict[str, list[tuple[str, ...]]]:
        """Full names by their last name, and by all their words but the first."""
        names: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for sentence in self.sentences:
            for item in sentence.items:
                if item.type == NAME and len(item.value) > 1:
                    words = tuple(item.value)
                    # In this order: where a first name is looked up, the earliest entry wins.
                    for ending in (last_name(words), " ".join(words[1:])):
                        if words not in names[ending]:
                            names[ending].append(words)
        return names

    def _settle_doubtful(self, sentence: ChunkedSentence) -> None:
        """A capitalised first word is a name only where the document knows it as one."""
        first = sentence.items[0] if sentence.items else None
        if first is not None and first.type == NAME and len(first.value) > 2:
            rest = tuple(first.value[1:])
            if rest in self.full_names.get(last_name(rest), ()):  # "Yesterday Ann Bell"
                end = first.start + len(first.value[0])
                cut = self.text.index(rest[0], end)
                word = TextChunk("", first.start, end, first.value[0])
                name = TextChunk(NAME, cut, first.end, self.text[cut : first.end], rest)
                sentence.change(0, 1, [word, name])
        for item in sentence.items:
            if item.type == NAME and item.values.get("doubtful"):
                is_known = item.text in self.full_names or item.text in self._first_names
                if not is_known and not self._is_name_elsewhere(item.text):
                    item.type, item.value = "", None
                    sentence.rendering = ""
                item.values = {}

    def _is_name_elsewhere(self, word: str) -> bool:
        return any(
            item.type == NAME and item.text == word and not item.values.get("doubtful")
            for sentence in self.sentences
            for item in sentence.items
        )

    def _hide(self, sentence: ChunkedSentence) -> None:
        """Take out the stretches that patterns hide."""
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
        """Make one chunk of a name and the title before it, or what follows it."""
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
                    title_slots = [
                        (slot, chunk) for slot, chunks in slots.items() for chunk in chunks
                    ]
                    joined = TextChunk(
                        NAME,
                        first,
                        last,
                        self.text[first:last],
                        name.value,
                        [*name.slots, *title_slots],
                        inner=name.span,
                    )
                    sentence.change(start, end, [joined])

    def _join_phrases(self, sentence: ChunkedSentence, *, entities: bool) -> None:
        """Make one chunk of each phrase, of those that name entities or of the others."""
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
                    all_slots = [
                        (slot, chunk) for slot, chunks in slots.items() for chunk in chunks
                    ]
                    all_slots += [pair for inner in phrases for pair in inner.slots]
                    first, last = sentence.items[start], sentence.items[end - 1]
                    chunk = TextChunk(
                        phrase.type,
                        first.start,
                        last.end,
                        self.text[first.start : last.end],
                        self._worded(phrase.type, self.text[first.start : last.end]),
                        all_slots,
                        values,
                        part=phrase.part,
                        again=phrase.again,
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
        surnames, items = self.chunker.surnames, sentence.items
        for index in range(len(items) - 2, -1, -1) if surnames else ():
            first = items[index]
            if first.type or first.text not in surnames:
                continue
            size = 1
            while (
                size < 3
                and index + size < len(items)
                and self._may_follow_surname(items, index + size)
            ):
                size += 1
            if size == 3:
                two = self.text[first.start : first.start + 2]
                endings = Counter(re.findall(re.escape(two) + r"(.)", self.text))
                if endings.total() > 1 == max(endings.values()):
                    size = 2
            while size > 1 and self.text.startswith(self.chunker.ends, items[index + size - 1].end):
                size -= 1
            if size > 1:
                last = items[index + size - 1]
                words = self.text[first.start : last.end]
                items[index : index + size] = [
                    TextChunk(NAME, first.start, last.end, words, (words,))
                ]
                sentence.rendering = ""

    def _may_follow_surname(self, items: Sequence[TextChunk], index: int) -> bool:
        item = items[index]
        return (
            (not item.type or item.type == NUMBER)
            and "\u4e00" <= item.text <= "\u9fff"
            and len(item.text) == 1
            and item.text not in self.chunker.never
            and item.start == items[index - 1].end
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
            if chunk.type in self.chunker.phrase_types:
                phrases.append((match.start(slot.group), chunk))
            elif slot.name:
                placed.append((match.start(slot.group), slot.name, TypedChunk.of(chunk, slot.type)))
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
        token = re.match(r"⟦[^#]*#(\d+)", text)
        assert token is not None
        return self.chunks[int(token[1]) - 1]

    def _matches(self, sentence: ChunkedSentence, *, early: bool = False) -> Iterator[Match]:
        rendering = sentence.render(self.chunks)
        marks: list[Match] = []
        for pattern in self.patterns.patterns:
            if pattern.hide or pattern.early != early:
                continue
            for find in pattern.finds:
                if not find.may_match(sentence.present):
                    continue
                offset = 0
                while (match := find.regex.search(rendering, offset)) is not None:
                    if match.end() == match.start():
                        break
                    slots, phrases = self.slots(find, match, sentence)
                    first = sentence.items[sentence.item_at(match.start())]
                    last = sentence.items[sentence.item_at(match.end()) - 1]
                    new = Match(pattern, sentence, first.start, last.end, slots, phrases)
                    offset = match.end()
                    # What only words say must not be in the words of an earlier mark.
                    is_bare = pattern.mark and all(
                        phrase.part and not phrase.again for phrase in phrases
                    )
                    if is_bare and any(mark.phrases and mark.overlaps(new) for mark in marks):
                        continue
                    if pattern.mark:
                        marks.append(new)
                    yield new
                    if phrases:
                        for phrase in phrases:
                            phrase.used = not phrase.again
                        sentence.rendering = ""
                        rendering = sentence.render(self.chunks)
                        offset = (
                            sentence.places[sentence.items.index(last)]
                            if last in sentence.items
                            else 0
                        )
                        if last in phrases:
                            offset += 1

    def _pairs(self) -> dict[str, tuple[str, ...]]:
        """The two entities of a type that a document is about: those that it names most."""
        pairs: dict[str, tuple[str, ...]] = {}
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
                counted = [id for id in ids if id in counts]
                counts[counted[0] if counted else ids[0]] += 1
            order = {id: place for place, id in enumerate(counts)}
            ranked = sorted(counts, key=lambda id: (-counts[id], order[id]))
            pairs[type.name] = tuple(sorted(ranked[:2], key=order.__getitem__))
        return pairs

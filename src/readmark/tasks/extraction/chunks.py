"""Chunks of a sentence: words, and the entities, numbers, dates and names among them."""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.tasks.categories.values import value_in_words
from readmark.tasks.extraction.pattern_set import DATE, NAME, NUMBER, USED, YEAR, PatternSet
from readmark.tasks.extraction.tokens import TextToken, number_in, token_texts
from readmark.works import MarkAttribute

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
    """Whether a pattern took it, so that no other may."""
    part: bool = False
    """A phrase that goes with other phrases and makes no mark of its own."""
    again: bool = False
    """A phrase that several patterns may take."""

    @property
    def span(self) -> tuple[int, int]:
        """Where the words are that name it."""
        return self.inner or (self.start, self.end)


@dataclass(eq=False)
class TypedChunk(TextChunk):
    """A chunk as a slot of a type takes it: a name may be of any type with names."""

    as_type: str = ""

    @staticmethod
    def of(chunk: TextChunk, type: str) -> TextChunk:
        if chunk.type != NAME or type == NAME:
            return chunk
        return TypedChunk(**{**chunk.__dict__, "as_type": type})


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
        parts, offset = [], 0
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
            self.places.append(offset)
            parts.append(part)
            offset += len(part)
        self.rendering = "".join(parts)
        return self.rendering

    def item_at(self, place: int) -> int:
        """The item that starts at a place of the rendering, or after it."""
        return bisect.bisect_left(self.places, place)


class Chunker:
    """Makes chunks of sentences with the entities of a file of patterns."""

    def __init__(self, patterns: PatternSet) -> None:
        self.patterns = patterns
        self._lexicon: dict[str, list[tuple[tuple[str, ...], str, str]]] = defaultdict(list)
        for type in patterns.types.values():
            for id, names in type.entities.items():
                for name in names:
                    words = tuple(_lower_words(name))
                    if words:
                        self._lexicon[words[0]].append((words, type.name, id))
        for entries in self._lexicon.values():
            entries.sort(key=lambda entry: -len(entry[0]))
        self._shared = frozenset(
            word.lower() for type in patterns.types.values() for word in type.shared
        )
        self.never = frozenset(word for type in patterns.types.values() for word in type.never)
        self._pronouns = {
            word: type.name for type in patterns.types.values() for word in type.pronouns
        }
        self._has_names = any(type.names for type in patterns.types.values())
        self.phrase_types = {phrase.type for phrase in patterns.phrases} - patterns.types.keys()
        self.surnames = frozenset(
            name for type in patterns.types.values() for name in type.surnames
        )
        self.ends = tuple(end for type in patterns.types.values() for end in type.ends)

    def chunks(self, tokens: Sequence[TextToken], text: str) -> list[TextChunk]:
        """Words and what the lexicon and the shapes of words make of them."""
        chunks: list[TextChunk] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            length, chunk = self._entity(tokens, index, text)
            if chunk is not None and self._in_name(tokens, index, length):
                chunk = None
            if chunk is None:
                length, chunk = self._dated(tokens, index, text)
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
                length, chunk = self._named(tokens, index, text, first=not chunks)
            if chunk is None:
                length, chunk = 1, TextChunk("", token.start, token.end, token.text)
            chunks.append(chunk)
            index += length
        return chunks

    def _entity(
        self, tokens: Sequence[TextToken], index: int, text: str
    ) -> tuple[int, TextChunk | None]:
        """The longest name of the lexicon here, with every entity of its type that it may name."""
        first = tokens[index].text.lower()
        longest, ids, type = 0, list[str](), ""
        for words, of, id in self._lexicon.get(first, ()):
            size = len(words)
            if size < longest or index + size > len(tokens):
                continue
            if all(tokens[index + k].text.lower() == words[k] for k in range(1, size)):
                if not tokens[index].text[:1].isupper() and _is_proper(words, self, of, id):
                    continue
                if size > longest:
                    longest, ids, type = size, [id], of
                elif of == type and id not in ids:
                    ids.append(id)
        if not longest:
            return 1, None
        start, end = tokens[index].start, tokens[index + longest - 1].end
        return longest, TextChunk(type, start, end, text[start:end], tuple(ids))

    def _in_name(self, tokens: Sequence[TextToken], index: int, length: int) -> bool:
        """Whether a word that entities share with people's names is in such a name here."""
        if length > 1 or tokens[index].text.lower() not in self._shared:
            return False
        before = tokens[index - 1] if index > 1 else None
        after = tokens[index + 1] if index + 1 < len(tokens) else None
        return any(
            token is not None and self._is_name(token) and token.text.lower() not in self._lexicon
            for token in (before, after)
        )

    def _is_name(self, token: TextToken) -> bool:
        text = token.text
        return (
            text[:1].isupper()
            and bool(_CAPITAL.fullmatch(text))
            and text.lower() not in self.never
            and text.lower() not in COMMON_WORDS
        )

    def _dated(
        self, tokens: Sequence[TextToken], index: int, text: str
    ) -> tuple[int, TextChunk | None]:
        if not _DATE_START.match(tokens[index].text):
            return 1, None
        for size in (5, 4, 3, 6):
            if index + size > len(tokens):
                continue
            start, end = tokens[index].start, tokens[index + size - 1].end
            words = text[start:end]
            if not any(character.isdigit() for character in words) or end - start > 30:
                continue
            date = value_in_words(_DATE_ATTRIBUTE, words)
            if date is not None and date[1] == (0, len(words)):
                return size, TextChunk(DATE, start, end, words, date[0].lexical)
        return 1, None

    def _named(
        self, tokens: Sequence[TextToken], index: int, text: str, *, first: bool
    ) -> tuple[int, TextChunk | None]:
        """A run of capitalised words; a sentence's first word counts only within one."""
        size = 0
        while index + size < len(tokens):
            token = tokens[index + size]
            lower = token.text.lower()
            if size and lower in _SUFFIXES:
                size += 1
                break
            following = tokens[index + size + 1] if index + size + 1 < len(tokens) else None
            if size and token.text in _PARTICLES and following and self._is_name(following):
                size += 1
                continue
            if not self._is_name(token):
                break
            is_entity = size and self._entity(tokens, index + size, text)[1] is not None
            if is_entity and not self._in_name(tokens, index + size, 1):
                break
            size += 1
        rest = [token.text.lower() for token in tokens[index + size : index + size + 2]]
        if size and rest[:1] == [","] and rest[-1] in _SUFFIXES:
            size += 2
        if not size:
            return 1, None
        start, end = tokens[index].start, tokens[index + size - 1].end
        words = tuple(token.text for token in tokens[index : index + size] if token.text != ",")
        chunk = TextChunk(NAME, start, end, text[start:end], words)
        if first and size == 1:
            chunk.values = {"doubtful": True}
        return size, chunk


def _is_proper(words: tuple[str, ...], chunker: Chunker, type: str, id: str) -> bool:
    """Whether an entity's name is written with a capital, so that a small one is another word."""
    names = chunker.patterns.types[type].entities[id]
    return any(tuple(_lower_words(name)) == words and name[:1].isupper() for name in names)


def _lower_words(name: str) -> list[str]:
    return [word.lower() for word in token_texts(name)]


def last_name(words: Sequence[str]) -> str:
    """The last name, without Jr. and the like."""
    names = [word for word in words if word.lower() not in _SUFFIXES]
    return names[-1] if names else words[-1]

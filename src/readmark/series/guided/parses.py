"""Questions and targets as the English analyser reads them: words with syntax, and names."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from readmark.core.records import Analysis, Offsets
from readmark.hooks import Analyser
from readmark.series.guided.word_forms import can_be_verb
from readmark.series.guided.word_tables import listed
from readmark.text.analysers.registry import analyser

_TOKEN = re.compile(r"[^\W_]+(?:[-'’.&/_][^\W_]+)*")
_OWN = re.compile(r"['’]s?$")
NOUNS = ("NN", "NNS", "NNP", "NNPS")
"""The tags of nouns."""
_NOMINAL = ("DT", "JJ", "CD", "NN", "NNS", "NNP", "NNPS", "POS", "PRP")
LONGEST = 2_000
"""Characters of a question that are read; the rest is kept unchanged."""


@dataclass(frozen=True, slots=True)
class ParsedWord:
    """A token with its place, tags and head."""

    text: str
    start: int
    end: int
    lemma: str
    tag: str
    head: int
    dep: str

    @property
    def lower(self) -> str:
        return self.text.lower()

    @property
    def is_noun(self) -> bool:
        return self.tag.startswith("NN")


@dataclass(frozen=True, slots=True)
class QuestionToken:
    """A word for comparison: lower case, without the possessive's ending."""

    text: str
    start: int
    end: int
    key: str
    """The word itself, with the 's that may belong to a name."""
    base: str
    """The word without 's."""

    @property
    def is_stop(self) -> bool:
        return self.base in listed("stop", "words")

    @property
    def is_capital(self) -> bool:
        return self.text[:1].isupper() or self.text[:1].isdigit()


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text with its words, and its names by type."""

    text: str
    words: tuple[ParsedWord, ...]
    tokens: tuple[QuestionToken, ...]
    names: tuple[tuple[int, int, str], ...]

    def word_at(self, offset: int) -> int | None:
        """The index of the word that covers an offset."""
        for index, word in enumerate(self.words):
            if word.start <= offset < word.end:
                return index
        return None

    def run_start(self, index: int, tags: Sequence[str]) -> int:
        """The first of the words right before one that have these tags."""
        while index and self.words[index - 1].tag in tags:
            index -= 1
        return index

    def run_end(self, index: int, tags: Sequence[str]) -> int:
        """The last of the words right after one that have these tags."""
        while index + 1 < len(self.words) and self.words[index + 1].tag in tags:
            index += 1
        return index

    def children(self, index: int) -> list[int]:
        return [at for at, word in enumerate(self.words) if word.head == index and at != index]

    def name_type(self, start: int, end: int) -> str | None:
        """The type of the name that overlaps a stretch."""
        for first, last, type in self.names:
            if first < end and start < last:
                return type
        return None


def parse_all(texts: Iterable[str]) -> list[ParsedText]:
    """Every text read by the English analyser, in one batch."""
    own = [text[:LONGEST] for text in texts]
    return [
        _parsed(text, analysis)
        for text, analysis in zip(own, _english().analyse(own, ("token", "ne")), strict=True)
    ]


def signature() -> str:
    """Which analyser reads the questions."""
    return _english().signature()


def tokens(text: str) -> Iterator[QuestionToken]:
    """The words of a text for comparison."""
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if text[end : end + 1] in ("'", "’"):  # Helens'
            end += 1
        key = text[start:end].lower().replace("’", "'").rstrip("'")
        yield QuestionToken(text[start:end], start, end, key, _OWN.sub("", key))


def _parsed(text: str, analysis: Analysis) -> ParsedText:
    layer = analysis.layers["token"]
    columns = layer.columns
    words = tuple(
        ParsedWord(text[start:end], start, end, lemma.lower(), tag, head, dep)
        for (start, end), lemma, tag, head, dep in zip(
            layer.spans,
            columns["lemma"],
            columns["tag"],
            columns["head"],
            columns["dep"],
            strict=True,
        )
    )
    words = _repaired(words)
    names = analysis.layers["ne"]
    typed: list[tuple[int, int, str]] = []
    for span, type, core in zip(
        names.spans, names.columns["type"], names.columns["core"], strict=True
    ):
        if core is not None:
            where: Offsets = (core[0], core[1])
            typed.append((*where, type))
        elif any(word[:1].isupper() for word in text[slice(*span)].split()[span[0] == 0 :]):
            typed.append((*span, type))
    return ParsedText(text, words, tuple(tokens(text)), tuple(typed))


def _repaired(words: tuple[ParsedWord, ...]) -> tuple[ParsedWord, ...]:
    """The small pipeline takes some verbs for nouns: did the winner represent."""
    do = next((index for index, word in enumerate(words) if word.lower in ("did", "does")), None)
    if do is None or any(word.tag in ("VB", "VBP") for word in words[do + 1 :]):
        return words
    noun = False
    last = do
    for index in range(do + 1, len(words)):
        word = words[index]
        if word.tag not in _NOMINAL:
            break
        lower = word.tag in ("NN", "JJ", "NNP") and word.text.islower()
        if noun and lower and can_be_verb(word.lower):
            return (*words[:index], replace(word, tag="VB", dep="ROOT"), *words[index + 1 :])
        noun = noun or word.is_noun
        last = index
    subject, verb = words[last - 1], words[last]
    if last > do + 1 and subject.tag == "JJ" and verb.tag == "NN" and can_be_verb(verb.lower):
        # Did this tournament conclude: there is a verb, so it is the last word.
        found = replace(subject, tag="NN", dep="nsubj"), replace(verb, tag="VB", dep="ROOT")
        return (*words[: last - 1], *found, *words[last + 1 :])
    return words


@functools.cache
def _english() -> Analyser:
    return analyser("en")

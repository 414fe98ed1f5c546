"""A passage as the features read it: words, tags, heads and sentences in plain columns."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise, tee
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.records import Layers
from readmark.hooks import Analyser
from readmark.readability.formulas.english import EnglishCounts, count_english
from readmark.readability.raters.spelling import as_read
from readmark.text import sentences as sentence_rules
from readmark.text import words as word_rules
from readmark.text.analysers.registry import analyser

CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV"})
"""Universal tags of content words; names are left out, since they are no measure of a text."""
NOUNS = frozenset({"NOUN", "PROPN"})
NEEDED = ("sentence", "token")
"""The layers that features are measured on."""


@dataclass(frozen=True)
class ParsedPassage:
    """One passage; the columns run over its tokens, ``words`` are those with a letter or digit."""

    text: str
    raw: tuple[str, ...]
    """The tokens as they are written."""
    lemmas: tuple[str, ...]
    pos: tuple[str, ...]
    """Universal tags."""
    tags: tuple[str, ...]
    """Penn Treebank tags."""
    heads: tuple[int, ...]
    """The token that each depends on; a root is its own head."""
    deps: tuple[str, ...]
    """The relation to the head."""
    sentences: NDArray[np.intp]
    """The sentence that each token is in."""

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The tokens in small letters, with straight apostrophes."""
        return tuple(form.lower().replace("’", "'") for form in self.raw)

    @cached_property
    def words(self) -> list[int]:
        """The tokens that are words or figures."""
        return [index for index, form in enumerate(self.raw) if any(map(str.isalnum, form))]

    @cached_property
    def count(self) -> int:
        """How many words, at least one, since shares are taken of it."""
        return max(1, len(self.words))

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """First and last token (exclusive) of every sentence that has a word."""
        starts = np.flatnonzero(np.diff(self.sentences)) + 1
        edges = [0, *starts.tolist(), len(self.raw)]
        with_words = set(self.sentences[self.words].tolist())
        return [
            (first, last)
            for first, last in pairwise(edges)
            if last > first and int(self.sentences[first]) in with_words
        ]

    @cached_property
    def sentence_count(self) -> int:
        """How many sentences, at least one."""
        return max(1, len(self.spans))

    @cached_property
    def content(self) -> list[int]:
        """The content words: nouns, verbs, adjectives and adverbs, no names, no auxiliaries."""
        return [word for word in self.words if self.pos[word] in CONTENT]

    @cached_property
    def ordinary(self) -> list[int]:
        """The words that are neither names nor figures."""
        return [word for word in self.words if self.pos[word] not in ("PROPN", "NUM")]

    @cached_property
    def counts(self) -> EnglishCounts | None:
        """What the classic formulas count, with the rules that the weights were made with."""
        spans = sentence_rules.sentences(self.text, "en")
        return count_english(self.text, spans, split=partial(word_rules.words, language="en"))

    def share(self, count: int | float, of: int | float | None = None) -> float:
        """The share of a total, by default of all words; 0 of nothing."""
        whole = self.count if of is None else of
        return count / whole if whole else 0.0


def from_layers(text: str, layers: Layers) -> ParsedPassage:
    """A passage from its sentence and token layers."""
    tokens = layers["token"]
    spans = tokens.spans
    columns: dict[str, Sequence[Any]] = dict(tokens.columns)
    sentence_starts = np.array([start for start, _ in layers["sentence"].spans], np.intp)
    token_starts = np.array([start for start, _ in spans], np.intp)
    return ParsedPassage(
        text=text,
        raw=tuple(text[start:end] for start, end in spans),
        lemmas=tuple(lemma.lower() for lemma in columns["lemma"]),
        pos=tuple(columns["pos"]),
        tags=tuple(columns["tag"]),
        heads=tuple(columns["head"]),
        deps=tuple(columns["dep"]),
        sentences=np.maximum(np.searchsorted(sentence_starts, token_starts, side="right") - 1, 0),
    )


def parse_all(texts: Iterable[str]) -> Iterator[ParsedPassage]:
    """Passages analysed by the English analyser, as they come and as a reader sees them."""
    as_readers_see, for_analyser = tee(map(as_read, texts))
    analyses = _english().analyse(for_analyser, NEEDED)
    for text, analysis in zip(as_readers_see, analyses, strict=True):
        yield from_layers(text, analysis.layers)


def signature() -> str:
    """Which analyser reads the passages."""
    return _english().signature()


@functools.cache
def _english() -> Analyser:
    return analyser("en")

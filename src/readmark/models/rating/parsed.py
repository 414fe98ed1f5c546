"""A passage as the features read it: words, tags, heads and sentences in plain columns."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, tee
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.values import Layers
from readmark.models.rating.spelling import as_read
from readmark.text.analysers import Analyser, analyser
from readmark.text.readability.english import EnglishCounts, count_english

CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV"})
"""Universal tags of words that carry the matter; names are left out, being no measure of a text."""
NOUNS = frozenset({"NOUN", "PROPN"})
NEEDED = ("sentence", "token")
"""The layers that features are measured on."""


@dataclass(frozen=True)
class Parsed:
    """One passage; the columns run over its tokens, ``words`` are those with a letter or digit."""

    text: str
    raw: tuple[str, ...]
    lemmas: tuple[str, ...]
    pos: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    deps: tuple[str, ...]
    sentences: NDArray[np.intp]
    """The sentence that each token stands in."""

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The tokens in small letters, with straight apostrophes."""
        return tuple(form.lower().replace("’", "'") for form in self.raw)

    @cached_property
    def words(self) -> list[int]:
        """The tokens that are words or figures."""
        return [at for at, form in enumerate(self.raw) if any(map(str.isalnum, form))]

    @cached_property
    def count(self) -> int:
        """How many words, at least one: shares are taken of it."""
        return max(1, len(self.words))

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """First and last token (exclusive) of every sentence that has a word."""
        cuts = np.flatnonzero(np.diff(self.sentences)) + 1
        edges = [0, *cuts.tolist(), len(self.raw)]
        spoken = set(self.sentences[self.words].tolist())
        return [(a, b) for a, b in pairwise(edges) if b > a and int(self.sentences[a]) in spoken]

    @cached_property
    def sentence_count(self) -> int:
        """How many sentences, at least one."""
        return max(1, len(self.spans))

    @cached_property
    def content(self) -> list[int]:
        """The content words: nouns, verbs, adjectives and adverbs, no names, no auxiliaries."""
        pos = self.pos
        return [at for at in self.words if pos[at] in CONTENT]

    @cached_property
    def counts(self) -> EnglishCounts | None:
        """What the classic formulas count."""
        return count_english(self.text)

    def share(self, found: int | float, of: int | float | None = None) -> float:
        """Found of so many, of all words unless told; 0 of nothing."""
        whole = self.count if of is None else of
        return found / whole if whole else 0.0


def from_layers(text: str, layers: Layers) -> Parsed:
    """A passage from its sentence and token layers."""
    tokens = layers["token"]
    spans = tokens.spans
    columns: dict[str, Sequence[Any]] = dict(tokens.columns)
    starts = np.array([start for start, _ in layers["sentence"].spans], np.intp)
    at = np.array([start for start, _ in spans], np.intp)
    return Parsed(
        text=text,
        raw=tuple(text[start:end] for start, end in spans),
        lemmas=tuple(lemma.lower() for lemma in columns["lemma"]),
        pos=tuple(columns["pos"]),
        tags=tuple(columns["tag"]),
        heads=tuple(columns["head"]),
        deps=tuple(columns["dep"]),
        sentences=np.maximum(np.searchsorted(starts, at, side="right") - 1, 0),
    )


def parse_all(texts: Iterable[str]) -> Iterator[Parsed]:
    """Passages analysed by the English analyser, as they come and as a reader sees them."""
    mine, given = tee(map(as_read, texts))
    for text, analysis in zip(mine, _english().analyse(given, NEEDED), strict=True):
        yield from_layers(text, analysis.layers)


def signature() -> str:
    """Which analyser reads the passages."""
    return _english().signature()


@functools.cache
def _english() -> Analyser:
    return analyser("en")

"""How much of a Chinese text is words of the sciences and of technology, and of which field.

The words stand in ``data/topics.zh.toml``, by field, chosen by hand. "SMART: A Stratified Machine
Reading Test" left out articles that are too specialised, "on physics or chemistry topics".
"""

from __future__ import annotations

import functools
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from readmark.text.lexicon import Entry, Lexicon
from readmark.text.segmenter import Segmenter

STRONG, WEAK = 1.0, 0.5
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Topic:
    """The weighed length of a text's science words, in characters, and what they are."""

    weight: float
    words: int
    """Different words."""
    field: str | None
    examples: tuple[str, ...]
    """The words that weigh most."""


def topic(counts: Mapping[str, int]) -> Topic:
    """The science words among the words of a text in simplified characters, with their counts."""
    terms = _terms()
    found = counts.keys() & terms.keys()
    if not found:
        return Topic(0.0, 0, None, ())
    fields: Counter[str] = Counter()
    weights: dict[str, float] = {}
    for word in found:
        weight, of = terms[word]
        weights[word] = weight * counts[word] * len(word)
        for field in of:
            fields[field] += weights[word]  # type: ignore[assignment]
    first = min(fields, key=lambda field: (-fields[field], field))
    examples = sorted(found, key=lambda word: (-weights[word], word))[:_SHOWN]
    return Topic(sum(weights.values()), len(found), first, tuple(examples))


@functools.cache
def term_segmenter() -> Segmenter:
    """The segmenter that the words are for: no guessing, and every science word whole."""
    entries = tuple(Entry(word, tag="n", yields=True) for word in _terms())
    return Segmenter(hmm=False, lexicon=Lexicon(entries, "topics"))


@functools.cache
def _terms() -> dict[str, tuple[float, tuple[str, ...]]]:
    """Each word's weight and fields."""
    source = files("readmark.text").joinpath("data", "topics.zh.toml").read_text("utf-8")
    weights: dict[str, float] = {}
    fields: dict[str, list[str]] = {}
    for field, lists in tomllib.loads(source).items():
        for weight, words in ((STRONG, lists["strong"]), (WEAK, lists["weak"])):
            for word in words.split():
                weights[word] = max(weight, weights.get(word, 0.0))
                fields.setdefault(word, []).append(field)
    return {word: (weight, tuple(fields[word])) for word, weight in weights.items()}

"""How much of a Chinese text is words of the sciences and of technology, and of which field."""

from __future__ import annotations

import functools
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from readmark.text.segmenter import Segmenter
from readmark.text.user_lexicon import LexiconEntry, UserLexicon

STRONG, WEAK = 1.0, 0.5
"""Weights of words that only a field has, and of words that are used elsewhere too."""
_EXAMPLES = 4
"""How many words a finding names."""


@dataclass(frozen=True, slots=True)
class ScienceTopic:
    """The science words of a text."""

    weight: float
    """Their length in characters, times their weights."""
    words: int
    """How many different ones there are."""
    field: str | None
    """The field that most of the weight is of."""
    examples: tuple[str, ...]
    """The words that weigh most."""


def science_topic(counts: Mapping[str, int]) -> ScienceTopic:
    """The science words among the words of a text in simplified characters, with their counts."""
    terms = science_terms()
    in_text = counts.keys() & terms.keys()
    if not in_text:
        return ScienceTopic(0.0, 0, None, ())
    fields: dict[str, float] = defaultdict(float)
    weights: dict[str, float] = {}
    for word in in_text:
        weight, fields_of_word = terms[word]
        # A foreign word is as long as a Chinese one, however many letters it is spelt with.
        weights[word] = weight * counts[word] * (2 if word.isascii() else len(word))
        for field in fields_of_word:
            fields[field] += weights[word]
    main_field = min(fields, key=lambda field: (-fields[field], field))
    examples = sorted(in_text, key=lambda word: (-weights[word], word))[:_EXAMPLES]
    return ScienceTopic(sum(weights.values()), len(in_text), main_field, tuple(examples))


@functools.cache
def term_segmenter() -> Segmenter:
    """The segmenter that the words are for: no guessing, and every science word whole."""
    entries = tuple(LexiconEntry(word, tag="n", yields=True) for word in science_terms())
    return Segmenter(hmm=False, lexicon=UserLexicon(entries, "topics"))


@functools.cache
def science_terms() -> dict[str, tuple[float, tuple[str, ...]]]:
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

"""Surface features: lengths of sentences and words, and punctuation; none needs a parse."""

from __future__ import annotations

import math

import numpy as np

from readmark.readability.raters.features.feature import family
from readmark.readability.raters.parses import ParsedPassage

LONG_WORD = 7
LONG_SENTENCE = 25

SURFACE = family(
    "surface",
    ("sentence_length", "words per sentence, as a logarithm", -1, 0.7, 4.4),
    ("longest_sentence", "words of the longest sentences, as a logarithm", -1, 0.7, 4.8),
    ("long_sentences", "share of words in sentences of over 25 words", -1, 0.0, 1.0),
    ("length_spread", "unevenness of sentence lengths", 0, 0.0, 1.2),
    ("syllables", "syllables per word", -1, 1.0, 2.4),
    ("letters", "letters per word", -1, 3.0, 7.0),
    ("polysyllables", "share of words of three syllables or more", -1, 0.0, 0.45),
    ("long_words", "share of words of seven letters or more", -1, 0.0, 0.6),
    ("commas", "commas per sentence", -1, 0.0, 5.0),
    ("heavy_signs", "colons, semicolons, dashes and brackets per sentence", -1, 0.0, 2.0),
    ("spoken_signs", "share of sentences that ask, exclaim or quote", 1, 0.0, 1.0),
    ("figures", "share of words with figures", -1, 0.0, 0.25),
)

_HEAVY_SIGNS = frozenset(";:()[]–—")
_SPOKEN_SIGNS = frozenset('?!"“”') | {"``", "''", "'", "‘"}


def measure_surface(parsed: ParsedPassage) -> dict[str, float]:
    """The surface features by name; without a word, lengths are the least that there can be."""
    raw, words, counts = parsed.raw, parsed.words, parsed.counts
    words_per_sentence = np.bincount(parsed.sentences[words]) if words else np.ones(1)
    lengths = words_per_sentence[words_per_sentence > 0].astype(float)
    total = float(lengths.sum())
    spoken = {
        int(parsed.sentences[index]) for index, form in enumerate(raw) if form in _SPOKEN_SIGNS
    }
    return {
        "sentence_length": math.log(total / len(lengths)),
        "longest_sentence": math.log(float(np.quantile(lengths, 0.9))),
        "long_sentences": float(lengths[lengths > LONG_SENTENCE].sum()) / total,
        "length_spread": float(lengths.std() / lengths.mean()),
        "syllables": counts.syllables / counts.words if counts else 1.0,
        "letters": counts.letters / counts.words if counts else 3.0,
        "polysyllables": counts.polysyllables / counts.words if counts else 0.0,
        "long_words": parsed.share(sum(len(raw[word]) >= LONG_WORD for word in words)),
        "commas": sum(form == "," for form in raw) / parsed.sentence_count,
        "heavy_signs": _heavy_signs(parsed) / parsed.sentence_count,
        "spoken_signs": len(spoken) / parsed.sentence_count,
        "figures": parsed.share(sum(any(map(str.isdigit, raw[word])) for word in words)),
    }


def _heavy_signs(parsed: ParsedPassage) -> int:
    """Heavy signs one by one: a token such as ``):`` has several, and two hyphens are one dash."""
    words = set(parsed.words)
    punctuation = (form for index, form in enumerate(parsed.raw) if index not in words)
    return sum(sign in _HEAVY_SIGNS for form in punctuation for sign in form.replace("--", "—"))

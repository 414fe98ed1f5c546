"""Surface: lengths and signs, which need no parse."""

from __future__ import annotations

import math

import numpy as np

from readmark.readability.raters.features.families import Feature, bounded
from readmark.readability.raters.parses import Parsed

LONG_WORD = 7
LONG_SENTENCE = 25

FEATURES = tuple(
    Feature(name, "surface", says, easier, low, high)
    for name, says, easier, low, high in (
        ("sentence_length", "words a sentence, as a logarithm", -1, 0.7, 4.4),
        ("longest_sentence", "words of the longest sentences, as a logarithm", -1, 0.7, 4.8),
        ("long_sentences", "share of words in sentences of over 25 words", -1, 0.0, 1.0),
        ("length_spread", "unevenness of sentence lengths", 0, 0.0, 1.2),
        ("syllables", "syllables a word", -1, 1.0, 2.4),
        ("letters", "letters a word", -1, 3.0, 7.0),
        ("polysyllables", "share of words of three syllables or more", -1, 0.0, 0.45),
        ("long_words", "share of words of seven letters or more", -1, 0.0, 0.6),
        ("commas", "commas a sentence", -1, 0.0, 5.0),
        ("heavy_signs", "colons, semicolons, dashes and brackets a sentence", -1, 0.0, 2.0),
        ("spoken_signs", "share of sentences that ask, exclaim or quote", 1, 0.0, 1.0),
        ("figures", "share of words with figures", -1, 0.0, 0.25),
    )
)

_HEAVY = frozenset(";:()[]–—")
_SPOKEN = frozenset('?!"“”') | {"``", "''", "'", "‘"}


def measure(parsed: Parsed) -> dict[str, float]:
    """Lengths of sentences and words, and the signs between them."""
    counts = parsed.counts
    raw, words = parsed.raw, parsed.words
    own = np.bincount(parsed.sentences[words]) if words else np.ones(1)
    lengths = own[own > 0].astype(float)
    if not len(lengths):
        lengths = np.ones(1)
    total = max(1.0, float(lengths.sum()))
    letters = [len(raw[at]) for at in words]
    spoken = {int(parsed.sentences[at]) for at, form in enumerate(raw) if form in _SPOKEN}
    said = max(1, counts.words) if counts else 1
    values = {
        "sentence_length": math.log(total / len(lengths)),
        "longest_sentence": math.log(float(np.quantile(lengths, 0.9))),
        "long_sentences": float(lengths[lengths > LONG_SENTENCE].sum()) / total,
        "length_spread": float(lengths.std() / lengths.mean()),
        "syllables": counts.syllables / said if counts else 1.0,
        "letters": counts.letters / said if counts else 3.0,
        "polysyllables": counts.polysyllables / said if counts else 0.0,
        "long_words": parsed.share(sum(one >= LONG_WORD for one in letters)),
        "commas": sum(form == "," for form in raw) / parsed.sentence_count,
        "heavy_signs": _heavy(parsed) / parsed.sentence_count,
        "spoken_signs": len(spoken) / parsed.sentence_count,
        "figures": parsed.share(sum(any(map(str.isdigit, raw[at])) for at in words)),
    }
    return bounded(FEATURES, values)


def _heavy(parsed: Parsed) -> int:
    """Signs one by one, for a token may hold several: ``):``. Two hyphens are one dash."""
    words = set(parsed.words)
    signs = (form for at, form in enumerate(parsed.raw) if at not in words)
    return sum(sign in _HEAVY for form in signs for sign in form.replace("--", "—"))

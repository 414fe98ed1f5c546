"""The features of a passage by family; here those of words and lengths, and the table of all."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from readmark.readability.raters.feature import Feature, family
from readmark.readability.raters.fluency import FLUENCY, measure_fluency
from readmark.readability.raters.grammar import (
    ASSERTIONS,
    DISCOURSE,
    SYNTACTIC,
    measure_assertions,
    measure_discourse,
    measure_syntactic,
)
from readmark.readability.raters.parses import ParsedPassage
from readmark.readability.raters.word_tables import level_odds, story_odds
from readmark.text.frequency import LEAST, rank, zipf

# Surface: lengths and signs, which need no parse.

LONG_WORD = 7
LONG_SENTENCE = 25

SURFACE = family(
    "surface",
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

_HEAVY = frozenset(";:()[]–—")
_SPOKEN = frozenset('?!"“”') | {"``", "''", "'", "‘"}


def measure_surface(parsed: ParsedPassage) -> dict[str, float]:
    """Lengths of sentences and words, and the signs between them."""
    counts = parsed.counts
    raw, words = parsed.raw, parsed.words
    own = np.bincount(parsed.sentences[words]) if words else np.ones(1)
    lengths = own[own > 0].astype(float)
    if not len(lengths):
        lengths = np.ones(1)
    total = max(1.0, float(lengths.sum()))
    letters = [len(raw[word]) for word in words]
    spoken = {int(parsed.sentences[index]) for index, form in enumerate(raw) if form in _SPOKEN}
    said = max(1, counts.words) if counts else 1
    return {
        "sentence_length": math.log(total / len(lengths)),
        "longest_sentence": math.log(float(np.quantile(lengths, 0.9))),
        "long_sentences": float(lengths[lengths > LONG_SENTENCE].sum()) / total,
        "length_spread": float(lengths.std() / lengths.mean()),
        "syllables": counts.syllables / said if counts else 1.0,
        "letters": counts.letters / said if counts else 3.0,
        "polysyllables": counts.polysyllables / said if counts else 0.0,
        "long_words": parsed.share(sum(letter >= LONG_WORD for letter in letters)),
        "commas": sum(form == "," for form in raw) / parsed.sentence_count,
        "heavy_signs": _heavy(parsed) / parsed.sentence_count,
        "spoken_signs": len(spoken) / parsed.sentence_count,
        "figures": parsed.share(sum(any(map(str.isdigit, raw[word])) for word in words)),
    }


def _heavy(parsed: ParsedPassage) -> int:
    """Signs one by one, for a token may hold several: ``):``. Two hyphens are one dash."""
    words = set(parsed.words)
    signs = (form for index, form in enumerate(parsed.raw) if index not in words)
    return sum(sign in _HEAVY for form in signs for sign in form.replace("--", "—"))


# Lexical: how often words are met, at what grade they are known, and how many there are.

WINDOW = 50
"""Words over which different ones are counted: a share of all would fall with a text's length."""
RARE = 3.5
UNCOMMON = 4.5
BANDS = (1000, 3000, 8000)
"""Ranks where a band of words ends: about what grades 2, 4 and 8 know."""

LEXICAL = family(
    "lexical",
    ("frequency", "mean frequency of content words (Zipf)", 1, 3.0, 6.5),
    ("frequency_all", "mean frequency of all words but names (Zipf)", 1, 4.0, 7.2),
    ("rarest", "frequency of the rarest tenth of the words (Zipf)", 1, 1.5, 6.0),
    ("rare_words", "share of content words met under 3 times in a million", -1, 0.0, 0.6),
    ("uncommon_words", "share of content words met under 30 times in a million", -1, 0.0, 0.9),
    ("unfamiliar", "share of words off Dale's list of what fourth graders know", -1, 0.0, 0.6),
    ("band_1", "share of content words among the 1,000 commonest", 1, 0.0, 1.0),
    ("band_2", "share of content words among the 3,000 commonest", 1, 0.1, 1.0),
    ("band_3", "share of content words among the 8,000 commonest", 1, 0.2, 1.0),
    ("variety", "share of different words in a stretch of fifty", -1, 0.4, 1.0),
    ("density", "share of content words and names among all words", -1, 0.2, 0.85),
    ("abstract", "share of words with an abstract ending (-tion, -ity, -ness)", -1, 0.0, 0.2),
    (
        "story_words",
        "how much more the words belong to stories than to an encyclopaedia",
        1,
        -2.0,
        2.0,
    ),
    ("level_words", "how much more the words belong to simplified news", 1, -0.6, 0.6),
    ("pronouns", "share of personal pronouns", 1, 0.0, 0.25),
    ("talk", "share of I, we and you", 0, 0.0, 0.2),
)

_ABSTRACT = (
    "tion",
    "tions",
    "sion",
    "sions",
    "ment",
    "ments",
    "ness",
    "ity",
    "ities",
    "ism",
    "isms",
    "ance",
    "ence",
    "ancy",
    "ency",
    "ship",
    "hood",
    "acy",
    "ology",
    "ization",
    "isation",
)
_SHORTEST = 6
_TALK = frozenset({"i", "me", "my", "mine", "we", "us", "our", "ours", "you", "your", "yours"})


def measure_lexical(parsed: ParsedPassage) -> dict[str, float]:
    """Frequency, bands, familiar words, variety."""
    forms, pos, words = parsed.forms, parsed.pos, parsed.words
    content = [_known(forms[index]) for index in parsed.content]
    plain = [_known(forms[word]) for word in words if pos[word] not in ("PROPN", "NUM")]
    table = np.array(content) if content else np.array([_known("it")])
    every = np.array([one[0] for one in plain]) if plain else table[:, 0]
    zipfs, ranks = table[:, 0], table[:, 1]
    counts = parsed.counts
    names = sum(pos[word] == "PROPN" for word in words)
    return {
        "frequency": float(zipfs.mean()),
        "frequency_all": float(every.mean()),
        "rarest": float(np.quantile(every, 0.1)),
        "rare_words": float((zipfs < RARE).mean()),
        "uncommon_words": float((zipfs < UNCOMMON).mean()),
        "unfamiliar": counts.unfamiliar / max(1, counts.words) if counts else 0.0,
        **{f"band_{n}": float((ranks <= top).mean()) for n, top in enumerate(BANDS, 1)},
        "variety": variety([forms[word] for word in words]),
        "density": parsed.share(len(parsed.content) + names),
        "abstract": parsed.share(sum(one[2] for one in plain)),
        "story_words": float(np.mean([one[3] for one in plain])) if plain else 0.0,
        "level_words": mean_odds(parsed, level_odds()),
        "pronouns": parsed.share(sum(parsed.tags[word] in ("PRP", "PRP$") for word in words)),
        "talk": parsed.share(sum(forms[word] in _TALK for word in words)),
    }


def variety(words: Sequence[str]) -> float:
    """Mean share of different words in every stretch of fifty (MATTR, Covington and McFall 2010).

    A shorter text is scaled by what such a length would lose, so that lengths stay comparable.
    """
    size = len(words)
    if size <= WINDOW:
        return 0.85 if not size else min(1.0, len(set(words)) / size * (size / WINDOW) ** 0.1)
    inside: dict[str, int] = {}
    total = 0
    for index, word in enumerate(words):
        inside[word] = inside.get(word, 0) + 1
        if index >= WINDOW:
            old = words[index - WINDOW]
            inside[old] -= 1
            if not inside[old]:
                del inside[old]
        if index >= WINDOW - 1:
            total += len(inside)
    return total / (size - WINDOW + 1) / WINDOW


def mean_odds(parsed: ParsedPassage, odds: Mapping[str, float]) -> float:
    """The mean log odds of the lemmas of a passage, names and figures aside."""
    lemmas, pos = parsed.lemmas, parsed.pos
    values = [
        odds.get(lemmas[word], 0.0) for word in parsed.words if pos[word] not in ("PROPN", "NUM")
    ]
    return sum(values) / len(values) if values else 0.0


@functools.lru_cache(maxsize=1 << 17)
def _known(form: str) -> tuple[float, float, float, float]:
    """Zipf value, rank, abstract ending, and story odds of a word."""
    abstract = len(form) >= _SHORTEST and form.endswith(_ABSTRACT)
    value = zipf(form)
    known = value > LEAST
    return value, rank(form) if known else math.inf, float(abstract), story_odds().get(form, 0.0)


FAMILIES: dict[str, tuple[tuple[Feature, ...], Callable[[ParsedPassage], dict[str, float]]]] = {
    "surface": (SURFACE, measure_surface),
    "lexical": (LEXICAL, measure_lexical),
    "syntactic": (SYNTACTIC, measure_syntactic),
    "discourse": (DISCOURSE, measure_discourse),
    "fluency": (FLUENCY, measure_fluency),
    "assertions": (ASSERTIONS, measure_assertions),
}
"""The features of each family, and the function that measures them."""


def features_of(families: Iterable[str] = FAMILIES) -> tuple[Feature, ...]:
    """The features of these families, in order."""
    return tuple(feature for name in families for feature in FAMILIES[name][0])


def measure(parsed: ParsedPassage, families: Iterable[str] = FAMILIES) -> dict[str, float]:
    """Every feature of a passage by name, within its bounds."""
    values: dict[str, float] = {}
    for name in families:
        features, measure_family = FAMILIES[name]
        raw = measure_family(parsed)
        values |= {
            feature.name: min(max(raw[feature.name], feature.low), feature.high)
            for feature in features
        }
    return values


def row(parsed: ParsedPassage, names: Iterable[str]) -> NDArray[np.float64]:
    """The named features of a passage in order; an unknown name is a KeyError."""
    values = measure(parsed)
    return np.array([values[name] for name in names])

"""Lexical features: how often words are met, at what grade they are known, how many there are."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from readmark.readability.raters.features.feature import family
from readmark.readability.raters.features.word_tables import level_odds, story_odds
from readmark.readability.raters.parses import ParsedPassage
from readmark.text.frequency import rank, zipf

WINDOW = 50
"""Words among which different ones are counted: a share of all would fall with a text's length."""
RARE, UNCOMMON = 3.5, 4.5
"""Zipf values: 3 and 30 uses in a million."""
BANDS = (1000, 3000, 8000)
"""Ranks where a band of words ends: about what grades 2, 4 and 8 know."""

LEXICAL = family(
    "lexical",
    ("frequency", "mean frequency of content words (Zipf)", 1, 3.0, 6.5),
    ("frequency_all", "mean frequency of all words but names (Zipf)", 1, 4.0, 7.2),
    ("rarest", "frequency of the rarest tenth of the words (Zipf)", 1, 1.5, 6.0),
    ("rare_words", "share of content words used under 3 times in a million", -1, 0.0, 0.6),
    ("uncommon_words", "share of content words used under 30 times in a million", -1, 0.0, 0.9),
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

_ABSTRACT_ENDINGS = (
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
)
_SHORTEST_ABSTRACT = 6
"""Letters that a word must have for its ending to count: *city*, *dance* and *prism* do not."""
_TALK = frozenset({"i", "me", "my", "mine", "we", "us", "our", "ours", "you", "your", "yours"})


class _Word(NamedTuple):
    zipf: float
    rank: float
    has_abstract_ending: bool
    story_odds: float


def measure_lexical(parsed: ParsedPassage) -> dict[str, float]:
    """The lexical features by name; those of *it* for a passage without content words."""
    forms, words, counts = parsed.forms, parsed.words, parsed.counts
    content = [_word(forms[index]) for index in parsed.content] or [_word("it")]
    ordinary = [_word(forms[index]) for index in parsed.ordinary]
    content_zipfs = np.array([word.zipf for word in content])
    zipfs = np.array([word.zipf for word in ordinary or content])
    ranks = np.array([word.rank for word in content])
    names = sum(parsed.pos[word] == "PROPN" for word in words)
    return {
        "frequency": float(content_zipfs.mean()),
        "frequency_all": float(zipfs.mean()),
        "rarest": float(np.quantile(zipfs, 0.1)),
        "rare_words": float((content_zipfs < RARE).mean()),
        "uncommon_words": float((content_zipfs < UNCOMMON).mean()),
        "unfamiliar": counts.unfamiliar / counts.words if counts else 0.0,
        **{f"band_{n}": float((ranks <= last).mean()) for n, last in enumerate(BANDS, 1)},
        "variety": variety([forms[word] for word in words]),
        "density": parsed.share(len(parsed.content) + names),
        "abstract": parsed.share(sum(word.has_abstract_ending for word in ordinary)),
        "story_words": float(np.mean([word.story_odds for word in ordinary])) if ordinary else 0.0,
        "level_words": mean_odds(parsed, level_odds()),
        "pronouns": parsed.share(sum(parsed.tags[word] in ("PRP", "PRP$") for word in words)),
        "talk": parsed.share(sum(forms[word] in _TALK for word in words)),
    }


def variety(words: Sequence[str]) -> float:
    """Mean share of different words in every stretch of fifty (MATTR, Covington and McFall 2010).

    A text of fewer than fifty has a higher share by its length alone, so its share is lowered.
    """
    size = len(words)
    if not size:
        return 0.85  # no words have no variety: a middling value
    if size <= WINDOW:
        share: float = len(set(words)) / size * (size / WINDOW) ** 0.1
        return min(1.0, share)
    window = Counter(words[:WINDOW])
    total = len(window)
    for entering, leaving in zip(words[WINDOW:], words, strict=False):
        window[entering] += 1
        window[leaving] -= 1
        if not window[leaving]:
            del window[leaving]
        total += len(window)
    return total / (size - WINDOW + 1) / WINDOW


def mean_odds(parsed: ParsedPassage, odds: Mapping[str, float]) -> float:
    """The mean log odds of a passage's lemmas, without names and figures."""
    values = [odds.get(parsed.lemmas[word], 0.0) for word in parsed.ordinary]
    return sum(values) / len(values) if values else 0.0


@functools.lru_cache(maxsize=1 << 17)
def _word(form: str) -> _Word:
    abstract = len(form) >= _SHORTEST_ABSTRACT and form.endswith(_ABSTRACT_ENDINGS)
    return _Word(zipf(form), rank(form), abstract, story_odds().get(form, 0.0))

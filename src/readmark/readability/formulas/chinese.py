"""Chinese passages by a documented index: sentence length, rare words and strokes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import fmean

from readmark.readability import prose
from readmark.readability.formulas.strokes import STROKES_SOURCE, strokes
from readmark.text import frequency
from readmark.text import sentences as sentence_rules
from readmark.text.segmenter import segmenter

INDEX_RULES = "zh-index-1"
RARE = 4.0
"""Words below this Zipf value are rare: fewer than ten in a million."""
LENGTH, SHARE, STROKES_EACH = 30.0, 30.0, 7.5
"""What the index calls ordinary: characters a sentence, percent rare words, strokes a character.
Round numbers near ordinary prose, chosen by eye; fitted to no graded text."""

_HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")


@dataclass(frozen=True, slots=True)
class ChineseReadability:
    """The measures of one passage; the higher, the harder (``zipf``: the lower)."""

    sentences: int
    characters: int
    """Han characters."""
    words: int
    characters_per_sentence: float
    words_per_sentence: float
    rare_words: float
    """Percentage of words with fewer than ten uses in a million."""
    zipf: float
    """Mean Zipf value of the words; those under one in a million count as 3."""
    strokes: float
    """Mean strokes of a character, as written (traditional ones have more)."""
    index: float
    """100 is an ordinary text by the three conventions; the parts weigh alike."""


def chinese_readability(text: str) -> ChineseReadability | None:
    """All measures of a passage's running text; None where there is no Chinese word."""
    text = prose.running_text(text)
    spans = sentence_rules.sentences(text, "zh")
    sentences = [text[start:end] for start, end in spans if _HAN.search(text, start, end)]
    characters = [character for sentence in sentences for character in _HAN.findall(sentence)]
    segment = segmenter().words
    words = [
        word for sentence in sentences for word in segment(frequency.simplified_as_listed(sentence))
    ]
    zipf_values = [frequency.chinese_zipf(word) for word in words if _HAN.match(word)]
    stroke_counts = [count for character in characters if (count := strokes(character)) is not None]
    if not zipf_values or not stroke_counts:
        return None
    length = len(characters) / len(sentences)
    rare = 100 * sum(value < RARE for value in zipf_values) / len(zipf_values)
    mean_strokes = fmean(stroke_counts)
    return ChineseReadability(
        sentences=len(sentences),
        characters=len(characters),
        words=len(zipf_values),
        characters_per_sentence=length,
        words_per_sentence=len(zipf_values) / len(sentences),
        rare_words=rare,
        zipf=fmean(zipf_values),
        strokes=mean_strokes,
        index=index(length, rare, mean_strokes),
    )


def index(characters_per_sentence: float, rare_words: float, strokes_each: float) -> float:
    """The mean of the three measures, each as a percentage of what is ordinary."""
    parts = (
        characters_per_sentence / LENGTH,
        rare_words / SHARE,
        strokes_each / STROKES_EACH,
    )
    return 100 * fmean(parts)


def chinese_signature() -> dict[str, str]:
    """Which rules and lists the numbers rest on."""
    return {
        "sentences": f"{sentence_rules.RULES}+{prose.RULES}",
        "words": segmenter().signature(),
        "frequency": frequency.chinese_source(),
        "strokes": STROKES_SOURCE,
        "index": INDEX_RULES,
    }

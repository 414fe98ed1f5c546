"""The features of a Chinese passage: lengths, words, characters, and how much it talks.

Everything is measured on simplified characters, so that a passage in traditional ones has the
same features. Words and their tags are jieba's; there is no parse.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from readmark.readability.formulas.strokes import strokes
from readmark.readability.raters.features.feature import family
from readmark.readability.raters.features.lexical import variety
from readmark.readability.raters.spelling import as_read
from readmark.text import frequency
from readmark.text.chinese_tags import coarse
from readmark.text.script import simplified
from readmark.text.segmenter import segmenter
from readmark.text.sentences import sentences

RULES = "zh-features-1"
"""In signatures: another number when a feature is counted differently."""
LONG_SENTENCE = 40
RARE, UNCOMMON = 4.0, 5.0
"""Zipf values: ten and a hundred uses in a million."""
BANDS = (500, 1500)
"""Ranks of characters: about what a first and a third year of school teaches."""

CHINESE = (
    *family(
        "surface",
        ("sentence_length", "characters per sentence, as a logarithm", -1, 1.4, 4.6),
        ("clause_length", "characters between two signs, as a logarithm", -1, 1.0, 3.4),
        ("long_sentences", "share of characters in sentences of over 40", -1, 0.0, 1.0),
        ("word_length", "characters per word", -1, 1.1, 2.4),
        ("strokes", "strokes per character", -1, 5.5, 9.5),
        ("heavy_signs", "colons, semicolons, dashes and brackets per sentence", -1, 0.0, 3.0),
        ("spoken_signs", "share of sentences that ask, exclaim or quote", 1, 0.0, 1.0),
        ("figures", "share of words with figures", -1, 0.0, 0.25),
    ),
    *family(
        "lexical",
        ("frequency", "mean frequency of content words (Zipf)", 1, 3.0, 6.5),
        ("frequency_all", "mean frequency of all words but names (Zipf)", 1, 3.5, 7.0),
        ("rare_words", "share of words used under 10 times in a million", -1, 0.0, 0.7),
        ("uncommon_words", "share of words used under 100 times in a million", -1, 0.1, 0.9),
        ("rare_characters", "share of characters beyond the 1,500 commonest", -1, 0.0, 0.3),
        ("band_1", "share of characters among the 500 commonest", 1, 0.3, 1.0),
        ("variety", "share of different words in a stretch of fifty", -1, 0.4, 1.0),
        ("density", "share of content words and names among all words", -1, 0.3, 0.95),
        ("literary", "share of words of written style (之, 其, 于, 而)", -1, 0.0, 0.15),
        ("pronouns", "share of personal pronouns", 1, 0.0, 0.2),
        ("particles", "share of 了, 着, 吗, 呢 and other particles of talk", 1, 0.0, 0.15),
    ),
    *family(
        "syntactic",
        ("verbs", "share of verbs among all words", 1, 0.05, 0.45),
        ("nouns", "share of nouns and names among all words", -1, 0.1, 0.7),
        ("noun_runs", "nouns that follow a noun, per noun", -1, 0.0, 0.8),
        ("linked", "uses of 的 per noun", -1, 0.0, 0.8),
        ("proper_names", "share of names among all words", -1, 0.0, 0.4),
    ),
)
"""Every feature, with the direction that readability research expects."""

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003347f]")
_SIGNS = re.compile(r"[^\w\s《》〈〉“”‘’「」『』·]+")
_HEAVY = re.compile(r"[：；:;（）()【】\[\]]|—+")
_SPOKEN = re.compile('[？！?!“”「」『』"]')
_CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV", "PROPN"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_PARTICLES = frozenset("了着过吗呢吧啊呀嘛啦哦呗哪哟么")
_PRONOUNS = frozenset("我你您他她它咱") | frozenset(
    {"我们", "你们", "他们", "她们", "它们", "咱们", "自己", "大家", "人家"}
)
_LITERARY = frozenset(
    {
        "之",
        "其",
        "于",
        "而",
        "以",
        "所",
        "者",
        "则",
        "乃",
        "亦",
        "即",
        "若",
        "且",
        "故",
        "此",
        "及",
        "与",
        "并",
        "为",
        "由",
        "该",
        "均",
        "皆",
        "曾",
        "至",
        "自",
        "因此",
        "由于",
        "以及",
        "然而",
        "其中",
        "此外",
        "并且",
        "从而",
        "以致",
        "鉴于",
        "上述",
        "所谓",
    }
)


@dataclass(frozen=True)
class ChinesePassage:
    """A passage in simplified characters, with its words, their tags and its sentences."""

    text: str
    words: tuple[str, ...]
    pos: tuple[str, ...]
    lengths: tuple[int, ...]
    """Han characters of each sentence that has any."""

    @cached_property
    def characters(self) -> list[str]:
        """The Han characters."""
        return _HAN.findall(self.text)


def parse_chinese(text: str) -> ChinesePassage:
    """A passage as its features are measured."""
    plain = simplified(as_read(text))
    spans = [
        (start, end) for start, end in sentences(plain, "zh") if _HAN.search(plain, start, end)
    ]
    words: list[str] = []
    pos: list[str] = []
    for first, last in spans:
        sentence = plain[first:last]
        for start, end, tag in segmenter().tagged(sentence):
            word = sentence[start:end]
            if any(map(str.isalnum, word)):
                words.append(word)
                pos.append(coarse(tag, word))
    lengths = tuple(len(_HAN.findall(plain, start, end)) for start, end in spans)
    return ChinesePassage(plain, tuple(words), tuple(pos), lengths)


def measure_chinese(parsed: ChinesePassage) -> dict[str, float]:
    """Every feature by name, within its bounds; a usual value if there is nothing to count."""
    unbounded = _surface(parsed) | _lexical(parsed) | _syntactic(parsed)
    return {feature.name: feature.bounded(unbounded[feature.name]) for feature in CHINESE}


def _surface(parsed: ChinesePassage) -> dict[str, float]:
    lengths = np.array(parsed.lengths or (1,), float)
    clauses = [size for part in _SIGNS.split(parsed.text) if (size := len(_HAN.findall(part)))]
    han_words = [word for word in parsed.words if _HAN.match(word)]
    stroke_counts = [
        count for character in parsed.characters if (count := strokes(character)) is not None
    ]
    spoken = sum(
        _SPOKEN.search(parsed.text, start, end) is not None
        for start, end in sentences(parsed.text, "zh")
    )
    return {
        "sentence_length": math.log(float(lengths.mean())),
        "clause_length": math.log(sum(clauses) / len(clauses)) if clauses else 2.0,
        "long_sentences": float(lengths[lengths > LONG_SENTENCE].sum() / lengths.sum()),
        "word_length": sum(map(len, han_words)) / len(han_words) if han_words else 1.6,
        "strokes": sum(stroke_counts) / len(stroke_counts) if stroke_counts else 7.2,
        "heavy_signs": len(_HEAVY.findall(parsed.text)) / len(lengths),
        "spoken_signs": spoken / len(lengths),
        "figures": _share(parsed, sum(any(map(str.isdigit, word)) for word in parsed.words)),
    }


def _lexical(parsed: ChinesePassage) -> dict[str, float]:
    words, pos = parsed.words, parsed.pos
    ordinary = [
        (frequency.chinese_zipf(word), tag)
        for word, tag in zip(words, pos, strict=True)
        if tag not in ("PROPN", "NUM") and _HAN.match(word)
    ]
    zipfs = np.array([zipf for zipf, _ in ordinary] or [5.0])
    content_zipfs = [zipf for zipf, tag in ordinary if tag in _CONTENT] or [5.0]
    ranks = np.array(
        [_ranks().get(character, math.inf) for character in parsed.characters] or [1.0]
    )
    return {
        "frequency": float(np.mean(content_zipfs)),
        "frequency_all": float(zipfs.mean()),
        "rare_words": float((zipfs < RARE).mean()),
        "uncommon_words": float((zipfs < UNCOMMON).mean()),
        "rare_characters": float((ranks > BANDS[1]).mean()),
        "band_1": float((ranks <= BANDS[0]).mean()),
        "variety": variety(words),
        "density": _share(parsed, sum(tag in _CONTENT for tag in pos)),
        "literary": _share(parsed, sum(word in _LITERARY for word in words)),
        "pronouns": _share(parsed, sum(word in _PRONOUNS for word in words)),
        "particles": _share(parsed, sum(word in _PARTICLES for word in words)),
    }


def _syntactic(parsed: ChinesePassage) -> dict[str, float]:
    classes = Counter(parsed.pos)
    nouns = classes["NOUN"] + classes["PROPN"]
    runs = sum(tag in _NOUNS and following in _NOUNS for tag, following in pairwise(parsed.pos))
    return {
        "verbs": _share(parsed, classes["VERB"]),
        "nouns": _share(parsed, nouns),
        "noun_runs": runs / max(1, nouns),
        "linked": parsed.words.count("的") / max(1, nouns),
        "proper_names": _share(parsed, classes["PROPN"]),
    }


def _share(parsed: ChinesePassage, count: int) -> float:
    return count / max(1, len(parsed.words))


@functools.cache
def _ranks() -> dict[str, int]:
    """The rank of each character by how often the words of the frequency list use it."""
    uses: dict[str, float] = {}
    for word, value in frequency.chinese_values().items():
        for character in _HAN.findall(word):
            uses[character] = uses.get(character, 0.0) + 10**value
    by_use = sorted(uses, key=lambda character: (-uses[character], character))
    return {character: rank for rank, character in enumerate(by_use, 1)}

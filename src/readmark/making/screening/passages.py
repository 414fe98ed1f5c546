"""What the characters of a text are, counted in one look at each.

One table gives the class of every code point, so that many texts together are a few calls of numpy.
"""

from __future__ import annotations

import functools
import re
import sys
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from itertools import chain, groupby, starmap
from typing import TYPE_CHECKING, Any

from readmark.core.records import Value
from readmark.formats.passage_decisions import Verdict
from readmark.text.script import simplified
from readmark.text.segmenter import Segmenter
from readmark.text.user_lexicon import LexiconEntry, UserLexicon

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# Whether a text is in classical Chinese: by its particles, how long its clauses are, and verse.


WEIGHTS = {
    3.0: "曰矣焉哉兮汝吾毋歟欤豈岂朕",
    1.0: "之也其乃遂乎耳輒辄孰俟",
    0.5: "者而以於于則则故皆亦詔诏遣卒勿欲惟諸诸既",
    -0.5: "我就都過过會会",
    -1.0: "了是在個个他被著着把沒没到和說说那",
    -2.0: "的這这們们很嗎吗呢吧她它",
}
"""Characters by weight, set by hand: both scripts, and none that transcribes foreign names (尔, 弗,
夫, 耶) or occurs in as many modern texts as classical ones (不, 为, 有)."""

FOREIGN = -0.5
"""The weight of a Latin letter or an Arabic digit, which no classical text has."""
SHORT, SHORTEST = 100, 20
"""Added to the length, and needed for full weight: a few characters are not enough to go by."""
MODERN_CLAUSE = 7.0
"""Characters between two stops: classical prose has four or five, modern prose nine or more."""
CLAUSE_WEIGHT, MOST_CLAUSE, SHORT_CLAUSES = 1.0, 3.0, 30
VERSE_WEIGHT, LEAST_VERSE, LEAST_LINES = 6.0, 0.5, 4
"""What verse counts for, the share of the text that must be in it, and the lines that it needs."""
_HOPELESS = 2.0 - VERSE_WEIGHT - MOST_CLAUSE
"""Particles of a text that nothing else can make classical: it is not looked at further."""
_LONGEST_CLAUSE = 9
"""Of a text whose clauses are longer on average, too little can be verse."""
_LYRIC_LINES, _LYRIC_LONGEST, _LYRIC_MEAN = 12, 7, 5.5
_STOPS = "，。；：！？\n,;:!?"
_CLAUSES = re.compile(rf"[{_STOPS}「」『』“”‘’\"《》〈〉【】（）()…—]+")
_QUOTE_SIGN = re.compile("[「“]")
_QUOTED = re.compile("「[^」]*」|“[^”]*”")
MOST_QUOTED = 0.4
"""The share that a text must say itself for its quotations to be left out."""
_NO_LYRIC = re.compile("[0-9A-Za-z、《（(]")


@dataclass(frozen=True, slots=True)
class ClassicalStyle:
    """Three measurements that are added up; above 3, the text is classical."""

    particles: float
    """The sum of the weights for every hundred Han characters."""
    clauses: float
    """More than 0 where clauses are short, less where they are long."""
    verse: float
    """More than 0 where most of the text is in lines of five or seven characters."""

    @property
    def score(self) -> float:
        return self.particles + self.clauses + self.verse


def classical_style(text: str, counted: Characters) -> ClassicalStyle:
    """Measure how classical a text is.

    What a text quotes is left out, unless it quotes more than it says. That is looked at only where
    it may matter: most texts are modern all through.
    """
    whole = _style(text, counted)
    if whole.score <= 0 or _QUOTE_SIGN.search(text) is None:
        return whole
    own = _QUOTED.sub("，", text)
    narrated = characters(own)
    return _style(own, narrated) if narrated.han > MOST_QUOTED * counted.han else whole


def _style(text: str, counted: Characters) -> ClassicalStyle:
    """The measurements of a whole text; the stop 、 ends no clause, since verse has none."""
    particles = _particles(counted)
    stops = sum(map(text.count, _STOPS)) if particles > _HOPELESS else 0
    if not stops or not counted.han:
        return ClassicalStyle(particles, 0.0, 0.0)
    mean = counted.han / stops
    verse = 0.0
    if mean <= _LONGEST_CLAUSE:
        lines = [len(_NOT_HAN.sub("", line)) for line in _CLAUSES.split(text)]
        lines = [length for length in lines if length]
        mean = sum(lines) / len(lines)
        verse = VERSE_WEIGHT * _verse(lines, text)
    excess = min(MOST_CLAUSE, max(-MOST_CLAUSE, CLAUSE_WEIGHT * (MODERN_CLAUSE - mean)))
    return ClassicalStyle(particles, excess * counted.han / (counted.han + SHORT_CLAUSES), verse)


def _particles(counted: Characters) -> float:
    foreign = FOREIGN * (counted.digits + counted.latin)
    enough = min(1.0, counted.han / SHORTEST)
    return enough * 100 * (counted.classical + foreign) / (counted.han + SHORT)


def _verse(lines: list[int], text: str) -> float:
    """The share of verse: quatrains of five or seven characters, or nothing but short lines."""
    if len(lines) < LEAST_LINES:
        return 0.0
    runs = ((length, len(list(run))) for length, run in groupby(lines))
    regular = sum(
        length * count for length, count in runs if length in (5, 7) and count >= LEAST_LINES
    )
    share = regular / sum(lines)
    if share >= LEAST_VERSE:
        return share
    mean = sum(lines) / len(lines)
    short = max(lines) <= _LYRIC_LONGEST and mean <= _LYRIC_MEAN and len(lines) >= _LYRIC_LINES
    return 1.0 if short and _NO_LYRIC.search(text) is None else 0.0


PUNCTUATION = "。、…—–·•‧・“”‘’「」『』《》〈〉【】〔〕～﹑﹐°′″℃" + ",.;:?!'\"()-/%&"
"""What running text is punctuated with, Chinese or English; full width as well where it is ASCII.
Any other sign is a symbol."""

_HAN = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3347F), (0x3005, 0x3007))
_NOT_HAN = re.compile("[^\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003347f]+")
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a]+")
_SPACE, _LETTER, _DIGIT = re.compile(r"\s+"), re.compile(r"[^\W\d_]+"), re.compile(r"\d+")
_MIXED = ((0x80, 0x3400), (0xA4D0, 0xAC00), (0xFB00, 0x12000))
"""Where marks and number forms occur; letters only, or nothing of a living script, elsewhere."""
_ABOVE = 0x40000  # no plane from here on has a letter, a digit or a space
_FULL_WIDTH, _HALF_WIDTH, _WIDTHS = 0xFF01, 0x21, 94
SPACE, SYMBOL, PUNCTUATED, DIGIT, LATIN, OTHER, HAN = range(7)
"""Classes; after them come the Han characters of each weight of the classical style."""
_CLASSES = HAN + 1 + len(WEIGHTS)


@dataclass(frozen=True, slots=True)
class Characters:
    """How many characters of each class a text has."""

    size: int
    """All but white space."""
    han: int
    latin: int
    """Latin letters, with or without accents."""
    other: int
    """Letters of any other script."""
    digits: int
    punctuation: int
    symbols: int
    classical: float
    """The weights of the classical style, added up."""


def characters(text: str) -> Characters:
    """Count the characters of a text."""
    return characters_of([text])[0]


def characters_of(texts: Sequence[str]) -> list[Characters]:
    """Count the characters of each of some texts; together is faster, where they are short."""
    import numpy as np

    encoded = "".join(texts).encode("utf-32-le", "surrogatepass")
    classes = _table()[np.frombuffer(encoded, dtype=np.uint32)].astype(np.intp)
    lengths = np.fromiter(map(len, texts), np.intp, len(texts))
    classes += np.repeat(np.arange(0, len(texts) * _CLASSES, _CLASSES), lengths)
    counts = np.bincount(classes, minlength=len(texts) * _CLASSES).reshape(len(texts), _CLASSES)
    weighed = counts[:, HAN + 1 :]
    columns = (
        lengths - counts[:, SPACE],
        counts[:, HAN] + weighed.sum(axis=1),
        counts[:, LATIN],
        counts[:, OTHER],
        counts[:, DIGIT],
        counts[:, PUNCTUATED],
        counts[:, SYMBOL],
        weighed @ np.array(list(WEIGHTS)),
    )
    return list(map(Characters, *(column.tolist() for column in columns)))


@functools.cache
def _table() -> NDArray[np.uint8]:
    """The class of every code point; what is none of the others is a symbol."""
    import numpy as np

    table = np.full(sys.maxunicode + 1, SYMBOL, np.uint8)
    every = np.arange(_ABOVE, dtype=np.uint32).tobytes()
    text = every.decode("utf-32-le", "surrogatepass")
    for kind, pattern in (
        (OTHER, _LETTER),
        (DIGIT, _DIGIT),
        (LATIN, _LATIN),
        (SPACE, _SPACE),
    ):
        for match in pattern.finditer(text):
            table[match.start() : match.end()] = kind
    for at in chain.from_iterable(starmap(range, _MIXED)):
        category = unicodedata.category(text[at])
        if category in ("Nl", "No"):  # ½, ² and Ⅳ: letters to an expression, signs to a reader
            table[at] = SYMBOL
        elif category[0] == "M":
            table[at] = OTHER
    for start, end in _HAN:
        table[start : end + 1] = HAN
    table[list(map(ord, PUNCTUATION))] = PUNCTUATED
    table[_FULL_WIDTH : _FULL_WIDTH + _WIDTHS] = table[_HALF_WIDTH : _HALF_WIDTH + _WIDTHS]
    table[ord("～")] = PUNCTUATED
    for order, group in enumerate(WEIGHTS.values()):
        table[list(map(ord, group))] = HAN + 1 + order
    return table


# How much of a Chinese text is words of the sciences and of technology, and of which field.


STRONG, WEAK = 1.0, 0.5
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class ScienceTopic:
    """The weighed length of a text's science words, in characters, and what they are."""

    weight: float
    words: int
    """Different words."""
    field: str | None
    examples: tuple[str, ...]
    """The words that weigh most."""


def topic(counts: Mapping[str, int]) -> ScienceTopic:
    """The science words among the words of a text in simplified characters, with their counts."""
    terms = _terms()
    found = counts.keys() & terms.keys()
    if not found:
        return ScienceTopic(0.0, 0, None, ())
    fields: Counter[str] = Counter()
    weights: dict[str, float] = {}
    for word in found:
        weight, of = terms[word]
        # A foreign word is as long as a Chinese one, however many letters it is spelt with.
        weights[word] = weight * counts[word] * (2 if word.isascii() else len(word))
        for field in of:
            fields[field] += weights[word]  # type: ignore[assignment]
    first = min(fields, key=lambda field: (-fields[field], field))
    examples = sorted(found, key=lambda word: (-weights[word], word))[:_SHOWN]
    return ScienceTopic(sum(weights.values()), len(found), first, tuple(examples))


@functools.cache
def term_segmenter() -> Segmenter:
    """The segmenter that the words are for: no guessing, and every science word whole."""
    entries = tuple(LexiconEntry(word, tag="n", yields=True) for word in _terms())
    return Segmenter(hmm=False, lexicon=UserLexicon(entries, "topics"))


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


# Screening: which passages are fit for a test, by named checks and by people's decisions.


class CheckFinding(Value, frozen=True):
    """What one check measured on one passage."""

    value: float | None
    """None where nothing was measured; ``note`` says why."""
    threshold: Any
    verdict: Verdict
    note: str | None = None
    """What the value is made of, in words: the field of science, the passage resembled."""


class ScreenedText:
    """A passage as the checks look at it; what several of them need is made once."""

    def __init__(self, text: str, counted: Characters | None = None) -> None:
        self.text = text
        self.characters = characters(text) if counted is None else counted

    @cached_property
    def words(self) -> Counter[str]:
        """The words of a Chinese text, in simplified characters."""
        return Counter(term_segmenter().words(simplified(self.text)))


def at_most(value: float, most: float, note: str | None = None) -> CheckFinding:
    """The finding of a check that discards what is over its threshold."""
    verdict: Verdict = "discard" if value > most else "keep"
    return CheckFinding(value=round(value, 4), threshold=most, verdict=verdict, note=note)

"""Which Chinese and English words say the same: by a dictionary, by number, and by sound.

The dictionary is CC-CEDICT's glosses. A name that it lacks is recognised by its sound: 维滕贝格
is read *wei teng bei ge*, and the names of the dictionary show which letters such syllables write.
Chinese names are written in pinyin.
"""

from __future__ import annotations

import functools
import gzip
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from readmark.text.chinese_numbers import NUMERALS, number_of
from readmark.text.script import simplified
from readmark.text.stems import stem

SOURCE = "cc-cedict-2023-11-07, names by sound-1"
"""The lexicon and the rules, for signatures."""

Strengths = NDArray[np.float32]
"""One row per Chinese word, one column per English word: 0 for nothing shared, 1 for the same."""

LATER = 0.15
"""How much less each further gloss of a word counts than the first."""
RELATED = 0.7
"""What words that only begin alike count: defend, defence."""
BEGINNING = 5


def correspondence(chinese: Sequence[str], english: Sequence[str]) -> Strengths:
    """How strongly each word of a Chinese text corresponds to each word of an English one.

    Words are in the order and the case of their texts.
    """
    plain = [simplified(word) for word in chinese]
    strengths = np.zeros((len(plain), len(english)), np.float32)
    columns = _Columns(english)
    rows: dict[str, Mapping[int, float]] = {}
    for row, word in enumerate(plain):
        if word not in rows:
            rows[word] = columns.matching(word)
        for column, strength in rows[word].items():
            strengths[row, column] = strength
    for row, column in _equal_numbers(plain, english):
        strengths[row, column] = 1.0
    unknown = strengths.max(axis=0, initial=0.0) < 1 / 2
    for column in np.flatnonzero(unknown).tolist():
        if is_name(english[column]):
            for row, strength in _heard(english[column], plain):
                strengths[row, column] = max(strengths[row, column], strength)
    return strengths


def content_words(words: Sequence[str], language: str) -> list[int]:
    """The places of a question's words that carry content, each word once; all if none does."""
    from readmark.text.word_vectors import FUNCTION

    first: dict[str, int] = {}
    for place, word in enumerate(words):
        first.setdefault(simplified(word.lower()), place)
    content = [place for word, place in first.items() if word not in FUNCTION[language]]
    return content or list(first.values())


# The dictionary.


@functools.lru_cache(maxsize=50_000)
def translations(chinese: str) -> Mapping[str, float]:
    """Base forms of the English words in the glosses of a simplified word, with what each counts.

    The first gloss counts most, a word of a longer gloss less; a word that is not listed is read
    by the listed words that it is made of.
    """
    found: dict[str, float] = {}
    for part in _parts(chinese):
        for index, gloss in enumerate(_glosses().get(part, "").split("/")):
            words = [base for word in _ENGLISH.findall(gloss) if (base := _base(word))]
            for word in words:
                share = len(part) / len(chinese) / math.sqrt(len(words)) / (1 + LATER * index)
                found[word] = max(found.get(word, 0.0), share)
    return found


_ENGLISH = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_PARTICLES = "a an the of to in on at for from by with as and or be is are was were"
_EMPTY = frozenset(_PARTICLES.split())


def _base(word: str) -> str:
    small = word.lower().replace("’", "'").removesuffix("'s")
    return "" if small in _EMPTY else stem(small)


def _parts(word: str) -> Iterator[str]:
    """A listed word itself; else the longest listed words in it, from the left."""
    table, start = _glosses(), 0
    while start < len(word):
        ends = range(len(word), start, -1)
        end = next((end for end in ends if word[start:end] in table), start + 1)
        yield word[start:end]
        start = end


@functools.cache
def _glosses() -> Mapping[str, str]:
    packed = files("readmark.text").joinpath("data", "chinese_english.tsv.gz").read_bytes()
    lines = gzip.decompress(packed).decode().splitlines()
    return {word: glosses for word, _, glosses in (line.partition("\t") for line in lines)}


class _Columns:
    """The words of an English text, by their base forms and by their beginnings."""

    def __init__(self, english: Sequence[str]) -> None:
        self._by_base: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for column, word in enumerate(english):
            parts = re.split("[-‐‑]", word)
            for part in parts:
                if base := _base(part):
                    self._by_base[base].append((column, 1 / math.sqrt(len(parts))))
        self._by_beginning: dict[str, list[str]] = defaultdict(list)
        for base in self._by_base:
            if len(base) > BEGINNING:
                self._by_beginning[base[:BEGINNING]].append(base)

    def matching(self, chinese: str) -> Mapping[int, float]:
        """The columns that a Chinese word corresponds to."""
        found: dict[int, float] = {}
        if chinese.isascii():
            for column, share in self._by_base.get(_base(chinese), ()):
                found[column] = share
            return found
        for word, strength in translations(chinese).items():
            for base, factor in self._like(word):
                for column, share in self._by_base[base]:
                    found[column] = max(found.get(column, 0.0), strength * factor * share)
        return found

    def _like(self, word: str) -> Iterator[tuple[str, float]]:
        if word in self._by_base:
            yield word, 1.0
        for base in self._by_beginning.get(word[:BEGINNING], ()):
            if base != word and len(word) > BEGINNING:
                yield base, RELATED


# Numbers and months.


_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBER_WORDS = {
    **{word: number for number, word in enumerate(_UNITS.split())},
    **{word: 10 * number for number, word in enumerate(_TENS.split(), 2)},
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_YEAR = "january february march april may june july august september october november december"
_MONTHS = _YEAR.split()
_CHINESE_NUMBER = re.compile(rf"[{NUMERALS}][{NUMERALS}.,]*")


def _equal_numbers(chinese: Sequence[str], english: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where both texts have the same number, or the same month."""
    values: dict[float, list[int]] = defaultdict(list)
    months: dict[int, list[int]] = defaultdict(list)
    small = [word.lower() for word in english]
    for column, word in enumerate(small):
        value = _english_number(word)
        if value is not None:
            values[value].append(column)
            scale = _SCALES.get(small[column + 1]) if column + 1 < len(small) else None
            if scale is not None:
                values[value * scale] += column, column + 1
        elif english[column][:1].isupper() and word in _MONTHS:
            months[_MONTHS.index(word) + 1].append(column)
    if not values and not months:
        return
    text = "".join(chinese)
    rows = [row for row, word in enumerate(chinese) for _ in word]
    for match in _CHINESE_NUMBER.finditer(text):
        number = number_of(match[0].replace(",", "").rstrip("."))
        if number is None:
            continue
        is_month = text.startswith("月", match.end())
        columns = months.get(int(number), ()) if is_month else values.get(number, ())
        for row in dict.fromkeys(rows[match.start() : match.end()]):
            yield from ((row, column) for column in columns)


def _english_number(word: str) -> float | None:
    bare = word.replace(",", "")
    if bare[:1].isdigit():
        return number_of(bare) if bare.isascii() else None
    return _NUMBER_WORDS.get(word)


# Names by sound.


LONGEST_CHUNK = 5
"""Letters that one syllable writes at most."""
SHORTEST_NAME = 4
SURE_ODDS = 4.0
"""The log odds from which a stretch may be the name, rather than any other one."""
CERTAIN_ODDS = 10.0
_SMOOTHING = 3.0
_LENGTHS = (-3.0, -1.2, -0.9, -1.4, -2.5, -4.0)
"""The log probability that a syllable of which nothing is known writes 0, 1, … letters."""
_UNHEARD = -6.0
_BETWEEN = "·・-"


def is_name(word: str) -> bool:
    """Whether an English word may be a name that Chinese transliterates."""
    from readmark.text.word_vectors import FUNCTION

    named = word[:1].isupper() and word.lower() not in FUNCTION["en"]
    return named and len(letters_of(word)) >= SHORTEST_NAME


def letters_of(name: str) -> str:
    """The plain small letters of a name: ü is u."""
    bare = unicodedata.normalize("NFKD", name.lower().removesuffix("'s").removesuffix("’s"))
    return "".join(sign for sign in bare if "a" <= sign <= "z")


class Sounds:
    """Which letters the syllables of transliterated names write, by counts."""

    def __init__(
        self,
        syllables: Mapping[str, str],
        chunks: Mapping[str, Mapping[str, int]],
        letters: Mapping[str, int],
        readings: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.syllables = syllables
        """The characters that transliterate, with how they are read."""
        self.readings = readings or {}
        """Any character, with its usual readings."""
        self.letters = letters
        self._chunks = {
            syllable: (counts, sum(counts.values())) for syllable, counts in chunks.items()
        }
        total = sum(letters.values())
        self._chance = {letter: math.log(count / total) for letter, count in letters.items()}

    def chance(self, letters: str) -> float:
        """The log probability of letters in any name."""
        return math.fsum(self._chance.get(letter, _UNHEARD) for letter in letters)

    def chunk(self, syllable: str, letters: str) -> float:
        """The log probability that a syllable writes these letters."""
        counts, total = self._chunks.get(syllable, ({}, 0))
        unknown = _LENGTHS[len(letters)] + self.chance(letters) - bool(letters)
        seen = counts.get(letters, 0) + _SMOOTHING * math.exp(unknown)
        return math.log(seen / (total + _SMOOTHING))

    def spelt(self, name: str, text: str) -> Iterator[tuple[int, int, float]]:
        """The stretches of a Chinese text that a name writes in pinyin: 何素云, Suyun."""
        letters = letters_of(name)
        begun: list[tuple[int, int]] = []
        for index, character in enumerate(text):
            reached = []
            for at, start in ((0, index), *begun):
                for syllable in self.readings.get(character, ()):
                    if letters.startswith(syllable, at):
                        reached.append((at + len(syllable), start))
            begun = [place for place in reached if place[0] < len(letters)]
            for at, start in reached:
                if at == len(letters):
                    yield start, index + 1, CERTAIN_ODDS

    def places(self, name: str, text: str) -> Iterator[tuple[int, int, float]]:
        """The stretches of a Chinese text that may write a name, with their log odds."""
        letters = letters_of(name)
        chance = self.chance(letters)
        begun: dict[int, tuple[float, int]] = {}
        chunk = functools.lru_cache(maxsize=None)(self.chunk)
        for index, character in enumerate(text):
            syllable = self.syllables.get(character)
            if syllable is None:
                begun = begun if character in _BETWEEN else {}
                continue
            reached: dict[int, tuple[float, int]] = {}
            for at, (score, start) in [(0, (0.0, index)), *begun.items()]:
                for end in range(at + (at == 0), min(len(letters), at + LONGEST_CHUNK) + 1):
                    total = score + chunk(syllable, letters[at:end])
                    if total > reached.get(end, (-math.inf, 0))[0] and total > _UNHEARD * end:
                        reached[end] = total, start
            if len(letters) in reached:  # taken out: no later character may write nothing
                score, start = reached.pop(len(letters))
                if score - chance > SURE_ODDS:
                    yield start, index + 1, score - chance
            begun = reached


def _heard(name: str, chinese: Sequence[str]) -> Iterator[tuple[int, float]]:
    """The Chinese words that lie, by more than half, in a stretch that sounds like a name."""
    text = "".join(chinese)
    ends = list(accumulate(map(len, chinese)))
    for start, end, odds in _places(name, text):
        for row, (stop, word) in enumerate(zip(ends, chinese, strict=True)):
            inside = min(stop, end) - max(stop - len(word), start)
            if 2 * inside > len(word):
                yield row, min(1.0, odds / CERTAIN_ODDS)


@functools.lru_cache(maxsize=4096)
def _places(name: str, text: str) -> Sequence[tuple[int, int, float]]:
    # A passage's questions ask for the same names.
    best: dict[int, tuple[int, int, float]] = {}
    for start, end, odds in (*sounds().spelt(name, text), *sounds().places(name, text)):
        if end - start > 1 and (start not in best or odds > best[start][2]):
            best[start] = start, end, odds
    return tuple(best.values())


@functools.cache
def sounds() -> Sounds:
    """The sounds as they ship."""
    source = files("readmark.text").joinpath("data", "sounds.zh.tsv").read_text("utf-8")
    first, *rows = (line.split("\t") for line in source.splitlines())
    syllables: dict[str, str] = {}
    chunks: dict[str, Mapping[str, int]] = {}
    readings: dict[str, list[str]] = defaultdict(list)
    for syllable, characters, others, *counts in rows:
        syllables |= dict.fromkeys(characters, syllable)
        chunks[syllable] = _counted(counts)
        for character in others:
            readings[character].append(letters_of(syllable.replace("v", "u")))
    return Sounds(syllables, chunks, _counted(first), readings)


def _counted(cells: Sequence[str]) -> Counter[str]:
    """Letters with the number after them."""
    bare = [(cell.rstrip("0123456789"), cell) for cell in cells]
    return Counter({letters: int(cell[len(letters) :]) for letters, cell in bare})

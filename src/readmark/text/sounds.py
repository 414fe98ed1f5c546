"""Which letters Chinese characters write in names: 维滕贝格 is read *wei teng bei ge*, Wittenberg.

The counts are of the names in CC-CEDICT, whose letters were laid on their syllables
(``training/bilingual_lexicon.py``). Chinese names are written in pinyin.
"""

from __future__ import annotations

import functools
import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

LONGEST_CHUNK = 5
"""Letters that one syllable writes at most."""
CERTAIN_ODDS = 10.0
_SURE_ODDS = 4.0
"""The log odds from which a stretch may be the name, rather than any other one."""
_SMOOTHING = 3.0
_LENGTHS = (-3.0, -1.2, -0.9, -1.4, -2.5, -4.0)
"""The log probability that a syllable of which nothing is known writes 0, 1, … letters."""
_UNHEARD = -6.0
"""The log probability of a letter that no name has."""
_BETWEEN_NAMES = "·・-"


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
        prior = _LENGTHS[len(letters)] + self.chance(letters) - bool(letters)
        smoothed = counts.get(letters, 0) + _SMOOTHING * math.exp(prior)
        return math.log(smoothed / (total + _SMOOTHING))

    def spelt(self, name: str, text: str) -> Iterator[tuple[int, int, float]]:
        """The stretches of a Chinese text that a name writes in pinyin: 何素云, Suyun."""
        letters = letters_of(name)
        begun: list[tuple[int, int]] = []  # letters that are written so far, and where it began
        for index, character in enumerate(text):
            reached = []
            for written, start in ((0, index), *begun):
                for syllable in self.readings.get(character, ()):
                    if letters.startswith(syllable, written):
                        reached.append((written + len(syllable), start))
            begun = [(written, start) for written, start in reached if written < len(letters)]
            for written, start in reached:
                if written == len(letters):
                    yield start, index + 1, CERTAIN_ODDS

    def places(self, name: str, text: str) -> Iterator[tuple[int, int, float]]:
        """The stretches of a Chinese text that may write a name, with their log odds.

        Character by character the best way to write each number of the name's first letters is
        kept, as in the algorithm of Viterbi.
        """
        letters = letters_of(name)
        chance = self.chance(letters)
        begun: dict[int, tuple[float, int]] = {}  # by letters written: score, and where it began
        chunk = functools.lru_cache(maxsize=None)(self.chunk)
        for index, character in enumerate(text):
            syllable = self.syllables.get(character)
            if syllable is None:
                begun = begun if character in _BETWEEN_NAMES else {}
                continue
            reached: dict[int, tuple[float, int]] = {}
            for written, (score, start) in [(0, (0.0, index)), *begun.items()]:
                # A first character writes something; a later one may write nothing.
                first_end = written + (written == 0)
                for end in range(first_end, min(len(letters), written + LONGEST_CHUNK) + 1):
                    total = score + chunk(syllable, letters[written:end])
                    if total > reached.get(end, (-math.inf, 0))[0] and total > _UNHEARD * end:
                        reached[end] = total, start
            if len(letters) in reached:  # taken out: no later character may write nothing
                score, start = reached.pop(len(letters))
                if score - chance > _SURE_ODDS:
                    yield start, index + 1, score - chance
            begun = reached


@functools.cache
def sounds() -> Sounds:
    """The sounds as they ship."""
    source = files("readmark.text").joinpath("data", "sounds.zh.tsv").read_text("utf-8")
    letters, *rows = (line.split("\t") for line in source.splitlines())
    syllables: dict[str, str] = {}
    chunks: dict[str, Mapping[str, int]] = {}
    readings: dict[str, list[str]] = defaultdict(list)
    for syllable, transliterating, all_characters, *counts in rows:
        syllables |= dict.fromkeys(transliterating, syllable)
        chunks[syllable] = _counts(counts)
        for character in all_characters:
            readings[character].append(letters_of(syllable.replace("v", "u")))
    return Sounds(syllables, chunks, _counts(letters), readings)


def letters_of(name: str) -> str:
    """The plain small letters of a name: ü is u."""
    bare = unicodedata.normalize("NFKD", name.lower().removesuffix("'s").removesuffix("’s"))
    return "".join(letter for letter in bare if "a" <= letter <= "z")


def _counts(cells: Sequence[str]) -> Counter[str]:
    """Letters with the number after them."""
    bare = [(cell.rstrip("0123456789"), cell) for cell in cells]
    return Counter({letters: int(cell[len(letters) :]) for letters, cell in bare})

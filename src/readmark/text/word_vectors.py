"""What is known of a word before it is read: key, rarity, vector, and the cues that it may give.

Rarity and vectors were counted on Wikipedia (``training/word_vectors.py``); the rest is by rule.
"""

from __future__ import annotations

import functools
import gzip
import math
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import AnyFloats, AnyInts
from readmark.core.extras import require, without
from readmark.text.function_words import FUNCTION
from readmark.text.script import pairs
from readmark.text.stems import stem

WIDTH = 96
"""The dimensions of a word's vector, the weightiest first."""

_NUMERALS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    "sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|"
    "hundreds?|thousands?|millions?|billions?|half|third|quarter|dozens?|percent|twice|once"
)
_CALENDAR = (
    "january|february|march|april|june|july|august|september|october|november|december|"
    "(?:mon|tues|wednes|thurs|fri|satur|sun)day|years?|century|centuries|decades?|months?|weeks?|"
    "days?|hours?|minutes?|today|yesterday|tomorrow|spring|summer|autumn|winter|morning|evening|"
    "night|ago|bc|ad"
)
CUES: Mapping[str, re.Pattern[str]] = {
    "quantity": re.compile(
        rf"^(?!(?:1\d|20)\d\d$)\d|^(?:{_NUMERALS})$|^[零〇一二三四五六七八九十百千万亿两]+"
    ),
    "time": re.compile(
        rf"^(?:1\d|20)\d\d$|^(?:{_CALENDAR})$|[年月日]$|世纪|时期|时代|朝$|[早晚夜]|[春夏秋冬]"
    ),
    "cause": re.compile(
        "^(?:because|since|due|caus(?:e[sd]?|ing)|results?|resulted|reasons?|therefore|thus|led|"
        "leads?|order)$|^(?:因为|由于|因此|所以|为了|原因|导致|因|使得|以致|故|因而)$"
    ),
    "place": re.compile(".[市省县区国州岛洲镇村路街山河湖海港站部院宫寺]$"),
}
"""What the spelling of a word alone hints at, in either language."""

COLUMNS = ("idf", "function", "number", *CUES)
"""What a word's row of figures holds."""
KEY, FAMILY, ROW = 0, 1, 2
"""The columns of a lexicon's ``numbers``: key, looser key, row of the vector."""

_ENGLISH_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_FAMILY_LETTERS = 5
_NAME_TAGS = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz"})
"""What jieba's dictionary calls people, places, bodies and other names."""
_MOST_WORDS = 1_000_000
_FIRST_ROOM = 2**14


class Lexicon:
    """The words of a language: rarity and vectors from the tables, the rest from the spelling.

    ``entry`` gives a word's row in ``numbers`` and in ``figures``, whose last column is 1 where
    the spelling alone makes a name: Chinese has no capitals to show it. Row 0 ends sentences.
    """

    numbers: AnyInts
    figures: AnyFloats

    def __init__(self, language: str, words: list[str], idf: AnyFloats, vectors: AnyFloats) -> None:
        self.language = language
        self.top = float(idf.max()) if len(idf) else 1.0
        self._idf = dict(zip(words, (idf / self.top).tolist(), strict=True))
        self._rows = {word: index for index, word in enumerate(words[: len(vectors)])}
        unknown = np.zeros((1, WIDTH), np.float32)
        self.vectors: AnyFloats = np.vstack([vectors, unknown])
        self.unknown = len(vectors)
        self._forget()

    def make_room(self) -> None:
        """Forget all words when there are very many; what was read before is then void."""
        if len(self._entries) > _MOST_WORDS:
            self._forget()

    def entry(self, spelling: str) -> int:
        """The row of a word in small letters; a word is looked up once."""
        row = self._entries.get(spelling)
        return self._look_up(spelling) if row is None else row

    def rarity(self, key: str) -> float:
        """How rare a word is, 1 for the rarest and for unknown ones."""
        return float(self._idf.get(key, 1.0))

    def vectors_of(self, keys: Sequence[str]) -> AnyFloats:
        """The vectors of words, zeros for unknown ones."""
        vectors: AnyFloats = self.vectors[[self._rows.get(key, self.unknown) for key in keys]]
        return vectors

    def _forget(self) -> None:
        self._keys: dict[str, int] = {}
        self._families: dict[str, int] = {}
        self._entries: dict[str, int] = {}
        self.numbers = np.zeros((_FIRST_ROOM, 3), np.int32)
        self.figures = np.zeros((_FIRST_ROOM, len(COLUMNS) + 1), np.float32)
        # The end of a sentence has no key, counts as a function word, and has the zero vector.
        self.numbers[0] = -1, -1, self.unknown
        self.figures[0, 1] = 1.0

    def _look_up(self, spelling: str) -> int:
        row = len(self._entries) + 1
        if row == len(self.numbers):
            self.numbers = np.concatenate([self.numbers, np.zeros_like(self.numbers)])
            self.figures = np.concatenate([self.figures, np.zeros_like(self.figures)])
        key = key_of(spelling, self.language)
        is_function = spelling in FUNCTION[self.language]
        has_digit = any(character.isdigit() for character in spelling)
        cues = [cue.search(spelling) is not None for cue in CUES.values()]
        is_name = self.language == "zh" and not is_function and _is_chinese_name(spelling)
        self.numbers[row] = (
            self._keys.setdefault(key, len(self._keys)),
            self._families.setdefault(_family(key, self.language), len(self._families)),
            self._rows.get(key, self.unknown),
        )
        self.figures[row] = (self._idf.get(key, 1.0), is_function, has_digit, *cues, is_name)
        self._entries[spelling] = row
        return row


@functools.cache
def lexicon(language: str) -> Lexicon:
    """The lexicon of a language as it ships."""
    folder = files("readmark.text").joinpath("data")
    lines = gzip.decompress(folder.joinpath(f"words.{language}.txt.gz").read_bytes()).decode()
    header, *rows = lines.splitlines()
    paragraphs = int(header)
    words, counts = [], []
    for row in rows:
        word, count = row.split("\t")
        words.append(word)
        counts.append(int(count))
    idf = np.array([math.log(paragraphs / count) for count in counts], np.float32)
    packed = np.frombuffer(folder.joinpath(f"vectors.{language}.u4").read_bytes(), np.uint8)
    if language == "en":
        key_of("zyzzyvas", "en")  # a rare word: whatever its key needs is loaded now
    return Lexicon(language, words, idf, unpacked(packed))


def unpacked(codes: NDArray[np.uint8]) -> AnyFloats:
    """Unit vectors from four bits a figure."""
    bytes_by_word = codes.reshape(-1, WIDTH // 2)
    vectors = np.empty((len(bytes_by_word), WIDTH), np.float32)
    vectors[:, 0::2], vectors[:, 1::2] = bytes_by_word >> 4, bytes_by_word & 15
    vectors -= 8.0
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6
    return vectors


@functools.lru_cache(maxsize=400_000)
def key_of(spelling: str, language: str) -> str:
    """What equal words share: in English the base form without its derivational ending."""
    if language == "zh" or not spelling.isascii():
        return spelling
    bare = spelling[:-2] if spelling.endswith("'s") else spelling
    key = _frequent_keys().get(bare)
    return _stripper()(stem(bare)) if key is None else key


@functools.cache
def _frequent_keys() -> dict[str, str]:
    """Keys of frequent words, worked out before: the endings' rules are slow on a first meeting."""
    packed = files("readmark.text").joinpath("data", "forms.en.txt.gz").read_bytes()
    lines = (line.partition("\t") for line in gzip.decompress(packed).decode().splitlines())
    return {form: key for form, _, key in lines}


@functools.cache
def _stripper() -> Callable[[str], str]:
    """Takes derivational endings off English words."""
    with without("scipy"):  # nltk would import half of it, for most of the time
        require("nltk")
        from nltk.stem.snowball import SnowballStemmer

    strip: Callable[[str], str] = SnowballStemmer("english").stem
    return strip


def _family(key: str, language: str) -> str:
    """A looser key: the same beginning in English, the same first character in Chinese."""
    if language == "zh":
        return key[0] if len(key) > 1 and key[0] > "\u2fff" else key
    return key[:_FAMILY_LETTERS]


def _is_chinese_name(spelling: str) -> bool:
    if spelling.isascii():
        return spelling.isalpha()
    import rjieba

    tags = rjieba.tag(spelling)
    return len(tags) == 1 and tags[0][1] in _NAME_TAGS


def words_in(text: str, language: str) -> list[tuple[str, int]]:
    """The words of a text with their offsets; Chinese in small letters and simplified."""
    if language == "zh":
        return simplified_words(small_simplified(text))
    return [(match[0].replace("’", "'"), match.start()) for match in _ENGLISH_WORD.finditer(text)]


def simplified_words(text: str) -> list[tuple[str, int]]:
    """The words of a Chinese text that is in simplified characters already."""
    import rjieba

    words = []
    offset = 0
    # Half a surrogate pair cannot be segmented; a question mark takes its one place.
    for word in rjieba.cut(text.encode("utf-8", "replace").decode("utf-8")):
        if word[0].isalnum():
            words.append((word, offset))
        offset += len(word)
    return words


def small_simplified(text: str) -> str:
    """Small letters and simplified characters, one for one, so that offsets stay."""
    small = text.lower()
    return (small if len(small) == len(text) else text).translate(_simplified_characters())


@functools.cache
def _simplified_characters() -> dict[int, int]:
    # Character by character, with no exception for names: the word tables were counted so.
    return str.maketrans(*pairs())

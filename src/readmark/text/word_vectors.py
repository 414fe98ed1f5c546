"""What is known of a word before it is read: key, rarity, vector, and the cues it may give."""

from __future__ import annotations

import functools
import gzip
import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import AnyFloats, AnyInts
from readmark.core.extras import require, without
from readmark.text.script import pairs
from readmark.text.stems import stem

# The words that carry no content, and the words that hint at a time, a cause, a place.


_LISTS = tomllib.loads(
    (files("readmark.text") / "data" / "function_words.toml").read_text(encoding="utf-8")
)

FUNCTION: Mapping[str, frozenset[str]] = {
    language: frozenset(_LISTS[language].split()) for language in ("en", "zh")
}
ENDS_FOCUS = frozenset(_LISTS["ends_focus"].split())

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


WIDTH = 96
"""The dimensions of a word's vector, the weightiest first."""

COLUMNS = ("idf", "function", "number", *CUES)
"""What a word's row of figures holds."""

_EN_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_PREFIX = 5
# What the dictionary of jieba calls people, places, bodies and other names.
_NAME_TAGS = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz"})


KEY, FAMILY, ROW = 0, 1, 2
"""The columns of a lexicon's ``numbers``: key, looser key, row of the vector."""

_MOST = 1_000_000
_FIRST = 2**14


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
        empty = np.zeros((1, WIDTH), np.float32)
        self.vectors: AnyFloats = np.vstack([vectors, empty])
        self.unknown = len(vectors)
        self._forget()

    def make_room(self) -> None:
        """Forget all words when there are very many; what was read before is then void."""
        if len(self._known) > _MOST:
            self._forget()

    def entry(self, spelt: str) -> int:
        """The row of a word in small letters; what was looked up once is remembered."""
        found = self._known.get(spelt)
        return self._look_up(spelt) if found is None else found

    def rarity(self, key: str) -> float:
        """How rare a word is, 1 for the rarest and for unknown ones."""
        return float(self._idf.get(key, 1.0))

    def vectors_of(self, keys: Sequence[str]) -> AnyFloats:
        """The vectors of words, zeros for unknown ones."""
        found: AnyFloats = self.vectors[[self._rows.get(key, self.unknown) for key in keys]]
        return found

    def _forget(self) -> None:
        self._keys: dict[str, int] = {}
        self._families: dict[str, int] = {}
        self._known: dict[str, int] = {}
        self.numbers = np.zeros((_FIRST, 3), np.int32)
        self.figures = np.zeros((_FIRST, len(COLUMNS) + 1), np.float32)
        self.numbers[0] = -1, -1, self.unknown
        self.figures[0, 1] = 1.0

    def _look_up(self, spelt: str) -> int:
        at = len(self._known) + 1
        if at == len(self.numbers):
            self.numbers = np.concatenate([self.numbers, np.zeros_like(self.numbers)])
            self.figures = np.concatenate([self.figures, np.zeros_like(self.figures)])
        key = key_of(spelt, self.language)
        function = spelt in FUNCTION[self.language]
        number = any(sign.isdigit() for sign in spelt)
        cues = [cue.search(spelt) is not None for cue in CUES.values()]
        name = self.language == "zh" and not function and self._is_name(spelt)
        self.numbers[at] = (
            self._keys.setdefault(key, len(self._keys)),
            self._families.setdefault(_family(key, self.language), len(self._families)),
            self._rows.get(key, self.unknown),
        )
        self.figures[at] = (self._idf.get(key, 1.0), function, number, *cues, name)
        self._known[spelt] = at
        return at

    def _is_name(self, spelt: str) -> bool:
        if spelt.isascii():
            return spelt.isalpha()
        import rjieba

        tags = rjieba.tag(spelt)
        return len(tags) == 1 and tags[0][1] in _NAME_TAGS


@functools.lru_cache(maxsize=400_000)
def key_of(spelt: str, language: str) -> str:
    """What equal words share: in English the base form without its derivational ending."""
    if language == "zh" or not spelt.isascii():
        return spelt
    bare = spelt[:-2] if spelt.endswith("'s") else spelt
    known = _forms().get(bare)
    return _stripper()(stem(bare)) if known is None else known


@functools.cache
def _forms() -> dict[str, str]:
    """Keys of frequent words, worked out before: the endings' rules are slow on a first meeting."""
    packed = files("readmark.text").joinpath("data", "forms.en.txt.gz").read_bytes()
    lines = (line.partition("\t") for line in gzip.decompress(packed).decode().splitlines())
    return {form: key for form, _, key in lines}


def _family(key: str, language: str) -> str:
    """A looser key: the same beginning in English, the same first character in Chinese."""
    if language == "zh":
        return key[0] if len(key) > 1 and key[0] > "\u2fff" else key
    return key[:_PREFIX]


@functools.cache
def _stripper() -> Callable[[str], str]:
    with without("scipy"):  # nltk would import half of it, for most of the time
        require("nltk")
        from nltk.stem.snowball import SnowballStemmer

    strip: Callable[[str], str] = SnowballStemmer("english").stem
    return strip


def words_in(text: str, language: str) -> list[tuple[str, int]]:
    """The words of a text with their offsets; Chinese in simplified characters."""
    if language == "zh":
        return simplified_words(simplified(text))
    return [(match[0].replace("’", "'"), match.start()) for match in _EN_WORD.finditer(text)]


def simplified_words(text: str) -> list[tuple[str, int]]:
    """The words of a Chinese text that is in simplified characters already."""
    import rjieba

    at, found = 0, []
    # Half a surrogate pair cannot be segmented; a question mark takes its one place.
    for word in rjieba.cut(text.encode("utf-8", "replace").decode("utf-8")):
        if word[0].isalnum():
            found.append((word, at))
        at += len(word)
    return found


def simplified(text: str) -> str:
    """Small letters and simplified characters, one for one, so that offsets stay."""
    small = text.lower()
    return (small if len(small) == len(text) else text).translate(_simpler())


@functools.cache
def _simpler() -> dict[int, int]:
    # Character by character, with no exception for names: the word tables were counted so.
    return str.maketrans(*pairs())


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
    pairs = codes.reshape(-1, WIDTH // 2)
    vectors = np.empty((len(pairs), WIDTH), np.float32)
    vectors[:, 0::2], vectors[:, 1::2] = pairs >> 4, pairs & 15
    vectors -= 8.0
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6
    return vectors

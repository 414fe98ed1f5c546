"""Words that most readers seldom meet, by the frequency lists of ``wordfreq``."""

from __future__ import annotations

import functools
import gzip
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import msgspec

from readmark.core.extras import MissingExtra
from readmark.making.screening.science_topic import term_segmenter

RARE = {"zh": 2.3, "en": 3.0}
"""Zipf values (log10 of the uses in a billion words) below which a word is rare. Chinese lists
lack many plain compounds, so the bound is lower there."""
LEAST_WORDS = 40
"""A text of fewer different words counts as one of that many."""
_NOUNS = ("n", "vn", "b")
"""Tags of words that can be terms; names have others."""
_HAN_WORD = re.compile("[\u4e00-\u9fff]{2,}")
_ENGLISH = re.compile(r"(?<![\w'’-])[a-z]{4,}(?![\w-])")
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class RareWords:
    """The share of rare words among the different words of a text, and the first of them."""

    share: float
    examples: tuple[str, ...]


def rare_chinese(words: Iterable[str]) -> RareWords:
    """Rare words among the different words of a text, which are in simplified characters."""
    classes = _chinese_classes()
    frequent = 0
    rare: list[str] = []
    for word in words:
        word_class = classes[word]
        if word_class == _RARE:
            rare.append(word)
        elif word_class == _FREQUENT:
            frequent += 1
    return _rare_words(rare, frequent)


def rare_english(text: str) -> RareWords:
    """Rare words of an English text, among its words of four small letters or more."""
    words = dict.fromkeys(_ENGLISH.findall(text))
    frequent = _frequent_words("en")
    rare = [word for word in words if word not in frequent]
    return _rare_words(rare, len(words) - len(rare))


def _rare_words(rare: list[str], frequent: int) -> RareWords:
    return RareWords(len(rare) / max(len(rare) + frequent, LEAST_WORDS), tuple(rare[:_SHOWN]))


_NO_WORD, _FREQUENT, _RARE = range(3)


class _ChineseClasses(dict[str, int]):
    """The class of each word, looked up once: no word, a frequent one, a rare one."""

    def __init__(self) -> None:
        super().__init__()
        self._frequent = _frequent_words("zh")
        self._tagged = term_segmenter().tagged

    def __missing__(self, word: str) -> int:
        if not _HAN_WORD.fullmatch(word):
            if len(word) == 1:
                self[word] = _NO_WORD
            return _NO_WORD  # numbers and foreign words never run out: they are not stored
        is_rare = word not in self._frequent and self._tagged(word)[0][2] in _NOUNS
        self[word] = _RARE if is_rare else _FREQUENT
        return self[word]


@functools.cache
def _chinese_classes() -> _ChineseClasses:
    return _ChineseClasses()


@functools.cache
def _frequent_words(language: str) -> frozenset[str]:
    """The words that are not rare."""
    frequent: set[str] = set()
    decode = msgspec.msgpack.Decoder(list[str]).decode
    # A list for each share of all words, from 1 down, by hundredths of its logarithm. Only those
    # that matter are decoded: three words of four are rare.
    for index, words in enumerate(_words_by_frequency(language)):
        if -index / 100 < RARE[language] - 9:
            break
        frequent.update(decode(words))
    return frozenset(frequent)


def _words_by_frequency(language: str) -> list[msgspec.Raw]:
    """wordfreq's large list, without its tokenizer: importing that takes longer than the list.

    The format is the one that ``wordfreq.read_cBpack`` describes.
    """
    spec = find_spec("wordfreq")
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    for folder in folders:
        file = Path(folder) / "data" / f"large_{language}.msgpack.gz"
        if file.is_file():
            packed = gzip.decompress(file.read_bytes())
            return msgspec.msgpack.decode(packed, type=list[msgspec.Raw])[1:]  # after a header
    raise MissingExtra("wordfreq", "make")

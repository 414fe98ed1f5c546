"""Words that most readers seldom meet, by the frequency lists of ``wordfreq``.

Names are rare too and no hindrance, so they do not count: in Chinese only what jieba's dictionary
has as a common noun does, in English only words that begin with a small letter. A word counts
once, however often it stands: the subject of a text is no second hindrance the tenth time.
"""

from __future__ import annotations

import functools
import gzip
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import msgspec

from readmark.corpus.errors import UsageError
from readmark.text.topics import term_segmenter

RARE = {"zh": 2.3, "en": 3.0}
"""Zipf values (log10 of the uses in a billion words) below which a word is rare. Chinese lists
lack many plain compounds, so the bound is lower there."""
LEAST_WORDS = 40
"""A text of fewer different words counts as one of that many."""
_NOUNS = ("n", "vn", "b")
_HAN_WORD = re.compile("[\u4e00-\u9fff]{2,}")
_ENGLISH = re.compile(r"(?<![\w'’-])[a-z]{4,}(?![\w-])")
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Rare:
    """The share of rare words among the different words of a text, and the first of them."""

    share: float
    examples: tuple[str, ...]


def rare_chinese(words: Iterable[str]) -> Rare:
    """Rare words among the different words of a text, which are in simplified characters."""
    kinds = _chinese()
    known = 0
    rare: list[str] = []
    for word in words:
        kind = kinds[word]
        if kind == _RARE:
            rare.append(word)
        else:
            known += kind
    return _rare(rare, known)


def rare_english(text: str) -> Rare:
    """Rare words of an English text, among its words of four small letters or more."""
    words = dict.fromkeys(_ENGLISH.findall(text))
    frequent = _frequent("en")
    rare = [word for word in words if word not in frequent]
    return _rare(rare, len(words) - len(rare))


def _rare(rare: list[str], known: int) -> Rare:
    return Rare(len(rare) / max(len(rare) + known, LEAST_WORDS), tuple(rare[:_SHOWN]))


_NONE, _KNOWN, _RARE = range(3)


class _Kinds(dict[str, int]):
    """What each word is, found out once: no word, a known one, a rare one."""

    def __init__(self) -> None:
        super().__init__()
        self._frequent = _frequent("zh")
        self._tagged = term_segmenter().tagged

    def __missing__(self, word: str) -> int:
        if not _HAN_WORD.fullmatch(word):
            if len(word) == 1:
                self[word] = _NONE
            return _NONE  # numbers and foreign words never run out: they are not held
        rare = word not in self._frequent and self._tagged(word)[0][2] in _NOUNS
        self[word] = _RARE if rare else _KNOWN
        return self[word]


@functools.cache
def _chinese() -> _Kinds:
    return _Kinds()


@functools.cache
def _frequent(language: str) -> frozenset[str]:
    """The words that are not rare."""
    frequent: set[str] = set()
    words = msgspec.msgpack.Decoder(list[str]).decode
    # A list for each share of all words, from 1 down, by hundredths of its logarithm. Only those
    # that matter are decoded: three words of four are rare.
    for at, of in enumerate(_shares(language)):
        if -at / 100 < RARE[language] - 9:
            break
        frequent.update(words(of))
    return frozenset(frequent)


def _shares(language: str) -> list[msgspec.Raw]:
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
    raise UsageError("rare words need wordfreq, which is not installed: pip install wordfreq")

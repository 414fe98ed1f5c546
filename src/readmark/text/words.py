"""Words by plain rules, base forms of English words, and lists of stop words and Chinese words."""

from __future__ import annotations

import functools
import gzip
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from importlib.resources import files

from readmark.core.records import Offsets

# Base forms of English words as WordNet's morphy finds them: exceptions, then endings.


SOURCE = "wordnet-3.0 nouns, verbs"

_ENDINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
}


@functools.lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The base form of a word in small letters, as a noun if that changes it, else as a verb."""
    return _base(word, "n") or _base(word, "v") or word


def _base(word: str, part: str) -> str | None:
    known, irregular = _tables()[part]
    if word in irregular:
        return irregular[word]
    if part == "n" and (word.endswith("ss") or len(word) <= 2):
        return None
    for ending, instead in _ENDINGS[part]:
        if word.endswith(ending):
            base = word[: len(word) - len(ending)] + instead
            if base in known and base != word:
                return base
    return None


@functools.cache
def _tables() -> dict[str, tuple[frozenset[str], dict[str, str]]]:
    data = files("readmark.text").joinpath("data/wordnet_bases.txt.gz").read_bytes()
    known: dict[str, set[str]] = {"n": set(), "v": set()}
    irregular: dict[str, dict[str, str]] = {"n": {}, "v": {}}
    for line in gzip.decompress(data).decode("utf-8").splitlines():
        if line.startswith("#"):
            continue
        mark, word, *base = line.split(" ")
        if base:
            irregular[mark[0]][word] = base[0]
        else:
            known[mark].add(word)
    return {part: (frozenset(known[part]), irregular[part]) for part in known}


# The stop words of the bag-of-words readers: Deep Read's list for English, its kin for Chinese.


STOP_WORDS_SOURCE = "deep read"

_ENGLISH = """
be am is are was were been being 'm 're 's
have has had having 've
do does did doing done
i you he she it we they me him her us them
my your his its our their mine yours hers ours theirs
and or to in at of a the this that which
"""
_CHINESE = """
我 你 您 他 她 它 我们 你们 您们 他们 她们 它们 咱 咱们
我的 你的 您的 他的 她的 它的 我们的 你们的 他们的 她们的 它们的 其
和 或 到 在 中 的 这 那
我們 你們 他們 她們 它們 我們的 你們的 他們的 她們的 它們的 這
"""

STOP_WORDS = {
    "en": frozenset(_ENGLISH.split()),
    "zh": frozenset(_CHINESE.split()),
}
"""By language; Chinese in both scripts."""


@functools.cache
def listed(name: str) -> frozenset[str]:
    """A list of Chinese words: particles, classifiers, pronouns, negations and so on."""
    return frozenset(_wording()[name].split())


@functools.cache
def _wording() -> dict[str, str]:
    source = files("readmark.text").joinpath("data", "wording.zh.toml")
    return tomllib.loads(source.read_text("utf-8"))


# Where words and letters end: a stretch of text should cut neither.


_JOINER = "\u200d"
_LETTER = r"[^\W\d_\u0530-\u1dff\u2000-\uffff\U00010000-\U0010ffff]"
_INSIDE = re.compile(rf"{_LETTER}{{2}}|\d\d")
_IN_A_NUMBER = re.compile(r"\d[.,]\d")


def cuts_word(text: str, index: int) -> bool:
    """Whether a place lies inside a word or a number: 5 does not begin in 1995 or in 2.5."""
    if not 0 < index < len(text):
        return False
    if _INSIDE.match(text, index - 1) is not None:
        return True
    return any(
        _IN_A_NUMBER.match(text, first) is not None
        for first in (index - 1, index - 2)
        if first >= 0
    )


def cuts_letter(text: str, index: int) -> bool:
    """Whether a place parts a letter from the marks that belong to it."""
    return 0 < index < len(text) and (is_mark(text[index]) or text[index - 1] == _JOINER)


def is_whole(text: str, span: Offsets) -> bool:
    """Whether a stretch begins and ends where words and letters do."""
    return not any(cuts_letter(text, at) or cuts_word(text, at) for at in span)


def is_mark(sign: str) -> bool:
    """Whether a sign belongs to the letter before it."""
    return sign == _JOINER or unicodedata.category(sign).startswith("M")


RULES = "rules-1"

_ENGLISH_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_CHINESE_WORD = re.compile(
    r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]|[a-z0-9]+"
)


def words(text: str, language: str) -> list[str]:
    """The words of a text in lower case; Han characters stand for words in Chinese."""
    pattern = _CHINESE_WORD if language == "zh" else _ENGLISH_WORD
    return pattern.findall(text.lower())


# How long a text is.


_TOKEN = re.compile(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def count_words(text: str) -> int:
    """What white space separates; where there are Chinese characters, the segmenter's words."""
    if not _HAN.search(text):
        return len(text.split())
    from readmark.text.segmenter import segmenter

    return sum(any(map(str.isalnum, word)) for word in segmenter().words(text))


LENGTHS: Mapping[str, Callable[[str], int]] = {
    "characters": len,
    "words": count_words,
    "tokens": lambda text: len(_TOKEN.findall(text)),
}
"""What lengths are counted in. Tokens are those of CMRC 2018's Table 1, as near as its figures
tell: runs of Latin letters and digits are one, any other character but white space is one."""


def length_unit(language: str) -> str:
    """Characters for Chinese, words for any other language."""
    return "characters" if language == "zh" else "words"

"""Chinese words: the most probable path through jieba's dictionary, by rjieba.

``hmm=False`` is the method of "Design and Development of a Bilingual Reading Comprehension
Corpus" (the path alone); ``hmm=True`` also finds words that no dictionary has. The dictionary is
in simplified characters: traditional ones are looked up as those, and stay in the words.
"""

from __future__ import annotations

import functools
import hashlib
import re
import sys
import unicodedata
from dataclasses import dataclass
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.resources import files
from importlib.util import find_spec, module_from_spec
from itertools import accumulate, pairwise
from pathlib import Path
from threading import Lock
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING

from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes
from readmark.core.records import Offsets
from readmark.text.script import TABLE, simplified

if TYPE_CHECKING:
    from rjieba import Jieba


# The tags of Chinese words, jieba's and LAC's, and the universal part of speech of each.


def _table() -> dict[str, str]:
    text = (files("readmark.text") / "data" / "tags.zh.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and line[0] != "#")
    return {tag: pos for tag, pos, _ in rows}


TAGS = MappingProxyType(_table())
"""Fine tag to coarse tag, as in the data file."""


_PLURAL = frozenset({"们", "們"})
"""Cut off, it is still the end of a noun: 学者 and 们."""

_PERCENT = frozenset("%％‰")


@functools.lru_cache(maxsize=1 << 16)
def coarse(tag: str, word: str) -> str:
    """The universal part of speech of a word by its tag, else by its characters."""
    if word in _PLURAL:
        return "NOUN"
    if tag in ("x", "w"):
        return _by_characters(word)
    if tag == "eng" and word[:1].isupper():
        return "PROPN"
    return TAGS.get(tag, "X")


def _by_characters(word: str) -> str:
    groups = {unicodedata.category(character)[0] for character in word}
    if word in _PERCENT:
        return "SYM"
    if groups == {"P"}:
        return "PUNCT"
    if groups <= {"S", "P"}:
        return "SYM"
    return "NUM" if groups <= {"N", "P"} else "X"


# A user's words for the Chinese segmenter: the files that people have them in.


MOST = 10**12
_PINYIN = re.compile(r"(?:[a-zü]:?|[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜńňǹḿ])+[0-5]?", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouüv0-5āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜńňǹḿ]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """A word with what its line says of it; ``yields`` to the dictionary where that has it.

    Counts of an LDC lexicon come from another corpus than jieba's: mixed, they would undo
    other words (美国人 and 口 of 美国人口). Its new words get the frequency that just keeps
    them whole, as words without a frequency do.
    """

    word: str
    frequency: int | None = None
    tag: str | None = None
    yields: bool = False


@dataclass(frozen=True, slots=True)
class UserLexicon:
    """The entries of a file and a short hash of it, for signatures."""

    entries: tuple[LexiconEntry, ...]
    digest: str


def read_lexicon(path: str | Path) -> UserLexicon:
    """Read a lexicon; what is wrong with a line is reported with its number."""
    data = read_bytes(path)
    rows = [
        (number, line.split())
        for number, line in enumerate(_decoded(path, data).splitlines(), 1)
        if line.strip()
    ]
    if not rows:
        raise DataError("the lexicon is empty, expected one word per line", file=path)
    # One third column that is no tag makes them all pinyin: "an" and "a" are both.
    pinyin = any(len(row) > 2 and row[2] not in TAGS for _, row in rows)
    entries = tuple(_entry(path, number, row, pinyin) for number, row in rows)
    return UserLexicon(entries, hashlib.sha256(data).hexdigest()[:12])


def _decoded(path: str | Path, data: bytes) -> str:
    for encoding in ("utf-8", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
    raise DataError("neither UTF-8 nor GB18030", file=path, where=line)


def _entry(path: str | Path, number: int, row: list[str], pinyin: bool) -> LexiconEntry:
    if len(row) == 1:
        return LexiconEntry(row[0])
    if not (row[1].isascii() and row[1].isdecimal()) or int(row[1]) > MOST:
        raise DataError(
            f"expected a frequency after {row[0]!r}, a whole number, found {row[1]!r}",
            file=path,
            where=number,
        )
    if pinyin and all(_PINYIN.sub("", one) == "" and _VOWEL.search(one) for one in row[2:]):
        return LexiconEntry(row[0], yields=True)
    if not pinyin and len(row) <= 3:
        return LexiconEntry(row[0], int(row[1]), row[2] if len(row) == 3 else None)
    raise DataError(
        f"expected a tag or pinyin after {row[0]!r} {row[1]}, found {' '.join(row[2:])!r}",
        file=path,
        where=number,
    )


# What jieba looks up as one stretch; it cuts at anything else, whatever its dictionary says.
_LOOKED_UP = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffdA-Za-z0-9]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_FIGURE = re.compile(r"\d+(?:[.．,]\d+)+[%％‰]?|\d+[%％‰]")
_IMPORTING = Lock()

Tagged = tuple[int, int, str]
"""Start, end and jieba's tag of a word."""


class Segmenter:
    """Cuts Chinese into words; offsets are code points, white space is dropped."""

    def __init__(
        self, *, hmm: bool = True, lexicon: UserLexicon | str | Path | None = None
    ) -> None:
        self.hmm = hmm
        self._whole: re.Pattern[str] | None = None
        self._tags: dict[str, str] = {}
        self.added: set[str] = set()
        """The words of the lexicon, in simplified characters."""
        if isinstance(lexicon, (str, Path)):
            lexicon = read_lexicon(lexicon)
        self._digest = lexicon.digest if lexicon is not None else ""
        self._jieba = _shared() if lexicon is None else _jieba()
        if lexicon is not None:
            self._add(lexicon.entries)

    def spans(self, text: str) -> list[Offsets]:
        """Where the words of a text occur."""
        return self._spans(simplified(text))

    def words(self, text: str) -> list[str]:
        """The words of a text, as they are written there."""
        plain = simplified(text)
        if self._whole is not None or plain is not text:
            return [text[start:end] for start, end in self._spans(plain)]
        words = self._cut(text)
        return words if _solid(text) else [word for word in words if not word.isspace()]

    def tagged(self, text: str) -> list[Tagged]:
        """Where the words of a text occur, each with its tag."""
        text = simplified(text)
        return self._tagged(text, 0) if self._whole is None else self._all_tagged(text)

    def knows(self, word: str) -> bool:
        """Whether a word in simplified characters is in the dictionary or the lexicon."""
        return word in self.added or self._jieba.has_word(word)

    def signature(self) -> str:
        """Which segmenter this is, with its lexicon's hash."""
        from importlib.metadata import version

        hmm = str(self.hmm).lower()
        lexicon = f",lexicon={self._digest}" if self._digest else ""
        figures = "" if self.hmm else ",figures=whole"
        return f"rjieba-{version('rjieba')}(hmm={hmm}{figures},{TABLE}{lexicon})"

    def _spans(self, text: str) -> list[Offsets]:
        if self._whole is not None:
            return [(start, end) for start, end, _ in self._all_tagged(text)]
        words = self._cut(text)
        spans = list(pairwise(accumulate(map(len, words), initial=0)))
        if _solid(text):
            return spans
        return [span for span, word in zip(spans, words, strict=True) if not word.isspace()]

    def _all_tagged(self, text: str) -> list[Tagged]:
        if self._whole is None:
            return self._tagged(text, 0)
        found: list[Tagged] = []
        at = 0
        for match in self._whole.finditer(text):
            found += self._tagged(text[at : match.start()], at)
            found.append((match.start(), match.end(), self._tags[match[0]]))
            at = match.end()
        return found + self._tagged(text[at:], at)

    def _cut(self, text: str) -> list[str]:
        try:
            words = self._jieba.cut(text, self.hmm)
        except UnicodeEncodeError:
            words = self._jieba.cut(whole_characters(text), self.hmm)
            spans = pairwise(accumulate(map(len, words), initial=0))
            words = [text[start:end] for start, end in spans]
        if self.hmm or not _FIGURE.search(text):
            return words
        return [word for word, _ in _whole_figures(text, [(word, "") for word in words])]

    def _tagged(self, text: str, at: int) -> list[Tagged]:
        try:
            tagged = self._jieba.tag(text, self.hmm)
        except UnicodeEncodeError:
            tagged = self._jieba.tag(whole_characters(text), self.hmm)
        if not self.hmm and _FIGURE.search(text):
            tagged = _whole_figures(text, tagged)
        found: list[Tagged] = []
        append = found.append
        for word, tag in tagged:
            append((at, at := at + len(word), tag))
        if _solid(text):
            return found
        return [one for one, (word, _) in zip(found, tagged, strict=True) if not word.isspace()]

    def _add(self, entries: tuple[LexiconEntry, ...]) -> None:
        for entry in entries:
            word = simplified(entry.word)
            self.added.add(word)
            if not _LOOKED_UP.fullmatch(word):
                self._tags[word] = entry.tag or "nz"
            elif not (known := self._jieba.has_word(word)) or not entry.yields:
                tag = entry.tag or (None if known else "nz")
                self._jieba.add_word(word, entry.frequency, tag)
        if self._tags:
            longest_first = sorted(self._tags, key=len, reverse=True)
            self._whole = re.compile("|".join(map(re.escape, longest_first)))


@functools.cache
def segmenter(*, hmm: bool = True) -> Segmenter:
    """The segmenter without a lexicon, which all who need no other share."""
    return Segmenter(hmm=hmm)


def _whole_figures(text: str, tagged: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The words with figures such as 3.3% and 1,066 in one piece: the path alone cuts them."""
    figures = iter(_FIGURE.finditer(text))
    figure = next(figures, None)
    whole: list[tuple[str, str]] = []
    at = 0
    for word, tag in tagged:
        while figure is not None and figure.end() <= at:
            figure = next(figures, None)
        inside = figure is not None and figure.start() < at and at + len(word) <= figure.end()
        if inside and whole:
            whole[-1] = (whole[-1][0] + word, "m")
        else:
            whole.append((word, tag))
        at += len(word)
    return whole


@functools.cache
def _shared() -> Jieba:
    """The dictionary of every segmenter without a lexicon: nothing changes it."""
    return _jieba()


def _jieba() -> Jieba:
    try:
        made: Jieba = _compiled().Jieba()
    except ImportError:
        raise UsageError(
            "Chinese words need rjieba: pip install rjieba (see readmark doctor)"
        ) from None
    return made


def _compiled() -> ModuleType:
    """What of rjieba is compiled, alone: the package makes a dictionary for functions of its own.

    That would take as long as making ours, and 25 MB.
    """
    name = "rjieba.rjieba"
    with _IMPORTING:
        if name in sys.modules:
            return sys.modules[name]
        package = find_spec("rjieba")
        places = package.submodule_search_locations if package is not None else None
        spec = PathFinder.find_spec(name, places) if places is not None else None
        if spec is None or spec.loader is None:
            return import_module("rjieba")
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return sys.modules.setdefault(name, module)


def _solid(text: str) -> bool:
    """Whether a text has no white space; several times as fast as looking with an expression."""
    parts = text.split(None, 1)
    return bool(parts) and len(parts[0]) == len(text)


def whole_characters(text: str) -> str:
    """A text of the same length without halves of surrogate pairs, which libraries refuse."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)

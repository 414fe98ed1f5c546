"""A user's words for the Chinese segmenter, in the files that people have them in.

A word a line, with its frequency and tag as jieba's dictionaries have them, or with its count and
pinyin as those of the Linguistic Data Consortium (LDC) do.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.text.chinese_tags import TAGS

_MOST = 10**12
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
    has_pinyin = any(len(row) > 2 and row[2] not in TAGS for _, row in rows)
    entries = tuple(_entry(path, number, row, has_pinyin) for number, row in rows)
    return UserLexicon(entries, hashlib.sha256(data).hexdigest()[:12])


def _decoded(path: str | Path, data: bytes) -> str:
    for encoding in ("utf-8", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
    raise DataError("neither UTF-8 nor GB18030", file=path, where=line)


def _entry(path: str | Path, number: int, row: list[str], has_pinyin: bool) -> LexiconEntry:
    if len(row) == 1:
        return LexiconEntry(row[0])
    word, frequency, *columns = row
    if not (frequency.isascii() and frequency.isdecimal()) or int(frequency) > _MOST:
        raise DataError(
            f"expected a frequency after {word!r}, a whole number, found {frequency!r}",
            file=path,
            where=number,
        )
    if has_pinyin and all(_is_pinyin(column) for column in columns):
        return LexiconEntry(word, yields=True)
    if not has_pinyin and len(columns) <= 1:
        return LexiconEntry(word, int(frequency), columns[0] if columns else None)
    raise DataError(
        f"expected a tag or pinyin after {word!r} {frequency}, found {' '.join(columns)!r}",
        file=path,
        where=number,
    )


def _is_pinyin(column: str) -> bool:
    return _PINYIN.sub("", column) == "" and _VOWEL.search(column) is not None

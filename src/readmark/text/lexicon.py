"""A user's words for the Chinese segmenter: the files that people have them in.

A line is ``word``, ``word frequency``, ``word frequency tag`` (jieba's own shape) or ``word
frequency pinyin`` (the shape of the LDC's lexicon); a file is UTF-8 or GB18030.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from readmark.corpus.errors import DataError
from readmark.corpus.files import read_bytes
from readmark.text.tags import TAGS

MOST = 10**12
_PINYIN = re.compile(r"(?:[a-zü]:?|[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜńňǹḿ])+[0-5]?", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouüv0-5āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜńňǹḿ]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
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
class Lexicon:
    """The entries of a file and a short hash of it, for signatures."""

    entries: tuple[Entry, ...]
    digest: str


def read_lexicon(path: str | Path) -> Lexicon:
    """Read a lexicon; what is wrong with a line is told with its number."""
    data = read_bytes(path)
    rows = [
        (number, line.split())
        for number, line in enumerate(_decoded(path, data).splitlines(), 1)
        if line.strip()
    ]
    if not rows:
        raise DataError("the lexicon is empty, expected a word a line", file=path)
    # One third column that is no tag makes them all pinyin: "an" and "a" are both.
    pinyin = any(len(row) > 2 and row[2] not in TAGS for _, row in rows)
    entries = tuple(_entry(path, number, row, pinyin) for number, row in rows)
    return Lexicon(entries, hashlib.sha256(data).hexdigest()[:12])


def _decoded(path: str | Path, data: bytes) -> str:
    for encoding in ("utf-8", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
    raise DataError("neither UTF-8 nor GB18030", file=path, where=line)


def _entry(path: str | Path, number: int, row: list[str], pinyin: bool) -> Entry:
    if len(row) == 1:
        return Entry(row[0])
    if not (row[1].isascii() and row[1].isdecimal()) or int(row[1]) > MOST:
        raise DataError(
            f"expected a frequency after {row[0]!r}, a whole number, found {row[1]!r}",
            file=path,
            where=number,
        )
    if pinyin and all(_PINYIN.sub("", one) == "" and _VOWEL.search(one) for one in row[2:]):
        return Entry(row[0], yields=True)
    if not pinyin and len(row) <= 3:
        return Entry(row[0], int(row[1]), row[2] if len(row) == 3 else None)
    raise DataError(
        f"expected a tag or pinyin after {row[0]!r} {row[1]}, found {' '.join(row[2:])!r}",
        file=path,
        where=number,
    )

"""A Chinese question as words, and the words in it that point out of it.

Everything is looked up in simplified characters, one for one, so offsets are those of the text.
A pronoun is a word of the dictionary's cut: the 他 of 其他, 吉他 or 他人 is none.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.series.guided.word_tables import table
from readmark.text.script import simplified
from readmark.text.segmenter import Tagged, segmenter

KIN = {"父": "父亲", "母": "母亲", "妻": "妻子", "夫": "丈夫", "子": "儿子", "女": "女儿"}
MEASURES = "个位名所部本条座家场次种首项届支艘架件片篇幅颗间"
NAMED = re.compile(r"[\u4e00-\u9fff]{1,6}·[\u4e00-\u9fff]{1,6}|《[^》]+》|[A-Za-z]{2,}")
"""Names that no dictionary is needed for."""
_ANOTHER = re.compile(r"他(?:国(?![籍家内外语文学])|乡)")
_BOTH = re.compile(r"(?:俩|两人|二人|两个人?)")
_NAMED_SO = re.compile(r"(?:叫什么|(?:的|其)名字是)")
_THING = re.compile(rf"(?:什么(?!时|地|人|样)|哪一?[{MEASURES}])")
_LISTING = re.compile(r"(?:哪些|哪几|列举|列出|说出|举出|有谁|都是谁|分别是)")


@dataclass(frozen=True, slots=True)
class ChineseQuestion:
    """A question, the same in simplified characters, and its words with their tags."""

    text: str
    plain: str
    words: tuple[Tagged, ...]

    @property
    def starts(self) -> frozenset[int]:
        return frozenset(start for start, _, _ in self.words)

    @property
    def ends(self) -> frozenset[int]:
        return frozenset(end for _, end, _ in self.words)


@dataclass(frozen=True, slots=True)
class Pronoun:
    """A word that points out of its question."""

    start: int
    end: int
    kind: str
    """person, group, both (夫妇俩), thing, things, here, own (其), among (其中), then (当时)."""
    gender: str | None = None


@functools.lru_cache(maxsize=512)
def read(text: str) -> ChineseQuestion:
    """The words of a question by the dictionary alone: guessed words would swallow pronouns."""
    return ChineseQuestion(text, simplified(text), tuple(segmenter(hmm=False).tagged(text)))


@functools.cache
def _pronouns() -> dict[str, tuple[str, str | None]]:
    """The kind of each pronoun, and its gender if it has one."""
    return {
        word: (kind, gender or None)
        for name, words in table("chinese")["pronouns"].items()
        for kind, _, gender in [name.partition("_")]
        for word in words.split()
    }


def pronouns(asked: ChineseQuestion) -> Iterator[Pronoun]:
    """The pronouns of a question, from left to right."""
    for start, end, _ in asked.words:
        word = asked.plain[start:end]
        if word in "两二俩" and asked.plain[end : end + 1] == "人":
            word, end = asked.plain[start : end + 1], end + 1
        if len(word) == 2 and word[0] == "其" and word[1] in KIN:  # 其父
            word, end = "其", start + 1
        found = _pronouns().get(word)
        if found is None or _ANOTHER.match(asked.plain, start):
            continue
        kind, gender = found
        if kind == "both" and asked.plain[max(0, start - 2) : start] in ("这对", "那对"):
            start -= 2
        elif kind == "both" and start:
            continue
        if kind == "group" and (both := _BOTH.match(asked.plain, end)) is not None:
            end = both.end()
        yield Pronoun(start, end, kind, gender)


def asks_person(asked: ChineseQuestion) -> bool:
    """Whether a question asks who: 谁, 哪位, or what a relative is called."""
    if any(one in asked.plain for one in listed("persons", "asking")):
        return True
    return kin_in(asked) != "" and _NAMED_SO.search(asked.plain) is not None


def asks_thing(asked: ChineseQuestion) -> bool:
    """Whether a question asks for something that 它 can mean: no person, time or number."""
    return _THING.search(asked.plain) is not None and not asks_person(asked)


def asks_place(asked: ChineseQuestion) -> bool:
    return any(one in asked.plain for one in listed("places", "asking"))


def asks_several(asked: ChineseQuestion) -> bool:
    return _LISTING.search(asked.plain) is not None


def gender_asked(asked: ChineseQuestion) -> str | None:
    """The gender implied by kinship: 丈夫 is a man."""
    for gender in ("male", "female"):
        if kin_in(asked, gender):
            return gender
    return None


def kin_in(asked: ChineseQuestion, gender: str | None = None) -> str:
    """A relative that a question speaks of, as a whole noun."""
    genders = ("male", "female") if gender is None else (gender,)
    for start, end, _ in asked.words:
        word = asked.plain[start:end]
        if word[:1] == "其" and word[1:] in KIN:
            word = KIN[word[1:]]
        if any(word in listed("kin", gender) for gender in genders):
            return word
    return ""


def last_person(before: Sequence[ChineseQuestion], gender: str | None = None) -> int | None:
    """The nearest earlier question that asks for a person of the gender."""
    for index in range(len(before) - 1, -1, -1):
        agrees = gender is None or gender_asked(before[index]) in (None, gender)
        if agrees and asks_person(before[index]):
            return index
    return None


def last_thing(before: Sequence[ChineseQuestion]) -> int | None:
    """The nearest earlier question that asks for a thing, else the last that asks no person."""
    found = [index for index, question in enumerate(before) if asks_thing(question)]
    other = [index for index, question in enumerate(before) if not asks_person(question)]
    return next(reversed(found or other), None)


@functools.cache
def listed(section: str, name: str) -> frozenset[str]:
    """A list of words of the Chinese table."""
    return frozenset(table("chinese")[section][name].split())

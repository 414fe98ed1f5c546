"""A Chinese translation cut into the words that a comparison looks at."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from readmark.text.bilingual import akin, opposite, synonymous, unlike
from readmark.text.folding import NUMERALS, number_of, with_percent_signs
from readmark.text.questions.classes import question_words
from readmark.text.script import simplified
from readmark.text.segmenter import Segmenter
from readmark.text.word_vectors import ROW, lexicon
from readmark.text.words import listed

ASK, PART = "ask", "part"
"""Tags of question words, and of what is left of a word when another is cut off."""

_NUMBER = re.compile(rf"第?(-?[{NUMERALS}.]+)")
_COUNTED = re.compile(rf"(第?[{NUMERALS}.]+)([^{NUMERALS}.]+)")
_DATED = frozenset({"年", "月", "日", "号", "点", "世纪", "年代"})
"""What may follow a number in a word of the dictionary: 八月."""
_LIGHT = ("particles", "classifiers", "demonstratives", "passive")
_JOINED = frozenset("从在把和与的了是有他她它")
"""Words that jieba's model joins to others, and that stand in next to no name."""
_QUILT = frozenset("子告窝褥单套面")
"""What makes a noun after 被."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_RANGE = re.compile(r"(?<=\d)[~〜–—](?=\d)")
_MINUS = re.compile(rf"(?<![{NUMERALS}a-z])(?:-|零下)(?=[{NUMERALS}])")
_SPELT = {"−": "-", "°c": "摄氏度", "°f": "华氏度", "°": "度"}
_PUNCTUATION = ("P", "Z", "C", "Sk")
"""The categories of Unicode that say nothing; currencies, < and emoji say something."""
_EMPTY = frozenset("~|")
_SHAPES = re.compile("[\ufe00-\ufe0f]")
"""How a sign is drawn, no matter which it is."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a translation: as it is written, and jieba's tag (``ask`` for question words)."""

    text: str
    tag: str

    @property
    def number(self) -> float | None:
        """The number that the word is, if it is one; 第三 is 3."""
        found = _NUMBER.fullmatch(self.text)
        return number_of(found[1]) if found else None

    @property
    def light(self) -> bool:
        """Whether the word changes no meaning by itself."""
        return not self.denies and any(self.text in listed(name) for name in _LIGHT)

    @property
    def denies(self) -> bool:
        """Whether the word makes another of the noun after it: 副 before 总统."""
        return self.tag in (PART, "b", "h") and self.text in listed("denials")


def folded(text: str) -> str:
    """A text as simplified characters of one width in small letters, without punctuation.

    What stands between digits stays, but for the comma of thousands; so does a minus before them.
    """
    plain = _plain(text)
    minus = {found.start() for found in _MINUS.finditer(plain)}
    return "".join(
        sign
        for at, sign in enumerate(plain)
        if not _empty(sign) or at in minus or (_between(plain, at) and not sign.isspace())
    )


def cut(text: str) -> list[Word]:
    """The words of a Chinese text without its punctuation; question words stay whole."""
    whole = _plain(text)
    found: list[Word] = []
    at = 0
    for start, end, _ in question_words(whole):
        found += plain(whole[at:start])
        found.append(Word(whole[start:end], ASK))
        at = end
    return found + plain(whole[at:])


def plain(text: str) -> list[Word]:
    """The words of a text that holds no question word; a number is one word, its minus with it."""
    found: list[Word] = []
    number = -1
    """Where a number ends that the next word may go on with: jieba cuts 200万 and 二〇〇八年."""
    minus = {found.end() for found in _MINUS.finditer(text)}
    for start, end, tag in _segmenter().tagged(text):
        word = text[start:end]
        if all(map(_empty, word)):
            continue
        goes_on = start == number
        counted = _COUNTED.fullmatch(word)
        if counted and not (tag in ("m", "mq") or goes_on or counted[2] in _DATED):
            counted = None
        digits = counted[1] if counted else word
        if goes_on and _NUMBER.fullmatch(digits) and digits[0] != "第":
            found[-1] = Word(found[-1].text + digits, "m")
        elif counted or (tag == "m" and start in minus):
            found.append(Word("-" * (start in minus) + digits, "m"))
        elif word[0] == "被" and len(word) > 1 and word[1] not in _QUILT:
            found += [Word("被", "p"), Word(word[1:], "v")]
        else:
            found += _unjoined(word, tag)
        if counted:
            found.append(Word(counted[2], "q"))
        number = end if found[-1].number is not None else -1
    return found


def _plain(text: str) -> str:
    """A text in one spelling of characters, widths, percentages, thousands and minus signs."""
    one = _SHAPES.sub("", simplified(unicodedata.normalize("NFKC", text)).lower())
    for spelt, usual in _SPELT.items():
        one = one.replace(spelt, usual)
    one = _RANGE.sub("-", _THOUSANDS.sub("", one))
    return with_percent_signs(_MINUS.sub("-", one))


def _empty(sign: str) -> bool:
    """Whether a sign says nothing by itself."""
    return sign in _EMPTY or (sign != "%" and unicodedata.category(sign).startswith(_PUNCTUATION))


def _between(text: str, at: int) -> bool:
    return 0 < at < len(text) - 1 and text[at - 1].isdigit() and text[at + 1].isdigit()


def _unjoined(word: str, tag: str) -> list[Word]:
    """A word of no dictionary, cut where it holds a particle, a pronoun or a passive mark: 教他."""
    parts = _segmenter(hmm=False).words(word)
    if len(parts) > 1 and any(part in _JOINED or part in listed("passive") for part in parts):
        return [one for part in parts for one in _retagged(part)]
    return [Word(word, tag)]


def _retagged(part: str) -> list[Word]:
    return [Word(part, tag) for _, _, tag in _segmenter().tagged(part)[:1]]


def split_by(words: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    """Words that begin or end with a whole word of the other text, cut there: 北方军 by 北方."""
    known = {word.text for word in others if len(word.text) > 1 and not word.light}
    own = {word.text for word in words}
    single = {word.text for word in others}
    found: list[Word] = []
    for word in words:
        if word.number is not None:
            found.append(word)
            continue
        parts = None if word.text in single else _parts(word.text, known - own)
        if parts:
            found += [Word(part, word.tag if part in known else PART) for part in parts]
        elif word.text not in single and len(word.text) == 2 and word.tag != ASK:
            found += _unknown(word, single - own)
        else:
            found.append(word)
    return found


def _unknown(word: Word, others: set[str]) -> list[Word]:
    """A word of no dictionary, cut where a word of the other text is part of it: 鸟飞 by 鸟."""
    parts = _segmenter(hmm=False).words(word.text)
    if len(parts) > 1 and others.intersection(parts):
        return [one for part in parts for one in _retagged(part)]
    return [word]


def _parts(text: str, known: Iterable[str]) -> tuple[str, str] | None:
    for part in sorted(known, key=len, reverse=True):
        if len(part) < len(text):
            if text.startswith(part):
                return part, text[len(part) :]
            if text.endswith(part):
                return text[: -len(part)], part
    return None


@functools.cache
def _segmenter(*, hmm: bool = True) -> Segmenter:
    return Segmenter(hmm=hmm)


# Whether two Chinese words say the same, nearly the same or something else, and by what.


SAME_WITH_CHARACTER = 0.5
"""The cosine from which two words that share a character are synonyms."""
SAME_WITHOUT = 0.8
"""The cosine from which any two are; word vectors bring opposites together too, so it is high."""
SURE = 0.8
"""The strength from which lists or characters tell it; vectors alone do not tell opposites."""
RELATED = 0.5
"""The cosine from which two words speak of related things."""


_SUFFIXES = "子儿头们"
_NUMERALS = re.compile(r"[\d零〇一二两三四五六七八九十百千万亿]+")


class Likeness(NamedTuple):
    """How strongly two words are alike, from 0 to 1, and by what."""

    strength: float
    why: str


def likeness(one: str, other: str) -> Likeness | None:
    """Why two words may stand for each other; None when nothing tells it."""
    if (asked := _asks(one)) and asked == _asks(other):
        return Likeness(1.0, f"both ask {asked}")
    if (why := synonymous(one, other)) is not None:
        return Likeness(0.9, why)
    if unlike(one, other) or _counts_otherwise(one, other):
        return None
    near = cosine(one, other)
    shares = bool(set(one) & set(other))
    if shares and (_bare(one) in other or _bare(other) in one):
        return Likeness(0.8, "one holds the other")
    if shares and near >= SAME_WITH_CHARACTER:
        return Likeness(0.7, f"a character in common, {near:.2f} alike in use")
    if near >= SAME_WITHOUT:
        return Likeness(0.6, f"{near:.2f} alike in use")
    return None


def related(one: str, other: str) -> bool:
    """Whether two words speak of related things.

    Words of known and different meaning do so where they begin alike (农业, 农民); those that end
    alike are two of a kind (父亲, 母亲).
    """
    if opposite(one, other) or _counts_otherwise(one, other):
        return False
    if likeness(one, other) is not None or akin(one, other):
        return True
    if unlike(one, other):
        return one[0] == other[0] and len(one) == len(other) > 1
    return bool(set(one) & set(other)) or cosine(one, other) >= RELATED


def cosine(one: str, other: str) -> float:
    """How alike two words are used, by the evidence model's vectors; 0 when one is unknown."""
    words = lexicon("zh")
    first, second = (int(words.numbers[words.entry(word), ROW]) for word in (one, other))
    if words.unknown in (first, second):
        return 0.0
    return float(words.vectors[first] @ words.vectors[second])


def _counts_otherwise(one: str, other: str) -> bool:
    """Whether both words hold numerals, and different ones: 三月, 五月."""
    first, second = (_NUMERALS.findall(word) for word in (one, other))
    return bool(first) and bool(second) and first != second


def _bare(word: str) -> str:
    """A noun without its suffix: 旗子 is 旗."""
    return word[:-1] if len(word) > 1 and word[-1] in _SUFFIXES else word


@functools.lru_cache(maxsize=10_000)
def _asks(word: str) -> str | None:
    found = question_words(word)
    return found[0][2] if found and found[0][:2] == (0, len(word)) else None

"""Chinese translations cut into words, and the words by which two of them differ."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from readmark.core.numbers import decimal
from readmark.formats.text_versions import first_difference
from readmark.text.chinese_numbers import NUMERALS, number_of, with_percent_signs
from readmark.text.questions.same_question import question_words
from readmark.text.script import simplified
from readmark.text.segmenter import Segmenter
from readmark.text.synonyms import akin, opposite, synonymous, unlike
from readmark.text.word_vectors import ROW, lexicon
from readmark.text.wording import word_list

ASK, PART = "ask", "part"
"""Tags of question words, and of what is left of a word when another is cut off."""

_NUMBER = re.compile(rf"第?(-?[{NUMERALS}.]+)")
_COUNTED = re.compile(rf"(第?[{NUMERALS}.]+)([^{NUMERALS}.]+)")
_DATED = frozenset({"年", "月", "日", "号", "点", "世纪", "年代"})
"""What may follow a number in a word of the dictionary: 八月."""
_LIGHT = ("particles", "classifiers", "demonstratives", "passive")
_JOINED = frozenset("从在把和与的了是有他她它")
"""Words that jieba's model joins to others, and that occur in next to no name."""
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
class ChineseWord:
    """A word of a translation: as it is written, and jieba's tag (``ask`` for question words)."""

    text: str
    tag: str

    @property
    def number(self) -> float | None:
        """The number that the word is, if it is one; 第三 is 3."""
        match = _NUMBER.fullmatch(self.text)
        return number_of(match[1]) if match else None

    @property
    def light(self) -> bool:
        """Whether the word changes no meaning by itself."""
        return not self.denies and any(self.text in word_list(name) for name in _LIGHT)

    @property
    def denies(self) -> bool:
        """Whether the word makes another of the noun after it: 副 before 总统."""
        return self.tag in (PART, "b", "h") and self.text in word_list("denials")


def folded(text: str) -> str:
    """A text as simplified characters of one width in small letters, without punctuation.

    What comes between digits stays, but for the comma of thousands; so does a minus before them.
    """
    plain = _plain(text)
    minus = {match.start() for match in _MINUS.finditer(plain)}
    return "".join(
        sign
        for index, sign in enumerate(plain)
        if not _empty(sign) or index in minus or (_between(plain, index) and not sign.isspace())
    )


def cut(text: str) -> list[ChineseWord]:
    """The words of a Chinese text without its punctuation; question words stay whole."""
    whole = _plain(text)
    found: list[ChineseWord] = []
    at = 0
    for start, end, _ in question_words(whole):
        found += plain(whole[at:start])
        found.append(ChineseWord(whole[start:end], ASK))
        at = end
    return found + plain(whole[at:])


def plain(text: str) -> list[ChineseWord]:
    """The words of a text that holds no question word; a number is one word, its minus with it."""
    found: list[ChineseWord] = []
    number = -1
    """Where a number ends that the next word may continue: jieba cuts 200万 and 二〇〇八年."""
    minus = {match.end() for match in _MINUS.finditer(text)}
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
            found[-1] = ChineseWord(found[-1].text + digits, "m")
        elif counted or (tag == "m" and start in minus):
            found.append(ChineseWord("-" * (start in minus) + digits, "m"))
        elif word[0] == "被" and len(word) > 1 and word[1] not in _QUILT:
            found += [ChineseWord("被", "p"), ChineseWord(word[1:], "v")]
        else:
            found += _unjoined(word, tag)
        if counted:
            found.append(ChineseWord(counted[2], "q"))
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


def _unjoined(word: str, tag: str) -> list[ChineseWord]:
    """A word of no dictionary, cut where it holds a particle, a pronoun or a passive mark: 教他."""
    parts = _segmenter(hmm=False).words(word)
    if len(parts) > 1 and any(part in _JOINED or part in word_list("passive") for part in parts):
        return [chinese_word for part in parts for chinese_word in _retagged(part)]
    return [ChineseWord(word, tag)]


def _retagged(part: str) -> list[ChineseWord]:
    return [ChineseWord(part, tag) for _, _, tag in _segmenter().tagged(part)[:1]]


def split_by(words: Sequence[ChineseWord], others: Sequence[ChineseWord]) -> list[ChineseWord]:
    """Words that begin or end with a whole word of the other text, cut there: 北方军 by 北方."""
    known = {word.text for word in others if len(word.text) > 1 and not word.light}
    own = {word.text for word in words}
    single = {word.text for word in others}
    found: list[ChineseWord] = []
    for word in words:
        if word.number is not None:
            found.append(word)
            continue
        parts = None if word.text in single else _parts(word.text, known - own)
        if parts:
            found += [ChineseWord(part, word.tag if part in known else PART) for part in parts]
        elif word.text not in single and len(word.text) == 2 and word.tag != ASK:
            found += _unknown(word, single - own)
        else:
            found.append(word)
    return found


def _unknown(word: ChineseWord, others: set[str]) -> list[ChineseWord]:
    """A word of no dictionary, cut where a word of the other text is part of it: 鸟飞 by 鸟."""
    parts = _segmenter(hmm=False).words(word.text)
    if len(parts) > 1 and others.intersection(parts):
        return [chinese_word for part in parts for chinese_word in _retagged(part)]
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
"""The strength of lists or characters; vectors alone do not distinguish opposites."""
RELATED = 0.5
"""The cosine from which two words speak of related things."""


_SUFFIXES = "子儿头们"
_NUMERALS = re.compile(r"[\d零〇一二两三四五六七八九十百千万亿]+")


class WordSimilarity(NamedTuple):
    """How strongly two words are alike, from 0 to 1, and by what."""

    strength: float
    why: str


def word_similarity(first: str, second: str) -> WordSimilarity | None:
    """Why two words may stand for each other; None when nothing shows it."""
    if (asked := _asks(first)) and asked == _asks(second):
        return WordSimilarity(1.0, f"both ask {asked}")
    if (why := synonymous(first, second)) is not None:
        return WordSimilarity(0.9, why)
    if unlike(first, second) or _counts_otherwise(first, second):
        return None
    near = cosine(first, second)
    shares = bool(set(first) & set(second))
    if shares and (_bare(first) in second or _bare(second) in first):
        return WordSimilarity(0.8, "one holds the other")
    if shares and near >= SAME_WITH_CHARACTER:
        return WordSimilarity(0.7, f"a character in common, {decimal(near)} alike in use")
    if near >= SAME_WITHOUT:
        return WordSimilarity(0.6, f"{decimal(near)} alike in use")
    return None


def related(first: str, second: str) -> bool:
    """Whether two words speak of related things.

    Words of known and different meaning do so where they begin alike (农业, 农民); those that end
    alike are two of a kind (父亲, 母亲).
    """
    if opposite(first, second) or _counts_otherwise(first, second):
        return False
    if word_similarity(first, second) is not None or akin(first, second):
        return True
    if unlike(first, second):
        return first[0] == second[0] and len(first) == len(second) > 1
    return bool(set(first) & set(second)) or cosine(first, second) >= RELATED


def cosine(left: str, right: str) -> float:
    """How alike two words are used, by the evidence model's vectors; 0 when one is unknown."""
    words = lexicon("zh")
    first, second = (int(words.numbers[words.entry(word), ROW]) for word in (left, right))
    if words.unknown in (first, second):
        return 0.0
    return float(words.vectors[first] @ words.vectors[second])


def _counts_otherwise(first: str, second: str) -> bool:
    """Whether both words hold numerals, and different ones: 三月, 五月."""
    left, right = (_NUMERALS.findall(word) for word in (first, second))
    return bool(left) and bool(right) and left != right


def _bare(word: str) -> str:
    """A noun without its suffix: 旗子 is 旗."""
    return word[:-1] if len(word) > 1 and word[-1] in _SUFFIXES else word


@functools.lru_cache(maxsize=10_000)
def _asks(word: str) -> str | None:
    found = question_words(word)
    return found[0][2] if found and found[0][:2] == (0, len(word)) else None


# The words by which two translations differ: of one only, paired, or elsewhere.


@dataclass(frozen=True, slots=True)
class WordPair:
    """Two words that stand for each other, and why."""

    a: ChineseWord
    b: ChineseWord
    why: str
    sure: bool = True
    """Whether more than the use of the words shows it."""


@dataclass(frozen=True, slots=True)
class WordDifference:
    """How two translations differ: words of one only, words paired, and words elsewhere."""

    words_a: tuple[ChineseWord, ...]
    words_b: tuple[ChineseWord, ...]
    a: tuple[ChineseWord, ...]
    """Words that only A has, pairs taken out."""
    b: tuple[ChineseWord, ...]
    pairs: tuple[WordPair, ...]
    moved: tuple[ChineseWord, ...]
    """Words of both that are in another order."""

    @property
    def content_a(self) -> list[ChineseWord]:
        """The words that only A has and that carry meaning."""
        return [word for word in self.a if not word.light]

    @property
    def content_b(self) -> list[ChineseWord]:
        """The words that only B has and that carry meaning."""
        return [word for word in self.b if not word.light]


def difference(a: str, b: str) -> WordDifference:
    """Align two translations word by word."""
    words_a, words_b = cut(a), cut(b)
    words_a, words_b = split_by(words_a, words_b), split_by(words_b, words_a)
    left_a: list[ChineseWord] = []
    left_b: list[ChineseWord] = []
    aligned = SequenceMatcher(None, _texts(words_a), _texts(words_b), autojunk=False)
    for what, first_a, last_a, first_b, last_b in aligned.get_opcodes():
        if what != "equal":
            own, other = _trimmed(words_a[first_a:last_a], words_b[first_b:last_b])
            left_a += own
            left_b += other
    common = Counter(_texts(left_a)) & Counter(_texts(left_b))
    moved = _take(left_a, common)
    _take(left_b, common)
    pairs = _pair(left_a, left_b)
    return WordDifference(
        tuple(words_a), tuple(words_b), tuple(left_a), tuple(left_b), tuple(pairs), tuple(moved)
    )


def _trimmed(
    a: Sequence[ChineseWord], b: Sequence[ChineseWord]
) -> tuple[list[ChineseWord], list[ChineseWord]]:
    """Two stretches without what both begin and end with, where they are only cut otherwise."""
    for backward in (False, True):
        size = _common(a, b, backward=backward)
        a, b = (_without(side, size, backward=backward) for side in (a, b))
    return list(a), list(b)


def _common(a: Sequence[ChineseWord], b: Sequence[ChineseWord], *, backward: bool) -> int:
    """How many characters both begin or end with: up to an edge of words on both sides, or on one
    side where that is longer than any word, so that 购买 and 买 stay words."""
    step = -1 if backward else 1
    one, other = ("".join(_texts(side))[::step] for side in (a, b))
    differs = first_difference(one, other)
    size = len(one) if differs is None else differs
    edges_a, edges_b = (
        {0, *accumulate(len(word.text) for word in side[::step])} for side in (a, b)
    )
    longest = max(map(len, _texts((*a, *b))), default=0)
    both, either = edges_a & edges_b, edges_a | edges_b
    return max(at for at in either if at <= size and (at in both or at > longest))


def _without(side: Sequence[ChineseWord], size: int, *, backward: bool) -> list[ChineseWord]:
    """The words beyond the first or last ``size`` characters."""
    found = list(side)
    while found and size:
        word = found.pop(-1 if backward else 0)
        if len(word.text) > size:
            rest = plain(word.text[:-size] if backward else word.text[size:])
            return [*found, *rest] if backward else [*rest, *found]
        size -= len(word.text)
    return found


def _take(left: list[ChineseWord], common: Counter[str]) -> list[ChineseWord]:
    """Take out the words that both have."""
    wanted = Counter(common)
    taken = []
    for word in list(left):
        if wanted[word.text] > 0:
            wanted[word.text] -= 1
            left.remove(word)
            taken.append(word)
    return taken


def _pair(left_a: list[ChineseWord], left_b: list[ChineseWord]) -> list[WordPair]:
    """Pair words that stand for each other, the surest first, and take them out."""
    found = []
    for word in left_a:
        for other in left_b:
            if word.number is not None and word.number == other.number:
                found.append((1.0, word, other, "the same number"))
            elif word.number is not None or other.number is not None:
                continue
            elif alike := word_similarity(word.text, other.text):
                found.append((alike.strength, word, other, alike.why))
    pairs = []
    for strength, word, other, why in sorted(found, key=lambda one: -one[0]):
        if word in left_a and other in left_b:
            left_a.remove(word)
            left_b.remove(other)
            pairs.append(WordPair(word, other, why, strength >= SURE))
    return pairs


def _texts(words: Iterable[ChineseWord]) -> list[str]:
    return [word.text for word in words]

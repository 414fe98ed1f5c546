"""Chinese translations cut into words, so that two of them can be compared word by word.

jieba cuts for other purposes: it splits 200万, joins pronouns to verbs (教他) and knows no question
words. What matters to a comparison is put right here.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from readmark.text.chinese_numbers import NUMERALS, number_of, with_percent_signs
from readmark.text.questions.same_question import question_words
from readmark.text.script import simplified
from readmark.text.segmenter import Segmenter
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
"""Characters after which 被 begins a noun (被子, a quilt; 被告, a defendant)."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_RANGE = re.compile(r"(?<=\d)[~〜–—](?=\d)")
_MINUS = re.compile(rf"(?<![{NUMERALS}a-z])(?:-|零下)(?=[{NUMERALS}])")
_SPELT = {"−": "-", "°c": "摄氏度", "°f": "华氏度", "°": "度"}
_PUNCTUATION = ("P", "Z", "C", "Sk")
"""The categories of Unicode that say nothing; currencies, < and emoji say something."""
_EMPTY = frozenset("~|")
_SHAPES = re.compile("[\ufe00-\ufe0f]")
"""Variation selectors: how a sign is drawn, whichever it is."""


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


def texts(words: Iterable[ChineseWord]) -> list[str]:
    """The words as they are written."""
    return [word.text for word in words]


def folded(text: str) -> str:
    """A text as simplified characters of one width in small letters, without punctuation.

    What comes between digits stays, but for the comma of thousands; so does a minus before them.
    """
    text = _in_one_spelling(text)
    minus = {match.start() for match in _MINUS.finditer(text)}

    def is_kept(index: int) -> bool:
        if not _is_empty(text[index]) or index in minus:
            return True
        is_between_digits = (
            0 < index < len(text) - 1 and text[index - 1].isdigit() and text[index + 1].isdigit()
        )
        return is_between_digits and not text[index].isspace()

    return "".join(text[index] for index in range(len(text)) if is_kept(index))


def chinese_words(text: str) -> list[ChineseWord]:
    """The words of a Chinese text without its punctuation; question words stay whole."""
    text = _in_one_spelling(text)
    words: list[ChineseWord] = []
    offset = 0
    for start, end, _ in question_words(text):
        words += words_between_questions(text[offset:start])
        words.append(ChineseWord(text[start:end], ASK))
        offset = end
    return words + words_between_questions(text[offset:])


def words_between_questions(text: str) -> list[ChineseWord]:
    """The words of a text that holds no question word; a number is one word, its minus with it."""
    words: list[ChineseWord] = []
    number_end = -1  # where a number ends that the next word may continue: 200万, 二〇〇八年
    minus = {match.end() for match in _MINUS.finditer(text)}
    for start, end, tag in _segmenter().tagged(text):
        word = text[start:end]
        if all(map(_is_empty, word)):
            continue
        continues_number = start == number_end
        counted = _COUNTED.fullmatch(word)
        if counted and not (tag in ("m", "mq") or continues_number or counted[2] in _DATED):
            counted = None
        digits = counted[1] if counted else word
        if continues_number and _NUMBER.fullmatch(digits) and digits[0] != "第":
            words[-1] = ChineseWord(words[-1].text + digits, "m")
        elif counted or (tag == "m" and start in minus):
            words.append(ChineseWord("-" * (start in minus) + digits, "m"))
        elif word[0] == "被" and len(word) > 1 and word[1] not in _QUILT:
            words += [ChineseWord("被", "p"), ChineseWord(word[1:], "v")]
        else:
            words += _unjoined(word, tag)
        if counted:
            words.append(ChineseWord(counted[2], "q"))
        number_end = end if words[-1].number is not None else -1
    return words


def _in_one_spelling(text: str) -> str:
    """A text in one spelling of characters, widths, percentages, thousands and minus signs."""
    text = _SHAPES.sub("", simplified(unicodedata.normalize("NFKC", text)).lower())
    for spelling, usual in _SPELT.items():
        text = text.replace(spelling, usual)
    text = _RANGE.sub("-", _THOUSANDS.sub("", text))
    return with_percent_signs(_MINUS.sub("-", text))


def _is_empty(sign: str) -> bool:
    """Whether a sign says nothing by itself."""
    return sign in _EMPTY or (sign != "%" and unicodedata.category(sign).startswith(_PUNCTUATION))


def _unjoined(word: str, tag: str) -> list[ChineseWord]:
    """A word of no dictionary, cut where it holds a particle, a pronoun or a passive mark: 教他."""
    parts = _segmenter(hmm=False).words(word)
    if len(parts) > 1 and any(part in _JOINED or part in word_list("passive") for part in parts):
        return _tagged(parts)
    return [ChineseWord(word, tag)]


def _tagged(parts: Iterable[str]) -> list[ChineseWord]:
    """Parts of a word, each with the tag that jieba gives to the first word in it."""
    return [ChineseWord(part, tag) for part in parts for _, _, tag in _segmenter().tagged(part)[:1]]


def cut_alike(words: Sequence[ChineseWord], others: Sequence[ChineseWord]) -> list[ChineseWord]:
    """Words that begin or end with a whole word of the other text, cut there: 北方军 by 北方."""
    texts_here, texts_there = set(texts(words)), set(texts(others))
    long_words = {word.text for word in others if len(word.text) > 1 and not word.light}
    cut: list[ChineseWord] = []
    for word in words:
        if word.number is not None or word.text in texts_there:
            cut.append(word)
            continue
        parts = _parts(word.text, long_words - texts_here)
        if parts is not None:
            cut += [ChineseWord(part, word.tag if part in long_words else PART) for part in parts]
        elif len(word.text) == 2 and word.tag != ASK:
            cut += _unknown(word, texts_there - texts_here)
        else:
            cut.append(word)
    return cut


def _unknown(word: ChineseWord, others: set[str]) -> list[ChineseWord]:
    """A word of no dictionary, cut where a word of the other text is part of it: 鸟飞 by 鸟."""
    parts = _segmenter(hmm=False).words(word.text)
    return _tagged(parts) if len(parts) > 1 and others.intersection(parts) else [word]


def _parts(text: str, words: Iterable[str]) -> tuple[str, str] | None:
    """A text in two, of which the longest possible is one of the words."""
    for word in sorted(words, key=len, reverse=True):
        if len(word) < len(text):
            if text.startswith(word):
                return word, text[len(word) :]
            if text.endswith(word):
                return text[: -len(word)], word
    return None


@functools.cache
def _segmenter(*, hmm: bool = True) -> Segmenter:
    return Segmenter(hmm=hmm)

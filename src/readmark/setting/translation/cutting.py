"""A Chinese translation cut into the words that a comparison looks at."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from readmark.text.numerals import NUMERALS, number_of, with_percent_signs
from readmark.text.segmenter import Segmenter
from readmark.text.simplified import simplified
from readmark.text.wording import listed, question_words

ASK, PART = "ask", "part"
"""Tags of question words, and of what is left of a word when another is cut off."""

_NUMBER = re.compile(rf"第?([{NUMERALS}.]+)")
_COUNTED = re.compile(rf"(第?[{NUMERALS}.]+)([^{NUMERALS}.]+)")
_LIGHT = ("particles", "classifiers", "demonstratives", "passive")
_JOINED = frozenset("从在把和与的了是有他她它")
"""Words that jieba's model joins to others, and that stand in next to no name."""
_QUILT = frozenset("子告窝褥单套面")
"""What makes a noun after 被."""
_SIGNS = re.compile(r"(?<=\d)[^\w%.:/-](?=\d)|(?<!\d)[^\w%]|[^\w%](?!\d)|_")


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
        return any(self.text in listed(name) for name in _LIGHT)


def folded(text: str) -> str:
    """A text as simplified characters of one width in small letters, without punctuation."""
    plain = with_percent_signs(simplified(unicodedata.normalize("NFKC", text)).lower())
    return _SIGNS.sub("", plain)


def cut(text: str) -> list[Word]:
    """The words of a Chinese text without its punctuation; question words stay whole."""
    whole = with_percent_signs(simplified(unicodedata.normalize("NFKC", text)).lower())
    found: list[Word] = []
    at = 0
    for start, end, _ in question_words(whole):
        found += plain(whole[at:start])
        found.append(Word(whole[start:end], ASK))
        at = end
    return found + plain(whole[at:])


def plain(text: str) -> list[Word]:
    """The words of a text that holds no question word."""
    found: list[Word] = []
    for start, end, tag in _segmenter().tagged(text):
        word = text[start:end]
        if not any(map(str.isalnum, word)):
            continue
        counted = _COUNTED.fullmatch(word) if tag == "m" else None
        if counted:
            found += [Word(counted[1], "m"), Word(counted[2], "q")]
        elif word[0] == "被" and len(word) > 1 and word[1] not in _QUILT:
            found += [Word("被", "p"), Word(word[1:], "v")]
        else:
            found += _unjoined(word, tag)
    return found


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

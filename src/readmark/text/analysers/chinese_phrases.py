"""Chinese base noun phrases: a grammar over the tags of words.

As in the BRCC document: 一场比赛, 一所名牌大学 and 两种不同的语言 are one phrase each,
英国英语和美国英语的区别 is three: 的 after an adjective, a pronoun or a counted modifier stays
inside, after a noun it separates. Phrases joined by 和 are one each; question words are none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from readmark.corpus.annotation import ALONE
from readmark.text.analysers.tables import words as table_words
from readmark.text.tags import coarse

Tokens = tuple[int, int]
"""First token and the one after the last."""

# A letter a tag: H a person, M another name, N noun, T time, C numeral, Q classifier, A adjective,
# V verb, R adverb; by word: P pronoun, D determiner, E this or that, W question word, d 的,
# a about, k colour, L a length of time.
_LETTERS = {
    **dict.fromkeys(("n", "nz", "nw", "an", "vn", "ng", "j", "l", "eng", "s"), "N"),
    **dict.fromkeys(("nr", "nrt", "nrfg", "PER"), "H"),
    **dict.fromkeys(("ns", "nt", "LOC", "ORG"), "M"),
    **dict.fromkeys(("t", "TIME", "tg"), "T"),
    **dict.fromkeys(("a", "b", "z", "ag", "i"), "A"),
    **dict.fromkeys(("m", "mq", "mg"), "C"),
    **dict.fromkeys(("v", "vg", "vi"), "V"),
    **dict.fromkeys(("d", "ad", "vd"), "R"),
    "q": "Q",
    "r": "D",
}
_WORDS = {
    **dict.fromkeys(table_words("zh", "phrases", "pronouns"), "P"),
    **dict.fromkeys(table_words("zh", "phrases", "demonstratives"), "E"),
    **dict.fromkeys(table_words("zh", "phrases", "questions"), "W"),
    **dict.fromkeys(table_words("zh", "phrases", "about"), "a"),
    **dict.fromkeys(table_words("zh", "phrases", "outside"), "."),
    **dict.fromkeys(table_words("zh", "phrases", "attributes"), "A"),
    "的": "d",
    "们": "N",
}
_OUTSIDE = table_words("zh", "phrases", "outside")
_AFTER = frozenset("前后後里裡中内內外上下时時")
_PERCENT = frozenset("%％‰")
_NAMED = frozenset({"PER", "LOC", "ORG", "TIME"})
_LENGTH = re.compile(
    r"(?!\d{4}年)[0-9０-９零〇一二两三四五六七八九十百千万几数半多]+多?个?半?"
    r"(?:年|月|周|天|日|小时|钟头|分钟|秒|秒钟|星期|礼拜|世纪|学期|昼夜|刻钟|夜|晚)(?:多|半)?"
)
_REST = re.compile(r"[0-9０-９零〇一二三四五六七八九十]+[分秒]")
_MODIFIERS = r"(?:R?Ad?|kd){0,4}"
_NOUNS = r"[NMHk]{1,8}"
_GRAMMAR = re.compile(
    rf"""
      a?[DE]?(?:C{{1,4}}Q?|Q)(?:R?A|k|L{{1,4}}|C{{1,3}}[QN]?|V[LCTQN]{{1,4}})d{_MODIFIERS}{_NOUNS}
    | a?[DEW]?(?:C{{1,4}}Q?|Q)?{_MODIFIERS}{_NOUNS}
    | [PD]d?{_MODIFIERS}{_NOUNS}
    | (?<![NPHMTLkVRE])R?Vd{_MODIFIERS}{_NOUNS}
    | a?[DE]?C{{1,4}}Q?
    | a?L+(?:d?{_NOUNS})?
    | [DE]?T+
    | [PE]
    """,
    re.VERBOSE,
)


def base_phrases(words: Sequence[str], tags: Sequence[str]) -> list[Tokens]:
    """The base noun phrases of a sentence as ranges of tokens."""
    letters = _letters(words, tags)
    found = (match.span() for match in _GRAMMAR.finditer(letters))
    return [kept for one in found if (kept := _trimmed(*one, words, tags))]


def _trimmed(start: int, end: int, words: Sequence[str], tags: Sequence[str]) -> Tokens | None:
    """Without the sign of a name that was cut off, without 后 of 八年后, to a noun at its end."""
    while start < end and (
        (not _is_word(words[end - 1]) and words[end - 1] not in _PERCENT)
        or (words[end - 1] in _AFTER and end - start > 1)
        or coarse(tags[end - 1], words[end - 1]) not in ALONE
    ):
        end -= 1
    return (start, end) if any(map(_is_word, words[start:end])) else None


def _is_word(word: str) -> bool:
    return any(map(str.isalnum, word))


def _letters(words: Sequence[str], tags: Sequence[str]) -> str:
    letters = [_letter(word, tag) for word, tag in zip(words, tags, strict=True)]
    for (letter, _), run in groupby(
        range(len(letters)), key=lambda at: (letters[at], words[at][0] == "每")
    ):
        places = list(run)
        if letter == "T" and _LENGTH.fullmatch("".join(words[at] for at in places)):
            for at in places:
                letters[at] = "L"
    for at in range(1, len(letters)):
        # 五小时十一分: what is left over of an hour
        if letters[at - 1] in "TL" and letters[at] == "C" and _REST.fullmatch(words[at]):
            letters[at] = letters[at - 1]
    for at in range(1, len(letters) - 1):
        # 一位退休教师: a verb between a person's classifier and a noun describes
        if letters[at] == "V" and words[at - 1][-1] in "位名" and letters[at + 1] == "N":
            letters[at] = "A"
    return "".join(letters)


def _letter(word: str, tag: str) -> str:
    if tag in _NAMED and word not in _OUTSIDE:
        return _LETTERS[tag]
    letter = _WORDS.get(word) or _LETTERS.get(tag, ".")
    return "k" if letter == "N" and len(word) > 1 and word[-1] == "色" else letter

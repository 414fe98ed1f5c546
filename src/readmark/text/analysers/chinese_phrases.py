"""Chinese base noun phrases: a grammar over the tags of words.

Phrases are those of section 4.3 of "Design and Development of a Bilingual Reading Comprehension
Corpus": not recursive, with a noun or pronoun as the head. A modifier with 的 belongs to the phrase
of its noun, as in 两种不同的语言, and a verb before 的 too (为期4周的课程).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from readmark.text.analysers.pieces import TokenRange
from readmark.text.analysers.word_tables import table_words
from readmark.text.chinese_tags import coarse
from readmark.text.guidelines import ALONE

# A letter a tag: H a person, M another name, N noun, T time, C numeral, Q classifier, A adjective,
# V verb, R adverb; by word: P pronoun, D determiner, E this or that, W question word, d 的,
# a about, k colour, L a length of time.
_BY_TAG = {
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
_BY_WORD = {
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
LAC_NAMES = frozenset({"PER", "LOC", "ORG", "TIME"})
"""LAC's tags of names; its others are those of jieba."""
_AFTER = frozenset("前后後里裡中内內外上下时時")
_PERCENT_SIGNS = frozenset("%％‰")
_LENGTH_OF_TIME = re.compile(
    r"(?!\d{4}年)[0-9０-９零〇一二两三四五六七八九十百千万几数半多]+多?个?半?"
    r"(?:年|月|周|天|日|小时|钟头|分钟|秒|秒钟|星期|礼拜|世纪|学期|昼夜|刻钟|夜|晚)(?:多|半)?"
)
_REST_OF_TIME = re.compile(r"[0-9０-９零〇一二三四五六七八九十]+[分秒]")
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


def base_phrases(words: Sequence[str], tags: Sequence[str]) -> list[TokenRange]:
    """The base noun phrases of a sentence as ranges of tokens."""
    matches = _GRAMMAR.finditer(_letters(words, tags))
    trimmed = (_trimmed(*match.span(), words, tags) for match in matches)
    return [phrase for phrase in trimmed if phrase is not None]


def _letters(words: Sequence[str], tags: Sequence[str]) -> str:
    """The letter of each word, then those that depend on the words around it."""
    letters = [_letter(word, tag) for word, tag in zip(words, tags, strict=True)]
    # 每周30小时 has two times: 每 begins a run of its own.
    for (letter, _), run in groupby(
        range(len(letters)), key=lambda index: (letters[index], words[index][0] == "每")
    ):
        places = list(run)
        if letter == "T" and _LENGTH_OF_TIME.fullmatch("".join(words[place] for place in places)):
            for place in places:
                letters[place] = "L"
    for index in range(1, len(letters)):
        # 五小时十一分: what is left over of an hour
        is_rest = letters[index] == "C" and _REST_OF_TIME.fullmatch(words[index])
        if is_rest and letters[index - 1] in "TL":
            letters[index] = letters[index - 1]
    for index in range(1, len(letters) - 1):
        # 一位退休教师: a verb between a person's classifier and a noun describes
        if letters[index] == "V" and words[index - 1][-1] in "位名" and letters[index + 1] == "N":
            letters[index] = "A"
    return "".join(letters)


def _letter(word: str, tag: str) -> str:
    if tag in LAC_NAMES and word not in _OUTSIDE:
        return _BY_TAG[tag]
    letter = _BY_WORD.get(word) or _BY_TAG.get(tag, ".")
    return "k" if letter == "N" and len(word) > 1 and word[-1] == "色" else letter


def _trimmed(start: int, end: int, words: Sequence[str], tags: Sequence[str]) -> TokenRange | None:
    """Without the dot of a name that was cut off, without 后 of 八年后, to a noun at its end."""
    while start < end:
        last, tag = words[end - 1], tags[end - 1]
        is_spoken = _is_word(last) or last in _PERCENT_SIGNS
        is_after = last in _AFTER and end - start > 1
        if is_spoken and not is_after and coarse(tag, last) in ALONE:
            break
        end -= 1
    return (start, end) if any(map(_is_word, words[start:end])) else None


def _is_word(word: str) -> bool:
    return any(map(str.isalnum, word))

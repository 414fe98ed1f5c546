"""The types of Chinese questions, from the question's own words."""

from __future__ import annotations

import re
from typing import NamedTuple

from readmark.text.questions.word_lists import word_lists, words_of

_LISTS = word_lists("zh")
_SIMPLE = str.maketrans(_LISTS["traditional"], _LISTS["simplified"])
_QUOTED = re.compile(r"“[^“”]*”|「[^「」]*」|『[^『』]*』|《[^《》]*》|\"[^\"]*\"")
_TRAP = re.compile("|".join(_LISTS["traps"]))
"""Words that only look like question words."""
_OPENING = re.compile(_LISTS["openings"])
_ASKING = re.compile("|".join(f"(?P<{w['type']}>{w['pattern']})" for w in _LISTS["words"]))
_ASKING_LAST = re.compile("|".join(f"(?P<{w['type']}>{w['pattern']})" for w in _LISTS["late"]))
"""Question words that ask only where no other does."""
_YES_NO = {name: re.compile(pattern) for name, pattern in _LISTS["yes_no"].items()}
_WHAT = {name: re.compile(pattern) for name, pattern in _LISTS["what"].items()}
_REQUEST = {name: re.compile(pattern) for name, pattern in _LISTS["imperatives"].items()}
_OTHER_NOUNS = tuple(words_of("zh", "sought", "nouns"))
"""Nouns whose questions are What-OTH: reasons, numbers, times, places, names."""
_ATTRIBUTES = tuple(words_of("zh", "sought", "attributes"))
_DEFINED = tuple(words_of("zh", "sought", "defined"))
_RELATIONAL = tuple(words_of("zh", "sought", "relational"))
_CLAUSE_END = re.compile(r"[，,；;：:。]")
_FINAL_MARKS = "？?。！! 呢啊呀"
_LETTER = re.compile(r"[^\W_]")
_NEAR = 200
"""Characters on either side of 什么 that are looked at."""
_BLANK = "〇"
"""Stands for what was taken out: quotations and words that only look like question words."""


class _Question(NamedTuple):
    """A question as it is looked at, and the word that asks."""

    text: str
    word: re.Match[str] | None
    yes_no: bool


def question_type(question: str) -> str:
    """One of the twelve types."""
    read = _read(question)
    if read.yes_no:
        return "Yes/No"
    if read.word is None:
        return _request_type(read.text)
    kind = read.word.lastgroup or "What"
    if kind != "What":
        return kind
    return _what_type(read.text[: read.word.start()], read.text[read.word.end() :])


def wh_word(question: str) -> str | None:
    """The word that asks, in simplified characters."""
    read = _read(question)
    return None if read.word is None or read.yes_no else read.word[0]


def _read(question: str) -> _Question:
    text = question.replace("甚麼", "什么").translate(_SIMPLE).replace("甚么", "什么").strip()
    text = _TRAP.sub(_BLANK, _QUOTED.sub(_BLANK, text))
    opening = _OPENING.match(text)
    word = _ASKING.search(text, opening.end() if opening else 0) or _ASKING_LAST.search(text)
    if opening and word:  # 你知道谁…吗: the 吗 belongs to the opening
        rest = text[opening.end() :]
        return _Question(rest, _ASKING.search(rest) or word, False)
    if _YES_NO["final"].search(text):
        return _Question(text, None, True)
    choice = _YES_NO["anywhere"].search(text)
    if choice and (word is None or choice.start() < word.start()):
        return _Question(text, None, True)
    if word is None and (_YES_NO["hedged"].search(text) or _YES_NO["either"].search(text)):
        return _Question(text, None, True)
    return _Question(text, word, False)


def _what_type(before: str, after: str) -> str:
    """The kind of a question with 什么, by what is on its two sides."""
    before = _CLAUSE_END.split(before[-_NEAR:])[-1]
    after = after[:_NEAR]
    if _WHAT["means"].search("什么" + after) or _WHAT["defines_before"].search(before):
        return "What-DEF"
    if _WHAT["used_for"].search(before) or _WHAT["used_after"].search(after):
        return "What-OTH"
    if _WHAT["does_before"].search(before) and _WHAT["does_after"].search(after):
        return "What-VP"
    if _WHAT["happens_before"].search(before) and _WHAT["happens_after"].search(after):
        return "What-VP"
    if _WHAT["cause_before"].search(before) or _WHAT["cause_after"].search(after):
        return "What-OTH"
    if _WHAT["named_before"].search(before) or after.startswith(_OTHER_NOUNS):
        return "What-OTH"
    subject = _WHAT["ask"].sub("", before)  # without 请问 and the like
    if _WHAT["defines_after"].search(after) and not subject.strip(" 请问" + _BLANK):
        thing = _WHAT["defines_after"].sub("", after)
        return _thing_type(thing.rstrip(_FINAL_MARKS))
    is_before = _WHAT["is_before"].search(subject)
    if is_before and not after.strip(_FINAL_MARKS):
        return _thing_type(subject[: is_before.start()])
    return "What-NP"


def _thing_type(thing: str) -> str:
    """The type of "what is THING": its last noun decides, then whether it is a definite thing."""
    stem = _WHAT["maybe"].sub("", thing)
    if stem.endswith((*_DEFINED, _BLANK)):  # a term in quotation marks
        return "What-DEF"
    if stem.endswith(_OTHER_NOUNS if "的" in stem else _ATTRIBUTES) and stem not in _OTHER_NOUNS:
        return "What-OTH"
    if stem != thing or "的" in stem or stem.endswith(_RELATIONAL):
        return "What-NP"
    return "What-NP" if _WHAT["definite"].search(stem) else "What-DEF"


def _request_type(text: str) -> str:
    """The type of a request (请列举两种动物) or of a fragment without a question word."""
    if not _LETTER.search(text.replace(_BLANK, "")) and _BLANK not in text:
        return "Others"
    subject = text.rstrip("？?。！!. ")
    asks_other_noun = subject.endswith(_OTHER_NOUNS)
    if text.endswith(("？", "?")):
        if subject.endswith(("是", "为", "叫", "呢")):  # 创始人是？
            is_other = subject[:-1].endswith(_OTHER_NOUNS) or subject[-2:] == "名为"
            return "What-OTH" if is_other else "What-NP"
        return "What-OTH" if "的" in subject and asks_other_noun else "Yes/No"
    if _REQUEST["define"].search(text) and subject.endswith(_DEFINED):
        return "What-DEF"
    if _REQUEST["name"].search(text) or _REQUEST["define"].search(text):
        if asks_other_noun:
            return "What-OTH"
        if _REQUEST["name"].search(text):
            return "What-NP"
    return "How" if _REQUEST["manner"].search(text) else "What-NP"

"""Chinese question types, from the question's own words."""

from __future__ import annotations

import re
from typing import NamedTuple

from readmark.text.questions.classes import word_lists, words_of

_LISTS = word_lists("zh")
_SIMPLE = str.maketrans(_LISTS["traditional"], _LISTS["simplified"])
_QUOTED = re.compile(r"“[^“”]*”|「[^「」]*」|『[^『』]*』|《[^《》]*》|\"[^\"]*\"")
_TRAP = re.compile("|".join(_LISTS["traps"]))
_OPENING = re.compile(_LISTS["openings"])
_ASKING = re.compile("|".join(f"(?P<{w['type']}>{w['pattern']})" for w in _LISTS["words"]))
_LATE = re.compile("|".join(f"(?P<{w['type']}>{w['pattern']})" for w in _LISTS["late"]))
_YES_NO = {name: re.compile(pattern) for name, pattern in _LISTS["yes_no"].items()}
_WHAT = {name: re.compile(pattern) for name, pattern in _LISTS["what"].items()}
_REQUEST = {name: re.compile(pattern) for name, pattern in _LISTS["imperatives"].items()}
_SOUGHT = tuple(words_of("zh", "sought", "nouns"))
_ATTRIBUTES = tuple(words_of("zh", "sought", "attributes"))
_DEFINED = tuple(words_of("zh", "sought", "defined"))
_RELATIONAL = tuple(words_of("zh", "sought", "relational"))
_CLAUSE_END = re.compile(r"[，,；;：:。]")
_LETTER = re.compile(r"[^\W_]")
_NEAR = 200
"""Characters on either side of 什么 that are looked at."""
_BLANK = "〇"
"""Stands for what was taken out: quotations and words that only look like question words."""


class _Asked(NamedTuple):
    """The question as it is looked at, and the word that asks."""

    text: str
    word: re.Match[str] | None
    yes_no: bool


def question_type(question: str) -> str:
    """One of the twelve types."""
    asked = _asked(question)
    if asked.yes_no:
        return "Yes/No"
    if asked.word is None:
        return _requested(asked.text)
    kind = asked.word.lastgroup or "What"
    if kind != "What":
        return kind
    return _what_type(asked.text[: asked.word.start()], asked.text[asked.word.end() :])


def wh_word(question: str) -> str | None:
    """The word that asks, in simplified characters."""
    asked = _asked(question)
    return None if asked.word is None or asked.yes_no else asked.word[0]


def _asked(question: str) -> _Asked:
    text = question.replace("甚麼", "什么").translate(_SIMPLE).replace("甚么", "什么").strip()
    text = _TRAP.sub(_BLANK, _QUOTED.sub(_BLANK, text))
    opening = _OPENING.match(text)
    word = _ASKING.search(text, opening.end() if opening else 0) or _LATE.search(text)
    if opening and word:  # 你知道谁…吗: the 吗 belongs to the opening
        return _Asked(text[opening.end() :], _ASKING.search(text[opening.end() :]) or word, False)
    if _YES_NO["final"].search(text):
        return _Asked(text, None, True)
    choice = _YES_NO["anywhere"].search(text)
    if choice and (word is None or choice.start() < word.start()):
        return _Asked(text, None, True)
    if word is None and (_YES_NO["hedged"].search(text) or _YES_NO["either"].search(text)):
        return _Asked(text, None, True)
    return _Asked(text, word, False)


def _what_type(before: str, after: str) -> str:
    """The kind of a question with 什么, by what is on its two sides."""
    before = _CLAUSE_END.split(before[-_NEAR:])[-1]
    after = after[:_NEAR]
    asked = "什么" + after
    if _WHAT["means"].search(asked) or _WHAT["defines_before"].search(before):
        return "What-DEF"
    if _WHAT["used_for"].search(before) or _WHAT["used_after"].search(after):
        return "What-OTH"
    if _WHAT["does_before"].search(before) and _WHAT["does_after"].search(after):
        return "What-VP"
    if _WHAT["happens_before"].search(before) and _WHAT["happens_after"].search(after):
        return "What-VP"
    if _WHAT["cause_before"].search(before) or _WHAT["cause_after"].search(after):
        return "What-OTH"
    if _WHAT["named_before"].search(before) or after.startswith(_SOUGHT):
        return "What-OTH"
    ask = _WHAT["ask"]
    if _WHAT["defines_after"].search(after) and not ask.sub("", before).strip(" 请问" + _BLANK):
        thing = _WHAT["defines_after"].sub("", after)
        return _asked_of(thing.rstrip("？?。！! 呢啊呀"))
    is_at = _WHAT["is_before"].search(ask.sub("", before))
    if is_at and not after.strip("？?。！! 呢啊呀"):
        return _asked_of(ask.sub("", before)[: is_at.start()])
    return "What-NP"


def _asked_of(thing: str) -> str:
    """The type of "what is THING": its last noun decides, then whether it is a definite thing."""
    stem = _WHAT["maybe"].sub("", thing)
    if stem.endswith((*_DEFINED, _BLANK)):  # a term in quotation marks
        return "What-DEF"
    if stem.endswith(_SOUGHT if "的" in stem else _ATTRIBUTES) and stem not in _SOUGHT:
        return "What-OTH"
    if stem != thing or "的" in stem or stem.endswith(_RELATIONAL):
        return "What-NP"
    return "What-NP" if _WHAT["definite"].search(stem) else "What-DEF"


def _requested(text: str) -> str:
    """The type of a request (请列举两种动物) or of a fragment without a question word."""
    if not _LETTER.search(text.replace(_BLANK, "")) and _BLANK not in text:
        return "Others"
    subject = text.rstrip("？?。！!. ")
    if text.endswith(("？", "?")):
        if subject.endswith(("是", "为", "叫", "呢")):  # 创始人是？
            return (
                "What-OTH"
                if subject[:-1].endswith(_SOUGHT) or subject[-2:] == "名为"
                else "What-NP"
            )
        return "What-OTH" if "的" in subject and subject.endswith(_SOUGHT) else "Yes/No"
    if _REQUEST["define"].search(text) and subject.endswith(_DEFINED):
        return "What-DEF"
    if _REQUEST["name"].search(text) or _REQUEST["define"].search(text):
        if subject.endswith(_SOUGHT):
            return "What-OTH"
        if _REQUEST["name"].search(text):
            return "What-NP"
    return "How" if _REQUEST["manner"].search(text) else "What-NP"

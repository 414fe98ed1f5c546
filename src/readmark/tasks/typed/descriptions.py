"""Whether words say what kind of thing is meant, and not its name: "the repair in August"."""

from __future__ import annotations

import re

from readmark.tasks.asked_values import AskedValue
from readmark.tasks.mention_classes import without_article
from readmark.text.script import simplified

_BEFORE = r"(?:(?:first|second|third|last|other|same|next|only|\d+(?:st|nd|rd|th)) )?"
_AFTER = r"(?:$|,| ?\(| (?:on|in|of|at|by|from|after|before|during|that|which|with|for|to)\b)"
_MODIFIERS = r"(?:(?!(?:is|are|was|were|not)\b)\S+ )+"  # not "it was not a repair"
_MEASURE_WORD = "[个次台场座位名艘辆条件]?"
_DEMONSTRATIVE = re.compile(rf"^[这那该此]{_MEASURE_WORD}|^(?:this|that) (?=\S)", re.IGNORECASE)
_ORDINAL = re.compile(rf"^第.{{1,3}}{_MEASURE_WORD}")
_CHINESE_DAY = re.compile(r"[\d零〇一二三四五六七八九十廿卅年月日号 ]+")
_ONE_OF_SEVERAL = re.compile(
    r"\b(?:first|second|third|last|other|next|\d+(?:st|nd|rd|th))\b|[第另其]"
)


def is_description(text: str, asked: AskedValue) -> bool:
    """Whether words name the class that a question asks for, with more about the thing or not."""
    phrase = without_demonstrative(without_article(" ".join(text.split())))
    words = simplified(phrase.casefold())  # 維修 is the label 维修
    for label in (simplified(label.casefold()) for label in asked.labels):
        if label.isascii():
            if re.match(rf"{_BEFORE}{re.escape(label)}{_AFTER}", words):
                return True
            if asked.is_subject and re.fullmatch(_MODIFIERS + re.escape(label), phrase):
                return True  # P-7's repair, the August repair
        elif label in words:
            rest = words.replace(label, "", 1)
            if not _ORDINAL.sub("", without_demonstrative(rest)) or rest.endswith("的"):
                return True
            if _CHINESE_DAY.fullmatch(rest):
                return True
    return False


def is_one_of_several(text: str) -> bool:
    """Whether words tell the thing that they describe from others: "the second repair"."""
    return _ONE_OF_SEVERAL.search(text) is not None


def without_demonstrative(words: str) -> str:
    """Words without "this" or "that" before them."""
    return _DEMONSTRATIVE.sub("", words)

"""An earlier Chinese question as a phrase for its answer: 设计白石水库的人."""

from __future__ import annotations

import re

from readmark.series.guided.chinese_questions import MEASURES
from readmark.series.words import chinese_words
from readmark.text.script import simplified

_WHAT = rf"(?:哪一?[{MEASURES}]|什么)"
_END = re.compile(r"[\s？?。！!]+$")
_DONE_BY = re.compile(rf"(?P<what>.+?)是(?:谁|哪[{MEASURES}](?P<noun>))(?P<rest>\w{{1,8}})的")
_IS = re.compile(r"(?P<what>.+?)(?:是谁|是什么|叫什么(?:名字)?)")
_IS_WHICH = re.compile(rf"(?P<what>.+?)是哪一?[{MEASURES}](?P<noun>\w+)")
_WHO = re.compile(r"谁(?P<rest>.+)")
_WHICH = re.compile(rf"(?P<what>.+?){_WHAT}(?P<noun>\w+)")
_FIRST = re.compile(rf"{_WHAT}(?P<rest>.+)")
_TIMES = ("时候", "时间", "年", "地方")


def as_phrase(rewritten: str) -> str:
    """The answer of a question described by it; nothing where it cannot be turned."""
    text = _END.sub("", rewritten.strip())
    simple = simplified(text)  # one for one: what is found there is said as it was written
    if not text or re.search(r"[，,；;]", text):
        return ""

    def group(found: re.Match[str], name: str) -> str:
        return text[slice(*found.span(name))]

    if match := _DONE_BY.fullmatch(simple):  # 郑和第一次出海是哪位皇帝派的
        rest = group(match, "rest")
        noun, verb = ("人", rest) if match["noun"] is None else _cut(rest)
        return f"{verb}{group(match, 'what')}的{noun}" if verb else ""
    if match := _IS.fullmatch(simple) or _IS_WHICH.fullmatch(simple):
        return group(match, "what")
    if match := _WHO.fullmatch(simple):
        return f"{_plain(group(match, 'rest'))}的人"
    if match := _WHICH.fullmatch(simple):
        noun, rest = _cut(group(match, "noun"))
        ok = not rest and simplified(noun) not in _TIMES
        return f"{_place(_plain(group(match, 'what')))}的{noun}" if ok else ""
    if match := _FIRST.fullmatch(simple):
        noun, rest = _cut(group(match, "rest"))
        return f"{_plain(rest)}的{noun}" if rest and simplified(noun) not in _TIMES else ""
    return ""


def _cut(text: str) -> tuple[str, str]:
    """The first word, by the dictionary, and the rest."""
    words = chinese_words(text)
    first = words[0] if words else ""
    return (first, text[len(first) :]) if first and text.startswith(first) else ("", "")


def _plain(clause: str) -> str:
    """A clause before 的 does without 了."""
    return clause.replace("了", "", 1)


def _place(clause: str) -> str:
    """最低处在 -> 最低处所在; 出生在 -> 出生; 总部设在 -> 总部所在."""
    if clause.endswith("出生在"):
        return clause[:-1]
    return re.sub(r"(?:(?:[设設]|建|坐落)?在|位[于於]|坐落[于於])$", "所在", clause)

"""Chinese nominals that point out of their question: 该校, 这座建筑, 那位诗人, 本馆."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from readmark.models.rewriting.chinese_reading import (
    MEASURES,
    Read,
    last_person,
    last_thing,
    listed,
)
from readmark.models.rewriting.chinese_targets import ChineseTarget
from readmark.models.rewriting.values import Edit

_POINTER = re.compile(r"[该这那此]一?|(?<![哪几一二两三四五六七八九十百千多每各这那此该])本")
_WITHIN = ("n", "a", "b", "j", "s", "z", "vn", "an")
_PREVIOUS = "Previous Questions and Answers"
_READABLE = "Context independence and readability"

Answer = Callable[[int], str]
"""What stands for the answer of an earlier question, by its place."""


@dataclass(frozen=True, slots=True)
class Nominal:
    """A pointing word, a measure and a noun; where its noun begins and may end."""

    start: int
    first: int
    ends: tuple[int, ...]
    tags: tuple[str, ...]


def nominals(asked: Read) -> Iterator[Nominal]:
    """The pointing nominals of a question; each begins and ends with a word."""
    for found in _POINTER.finditer(asked.plain):
        start, first = found.span()
        if start not in asked.starts:
            continue  # 应该, 因此
        after = asked.plain[first : first + 1]
        if after and after in MEASURES and first + 1 in asked.starts:
            noun = asked.plain[first + 1 : first + 2]
            first += bool(noun) and noun not in "的是在有被由从几哪何谁？?，,"
        elif after and after in MEASURES and _is_fused(asked, first):
            first += 1
        ends: list[int] = []
        tags: list[str] = []
        for begin, end, tag in asked.words:
            if end <= first:
                continue
            if begin > first and not tag.startswith(_WITHIN):
                break
            ends.append(end)
            tags.append("" if begin < first else tag)  # 该校 is one word
            if not tag.startswith(_WITHIN):
                break
        if ends:
            yield Nominal(start, first, tuple(ends), tuple(tags))


def _is_fused(asked: Read, at: int) -> bool:
    """A measure that the dictionary has in one word with its noun: 这|本书."""
    ends = [end for begin, end, _ in asked.words if begin == at]
    return ends == [at + 2] and asked.plain[at + 1] in listed("nouns", "called")


def nominal_edit(
    target: ChineseTarget,
    asked: Read,
    one: Nominal,
    before: Sequence[Read],
    answer: Answer,
    *,
    said: bool,
) -> Edit | None:
    """What a nominal becomes: an answer that was asked for by its noun, else the target."""
    text = asked.plain
    for end in reversed(one.ends):
        word = text[one.first : end]
        at = _asked_for(word, before)
        if at is not None:
            was = text[one.start : end]
            return Edit(one.start, end, was, answer(at), "前一问所问", _PREVIOUS, 0.8, at)
        if not said and target.plain.endswith(word):
            was = text[one.start : end]
            return Edit(one.start, end, was, target.text, "目标的名词", _READABLE, 0.9)
    chosen = None if said else _noun_end(text, one)
    if chosen is None:
        return None
    word, was = text[one.first : chosen], text[one.start : chosen]
    personal = word[-1:] in listed("persons", "nouns") and word not in listed("persons", "others")
    at = None
    why, guideline, sure = "不是人，指前一答案", _PREVIOUS, 0.6
    if target.kind == "person" and not personal:
        at = last_thing(before)
    elif target.kind != "person" and personal:
        at, why = last_person(before), "是人，指前面的答案"
    elif target.kind == "event" and word in listed("places", "nouns"):
        now = target.place or f"{target.text}发生的{asked.text[one.first : chosen]}"
        return Edit(one.start, chosen, was, now, "事件的地方", _READABLE, sure)
    if at is not None:
        return Edit(one.start, chosen, was, answer(at), why, guideline, sure, at)
    return Edit(one.start, chosen, was, target.text, "指目标", _READABLE, 0.7)


def _asked_for(word: str, before: Sequence[Read]) -> int | None:
    """The last question that asks for such a noun, as the end of a word of its own: no 校友."""
    wide = r"\S{0,4}" if len(word) == 1 else "[^，？?]{0,3}"
    shape = re.compile(rf"(?:哪|什么){wide}{re.escape(word)}")
    for at in range(len(before) - 1, -1, -1):
        if any(found.end() in before[at].ends for found in shape.finditer(before[at].plain)):
            return at
    return None


def _noun_end(text: str, one: Nominal) -> int | None:
    """Where the noun ends: with the last that things are called by, else with the first noun."""
    called = listed("nouns", "called")
    known = [end for end in one.ends if _last_known(text[one.first : end], called)]
    if known:
        return known[-1]
    nouns = [end for end, tag in zip(one.ends, one.tags, strict=True) if tag.startswith("n")]
    return nouns[0] if nouns else None


def _last_known(word: str, called: frozenset[str]) -> bool:
    return any(word.endswith(one) for one in called if len(one) > 1) or word in called

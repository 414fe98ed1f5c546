"""Chinese nominals that point out of their question: 该校, 这座建筑, 那位诗人, 本馆."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from readmark.series.guided.chinese_questions import (
    MEASURES,
    ChineseQuestion,
    asks_person,
    asks_several,
    last_person,
    last_thing,
    listed,
)
from readmark.series.guided.chinese_targets import ChineseTarget
from readmark.series.guided.edits import Edit

_POINTER = re.compile(r"[该这那此]一?|(?<![哪几一二两三四五六七八九十百千多每各这那此该])本")
_WITHIN = ("n", "a", "b", "j", "s", "z", "vn", "an")
_ANYBODY = ("人", "人物")
_PERSON_ACTS = re.compile("人.[过了]")
"""此人|造过, where the dictionary has 人造."""
_WHO_IS = re.compile(r"(?:[他她它]是(?:谁|何人|什么人)|谁是[他她它])[？?\s]*")
_PREVIOUS = "Previous Questions and Answers"
_READABLE = "Context independence and readability"

AnswerOf = Callable[[int], str]
"""What stands for the answer of an earlier question, by its place."""


@dataclass(frozen=True, slots=True)
class ChineseNominal:
    """A pointing word, a measure and a noun; where its noun begins and may end."""

    start: int
    first: int
    ends: tuple[int, ...]
    tags: tuple[str, ...]


def nominals(asked: ChineseQuestion) -> Iterator[ChineseNominal]:
    """The pointing nominals of a question; each begins and ends with a word."""
    for match in _POINTER.finditer(asked.plain):
        start, first = match.span()
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
            yield ChineseNominal(start, first, tuple(ends), tuple(tags))


def _is_fused(asked: ChineseQuestion, index: int) -> bool:
    """A measure that the dictionary has in one word with its noun: 这|本书."""
    ends = [end for begin, end, _ in asked.words if begin == index]
    return ends == [index + 2] and asked.plain[index + 1] in listed("nouns", "called")


def nominal_edit(
    target: ChineseTarget,
    asked: ChineseQuestion,
    nominal: ChineseNominal,
    before: Sequence[ChineseQuestion],
    answer: AnswerOf,
    *,
    target_named: bool,
) -> Edit | None:
    """What a nominal becomes: an answer that was asked for by its noun, else the target."""
    text = asked.plain
    if (who := person_edit(target.plain, asked, nominal, before, answer)) is not None:
        return who
    for end in reversed(nominal.ends):
        word = text[nominal.first : end]
        at = _asked_for(word, before)
        if at is not None:
            was = text[nominal.start : end]
            return Edit(nominal.start, end, was, answer(at), "前一问所问", _PREVIOUS, at)
        if not target_named and target.plain.endswith(word):
            was = text[nominal.start : end]
            return Edit(nominal.start, end, was, target.text, "目标的名词", _READABLE)
    chosen = None if target_named else _noun_end(text, nominal)
    if chosen is None:
        return None
    word, was = text[nominal.first : chosen], text[nominal.start : chosen]
    personal = word[-1:] in listed("persons", "nouns") and word not in listed("persons", "others")
    at = None
    why = "不是人，指前一答案"
    if target.kind == "person" and not personal:
        at = last_thing(before)
    elif target.kind != "person" and personal:
        at, why = last_person(before), "是人，指前面的答案"
    elif target.kind == "event" and word in listed("places", "nouns"):
        now = target.place or f"{target.text}发生的{asked.text[nominal.first : chosen]}"
        return Edit(nominal.start, chosen, was, now, "事件的地方", _READABLE)
    if at is not None:
        return Edit(nominal.start, chosen, was, answer(at), why, _PREVIOUS, at)
    return Edit(nominal.start, chosen, was, target.text, "指目标", _READABLE)


def person_edit(
    target: str,
    asked: ChineseQuestion,
    nominal: ChineseNominal,
    before: Sequence[ChineseQuestion],
    answer: AnswerOf,
) -> Edit | None:
    """这个人 after a question that asks who: its answer, also where the target is a person."""
    end = _person_end(asked.plain, nominal)
    at = _person_asked_for(target, before)
    if end is None or at is None:
        return None
    was = asked.plain[nominal.start : end]
    return Edit(nominal.start, end, was, answer(at), "前面问的是谁", _PREVIOUS, at)


def _person_end(text: str, nominal: ChineseNominal) -> int | None:
    """Where 这个人, 此人 or 该人物 ends; None for other nouns."""
    if _PERSON_ACTS.match(text, nominal.first):
        return nominal.first + 1
    return next((end for end in nominal.ends if text[nominal.first : end] in _ANYBODY), None)


def _person_asked_for(target: str, before: Sequence[ChineseQuestion]) -> int | None:
    """The question before, if it asks who; between them only questions about 这个人."""
    for index in range(len(before) - 1, -1, -1):
        question = before[index]
        if asks_person(question):
            plain = question.plain.replace(target, "他", 1) if target else question.plain
            return None if _WHO_IS.fullmatch(plain) or asks_several(question) else index
        if not any(_person_end(question.plain, nominal) for nominal in nominals(question)):
            return None
    return None


def _asked_for(word: str, before: Sequence[ChineseQuestion]) -> int | None:
    """The last question that asks for such a noun, as the end of a word of its own: no 校友."""
    wide = r"\S{0,4}" if len(word) == 1 else "[^，？?]{0,3}"
    shape = re.compile(rf"(?:哪|什么){wide}{re.escape(word)}")
    for index in range(len(before) - 1, -1, -1):
        if any(match.end() in before[index].ends for match in shape.finditer(before[index].plain)):
            return index
    return None


def _noun_end(text: str, nominal: ChineseNominal) -> int | None:
    """Where the noun ends: with the last that things are called by, else with the first noun."""
    called = listed("nouns", "called")
    known = [end for end in nominal.ends if _last_known(text[nominal.first : end], called)]
    if known:
        return known[-1]
    nouns = [
        end for end, tag in zip(nominal.ends, nominal.tags, strict=True) if tag.startswith("n")
    ]
    return nouns[0] if nouns else None


def _last_known(word: str, called: frozenset[str]) -> bool:
    return any(word.endswith(one) for one in called if len(one) > 1) or word in called

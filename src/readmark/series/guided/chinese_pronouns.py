"""What the pronouns of a Chinese question mean, by person, gender and number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.series.guided.chinese_fragments import those_before
from readmark.series.guided.chinese_nominals import AnswerOf
from readmark.series.guided.chinese_questions import (
    KIN,
    ChineseQuestion,
    Pronoun,
    asks_person,
    asks_place,
    asks_several,
    asks_thing,
    kin_in,
    last_person,
    last_thing,
    listed,
)
from readmark.series.guided.chinese_targets import ChineseTarget, prefix
from readmark.series.guided.edits import Edit
from readmark.text.script import simplified

_READABLE = "Context independence and readability"
_TITLE = re.compile(r"《[^》]+》|[A-Za-z][A-Za-z0-9]+")
_TRADITIONAL = str.maketrans("亲儿", "親兒")


@dataclass(frozen=True, slots=True)
class ChineseTalk:
    """A question with those before it, and which of them were about the target."""

    target: ChineseTarget
    asked: ChineseQuestion
    before: Sequence[ChineseQuestion]
    on_target: Sequence[bool]
    answer: AnswerOf
    rewritten: Sequence[str] = ()

    @property
    def topic(self) -> bool:
        return bool(self.on_target) and self.on_target[-1]


def pronoun_edit(
    talk: ChineseTalk, pronoun: Pronoun, *, target_named: bool, inside: bool
) -> list[Edit | None]:
    """The edit of a pronoun; None where nothing that it can mean was found, none where it stays."""
    person = talk.target.kind == "person"
    agrees = talk.target.gender is None or pronoun.gender in (None, talk.target.gender)
    agrees = agrees and not talk.target.plural
    if pronoun.kind == "both":
        return [] if target_named else [_both(talk, pronoun)]
    if pronoun.kind in ("person", "own"):
        if target_named and person and agrees:
            return []
        return _person(talk, pronoun, agrees=agrees, inside=inside)
    if pronoun.kind == "group":
        return [] if target_named and not person else [_group(talk, pronoun)]
    if target_named:
        return []
    those = those_before(talk.rewritten[-1]) if talk.rewritten else ""
    if pronoun.kind == "things" and those:
        return [Edit(pronoun.start, pronoun.end, "", those, "前一问所说", "It")]
    if pronoun.kind in ("thing", "things"):
        if (name := _named_before(talk)) and pronoun.kind == "thing":
            return [Edit(pronoun.start, pronoun.end, "", name, "前一问的名字", "It")]
        at = last_thing(talk.before) if person else None
        if pronoun.kind == "things" and talk.before and asks_several(talk.before[-1]):
            at = len(talk.before) - 1
        if person and at is None:
            return [None]
        return [_made(talk, pronoun, at, "它指目标", "It")]
    if pronoun.kind == "here":
        return [_here(talk, pronoun)]
    if pronoun.kind == "among":
        several = bool(talk.before) and asks_several(talk.before[-1])
        person = person and not talk.target.plural
        at = len(talk.before) - 1 if talk.before and (several or person) else None
        those = those_before(talk.rewritten[-1]) if at is None and talk.rewritten else ""
        name = those or (talk.target.text if at is None else talk.answer(at))
        return [Edit(pronoun.start, pronoun.end, "", f"{name}中", "其中", "Pronouns (2)", at)]
    if talk.target.kind != "event":
        return []  # 当时: what was left out goes before it
    now = f"{talk.target.text}时"
    return [Edit(pronoun.start, pronoun.end, "", now, "事件的时候", _READABLE)]


def _named_before(talk: ChineseTalk) -> str:
    """What the question before is about by name, when it is not about the target: iPhone."""
    if not talk.before or talk.topic:
        return ""
    match = _TITLE.match(talk.before[-1].plain)
    return "" if match is None else talk.before[-1].text[: match.end()]


def _person(
    talk: ChineseTalk, pronoun: Pronoun, *, agrees: bool, inside: bool
) -> list[Edit | None]:
    """他 and 她: a person answer who agrees, the topic before it, else a relative."""
    person = talk.target.kind == "person"
    at = last_person(talk.before, pronoun.gender)
    near = at is not None and at == len(talk.before) - 1 and not talk.topic
    if person and agrees and not near:
        at = None
    name = _whom(talk)
    if at is not None:
        name = talk.answer(at)
    elif person and not agrees:
        kin = next((k for q in reversed(talk.before) if (k := kin_in(q, pronoun.gender))), "")
        if not kin:
            return [None]
        name = f"{talk.target.text}的{_written(kin, talk.asked)}"
    elif inside:
        return []
    if pronoun.kind == "own":
        return [_possessive_edit(talk.asked, pronoun.start, name, at)]
    return [Edit(pronoun.start, pronoun.end, "", name, "人称代词", "Pronouns (1)", at)]


def _group(talk: ChineseTalk, pronoun: Pronoun) -> Edit | None:
    """他们: the person and whom a question asked for, several who were asked for, or a group."""
    target, before = talk.target, talk.before
    at = last_person(before)
    if target.plural:
        near = at is not None and at == len(before) - 1 and asks_several(before[at])
        return _made(talk, pronoun, at if near else None, "目标是几个人", "Pronouns (1)")
    if target.kind != "person":
        if those := those_before(talk.rewritten[-1]) if talk.rewritten else "":
            return Edit(pronoun.start, pronoun.end, "", those, "前一问所说", "Pronouns (1)")
        near = at is not None and at == len(before) - 1
        return _made(talk, pronoun, at if near else None, "他们指目标", "Pronouns (1)")
    if at is None:
        return None
    name = talk.answer(at)
    if not asks_several(before[at]) and talk.on_target[at]:
        name = f"{target.text}和{name}"
    return Edit(pronoun.start, pronoun.end, "", name, "人称代词", "Pronouns (1)", at)


def _both(talk: ChineseTalk, pronoun: Pronoun) -> Edit | None:
    """夫妇俩: a target of two, or the person and the husband or wife whom a question asked for."""
    target = talk.target
    if target.plural:
        return _made(talk, pronoun, None, "目标是几个人", "Pronouns (1)")
    for at in range(len(talk.before) - 1, -1, -1):
        spouse = kin_in(talk.before[at]) in listed("kin", "spouse")
        if spouse and asks_person(talk.before[at]) and target.kind == "person":
            name = f"{target.text}和{talk.answer(at)}"
            return Edit(pronoun.start, pronoun.end, "", name, "夫妇", "Pronouns (1)", at)
    return None


def _here(talk: ChineseTalk, pronoun: Pronoun) -> Edit | None:
    """那里: the target, the place of an event, or the place that a question asked for."""
    target = talk.target
    last = talk.before[-1] if talk.before else None
    if target.kind not in ("person", "event"):
        asks = last is not None and (asks_place(last) or asks_thing(last))
        at = len(talk.before) - 1 if target.kind not in ("place", None) and asks else None
        return _made(talk, pronoun, at, "指地方", "It")
    asked = [index for index, q in enumerate(talk.before) if asks_place(q)]
    if target.kind == "event" and not (asked and asked[-1] == len(talk.before) - 1):
        place = target.place or f"{target.text}发生的地方"
        return Edit(pronoun.start, pronoun.end, "", place, "事件的地方", _READABLE)
    at = asked[-1] if asked else len(talk.before) - 1
    return _made(talk, pronoun, at, "指地方", "It") if at >= 0 else None


def _made(
    talk: ChineseTalk, pronoun: Pronoun, earlier: int | None, why: str, guideline: str
) -> Edit:
    name = talk.target.text if earlier is None else talk.answer(earlier)
    return Edit(pronoun.start, pronoun.end, "", name, why, guideline, earlier)


def _possessive_edit(asked: ChineseQuestion, index: int, name: str, earlier: int | None) -> Edit:
    noun, after = asked.plain[index + 1 : index + 2], asked.plain[index + 2 : index + 3]
    guideline = "Pronouns (2)"
    if noun in KIN and after not in tuple("亲子夫人儿"):
        kin = _written(KIN[noun], asked)
        return Edit(index, index + 2, "", f"{name}的{kin}", "其", guideline, earlier)
    return Edit(index, index + 1, "", f"{name}的", "其", guideline, earlier)


def _written(kin: str, asked: ChineseQuestion) -> str:
    """A relative in the characters of the question."""
    return kin.translate(_TRADITIONAL) if simplified(asked.text) != asked.text else kin


def _whom(talk: ChineseTalk) -> str:
    """The target, or the person at the start of an event's name that the series has named."""
    if talk.target.kind == "event":
        for question in reversed(talk.before):
            if own := prefix(talk.target.plain, question.plain):
                return talk.target.text[: len(own)]
    return talk.target.text

"""Chinese series by the same guidelines: 他 她 它 其 该 这, short names and dropped subjects.

A small set of patterns without syntax; what they cannot place gets the target put before it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.corpus.series_notation import PREVIOUS_ANSWER
from readmark.models.rewriting.kinds import kind_named
from readmark.models.rewriting.tables import table
from readmark.models.rewriting.values import Edit, Rewrite, applied

_BRACKETS = re.compile(r"\s*[(（]([^()（）]*)[)）]\s*$")
_PERSON = re.compile(r"(?:他|她)(?!们)")
_GROUP = re.compile(r"(?:他们|她们|它们)")
_THING = re.compile(r"它(?!们)")
_HERE = re.compile(r"(?:这里|那里|此地|当地)")
_QI = re.compile(r"(?<![尤极与])其(?!他|它|中|实|次|余|间)")
_POINTING = re.compile(
    r"(?:该|这|那|此)(?:(?:个|位|名|所|部|本|条|座|家|场|次|种|首|项|届|支|艘|架|件|片|篇|幅|颗)"
    r"(?P<counted>[\u4e00-\u9fff]{1,3}?(?=[的在是有被把将收由从几哪何谁？?，,]|$|[\u4e00-\u9fff]))"
    r"|(?P<bare>[\u4e00-\u9fff]{1,2}))"
)
_NAMED = re.compile(r"[\u4e00-\u9fff]{1,6}·[\u4e00-\u9fff]{1,6}|《[^》]+》|[A-Za-z]{2,}")
_FATHER = {"父": "父亲", "母": "母亲", "妻": "妻子", "夫": "丈夫", "子": "儿子", "女": "女儿"}
_DEFINED = re.compile(r"^[^的]{1,4}是什么[？?]?$")
_OWNED = re.compile(r"^(?P<noun>[^，,？?]{1,8}?)(?=是|在|叫|有|到过|位于|为)")
LEAST = 2


@dataclass(frozen=True, slots=True)
class _Target:
    text: str
    plain: str
    alias: str
    kind: str | None


def rewrite_chinese(
    target: str,
    questions: Sequence[str],
    *,
    known: Sequence[Sequence[str]] = (),
    type: str | None = None,
    previous: str = "variable",
) -> list[Rewrite]:
    """Every question of a Chinese series so that it stands alone."""
    about = _read(target, type, questions)
    done: list[Rewrite] = []
    on_target: list[bool] = []
    for at, text in enumerate(questions):
        own = tuple(known[at]) if at < len(known) else ()
        answer = "、".join(own) if previous == "answer" and own else PREVIOUS_ANSWER
        edits = (
            []
            if not about.text or not text.strip()
            else _edits(about, text, questions[:at], on_target, answer)
        )
        on_target.append(any(about.plain in edit.now for edit in edits) or about.plain in text)
        if not edits:
            why = "it stands alone" if about.text else "the series has no target"
            done.append(Rewrite(text, why=why, sure=0.7 if about.text else 0.0))
            continue
        made = tuple(sorted(edits, key=lambda one: one.start))
        done.append(Rewrite(applied(text, made), made, sure=min(one.sure for one in made)))
    return done


def _read(target: str, type: str | None, questions: Sequence[str]) -> _Target:
    text = target.strip()
    found = _BRACKETS.search(text)
    plain, alias = (text, "") if found is None else (text[: found.start()], found[1])
    kind = kind_named(type)
    if kind is None:
        first = next((q for q in questions if _PERSON.search(q) or _THING.search(q)), "")
        before = questions[: list(questions).index(first)] if first else ()
        if _PERSON.search(first) and not any(_asks_person(one) for one in before):
            kind = "person"
    return _Target(text, plain or text, alias, kind)


def _edits(
    target: _Target, text: str, before: Sequence[str], on_target: Sequence[bool], answer: str
) -> list[Edit]:
    found: list[Edit] = []
    said = target.plain in text
    if said and target.alias and target.text not in text:
        found.append(
            _edit(text, target.plain, target.text, "括号", "Targets that contain brackets")
        )
    elif not said and target.alias and target.alias in text:
        found.append(
            _edit(text, target.alias, target.text, "括号里的名字", "Targets that contain brackets")
        )
        said = True
    short = "" if said else _short(target, text)
    inside = not said and target.kind == "event" and _prefix(target.plain, text) != ""
    if short:
        why = "目标的一部分"
        found.append(
            _edit(text, short, target.text, why, "Target matches a sub-string of the question")
        )
        said = True
    for edit in _pointing(target, text, before, on_target, answer, said, inside):
        overlaps = any(edit.start < one.end and one.start < edit.end for one in found)
        if not overlaps and not (
            target.text in edit.now and any(target.text in f.now for f in found)
        ):
            found.append(edit)
    if found or said or inside or _NAMED.search(text) or _DEFINED.match(text):
        return found
    return [_dropped(target, text)]


def _pointing(
    target: _Target,
    text: str,
    before: Sequence[str],
    on_target: Sequence[bool],
    answer: str,
    said: bool,
    inside: bool,
) -> list[Edit]:
    last = before[-1] if before else ""
    topic = bool(on_target) and on_target[-1]
    found: list[Edit] = []
    for pattern, guideline in ((_PERSON, "Pronouns (1)"), (_QI, "Pronouns (2)")):
        for one in pattern.finditer(text):
            if said and target.kind == "person":
                break
            person = target.kind == "person"
            asked = any(_asks_person(q) for q in before)
            use = asked and (not person or (_asks_person(last) and not topic))
            if inside and not use:
                break
            name = answer if use else _whom(target, before)
            if pattern is _QI:
                found.append(_whose(text, one.start(), name, guideline))
            else:
                found.append(Edit(*one.span(), one[0], name, "人称代词", guideline, 0.8))
            break
    if not said:
        for pattern in (_THING, _GROUP):
            one_ = pattern.search(text)
            if one_ is not None:
                name = answer if target.kind == "person" and before else target.text
                found.append(Edit(*one_.span(), one_[0], name, "它指目标", "It", 0.9))
        here = _HERE.search(text)
        if here is not None:
            place = target.kind in ("place", None)
            name = target.text if place or not before else answer
            found.append(Edit(*here.span(), here[0], name, "指地方", "It", 0.7))
    for one in _POINTING.finditer(text):
        noun = one["counted"] or one["bare"] or ""
        if noun[:1] in "里个样么些时":
            continue
        edit = _nominal(target, text, one, noun, before, answer, said)
        if edit is not None:
            found.append(edit)
    return found


def _nominal(
    target: _Target,
    text: str,
    one: re.Match[str],
    noun: str,
    before: Sequence[str],
    answer: str,
    said: bool,
) -> Edit | None:
    start = one.start()
    for size in range(min(3, len(text) - one.start(1 if one["counted"] else 2)), 0, -1):
        first = one.start("counted") if one["counted"] else one.start("bare")
        word = text[first : first + size]
        asked = any(re.search(rf"(?:哪|什么)[^，？?]{{0,3}}{re.escape(word)}", q) for q in before)
        if asked or (
            size == 1 and any(re.search(rf"(?:哪|什么)\S{{0,4}}{word}", q) for q in before)
        ):
            end = first + size
            return Edit(start, end, text[start:end], answer, "前一问所问", _PREVIOUS, 0.8)
        if not said and target.plain.endswith(word):
            end = first + size
            return Edit(start, end, text[start:end], target.text, "目标的名词", _READABLE, 0.9)
    if said:
        return None
    end = one.start() + len(one[0])
    for size in (3, 2):
        first = one.start("counted") if one["counted"] else one.start("bare")
        if text[first : first + size] and text[first + size - 1 : first + size] in _listed(
            "persons", "nouns"
        ):
            end = first + size
            break
    person = text[end - 1] in _listed("persons", "nouns")
    if target.kind == "person" and not person and before:
        return Edit(start, end, text[start:end], answer, "不是人，指前一答案", _PREVIOUS, 0.6)
    return Edit(start, end, text[start:end], target.text, "指目标", _READABLE, 0.7)


_PREVIOUS = "Previous Questions and Answers"
_READABLE = "Context independence and readability"


def _whose(text: str, at: int, name: str, guideline: str) -> Edit:
    noun = text[at + 1 : at + 2]
    after = text[at + 2 : at + 3]
    if noun in _FATHER and after not in "亲子夫人儿":
        return Edit(at, at + 2, text[at : at + 2], f"{name}的{_FATHER[noun]}", "其", guideline, 0.8)
    return Edit(at, at + 1, "其", f"{name}的", "其", guideline, 0.8)


def _whom(target: _Target, before: Sequence[str]) -> str:
    """The target, or the person at the start of an event's name that the series has named."""
    if target.kind == "event":
        for one in reversed(before):
            if own := _prefix(target.plain, one):
                return own
    return target.text


def _short(target: _Target, text: str) -> str:
    """A part of the target's name: after the point of a person's, the start or end of others'."""
    if target.kind == "event":
        return ""
    if "·" in target.plain:
        last = target.plain.split("·")[-1]
        return last if last in text else ""
    start = _prefix(target.plain, text)
    end = next(
        (
            target.plain[i:]
            for i in range(1, len(target.plain) - 1)
            if text.startswith(target.plain[i:])
        ),
        "",
    )
    if target.kind == "person":
        return ""
    return max(start, end, key=len)


def _prefix(plain: str, text: str) -> str:
    return next((plain[:i] for i in range(len(plain) - 1, LEAST - 1, -1) if plain[:i] in text), "")


def _dropped(target: _Target, text: str) -> Edit:
    """The target put where its subject was dropped, with 的 before a noun."""
    for word in table("chinese")["ask"]["words"].split():
        if text.startswith(word):
            return Edit(len(word), len(word), "", f"{target.text}的", "省略", _READABLE, 0.6)
    starts = text.startswith(tuple(_listed("start", "words"))) or text[:1].isdigit()
    starts = starts or bool(re.match(r"[一二三四五六七八九十]+岁", text))
    owned = not starts and _OWNED.match(text) is not None
    now = f"{target.text}的" if owned else target.text
    return Edit(0, 0, "", now, "主语省略", _READABLE, 0.6)


def _edit(text: str, was: str, now: str, why: str, guideline: str) -> Edit:
    at = text.index(was)
    return Edit(at, at + len(was), was, now, why, guideline, 0.9)


def _asks_person(text: str) -> bool:
    return any(one in text for one in _listed("persons", "asking"))


@functools.cache
def _listed(section: str, name: str) -> frozenset[str]:
    return frozenset(table("chinese")[section][name].split())

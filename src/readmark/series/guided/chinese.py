"""Chinese series by the same guidelines: 他 她 它 其 该 这, short names and dropped subjects.

A small set of patterns over the dictionary's words, without syntax; what they cannot place gets
the target put before it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from readmark.series.guided.chinese_answer_phrases import as_phrase
from readmark.series.guided.chinese_fragments import completed
from readmark.series.guided.chinese_nominals import nominal_edit, nominals, person_edit
from readmark.series.guided.chinese_pronouns import ChineseTalk, pronoun_edit
from readmark.series.guided.chinese_questions import NAMED, ChineseQuestion, listed, pronouns, read
from readmark.series.guided.chinese_targets import ChineseTarget, prefix, read_target, short_name
from readmark.series.guided.chinese_topics import topics
from readmark.series.guided.edits import Edit, Rewrite, apply_edits
from readmark.series.guided.known_answers import KnownAnswers
from readmark.series.guided.word_tables import table
from readmark.series.notation import PREVIOUS_ANSWER

_DEFINED = re.compile(r"^[^的]{1,4}是什么[？?]?$")
_OWNED = re.compile(r"^(?P<noun>[^，,？?]{1,8}?)(?=是|在|叫|有|到过|位于|为|呢)")
_THEIRS = re.compile(
    r"(?:其他|其它|别的|他人|他国|另外|当地人)[^，,？?有]{0,5}"
    r"(?:有(?=(?:没有)?吗?[？?]?$)|(?:怎么|如何)(?:看|评价)(?=的?[？?]?$))"
)
_TEAM = re.compile(r"\w{1,6}?(?:队|军|军队|代表团|选手|方)(?=\w*[了过])")
_WHO_DID = re.compile(r"谁(?!是).*的[？?]?$")
_WHO_IS = re.compile(r"谁是(?!.*的)")
_READABLE = "Context independence and readability"
_PREVIOUS = "Previous Questions and Answers"
FALLBACK = "fallback: the target is appended"


def rewrite_chinese(
    target: str,
    questions: Sequence[str],
    *,
    type: str | None = None,
    known: KnownAnswers | None = None,
    previous: str = "variable",
) -> list[Rewrite]:
    """Every question of a Chinese series so that it stands alone."""
    asked = [read(text) for text in questions]
    known_answers = known or KnownAnswers()
    if target.strip():
        return _about(read_target(target, type, asked), asked, 0, known_answers, previous)
    done: list[Rewrite] = []
    for first, last, name, kind in topics(asked):
        own = asked[first:last]
        if name:
            done += _about(
                read_target(name, kind, own), own, first, known_answers, previous, bare=True
            )
        else:
            done += _about_nothing(own, first, known_answers, previous)
    return done


def _about(
    target: ChineseTarget,
    asked: Sequence[ChineseQuestion],
    first: int,
    known: KnownAnswers,
    previous: str,
    *,
    bare: bool = False,
) -> list[Rewrite]:
    """The questions about one target, the first of them at a place of the series.

    ``bare``: no target was given, so a question that does not name it may be about another.
    """
    done: list[Rewrite] = []
    on_target: list[bool] = []
    for index, question in enumerate(asked):
        earlier = [made.text for made in done]
        answers = functools.partial(_known_answers, known, first, first + index)
        answer = functools.partial(_answer_text, earlier, answers, previous)
        edits: list[Edit] = []
        if question.text.strip():
            last = answer(index - 1) if earlier else ""
            again = completed(target, question, earlier[-1] if earlier else "", last)
            talk = ChineseTalk(target, question, asked[:index], on_target, answer, earlier)
            edits = [again] if again else _edits(talk, bare=bare)
        said = any(_inserts_name(target.text, edit) for edit in edits)
        on_target.append(said or target.plain in question.plain)
        if not edits:
            done.append(Rewrite(question.text, why="it stands alone"))
            continue
        made = tuple(
            replace(
                edit,
                was=question.text[edit.start : edit.end],
                earlier=None if edit.earlier is None else edit.earlier + first,
            )
            for edit in sorted(edits, key=lambda edit: edit.start)
        )
        done.append(Rewrite(apply_edits(question.text, made), made))
    return done


def _about_nothing(
    asked: Sequence[ChineseQuestion], first: int, known: KnownAnswers, previous: str
) -> list[Rewrite]:
    """Questions before any name is brought up: only 这个人 can mean something."""
    done: list[Rewrite] = []
    for index, question in enumerate(asked):
        earlier = [made.text for made in done]
        answers = functools.partial(_known_answers, known, first, first + index)
        answer = functools.partial(_answer_text, earlier, answers, previous)
        edit = next(
            (
                edit
                for nominal in nominals(question)
                if (edit := person_edit("", question, nominal, asked[:index], answer)) is not None
            ),
            None,
        )
        if edit is None:
            done.append(Rewrite(question.text, why="the series has no target"))
            continue
        place = None if edit.earlier is None else edit.earlier + first
        made = replace(edit, was=question.text[edit.start : edit.end], earlier=place)
        done.append(Rewrite(apply_edits(question.text, (made,)), (made,)))
    return done


def _known_answers(known: KnownAnswers, first: int, index: int, earlier: int) -> Sequence[str]:
    return known.answers(index, earlier + first)


def _answer_text(
    earlier: Sequence[str], known: Callable[[int], Sequence[str]], previous: str, index: int
) -> str:
    """What stands for the answer of an earlier question."""
    if previous == "answer" and (answers := known(index)):
        return "、".join(answers)
    phrase = as_phrase(earlier[index]) if previous != "variable" and earlier else ""
    return phrase or PREVIOUS_ANSWER


def _edits(talk: ChineseTalk, *, bare: bool) -> list[Edit]:
    target, text = talk.target, talk.asked.plain
    edits: list[Edit] = []
    said = target.plain in text
    brackets = "Targets that contain brackets"
    whole = talk.asked.text
    if said and target.alias and target.text not in whole:
        edits.append(_edit(text, target.plain, target.text, "括号", brackets))
    elif not said and target.alias and target.alias in text:
        edits.append(_edit(text, target.alias, target.text, "括号里的名字", brackets))
        said = True
    short = "" if said else short_name(target, talk.asked)
    inside = not said and target.kind == "event" and prefix(target.plain, text) != ""
    if short:
        why = "目标的一部分"
        edits.append(
            _edit(text, short, target.text, why, "Target matches a sub-string of the question")
        )
        said = True
    left = False
    for edit in _pointing(talk, target_named=said, inside=inside):
        if edit is None:
            left = True
            continue
        overlaps = any(edit.start < one.end and one.start < edit.end for one in edits)
        again = _inserts_name(target.text, edit) and any(
            _inserts_name(target.text, edit) for edit in edits
        )
        if not overlaps and not again:
            edits.append(edit)
    named = any(name in text for name in target.each)
    if edits or said or inside or named or _is_defined(text):
        return edits
    if _chinese_names(talk.asked):
        part = Edit(0, 0, "", target.text, "事件省略", _READABLE)
        return [part] if _takes_part(target, text) else edits
    verb = bool(talk.asked.words) and talk.asked.words[0][2] == "v"
    if bare and not verb and not text.startswith(tuple(listed("start", "words"))):
        return []
    if left or text.rstrip("？?呢吗 ") in listed("again", "words"):
        end = len(text)
        return [Edit(end, end, "", f" {target.text}", "无法确定", FALLBACK)]
    return [_dropped(target, talk.asked)]


def _is_defined(text: str) -> bool:
    """京剧是什么, but not 原名是什么, which is somebody's."""
    return _DEFINED.match(text) is not None and not text.startswith(tuple(listed("nouns", "owned")))


def _takes_part(target: ChineseTarget, text: str) -> bool:
    """Whether a team or an army that a question names did it in the event: 中国队得了."""
    return target.kind == "event" and _TEAM.match(text) is not None


def _chinese_names(asked: ChineseQuestion) -> bool:
    """Whether a question names what it is about: a title, Latin letters, a place first."""
    _, end, tag = asked.words[0] if asked.words else (0, 0, "")
    place = tag in ("ns", "nt") and asked.plain[end - 1] not in "里内上中"  # no 馆里
    acts = len(asked.words) > 1 and asked.words[1][2] in ("v", "p")
    acts = acts and asked.plain[end : end + 1] not in ("有", "是")
    place = place or (tag.startswith("nr") and end > 1 and acts)  # 林则徐在哪里销烟
    place = place and asked.plain[:end] not in listed("places", "others")
    return place or NAMED.search(asked.plain) is not None


def _pointing(talk: ChineseTalk, *, target_named: bool, inside: bool) -> list[Edit | None]:
    """The edits of what points out of the question; None for a word without a referent."""
    edits: list[Edit | None] = []
    seen: set[str] = set()
    for pronoun in pronouns(talk.asked):
        if pronoun.kind in seen:
            continue  # the first is enough
        seen.add(pronoun.kind)
        edits += pronoun_edit(talk, pronoun, target_named=target_named, inside=inside)
    for nominal in nominals(talk.asked):
        edit = nominal_edit(
            talk.target, talk.asked, nominal, talk.before, talk.answer, target_named=target_named
        )
        if edit is not None:
            edits.append(edit)
    return edits


def _inserts_name(name: str, edit: Edit) -> bool:
    """Whether an edit puts the target in, not an answer that is described by it."""
    return edit.earlier is None and name in edit.now


def _dropped(target: ChineseTarget, asked: ChineseQuestion) -> Edit:
    """The target put where its subject was dropped, with 的 before a noun."""
    text = asked.plain
    _, end, tag = asked.words[0] if asked.words else (0, 0, "")
    if target.kind == "event" and text[:end] in listed("kinds", "called"):  # 战争持续了多久
        return Edit(0, end, text[:end], target.text, "事件的名词", _READABLE)
    for word in table("chinese")["ask"]["words"].split():
        if text.startswith(word):
            return Edit(len(word), len(word), "", f"{target.text}的", "省略", _READABLE)
    if (match := _WHO_IS.match(text)) is not None:  # 谁是馆长
        return Edit(match.end(), match.end(), "", f"{target.text}的", "省略", _READABLE)
    if _WHO_DID.match(text):  # 谁写的
        return Edit(0, 0, "", f"{target.text}是", "主语省略", _READABLE)
    if (match := _THEIRS.match(text)) is not None:  # 其他国家也有吗
        return Edit(match.end(), match.end(), "", target.text, "宾语省略", _READABLE)
    noun = text[:1] == target.plain[-1:] or text[:1] in listed("nouns", "called")
    inside = (
        noun and text[1:2] in ("里", "内", "上", "中") and (end == 1 or tag in ("s", "ns"))
    )  # no 震中
    if inside:  # 馆里
        return Edit(0, 1, text[:1], target.text, "目标的名词", _READABLE)
    starts = text.startswith(tuple(listed("start", "words"))) or text[:1].isdigit()
    starts = starts or bool(re.match(r"[一二三四五六七八九十]+岁", text))
    owned = not starts and _OWNED.match(text) is not None
    now = f"{target.text}的" if owned else target.text
    return Edit(0, 0, "", now, "主语省略", _READABLE)


def _edit(text: str, was: str, now: str, why: str, guideline: str) -> Edit:
    index = text.index(was)
    return Edit(index, index + len(was), was, now, why, guideline)

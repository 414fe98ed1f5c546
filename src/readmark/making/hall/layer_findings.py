"""What is found in a person's layers: problems of `check`, gaps, and differences from a key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from readmark.core.problems import Problem
from readmark.core.records import Passage
from readmark.making.crosscheck.differences import Difference
from readmark.making.crosscheck.items import LayerItem
from readmark.making.crosscheck.texts import parts_of
from readmark.making.hall.annotated_sides import ANTECEDENT, SIDES, page_text_id
from readmark.making.hall.marks_to_layers import marks_by_text
from readmark.works import Objects, Text, WorkFinding, in_language

_CHINESE = {
    "no_sentence": "没有标出回答它的句子",
    "part_of_sentence": "标出的答案句只是句子的一部分",
}
_BOTH = {"en": "{own}: the key has {key}.", "zh": "{own}：参考标注是 {key}。"}
_MISSING = {"en": "Not marked: {key}.", "zh": "没有标出：{key}。"}
_ADDED = {"en": "The key does not have {own}.", "zh": "参考标注里没有 {own}。"}


def problem_message(problem: Problem, passage: Passage, side: str) -> str | dict[str, str]:
    """A problem's message, with the number of the question that it is about."""
    ids = [question.id for question in passage.questions]
    if problem.where not in ids:
        return problem.message
    number = ids.index(str(problem.where)) + 1
    chinese = _CHINESE.get(problem.code, problem.message)
    return {
        "en": f"Question {number} ({SIDES['en'].get(side, side)}): {problem.message}",
        "zh": f"问题 {number}（{SIDES['zh'].get(side, side)}）：{chinese}",
    }


def marks_by_quote(side: str, objects: Objects) -> dict[str, tuple[int, str]]:
    """The marks of a side with the lengths of their quotes, by quote as messages write it."""
    quotes: dict[str, tuple[int, str]] = {}
    for id, value in objects.items():
        is_on_side = value.get("type") == "mark" and value["text"].partition(":")[0] == side
        if is_on_side and (quote := value.get("quote")):
            quotes[repr(quote)] = max(quotes.get(repr(quote), (0, "")), (len(quote), id))
    return quotes


def quoted_mark(message: str, quotes: Mapping[str, tuple[int, str]]) -> str | None:
    """The mark that a message quotes, the longest if it quotes several."""
    # Every stretch between two quotation marks, since a quote may have some of its own. Looking
    # for each of 5,000 marks in each of 4,000 messages took twenty seconds.
    places = [place for place, letter in enumerate(message) if letter in "'\""]
    stretches = (message[first : last + 1] for first, last in combinations(places, 2))
    return max((quotes[quote] for quote in stretches if quote in quotes), default=(0, None))[1]


def gaps(
    sides: Mapping[str, Passage], category: str, label: Text, objects: Objects
) -> Iterable[WorkFinding]:
    """Text that no mark of a category covers, and marks that overlap."""
    marks = marks_by_text(objects)
    texts = [
        (page_text_id(side, part), part.text)
        for side, passage in sides.items()
        for part in parts_of(passage)
    ]
    for name, text in texts:
        spans = sorted(
            (
                (mark["start"], mark["end"], id)
                for id, mark in marks.get(name, {}).items()
                if mark["category"] == category
            ),
        )
        reached = 0
        for start, end, id in (*spans, (len(text), len(text), None)):
            gap = text[reached:start].strip()
            if gap and spans:
                message = {
                    "en": f"“{gap[:30]}” belongs to no {in_language(label, 'en')}.",
                    "zh": f"“{gap[:30]}”不属于任何{in_language(label, 'zh')}。",
                }
                yield WorkFinding("gap", message, "warning", id)
            if start < reached:
                message = {
                    "en": f"Two marks ({in_language(label, 'en')}) overlap.",
                    "zh": f"两个标注（{in_language(label, 'zh')}）重叠了。",
                }
                yield WorkFinding("overlap", message, "error", id)
            reached = max(reached, end)


def graded(difference: Difference, side: str, objects: Objects) -> WorkFinding:
    """A place where the key differs, with both versions."""
    gold = " | ".join(_version(item, difference.text) for item in difference.a)
    persons = " | ".join(_version(item, difference.text) for item in difference.b)
    templates = _BOTH if gold and persons else _MISSING if gold else _ADDED
    message = {
        language: template.format(key=gold, own=persons) for language, template in templates.items()
    }
    span = difference.b[0].span if difference.b else None
    mark = next(
        (
            id
            for id, value in objects.items()
            if value.get("type") == "mark"
            and value["text"].partition(":")[0] == side
            and (value["start"], value["end"]) == span
        ),
        None,
    )
    return WorkFinding(difference.what, message, "error", mark)


def _version(item: LayerItem, text: str) -> str:
    labels = [str(value) for value in item.labels.values() if isinstance(value, str | int)]
    if (place := item.labels.get(ANTECEDENT)) is not None:
        labels.append(f"→ {place.get('quote', place.get('number'))}")
    quote = text[slice(*item.span)]
    return f"“{quote}” ({', '.join(labels)})" if labels else f"“{quote}”"

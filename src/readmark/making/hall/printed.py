"""A test on paper: numbered questions to print, their key, and answers typed from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from readmark.core.kinds import kind_named
from readmark.core.numbers import decimal
from readmark.core.record_members import is_unanswerable, options_of, title_of
from readmark.core.test import Test
from readmark.making.hall.asked_units import (
    LETTERS,
    AskedUnit,
    asked_in_item,
    records_with_key,
    text_of,
)
from readmark.making.hall.sat_answers import entries_for
from readmark.making.hall.typed_answers import NO_ANSWER, typed_answer, with_fields
from readmark.readability import RatingKey
from readmark.series import Series, SeriesQuestionKey
from readmark.tasks import QueryKey
from readmark.works import Objects, PrintedPaper, PrintedText, Text, TypedEntries, WorkItem
from readmark.works.passages import fixed_id

INSTRUCTIONS: Mapping[str, Text] = {
    "comprehension": {
        "en": "Write the letter of an option, or the words of the text. Write “-” if the text has "
        "no answer.",
        "zh": "选择题填字母，其他题抄写文中的词句。文中没有答案时填“-”。",
    },
    "task": {
        "en": "Write what is asked for, with | between the values, and each further answer on a "
        "line of its own. Write “-” if the text has no answer.",
        "zh": "写出所问的内容，各个值之间用 | 隔开，多个答案各占一行。文中没有答案时填“-”。",
    },
    "series": {
        "en": "Write each question so that it can be understood alone.",
        "zh": "写出改写后的问题，使它单独也能看懂。",
    },
    "readability": {"en": "Circle a number for each text.", "zh": "请为每篇文本圈一个数字。"},
}
"""How the answer sheet is filled in, by the kind of test."""
TASKS: Mapping[str, Text] = {
    "series": {
        "en": "Rewrite each question so that it can be understood alone.",
        "zh": "改写每个问题，使它单独也能看懂。",
    },
}
"""What to do with questions that do not say it themselves, by the kind of test."""


@dataclass(frozen=True)
class AskedOnPaper:
    """A unit of a test as a question on paper."""

    number: int
    """Its number on the paper."""
    unit: AskedUnit
    item: str
    place: int
    """Its number in the item."""
    language: str
    key: tuple[str, ...] = ()

    @property
    def entry(self) -> str:
        """The id of its entry among the item's objects."""
        return fixed_id(self.place)

    @property
    def prompt(self) -> str:
        """The question."""
        return self.unit.prompt

    @property
    def context(self) -> str:
        """What is printed below the question."""
        return self.unit.context

    @property
    def parts(self) -> Sequence[str]:
        """What the values of an answer are called."""
        return tuple(self.unit.labels.values())

    @property
    def options(self) -> Sequence[tuple[str, str]]:
        """Letters and options."""
        return list(zip(LETTERS, self.unit.options, strict=False))

    @property
    def box(self) -> Literal["letter", "rating", "line", "lines"]:
        """What is written in the box on the answer sheet."""
        if self.unit.options:
            return "letter"
        if "rating" in self.unit.fields:
            return "rating"
        if self.unit.values or "rewrite" in self.unit.fields:
            return "lines"
        return "line"

    def read(self, typed: str, entry: Mapping[str, Any]) -> TypedEntries:
        """An answer as it was typed from the paper; ``entry`` is the form of the question."""
        answer = typed_answer(self.unit, typed, self.language)
        if answer.problem == "unreadable":
            return TypedEntries(problem=answer.problem)
        objects = {self.entry: with_fields(entry, answer.fields[0] if answer.fields else {})}
        for number, fields in enumerate(answer.fields[1:], 2):
            objects[f"{self.entry}.{number}"] = with_fields(entry, fields)
        return TypedEntries(objects, len(answer.fields), answer.problem)

    def typed(self, objects: Objects) -> str:
        """The answers in an item's objects as they would be typed."""
        lines: list[str] = []
        for _, fields in entries_for(objects, self.place):
            if fields.get("unanswerable") is True:
                lines.append(NO_ANSWER)
            elif self.unit.values:
                values = [fields.get(name, "") for name in self.unit.values]
                if any(values):
                    lines.append(" | ".join(map(str, values)))
            else:
                span = fields.get("answer")
                quote = span.get("quote") if isinstance(span, Mapping) else None
                others = [fields.get(name) for name in ("option", "written", "rewrite", "rating")]
                lines += [str(value) for value in (quote, *others) if value][:1]
        return "\n".join(lines)


def paper_to_print(
    test: Test, items: Sequence[WorkItem], minutes: float | None, *, with_key: bool = False
) -> PrintedPaper:
    """The paper of a test that people sit, with the key's answers only for those who may see them.

    Questions are numbered through the whole paper, and each text stands before its questions.
    """
    texts: list[PrintedText] = []
    number = 0
    for item in items:
        keys = _keys(item) if with_key else {}
        by_text: dict[str, list[AskedOnPaper]] = {}
        for place, unit in enumerate(asked_in_item(item), 1):
            number += 1
            language = unit.record.language or test.language
            key = tuple(keys.get(unit.id, ()))
            question = AskedOnPaper(number, unit, item.name, place, language, key)
            by_text.setdefault(unit.text, []).append(question)
        for questions in by_text.values():
            record = questions[0].unit.record
            language = record.language or item.paper["language"]
            title = title_of(record) or getattr(record, "target", None) or ""
            # The text of a series is its questions, which are printed anyway.
            text = "" if isinstance(record, Series) else text_of(record)
            texts.append(PrintedText(len(texts) + 1, title, text, language, questions))
    kind = test.kind.name
    return PrintedPaper(
        test.facts.paper[:8].upper(),  # the paper's fingerprint, to tell versions apart
        test.language,
        minutes,
        texts,
        task=TASKS.get(kind, ""),
        instructions=INSTRUCTIONS.get(kind, ""),
    )


def _keys(item: WorkItem) -> dict[str, Iterator[str]]:
    """The key's answers to each unit, as a teacher reads them."""
    keys, kind = {}, kind_named(item.paper["kind"])
    for record in records_with_key(item):
        for unit in kind.units(record):
            if unit.key is not None:
                keys[unit.id] = _key_answers(unit.item)
    return keys


def _key_answers(unit: Any) -> Iterator[str]:
    key = unit.key
    if is_unanswerable(key):
        yield NO_ANSWER
    elif isinstance(key, RatingKey):
        ratings = [rating.rating for rating in key.ratings]
        yield decimal(sum(ratings) / len(ratings), 1) if ratings else ""
    elif isinstance(key, SeriesQuestionKey):
        yield from dict.fromkeys(rewrite.text for rewrite in key.rewrites)
    elif isinstance(key, QueryKey):
        yield from (solution.text for solution in key.solutions)
    else:
        texts = dict.fromkeys(answer.text for answer in (*key.answers, *key.published))
        letters = dict(zip(options_of(unit), LETTERS, strict=False))
        yield from (f"{letters[text]}. {text}" if text in letters else text for text in texts)

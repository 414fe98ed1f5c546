"""A test on paper: numbered questions to print, their key, and answers typed from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from readmark.core.numbers import decimal
from readmark.making.hall.sitting import (
    LETTERS,
    NO_ANSWER,
    SITTING,
    AskedUnit,
    asked_in_item,
    entries_for,
    records_with_key,
    text_of,
    typed_answer,
    with_fields,
)
from readmark.readability import RatingKey
from readmark.series import Series, SeriesQuestionKey
from readmark.tasks import QueryKey
from readmark.works import Objects, ProjectWork, WorkItem
from readmark.works.passages import fixed_id


@dataclass(frozen=True)
class TypedEntries:
    """What somebody typed for a question: objects of its item by id, and what to look at."""

    objects: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    count: int = 0
    """How many answers there are."""
    problem: str = ""
    """``absent``, ``ambiguous`` and ``unread`` answers are to be stored; ``unreadable`` is not."""


@dataclass(frozen=True)
class PrintedQuestion:
    """A question with its number on the paper."""

    number: int
    unit: AskedUnit
    item: str
    entry: str
    """The id of its object in the item."""
    place: int
    """Its number in the item."""
    language: str
    key: tuple[str, ...] = ()
    """What the key has, in words."""

    @property
    def options(self) -> list[tuple[str, str]]:
        """Letters and options."""
        return list(zip(LETTERS, self.unit.options, strict=False))

    @property
    def sort(self) -> str:
        """What the box on the answer sheet takes: ``letter``, ``rating``, ``line`` or ``lines``."""
        if self.unit.options:
            return "letter"
        if "rating" in self.unit.fields:
            return "rating"
        return "lines" if self.unit.values or "rewrite" in self.unit.fields else "line"

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
        lines = []
        for _, fields in entries_for(objects, self.place):
            if fields.get("unanswerable") is True:
                lines.append(NO_ANSWER)
            elif self.unit.values:
                if any(fields.get(name) for name in self.unit.values):
                    lines.append(" | ".join(str(fields.get(name, "")) for name in self.unit.values))
            else:
                span = fields.get("answer")
                named = (fields.get(name) for name in ("option", "written", "rewrite", "rating"))
                quote = span.get("quote") if isinstance(span, Mapping) else None
                lines += [str(quote or next(filter(None, named), ""))]
        return "\n".join(filter(None, lines))


@dataclass(frozen=True)
class PrintedText:
    """A text with its questions."""

    number: int
    title: str
    text: str
    language: str
    questions: tuple[PrintedQuestion, ...]


@dataclass(frozen=True)
class PrintedPaper:
    """A test to print. ``number`` tells papers apart: it is that of the paper's fingerprint."""

    number: str
    kind: str
    language: str
    minutes: float | None
    texts: tuple[PrintedText, ...]

    @property
    def questions(self) -> list[PrintedQuestion]:
        """All of them, in order."""
        return [question for text in self.texts for question in text.questions]


def paper_to_print(project: ProjectWork, *, with_key: bool = False) -> PrintedPaper:
    """The paper of the test that people sit; keys are in it only where they are asked for."""
    test = SITTING.keyed_test(project)
    texts: list[PrintedText] = []
    number = 0
    for item in project.items:
        keys = _keys(item) if with_key else {}
        printed: dict[str, list[PrintedQuestion]] = {}
        records: dict[str, Any] = {}
        for place, unit in enumerate(asked_in_item(item), 1):
            number += 1
            records[unit.text] = unit.record
            question = PrintedQuestion(
                number,
                unit,
                item.name,
                fixed_id(place),
                place,
                unit.record.language or test.language,
                tuple(keys.get(unit.id, ())),
            )
            printed.setdefault(unit.text, []).append(question)
        for text, questions in printed.items():
            own = records[text]
            language = own.language or item.paper["language"]
            title = getattr(own, "title", None) or getattr(own, "target", None) or ""
            # A series is its questions, which follow.
            words = "" if isinstance(own, Series) else text_of(own)
            texts.append(PrintedText(len(texts) + 1, title, words, language, tuple(questions)))
    minutes = project.configuration.options.get("minutes")
    return PrintedPaper(
        test.facts.paper[:8].upper(),
        project.items[0].paper["kind"] if project.items else "",
        test.language,
        None if minutes is None else float(minutes),
        tuple(texts),
    )


def _keys(item: WorkItem) -> dict[str, Iterator[str]]:
    """What the key has for each unit, in words."""
    found = {}
    for stored in records_with_key(item):
        units = getattr(stored, "questions", None) or getattr(stored, "queries", None) or [stored]
        for unit in units:
            if unit.key is not None:
                found[unit.id] = _key_words(unit)
    return found


def _key_words(unit: Any) -> Iterator[str]:
    key = unit.key
    if getattr(key, "unanswerable", False):
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
        letters = dict(zip(getattr(unit, "options", ()), LETTERS, strict=False))
        yield from (f"{letters[text]}. {text}" if text in letters else text for text in texts)

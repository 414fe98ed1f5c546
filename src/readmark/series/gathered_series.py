"""The series of a comprehension test, gathered from its passages for a rewriter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from readmark.core.errors import DataError
from readmark.core.records import Passage, Question
from readmark.core.test import Test
from readmark.series.records import Series, SeriesQuestion

FIELD, TITLE = "fields.target", "title"
"""Where a target may come from."""

_Member = tuple[Passage, Question]
"""A question of a series with its passage, without the passage's text and questions."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A series of a comprehension test as a rewriter takes it, and where its target is from."""

    series: Series
    target_from: str | None


def gather_series(test: Test, *, titles: bool) -> dict[str, Gathered]:
    """Every series of a test, its questions in the order of their turns.

    A target is ``fields.target`` of a question or its passage, else with ``titles`` the title of
    its passages.
    """
    members: dict[str, list[_Member]] = {}
    for record in test.paper().records():
        bare = msgspec.structs.replace(record, text="", questions=(), layers={})
        for question in record.questions:
            if question.series is not None:
                members.setdefault(question.series, []).append((bare, question))
    return {
        id: _gather(id, members_of_series, test, titles=titles)
        for id, members_of_series in members.items()
    }


def known_answers(question: Question) -> tuple[str, ...]:
    """Answers to earlier questions that the paper gives."""
    previous = question.fields.get("previous") or ()
    texts = (previous,) if isinstance(previous, str) else previous
    return tuple(text for text in texts if text.strip())


def _gather(id: str, members: Sequence[_Member], test: Test, *, titles: bool) -> Gathered:
    if all(question.turn is not None for _, question in members):
        members = sorted(members, key=lambda member: member[1].turn or 0)
    targets = list(dict.fromkeys(_field_texts("target", members)))
    if len(targets) > 1:
        listed = ", ".join(map(repr, targets))
        raise DataError(f"series {id!r} has several targets: {listed}", file=test.file)
    target, source = next(iter(targets), None), FIELD
    if target is None and titles:
        target, source = _title(id, members, test), TITLE
    series = Series(
        id=id,
        target=target or "",
        target_type=next(_field_texts("target_type", members), None),
        language=test.language,
        questions=tuple(
            SeriesQuestion(
                id=question.id,
                text=question.text,
                turn=question.turn,
                category=_text(question.fields.get("category")),
                previous=_checked_answers(question, test),
            )
            for _, question in members
        ),
    )
    return Gathered(series, source if target else None)


def _title(id: str, members: Iterable[_Member], test: Test) -> str | None:
    """The title that all passages of a series share."""
    titles = list(dict.fromkeys(filter(None, (_text(passage.title) for passage, _ in members))))
    if len(titles) > 1:
        listed = ", ".join(map(repr, titles))
        raise DataError(
            f"series {id!r} is on passages with several titles: {listed}; "
            f"give its target in {FIELD}",
            file=test.file,
        )
    return titles[0] if titles else None


def _field_texts(name: str, members: Iterable[_Member]) -> Iterator[str]:
    """The values of a field of the questions, else of their passages."""
    for passage, question in members:
        text = _text(question.fields.get(name)) or _text(passage.fields.get(name))
        if text is not None:
            yield text


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _checked_answers(question: Question, test: Test) -> tuple[str, ...]:
    """The known answers; anything but a text or a list of texts is reported with the question."""
    previous = question.fields.get("previous")
    if previous is None:
        return ()
    texts = previous if isinstance(previous, (list, tuple)) else (previous,)
    if not all(isinstance(text, str) for text in texts):
        raise DataError(
            f"fields.previous is {previous!r}, expected a text or a list of texts",
            file=test.file,
            where=question.id,
        )
    return known_answers(question)

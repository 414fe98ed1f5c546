"""The values that question series are made of."""

from __future__ import annotations

from typing import Any

from readmark.core.records import Answer, Layers, RecordKey, Value
from readmark.series.notation import OTHER_GUIDELINES

REPEATS = "repeats"
"""The field of a turn that occurs in an earlier conversation of its tree, with that one's id."""
CONVERSATION = "conversation"
"""The field of a series that has no target by design: its questions follow one another instead."""


class SeriesQuestionKey(Value, frozen=True):
    """The gold rewrites of a question in a series: alternatives unless annotators are named."""

    rewrites: tuple[Answer, ...] = ()
    guidelines: str | None = None
    """The guidelines that the golds follow."""
    refers: str | None = None
    """The id of the earlier question whose answer the question speaks of."""
    fields: dict[str, Any] = {}


class SeriesQuestion(Value, frozen=True):
    """A question that may lean on its series: on the target, an earlier question or answer."""

    id: str
    text: str
    turn: int | None = None
    category: str | None = None
    previous: tuple[str, ...] = ()
    """Answers to an earlier question that are known when this one is asked."""
    previous_of: str | None = None
    """The id of that earlier question."""
    layers: Layers = {}
    fields: dict[str, Any] = {}
    key: SeriesQuestionKey | None = None


class Series(Value, frozen=True):
    """An ordered series of questions about one target."""

    id: str
    target: str
    target_type: str | None = None
    language: str | None = None
    split: str | None = None
    topic: str | None = None
    parallel: str | None = None
    layers: Layers = {}
    fields: dict[str, Any] = {}
    questions: tuple[SeriesQuestion, ...] = ()
    key: RecordKey | None = None


def is_conversation(series: Series) -> bool:
    """Whether a series needs no target: it says so, or its golds follow a conversation's rules."""
    return bool(series.fields.get(CONVERSATION)) or any(
        question.key is not None and question.key.guidelines in OTHER_GUIDELINES
        for question in series.questions
    )

"""The values that tests are made of: spans, layers, answers, passages, questions, series.

They are msgspec structs: frozen, slotted, decoded and validated straight from a line of a
file. What a candidate may see stands on the value; the rest stands under its ``key``.
"""

from __future__ import annotations

from typing import Any

from readmark.core.records import Answer, Layers, RecordKey, Value


class SeriesQuestionKey(Value, frozen=True):
    """The gold rewrites of a question in a series: alternatives unless annotators are named."""

    rewrites: tuple[Answer, ...] = ()
    guidelines: str | None = None
    refers: str | None = None
    fields: dict[str, Any] = {}


class SeriesQuestion(Value, frozen=True):
    """A question that may lean on its series: on the target, an earlier question or answer."""

    id: str
    text: str
    turn: int | None = None
    category: str | None = None
    previous: tuple[str, ...] = ()
    previous_of: str | None = None
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

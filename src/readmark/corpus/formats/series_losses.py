"""What formats of question series cannot hold, named as for other formats."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from readmark.corpus.errors import UsageError
from readmark.corpus.formats.losses import Losses, answer_losses
from readmark.corpus.test import Test
from readmark.corpus.values import AS_WRITTEN, Series, SeriesQuestion, SeriesQuestionKey


def only_series(test: Test, format: str) -> None:
    """Refuse the kinds of test that have no series."""
    if test.header.kind != "series":
        raise UsageError(
            f"{test.file}: only series can be written as {format}, "
            f"this is a {test.header.kind} test"
        )


def series_losses(losses: Losses, series: Series, *, holds: Container[str] = ()) -> None:
    """What is lost of a series; ``holds`` are the members that the format has a place for."""
    for name in ("target_type", "language", "split", "topic", "parallel"):
        if name not in holds and getattr(series, name) is not None:
            losses.cannot_hold(f"the series' {name}", series.id)
    if not series.questions and "no questions" not in holds:
        losses.cannot_hold("series without questions", series.id)
    layer_losses(losses, series.id, series)


def asked_losses(losses: Losses, question: SeriesQuestion, *, holds: Container[str] = ()) -> None:
    """What is lost of a question beside its key; its turn is told apart by who writes it."""
    for name in ("category", "previous"):
        if name not in holds and getattr(question, name):
            losses.cannot_hold(_WORDS[name], question.id)
    layer_losses(losses, question.id, question)


def turn_losses(losses: Losses, series: Series) -> None:
    """Turns that do not follow from the order of the questions."""
    for at, question in enumerate(series.questions, 1):
        if question.turn != at:
            losses.add("turns are read back as places in the series", question.id)


def gold_losses(
    losses: Losses, id: str, key: SeriesQuestionKey, *, holds: Container[str] = ()
) -> None:
    """What is lost of gold rewrites."""
    if key.guidelines is not None and "guidelines" not in holds:
        losses.cannot_hold("guidelines", id)
    if key.refers is not None and "refers" not in holds:
        losses.cannot_hold("which question a gold leans on", id)
    if len(key.rewrites) > 1 and "golds" not in holds:
        losses.add("only the first gold was written", id)
    for one in key.rewrites:
        answer_losses(losses, id, one, offsets=False)
        if one.annotator is not None and "annotators" not in holds:
            losses.cannot_hold("annotators", id)
        if one.sentence is not None:
            losses.cannot_hold("answer sentences", id)


def field_losses(
    losses: Losses, what: str, id: str, fields: Mapping[str, Any], *, holds: Container[str] = ()
) -> None:
    """Fields that the format has no place for."""
    names = [name for name in fields if name != AS_WRITTEN and name not in holds]
    if names:
        losses.cannot_hold(what, id, names=names)


def layer_losses(losses: Losses, id: str, owner: Series | SeriesQuestion) -> None:
    """Layers of a series, its key or a question."""
    names = [*owner.layers, *getattr(owner.key, "layers", ())]
    if names:
        losses.cannot_hold("layers ()", id, names=names)


_WORDS = {"category": "categories", "previous": "known previous answers"}

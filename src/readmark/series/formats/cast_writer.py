"""Writing CAsT's JSON, in the shape of 2020: an array of topics, a manual rewrite a turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from readmark.core.files import writing
from readmark.core.test import Test
from readmark.formats.losses import Losses, header_losses, members_to_write
from readmark.series.formats.cast_topics import MANUAL, TOPIC_MEMBERS, TURN_MEMBERS
from readmark.series.formats.gold import (
    asked_losses,
    field_losses,
    gold_losses,
    only_series,
    series_losses,
    turn_losses,
)
from readmark.series.notation import CAST_GUIDELINES
from readmark.series.records import Series, SeriesQuestion

REPEATS = "repeats"
"""The field of a turn that stands in an earlier conversation of its tree, with that one's id."""

_encode = msgspec.json.Encoder().encode


def write_cast(test: Test, path: Path) -> list[str]:
    """Write the series one by one; what was lost is named."""
    only_series(test, "cast")
    losses = Losses()
    header_losses(losses, test.header, profile=None)
    name = test.header.name or "header"
    field_losses(losses, "the header's fields ()", name, test.header.fields)
    keyed: dict[str, SeriesQuestion] = {}
    with writing(path) as stream:
        stream.write(b"[")
        for at, series in enumerate(test.records()):
            keyed |= {question.id: question for question in series.questions}
            topic = _topic(series, keyed, losses)
            stream.write((b",\n" if at else b"\n") + msgspec.json.format(_encode(topic)))
        stream.write(b"\n]\n")
    return losses.lines()


def _topic(series: Series, keyed: dict[str, SeriesQuestion], losses: Losses) -> dict[str, Any]:
    series_losses(losses, series, holds=("no questions",))
    turn_losses(losses, series)
    number = series.id
    first = next((one.fields.get(REPEATS) for one in series.questions), None)
    if isinstance(first, str) and "#" in number:
        number = number.rpartition("#")[0]
    topic: dict[str, Any] = {"number": _numeral(number)}
    if series.target:
        topic["title"] = series.target
    visible = dict(series.fields)
    described = visible.get("description")
    if isinstance(described, str):
        topic["description"] = visible.pop("description")
    topic["turn"] = [_turn(one, number, keyed, losses) for one in series.questions]
    hidden = series.key.fields if series.key is not None else {}
    return topic | members_to_write(
        losses, series.id, hidden=hidden, visible=visible, known=TOPIC_MEMBERS
    )


def _turn(
    question: SeriesQuestion, number: str, keyed: dict[str, SeriesQuestion], losses: Losses
) -> dict[str, Any]:
    asked_losses(losses, question)
    visible = dict(question.fields)
    first = visible.pop(REPEATS, None)
    id = first if isinstance(first, str) else question.id
    key = keyed[id].key if id in keyed else question.key
    own = id.removeprefix(f"{number}_")
    if own == id or not own:
        losses.add("ids are read back as series and turn", question.id)
        own = str(question.turn or 1)
    turn: dict[str, Any] = {"number": _numeral(own), "raw_utterance": question.text}
    if key is not None:
        if key.guidelines not in (None, CAST_GUIDELINES):
            losses.cannot_hold("guidelines", question.id)
        gold_losses(losses, question.id, key, holds=("guidelines",))
        if key.rewrites:
            turn[MANUAL] = key.rewrites[0].text
            if key.guidelines is None:
                losses.add(f"golds are read back as of {CAST_GUIDELINES!r}", question.id)
        elif key.guidelines is not None or not key.fields:
            losses.add("keys without rewrites are read back as withheld", question.id)
    return turn | members_to_write(
        losses,
        question.id,
        hidden=key.fields if key is not None else {},
        visible=visible,
        known=TURN_MEMBERS,
    )


def _numeral(number: str) -> int | str:
    """A number as a number where it is spelt as one."""
    plain = number.isascii() and number.isdecimal() and str(int(number)) == number
    return int(number) if plain else number

"""Whether offsets point at what they claim to: code points in the text exactly as given."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.records import PAPER_LAYERS, Answer, Layers, Offsets

if TYPE_CHECKING:
    from readmark.core.sitting import Row


class Excerpt(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A stretch of a document, in code points, with its text."""

    document: str
    start: int
    end: int
    quote: str


def excerpt_fault(excerpt: Excerpt, text: str) -> str | None:
    """What is wrong with an excerpt of a document with this text; None if nothing is."""
    start, end = excerpt.start, excerpt.end
    if not 0 <= start < end <= len(text):
        size = f"{len(text)} code points"
        return f"[{start}, {end}] is not a stretch of the document, which has {size}"
    if text[start:end] != excerpt.quote:
        read, quoted = short_quote(text[start:end]), short_quote(excerpt.quote)
        return f"[{start}, {end}] reads {read}, not {quoted}"
    return None


def short_quote(text: str) -> str:
    """A text in quotes, short enough for a message."""
    return repr(text if len(text) <= 40 else text[:39] + "…")


CLIPPED = 30
"""Characters of a text in a message."""


def offset_fault(text: str, answer: Answer) -> str | None:
    """What is wrong with an answer's offsets, or None: the text is trusted, not the numbers."""
    if answer.offsets is None:
        return None
    start, end = answer.offsets
    if not 0 <= start <= end <= len(text):
        return (
            f"answer {clip(answer.text)!r} is at {start}–{end}, "
            f"outside the passage of {len(text)} characters"
        )
    if text[start:end] != answer.text:
        return (
            f"answer {clip(answer.text)!r} is not at {start}–{end}, found {clip(text[start:end])!r}"
        )
    return None


def is_astray(row: Row, passage: object, record: str | None = None) -> bool:
    """Whether a sitting's row has offsets that do not point at its answer in the passage.

    ``record`` is the id of what the unit is on, where it is known.
    """
    if row.error is not None or not isinstance(passage, str):
        return False
    if isinstance(row.answer, (list, tuple)):
        return any(_is_strange(excerpt, row, passage, record) for excerpt in _excerpts(row.answer))
    if row.start is None or not isinstance(row.answer, str):
        return False
    answer = Answer(text=row.answer, start=row.start, end=row.end)
    return offset_fault(passage, answer) is not None


def _excerpts(parts: Iterable[Any]) -> Iterator[Excerpt]:
    """The ``excerpts`` of an answer in several parts, as far as they can be read."""
    for part in parts:
        if isinstance(part, dict):
            excerpts = part.get("excerpts", ())
        else:
            excerpts = getattr(part, "excerpts", ())
        with contextlib.suppress(msgspec.ValidationError):
            yield from msgspec.convert(excerpts, tuple[Excerpt, ...])


def _is_strange(excerpt: Excerpt, row: Row, passage: str, record: str | None) -> bool:
    """Whether an excerpt does not point at its quote; one of another document cannot be checked."""
    prefix = f"{excerpt.document}:"
    if excerpt.document == record if record else row.id.startswith(prefix):
        return excerpt_fault(excerpt, passage) is not None
    return record is not None


def layer_findings(owner: str, text: str, layers: Layers) -> Iterator[tuple[str, str, str]]:
    """Spans outside the text, quotes that disagree with it, columns of another length."""
    for name, layer in layers.items():
        for column, cells in {"quotes": layer.quotes, **layer.columns}.items():
            if len(cells) != len(layer.spans) and (cells or column != "quotes"):
                yield (
                    owner,
                    "layer",
                    f"layer {name} has {len(layer.spans)} spans but {len(cells)} {column}",
                )
        for index, (start, end) in enumerate(layer.spans):
            if not 0 <= start <= end <= len(text):
                yield owner, "layer", f"layer {name}: span {start}–{end} is outside the text"
            elif index < len(layer.quotes) and layer.quotes[index] != text[start:end]:
                yield (
                    owner,
                    "layer",
                    f"layer {name}: span {start}–{end} should read "
                    f"{clip(layer.quotes[index])!r}, found {clip(text[start:end])!r}",
                )


def misplaced_layers(owner: str, layers: Layers) -> Iterator[tuple[str, str, str]]:
    """Layers that candidates must not see but that are outside the key."""
    visible = ", ".join(PAPER_LAYERS)
    for name in layers:
        if name not in PAPER_LAYERS:
            yield owner, "layer", f"layer {name} belongs under the key; candidates see {visible}"


def untyped_entities(owner: str, layers: Layers) -> Iterator[tuple[str, str, str]]:
    """An entity layer that does not say what its entities are."""
    if "ne" in layers and layers["ne"].spans and "type" not in layers["ne"].columns:
        yield owner, "layer", "layer ne has no column type"


def overlap(first: Offsets, second: Offsets) -> bool:
    """Whether two stretches have a character in common."""
    return first[0] < second[1] and second[0] < first[1]


def places(text: str, quote: str) -> list[int]:
    """Where a quote occurs in a text, overlapping occurrences included."""
    starts: list[int] = []
    start = text.find(quote) if quote else -1
    while start >= 0:
        starts.append(start)
        start = text.find(quote, start + 1)
    return starts


def answer_spans(text: str, answers: Iterable[Answer]) -> Iterator[Offsets]:
    """Where answers are; if the offsets of one are wrong, the nearest occurrence of its text."""
    for answer in answers:
        if not answer.text:
            continue
        if answer.offsets is not None and offset_fault(text, answer) is None:
            yield answer.offsets
            continue
        starts = places(text, answer.text)
        if starts:
            start = min(starts, key=lambda start: abs(start - (answer.start or 0)))
            yield start, start + len(answer.text)


def clip(text: str) -> str:
    """A text short enough for a message."""
    return text if len(text) <= CLIPPED else text[: CLIPPED - 1] + "…"

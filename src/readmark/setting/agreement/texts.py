"""The texts of a record with their layers: the passage, its questions, its published keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.errors import DataError
from readmark.corpus.values import Layer, Layers, Offsets
from readmark.setting.agreement.values import Annotator

Owner = tuple[str, ...]
"""What tells a text from the others of its record; a published key is known by its words."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text with all its layers; those of the key count as well."""

    owner: Owner
    text: str
    layers: Layers


def texts_of(record: Any) -> Iterator[Text]:
    """The texts of a record that people annotate."""
    if isinstance(getattr(record, "text", None), str):
        yield Text(("passage",), record.text, _all(record))
    for question in getattr(record, "questions", ()):
        yield Text(("question", question.id), question.text, _all(question))
        for phrase in getattr(question.key, "published", ()):
            yield Text(("key", question.id, phrase.text), phrase.text, phrase.layers)


def _all(holder: Any) -> Layers:
    return {**holder.layers, **(getattr(holder.key, "layers", {}) if holder.key else {})}


@dataclass(frozen=True, slots=True)
class Share:
    """A record that at least two annotators annotated with a layer, and each one's texts of it."""

    id: str
    texts: Mapping[str, Mapping[Owner, Text]]
    """By annotator's name."""


def shares(
    people: Sequence[Annotator], layer: str
) -> tuple[list[Share], dict[str, tuple[str, ...]]]:
    """The records that two or more annotated, and those that not all did, with who did.

    A record counts as annotated when it has a layer of any name: one without a single noun phrase
    was looked at, one without any layer was not.
    """
    ids = dict.fromkeys(id for one in people for id in one.records)
    found = []
    partial: dict[str, tuple[str, ...]] = {}
    for id in ids:
        own = {}
        for one in people:
            if id not in one.records:
                continue
            texts = {text.owner: text for text in texts_of(one.records[id])}
            if any(text.layers for text in texts.values()):
                _within(one, id, texts, layer)
                own[one.name] = texts
        if len(own) > 1:
            found.append(Share(id, own))
        if len(own) < len(people):
            partial[id] = tuple(own)
    if not found:
        names = " and ".join(repr(one.name) for one in people)
        raise DataError(f"{names} annotated no passage in common")
    return found, partial


def _within(one: Annotator, id: str, texts: Mapping[Owner, Text], layer: str) -> None:
    for text in texts.values():
        for start, end in spans_of(text, layer):
            if not 0 <= start <= end <= len(text.text):
                raise DataError(
                    f"{layer} {start}–{end} lies outside its text of {len(text.text)} characters",
                    file=one.file,
                    where=id if len(text.owner) == 1 else f"{id}:{text.owner[1]}",
                )


def spans_of(text: Text | None, layer: str) -> tuple[Offsets, ...]:
    """The spans of a layer over a text; none where the text has no such layer."""
    found = text.layers.get(layer) if text is not None else None
    return found.spans if found is not None else ()


def column_of(layer: Layer, name: str) -> list[Any]:
    """A column as long as the spans, filled up with None."""
    column = layer.columns.get(name, ())
    return [column[at] if at < len(column) else None for at in range(len(layer.spans))]

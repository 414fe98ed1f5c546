"""The texts of a record with their layers: the passage, its questions, its published keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.errors import DataError
from readmark.core.record_members import all_layers, questions_of, text_of
from readmark.core.records import Layers, Offsets
from readmark.making.agreement.annotator import Annotator

Owner = tuple[str, ...]
"""What distinguishes a text from the others of its record; a published key has its words."""


@dataclass(frozen=True, slots=True)
class AnnotatedPart:
    """A text with all its layers; those of the key count as well."""

    owner: Owner
    text: str
    layers: Layers


Texts = Mapping[Owner, AnnotatedPart]
Records = dict[str, dict[str, Texts]]
"""Records by id, and the texts of each by the name of everybody who annotated it."""


def texts_of(record: Any) -> Iterator[AnnotatedPart]:
    """The texts of a record that people annotate."""
    if text_of(record) is not None:
        yield AnnotatedPart(("passage",), record.text, all_layers(record))
    for question in questions_of(record):
        yield AnnotatedPart(("question", question.id), question.text, all_layers(question))
        for phrase in getattr(question.key, "published", ()):
            yield AnnotatedPart(("key", question.id, phrase.text), phrase.text, phrase.layers)


def spans_of(text: AnnotatedPart | None, name: str) -> tuple[Offsets, ...]:
    """The spans of a layer over a text; none where the text has no such layer."""
    layer = text.layers.get(name) if text is not None else None
    return layer.spans if layer is not None else ()


def layers_of(annotator: Annotator) -> list[str]:
    """The layers that an annotator's records have, on any text."""
    return list(
        dict.fromkeys(
            name
            for record in annotator.records.values()
            for text in texts_of(record)
            for name in text.layers
        )
    )


def records_of(people: Sequence[Annotator], layer: str) -> Records:
    """Every record with the texts of those who annotated it; the shared ones come first.

    A record counts as annotated when it has a layer of any name: one without a single noun phrase
    was looked at, one without any layer was not.
    """
    records: Records = {}
    for id in dict.fromkeys(id for annotator in people for id in annotator.records):
        by_name = records.setdefault(id, {})
        for annotator in people:
            if id in annotator.records:
                texts = {text.owner: text for text in texts_of(annotator.records[id])}
                if any(text.layers for text in texts.values()):
                    _require_spans_within(annotator, id, texts, layer)
                    by_name[annotator.name] = texts
    return dict(sorted(records.items(), key=lambda record: len(record[1]) < 2))


def _require_spans_within(annotator: Annotator, id: str, texts: Texts, layer: str) -> None:
    for text in texts.values():
        for start, end in spans_of(text, layer):
            if not 0 <= start <= end <= len(text.text):
                raise DataError(
                    f"{layer} {start}–{end} lies outside its text of {len(text.text)} characters",
                    file=annotator.file,
                    where=id if len(text.owner) == 1 else f"{id}:{text.owner[1]}",
                )

"""Layers by the labels that brat gives spans, and what texts with layers are written without.

A label that names a layer (``NP``, ``Token``) is that layer's; any other is the type of an entity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from readmark.core.encodings import ENCODING
from readmark.core.records import PAPER_LAYERS, Layer, Layers, Offsets, Passage
from readmark.core.test import Header
from readmark.formats.losses import Losses, header_losses, passage_losses

LABELS = {"sentence": "Sentence", "token": "Token", "np": "NP", "ne": "NE", "mention": "Mention"}
OTHER = "layer-"
"""Begins the label of a layer that is none of those, such as ``layer-clause``."""
_PLAIN = re.compile(r"[^\W\d][\w-]*")
_LAYERS = {label.lower(): name for name, label in LABELS.items()}


@dataclass(slots=True)
class LabelledSpan:
    """A span with its label and what more is said of it."""

    span: Offsets
    label: str
    columns: dict[str, Any] = field(default_factory=dict)
    source: str = ""


def layer_of(label: str) -> tuple[str, str | None]:
    """The layer that a label means, and the type of entity when it is one's."""
    if label.lower() in _LAYERS:
        return _LAYERS[label.lower()], None
    if label.startswith(OTHER) and len(label) > len(OTHER):
        return label[len(OTHER) :], None
    return "ne", label


def label_of(layer: str, type: Any) -> str:
    """The label of a span; an entity's is its type when that is a plain word."""
    if layer == "ne" and is_plain(type):
        return str(type)
    return LABELS.get(layer, OTHER + layer)


def is_plain(type: Any) -> bool:
    """Whether a type can be a label: a word that means no layer."""
    return (
        isinstance(type, str)
        and _PLAIN.fullmatch(type) is not None
        and type.lower() not in _LAYERS
        and not type.startswith(OTHER)
    )


def layers_of_spans(spans: Iterable[LabelledSpan]) -> dict[str, tuple[Layer, list[int]]]:
    """Layers from labelled spans, and which of the spans went where, in the order of the text.

    A column that only some spans have is null for the others. Where several people made a layer
    the column ``creator`` tells them apart.
    """
    listed = list(spans)
    by_layer: dict[str, list[int]] = {}
    for index, one in enumerate(listed):
        name, type = layer_of(one.label)
        if type is not None:
            one.columns.setdefault("type", type)
        by_layer.setdefault(name, []).append(index)
    found = {}
    for name, places in by_layer.items():
        makers = dict.fromkeys(listed[place].source for place in places if listed[place].source)
        if len(makers) > 1:
            for place in places:
                listed[place].columns["creator"] = listed[place].source
        columns = dict.fromkeys(column for place in places for column in listed[place].columns)
        if "head" not in columns:  # heads are numbers of spans, so those stay in their order
            places.sort(key=lambda place: listed[place].span)
        ones = [listed[place] for place in places]
        found[name] = (
            Layer(
                spans=tuple(one.span for one in ones),
                source="".join(makers) if len(makers) == 1 else "",
                columns={
                    column: tuple(one.columns.get(column) for one in ones) for column in columns
                },
            ),
            places,
        )
    return found


def split_by_visibility(layers: Mapping[str, Layer]) -> tuple[Layers, Layers]:
    """Layers that candidates see, and those that belong under the key."""
    seen = {name: layer for name, layer in layers.items() if name in PAPER_LAYERS}
    return seen, {name: layer for name, layer in layers.items() if name not in PAPER_LAYERS}


def layers_to_write(
    losses: Losses, id: str, layers: Layers, hidden: Layers, text: str
) -> dict[str, Layer]:
    """The layers that can be written; those that would come back elsewhere are named."""
    shown = [name for name in hidden if name in PAPER_LAYERS]
    if shown:
        what = "layers () under the key, by whose name candidates would see them,"
        losses.cannot_store(what, id, names=shown)
    moved = [name for name in layers if name not in PAPER_LAYERS]
    if moved:
        losses.add("layers () that candidates see are read back under the key", id, names=moved)
    kept = {**layers, **{name: layer for name, layer in hidden.items() if name not in PAPER_LAYERS}}
    empty = [name for name, layer in kept.items() if not layer.spans]
    if empty:
        losses.cannot_store("layers () without spans", id, names=empty)
    if any(
        text[start:end] != quote
        for layer in kept.values()
        for (start, end), quote in zip(layer.spans, layer.quotes, strict=False)
    ):
        losses.cannot_store("quotes of layers that are not what the text says", id)
    return {
        name: layer
        for name, layer in kept.items()
        if layer.spans and _is_sound(losses, id, layer, text)
    }


def span_columns(layer: Layer, index: int, left_out: Sequence[str] = ()) -> dict[str, Any]:
    """What the columns say of a span, nulls left out unless the whole column is null."""
    found = {}
    for name, cells in layer.columns.items():
        value = cells[index]
        if name in left_out:
            continue
        if value is not None or (index == 0 and all(cell is None for cell in cells)):
            found[name] = value
    return found


def text_losses(losses: Losses, passage: Passage, *, own: str = "") -> None:
    """What a format of texts and layers has no place for; ``own`` is its own field of the key."""
    for name in ("title", "article"):
        if getattr(passage, name) is not None:
            losses.cannot_store(f"the passage's {name}", passage.id)
    passage_losses(losses, msgspec.structs.replace(passage, layers={}, key=None))
    hidden = passage.key.fields if passage.key else {}
    seen = [name for name in passage.fields if name != ENCODING]
    names = [*seen, *(name for name in hidden if name != own)]
    if names:
        losses.cannot_store("fields ()", passage.id, names=names)


def questions_lost(losses: Losses, passage: Passage) -> None:
    """The questions, each of them."""
    for question in passage.questions:
        losses.cannot_store("questions", question.id)


def document_losses(losses: Losses, header: Header) -> None:
    """What a foreign document does not say of itself."""
    header_losses(losses, header, profile=None)
    names = [name for name in header.fields if name != ENCODING]
    if names:
        losses.cannot_store("the header's fields ()", header.name or "header", names=names)


def _is_sound(losses: Losses, id: str, layer: Layer, text: str) -> bool:
    sound = all(0 <= start <= end <= len(text) for start, end in layer.spans) and all(
        len(cells) == len(layer.spans) for cells in layer.columns.values()
    )
    if not sound:
        losses.cannot_store("layers that are not sound", id)
    return sound

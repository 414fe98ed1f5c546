"""Layers by the labels that brat gives spans, and the labels of layers.

A label that names a layer (``NP``, ``Token``) is that layer's; any other is the type of an entity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.core.records import PAPER_LAYERS, Layer, Layers, Offsets
from readmark.formats.losses import Losses

_LABELS = {"sentence": "Sentence", "token": "Token", "np": "NP", "ne": "NE", "mention": "Mention"}
_LAYERS = {label.lower(): name for name, label in _LABELS.items()}
_PREFIX = "layer-"
"""Begins the label of any other layer, such as ``layer-clause``."""
_PLAIN = re.compile(r"[^\W\d][\w-]*")


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
    if label.startswith(_PREFIX) and len(label) > len(_PREFIX):
        return label[len(_PREFIX) :], None
    return "ne", label


def label_of(layer: str, type: Any) -> str:
    """The label of a span; an entity's is its type when that is a plain word."""
    if layer == "ne" and is_plain(type):
        return str(type)
    return _LABELS.get(layer, _PREFIX + layer)


def is_plain(type: Any) -> bool:
    """Whether a type can be a label: a word that means no layer."""
    return (
        isinstance(type, str)
        and _PLAIN.fullmatch(type) is not None
        and type.lower() not in _LAYERS
        and not type.startswith(_PREFIX)
    )


def layers_of_spans(spans: Iterable[LabelledSpan]) -> dict[str, tuple[Layer, list[int]]]:
    """Layers from labelled spans, and which of the spans went where, in the order of the text.

    A column that only some spans have is null for the others. Where several people made a layer
    the column ``creator`` tells them apart.
    """
    listed = list(spans)
    by_layer: dict[str, list[int]] = {}
    for index, span in enumerate(listed):
        name, type = layer_of(span.label)
        if type is not None:
            span.columns.setdefault("type", type)
        by_layer.setdefault(name, []).append(index)
    layers = {}
    for name, indexes in by_layer.items():
        sources = dict.fromkeys(listed[index].source for index in indexes if listed[index].source)
        if len(sources) > 1:
            for index in indexes:
                listed[index].columns["creator"] = listed[index].source
        columns = dict.fromkeys(column for index in indexes for column in listed[index].columns)
        if "head" not in columns:  # heads are numbers of spans, so those stay in their order
            indexes.sort(key=lambda index: listed[index].span)
        ordered = [listed[index] for index in indexes]
        layer = Layer(
            spans=tuple(span.span for span in ordered),
            source="".join(sources) if len(sources) == 1 else "",
            columns={
                column: tuple(span.columns.get(column) for span in ordered) for column in columns
            },
        )
        layers[name] = layer, indexes
    return layers


def split_by_visibility(layers: Mapping[str, Layer]) -> tuple[Layers, Layers]:
    """Layers that candidates see, and those that belong under the key."""
    visible = {name: layer for name, layer in layers.items() if name in PAPER_LAYERS}
    return visible, {name: layer for name, layer in layers.items() if name not in PAPER_LAYERS}


def layers_to_write(
    losses: Losses, id: str, layers: Layers, hidden: Layers, text: str
) -> dict[str, Layer]:
    """The layers that can be written; those that would come back elsewhere are named.

    brat has no key: by its name alone a layer that is read is shown to candidates or hidden.
    """
    revealed = [name for name in hidden if name in PAPER_LAYERS]
    if revealed:
        what = "layers () under the key, by whose name candidates would see them,"
        losses.cannot_store(what, id, names=revealed)
    concealed = [name for name in layers if name not in PAPER_LAYERS]
    if concealed:
        what = "layers () that candidates see are read back under the key"
        losses.add(what, id, names=concealed)
    still_hidden = {n: layer for n, layer in hidden.items() if n not in PAPER_LAYERS}
    chosen = {**layers, **still_hidden}
    empty = [name for name, layer in chosen.items() if not layer.spans]
    if empty:
        losses.cannot_store("layers () without spans", id, names=empty)
    if any(
        text[start:end] != quote
        for layer in chosen.values()
        for (start, end), quote in zip(layer.spans, layer.quotes, strict=False)
    ):
        losses.cannot_store("quotes of layers that are not what the text says", id)
    writable = {}
    for name, layer in chosen.items():
        if not layer.spans:
            continue
        fits_text = all(0 <= start <= end <= len(text) for start, end in layer.spans)
        is_full = all(len(cells) == len(layer.spans) for cells in layer.columns.values())
        if fits_text and is_full:
            writable[name] = layer
        else:
            losses.cannot_store("layers that are not sound", id)
    return writable


def span_columns(layer: Layer, index: int, left_out: Sequence[str] = ()) -> dict[str, Any]:
    """What the columns say of a span, nulls left out unless the whole column is null."""
    columns = {}
    for name, cells in layer.columns.items():
        value = cells[index]
        if name in left_out:
            continue
        if value is not None or (index == 0 and all(cell is None for cell in cells)):
            columns[name] = value
    return columns

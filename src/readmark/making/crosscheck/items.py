"""A layer as single items, spans with labels, that two annotators can agree or differ on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from readmark.core.records import Layer, Offsets
from readmark.making.crosscheck.marks import MARK, NOT_COMPARED, mark_labels

ANTECEDENT = "antecedent"
NUMBERED = "numbered"
"""Label of a mention with a number (REFID) that nothing refers to and the other did not give."""
ANSWER_SENTENCE = "answer_sentence"
"""The answer sentences of a question, which are compared as if they were a layer."""
PLACES = frozenset({"head"})
"""Columns that count places of their own layer: no two segmentations can share them."""

_encode = msgspec.json.Encoder(order="deterministic").encode


@dataclass(frozen=True, slots=True)
class LayerItem:
    """One span of a layer with its labels."""

    span: Offsets
    labels: Mapping[str, Any] = field(default_factory=dict)

    def key(self, columns: Collection[str]) -> tuple[Offsets, bytes]:
        """What two items must share to be the same, as far as the columns go."""
        return self.span, _encode({name: self.labels.get(name) for name in columns})


Items = list[LayerItem]
PlacedSpan = tuple[str, Offsets]
"""A span in a text, which is named by the id of its part."""


def layer_items(layer: Layer | None) -> Items:
    """The spans of a layer, each with its row of the columns."""
    if layer is None:
        return []
    columns = {name: layer.column(name) for name in layer.columns}
    rows = [
        {name: column[index] for name, column in columns.items()}
        for index in range(len(layer.spans))
    ]
    labels = mark_labels(layer.spans, rows) if MARK in columns else rows
    return [LayerItem(*item) for item in zip(layer.spans, labels, strict=True)]


def comparable_columns(first: Layer | None, second: Layer | None) -> tuple[str, ...]:
    """The columns that both layers have and that can be compared item by item.

    For marks, the columns of either: an attribute or a relation that nobody used has no column.
    """
    layers = [layer for layer in (first, second) if layer is not None]
    if any(MARK in layer.columns for layer in layers):
        names = {name for layer in layers for name in layer.columns}
        return tuple(sorted(names - NOT_COMPARED))
    if not layers:
        return ()
    shared = layers[0].columns.keys() & layers[-1].columns.keys()
    return tuple(sorted(shared - PLACES))

"""A passage's layers as the lines of an ``.ann`` file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readmark.core.records import Layer, Offsets, Passage
from readmark.formats.brat.coreference import REF, REFID, RELATION, antecedents
from readmark.formats.brat.labels import is_plain, label_of, layers_to_write, span_columns
from readmark.formats.brat.standoff import (
    NOTE_TYPE,
    SOURCE_TYPE,
    fragments_of,
    quoted,
    written_value,
)
from readmark.formats.losses import Losses

BRAT_FIELD = "brat"
"""The field of a passage's key that holds the lines that mean nothing to Readmark."""

_SpanIds = Mapping[tuple[str, int], str]
"""The id of each span, by its layer and its position there."""


def annotation_lines(passage: Passage, losses: Losses) -> str:
    """The content of the file: spans, relations, attributes, notes, then lines of other sorts."""
    key = passage.key
    layers = layers_to_write(
        losses, passage.id, passage.layers, key.layers if key else {}, passage.text
    )
    for name in [name for name in layers if not _is_word(name)]:
        losses.cannot_store("layers () whose name is not a single word", passage.id, names=[name])
        del layers[name]
    stored = key.fields.get(BRAT_FIELD) if key else None
    stored = stored if isinstance(stored, dict) else {}
    others = [str(line) for line in stored.get("lines", ())]
    ids = _span_ids(layers, stored.get("ids", {}))
    spans = []
    for name, layer in layers.items():
        for index, span in enumerate(layer.spans):
            fragments = _stated_fragments(layer, index) or fragments_of(passage.text, *span)
            places = ";".join(f"{start} {end}" for start, end in fragments)
            label = label_of(name, _type(layer, index))
            quote = quoted(passage.text, fragments)
            spans.append(f"{ids[name, index]}\t{label} {places}\t{quote}")
    references = {
        ids["mention", anaphor]: ids["mention", antecedent]
        for anaphor, antecedent in antecedents(layers.get("mention")).items()
    }
    relations = [
        f"{RELATION} Arg1:{anaphor} Arg2:{antecedent}" for anaphor, antecedent in references.items()
    ]
    attributes: list[str] = []
    notes: list[str] = []
    for name, layer in layers.items():
        _note_source(layer, ids[name, 0], passage.id, notes, losses)
        for index in range(len(layer.spans)):
            id = ids[name, index]
            left_out = ["fragments"] if _stated_fragments(layer, index) else []
            if name == "ne" and is_plain(_type(layer, index)):
                left_out.append("type")  # it is the label
            for column, value in span_columns(layer, index, left_out).items():
                if column == "note" and _is_note(value):
                    listed = [value] if isinstance(value, str) else value
                    notes += [f"{NOTE_TYPE} {id}\t{note}" for note in listed]
                elif attribute := _attribute(name, column, value, id in references):
                    if _is_word(column):
                        attributes.append(f"{attribute} {id} {written_value(value)}".rstrip(" "))
                    else:
                        losses.cannot_store("columns ()", passage.id, names=[column])
    lines = [
        *spans,
        *_numbered("R", relations, others),
        *_numbered("A", attributes, others),
        *_numbered("#", notes, others),
        *others,
    ]
    return "".join(f"{line}\n" for line in lines)


def _span_ids(layers: Mapping[str, Layer], stored: Mapping[str, Any]) -> _SpanIds:
    """An id for every span; those that lines of other sorts speak of keep theirs."""
    stored_ids = {tuple(place): id for id, place in stored.items() if id[1:].isdecimal()}
    taken = set(stored_ids.values())
    ids: dict[tuple[str, int], str] = {}
    number = 0
    for name, layer in layers.items():
        for index in range(len(layer.spans)):
            if (name, index) in stored_ids:
                ids[name, index] = stored_ids[name, index]
                continue
            number += 1
            while f"T{number}" in taken:
                number += 1
            ids[name, index] = f"T{number}"
    return ids


def _note_source(
    layer: Layer, first_id: str, passage: str, notes: list[str], losses: Losses
) -> None:
    """Name who made a layer in a note on its first span, if that is a line."""
    if [layer.source.strip()] == layer.source.splitlines():
        notes.append(f"{SOURCE_TYPE} {first_id}\t{layer.source}")
    elif layer.source:
        losses.cannot_store("layers' sources of several lines", passage)


def _stated_fragments(layer: Layer, index: int) -> list[Offsets]:
    """The fragments of a span that a column gives, if they make up the span."""
    cells = layer.columns.get("fragments")
    try:
        fragments = [(int(start), int(end)) for start, end in cells[index]] if cells else []
    except (TypeError, ValueError):
        return []
    bounds = [offset for fragment in fragments for offset in fragment]
    fits = bounds == sorted(bounds) and (bounds[:1] + bounds[-1:]) == list(layer.spans[index])
    return fragments if fits else []


def _type(layer: Layer, index: int) -> Any:
    return layer.columns["type"][index] if "type" in layer.columns else None


def _attribute(layer: str, column: str, value: Any, has_relation: bool) -> str:
    """The name of the attribute that holds a column; empty where a relation says it."""
    if layer != "mention" or column not in ("id", "ref"):
        return column
    if value is None or (column == "ref" and has_relation):
        return ""
    return REFID if column == "id" else REF


def _numbered(prefix: str, lines: list[str], others: list[str]) -> list[str]:
    """Lines with ids, numbered on from those of the same sort that are kept as they were."""
    numbers = [
        line.partition("\t")[0].removeprefix(prefix) for line in others if line.startswith(prefix)
    ]
    first = max((int(number) for number in numbers if number.isdecimal()), default=0) + 1
    return [f"{prefix}{number}\t{line}" for number, line in enumerate(lines, first)]


def _is_word(name: str) -> bool:
    """Whether a name is one word: brat separates words by spaces and quotes none."""
    return bool(name) and not any(map(str.isspace, name))


def _is_note(value: Any) -> bool:
    """Whether a value can be a note of one line, or several such notes."""
    listed = value if isinstance(value, list) and len(value) > 1 else [value]
    return all(
        isinstance(note, str) and "\n" not in note and not note.endswith("\r") for note in listed
    )

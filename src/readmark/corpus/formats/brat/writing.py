"""A passage's layers as the lines of an ``.ann`` file."""

from __future__ import annotations

from typing import Any

from readmark.corpus.formats.annotation_layers import (
    columns_at,
    is_plain,
    label_of,
    layers_to_write,
)
from readmark.corpus.formats.brat.coreference import REF, REFID, RELATION
from readmark.corpus.formats.brat.lines import NOTES, fragments_of, quoted, written_value
from readmark.corpus.formats.losses import Losses
from readmark.corpus.values import Layer, Offsets, Passage

OWN = "brat"
"""The field of a passage's key that holds the lines that mean nothing to Readmark."""
SOURCE = "LayerSource"
"""The type of the note, on a layer's first span, that tells who made the layer."""


def annotation_lines(passage: Passage, losses: Losses) -> str:
    """The whole file."""
    key = passage.key
    layers = layers_to_write(
        losses, passage.id, passage.layers, key.layers if key else {}, passage.text
    )
    own = key.fields.get(OWN) if key else None
    others, kept = _own_lines(own)
    layers = {name: one for name, one in layers.items() if _has_a_label(losses, passage.id, name)}
    ids = _ids(layers, kept)
    lines = [
        _bound(passage.text, layer, at, label_of(name, _type(layer, at)), ids[name, at])
        for name, layer in layers.items()
        for at in range(len(layer.spans))
    ]
    relations = _relations(layers, ids)
    lines += [
        f"R{n}\t{RELATION} Arg1:{one} Arg2:{other}"
        for n, (one, other) in enumerate(relations.items(), _next("R", others))
    ]
    attributes, notes = [], []
    for name, layer in layers.items():
        for at in range(len(layer.spans)):
            id = ids[name, at]
            if at == 0 and layer.source and _one_line(losses, passage.id, layer.source, "sources"):
                notes.append(f"{SOURCE} {id}\t{layer.source}")
            for column, value in columns_at(layer, at, _left_out(layer, name, at)).items():
                if column == "note" and _is_note(value):
                    listed = [value] if isinstance(value, str) else value
                    notes += [f"{NOTES} {id}\t{one}" for one in listed]
                elif spelt := _attribute(name, column, value, id in relations):
                    if any(map(str.isspace, column)) or not column:
                        losses.cannot_hold("columns ()", passage.id, names=[column])
                        continue
                    attributes.append(f"{spelt} {id} {written_value(value)}".rstrip(" "))
    lines += [f"A{n}\t{one}" for n, one in enumerate(attributes, _next("A", others))]
    lines += [f"#{n}\t{one}" for n, one in enumerate(notes, _next("#", others))]
    return "".join(f"{one}\n" for one in [*lines, *others])


def _bound(text: str, layer: Layer, at: int, label: str, id: str) -> str:
    fragments = _pieces(layer, at) or fragments_of(text, *layer.spans[at])
    places = ";".join(f"{start} {end}" for start, end in fragments)
    return f"{id}\t{label} {places}\t{quoted(text, fragments)}"


def _pieces(layer: Layer, at: int) -> list[Offsets]:
    """The fragments of a span that a column tells, when they are the span's."""
    cells = layer.columns.get("fragments")
    try:
        pieces = [(int(start), int(end)) for start, end in cells[at]] if cells else []
    except (TypeError, ValueError):
        return []
    bounds = [offset for piece in pieces for offset in piece]
    whole = bounds == sorted(bounds) and (bounds[:1] + bounds[-1:]) == list(layer.spans[at])
    return pieces if whole else []


def _type(layer: Layer, at: int) -> Any:
    return layer.columns["type"][at] if "type" in layer.columns else None


def _left_out(layer: Layer, name: str, at: int) -> list[str]:
    """The columns that other parts of the lines say."""
    out = ["fragments"] if _pieces(layer, at) else []
    if name == "ne" and is_plain(_type(layer, at)):
        out.append("type")
    return out


def _attribute(layer: str, column: str, value: Any, linked: bool) -> str:
    """The name of the attribute that holds a column; none when a relation says it."""
    if layer != "mention" or column not in ("id", "ref"):
        return column
    if value is None or (column == "ref" and linked):
        return ""
    return REFID if column == "id" else REF


def _relations(layers: dict[str, Layer], ids: dict[tuple[str, int], str]) -> dict[str, str]:
    """Every anaphor with its antecedent: the last mention of that id before it, else the first."""
    layer = layers.get("mention")
    if layer is None or not {"id", "ref"} <= layer.columns.keys():
        return {}
    places: dict[Any, list[int]] = {}
    for at, id in enumerate(layer.columns["id"]):
        if isinstance(id, int):
            places.setdefault(id, []).append(at)
    found = {}
    for at, ref in enumerate(layer.columns["ref"]):
        if isinstance(ref, int) and ref in places:
            before = [place for place in places[ref] if place < at]
            found[ids["mention", at]] = ids["mention", (before or places[ref])[-1 if before else 0]]
    return found


def _ids(layers: dict[str, Layer], kept: dict[tuple[str, int], str]) -> dict[tuple[str, int], str]:
    """An id for every span; those that lines of other sorts speak of keep theirs."""
    found: dict[tuple[str, int], str] = {}
    taken = set(kept.values())
    number = 0
    for name, layer in layers.items():
        for at in range(len(layer.spans)):
            if (name, at) in kept:
                found[name, at] = kept[name, at]
                continue
            number += 1
            while f"T{number}" in taken:
                number += 1
            found[name, at] = f"T{number}"
    return found


def _own_lines(own: Any) -> tuple[list[str], dict[tuple[str, int], str]]:
    if not isinstance(own, dict):
        return [], {}
    ids = {tuple(place): id for id, place in own.get("ids", {}).items() if id[1:].isdecimal()}
    return [str(line) for line in own.get("lines", ())], ids


def _next(prefix: str, others: list[str]) -> int:
    """The first number of a sort of line that no other line has."""
    used = [_number(one, prefix) for one in others if one.startswith(prefix)]
    return max(used, default=0) + 1


def _number(line: str, prefix: str) -> int:
    digits = line.partition("\t")[0].removeprefix(prefix)
    return int(digits) if digits.isdecimal() else 0


def _has_a_label(losses: Losses, id: str, name: str) -> bool:
    fit = bool(name) and not any(map(str.isspace, name))
    if not fit:
        losses.cannot_hold("layers () whose name is no word", id, names=[name])
    return fit


def _one_line(losses: Losses, id: str, text: str, what: str) -> bool:
    fit = len(text.splitlines()) == 1 and text == text.strip()
    if not fit:
        losses.cannot_hold(f"layers' {what} of several lines", id)
    return fit


def _is_note(value: Any) -> bool:
    """Whether a value can be a note of one line, or several such notes."""
    listed = value if isinstance(value, list) and len(value) > 1 else [value]
    return all(
        isinstance(one, str) and "\n" not in one and not one.endswith("\r") for one in listed
    )

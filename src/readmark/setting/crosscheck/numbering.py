"""Mentions of a merged annotation: numbered as A or B had them, else counted anew.

Numbers count from the start of the passage ("Design and Development of a Bilingual Reading
Comprehension Corpus", section 4.5); a question goes on where its passage ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from readmark.corpus.values import Layer, Offsets, Passage
from readmark.setting.crosscheck.comparing import LayerPair
from readmark.setting.crosscheck.items import (
    ANTECEDENT,
    NUMBERED,
    Item,
    Items,
    antecedent_of,
    layer_items,
    mentions_of,
)
from readmark.setting.crosscheck.texts import Part, parts_of

Layered = dict[str, Layer | None]
Places = frozenset[tuple[str, Offsets]]


def merged_mentions(
    a: Passage,
    b: Passage,
    base: Passage,
    items: Mapping[str, Items],
    pairs: Mapping[str, LayerPair],
    *,
    source: str,
) -> Layered:
    """The mention layer of every part of the gold passage."""
    sides = [{part.id: part for part in parts_of(one)} for one in (a, b)]
    said = [mentions_of(list(side.values())) for side in sides]
    there = list(parts_of(base))
    # Parts that were not compared come from the side that annotated them, and so do their numbers.
    whole: dict[str, Items] = {}
    both = said[0].numbered & said[1].numbered
    given = set(both)
    for part in there:
        if part.id in items:
            whole[part.id] = items[part.id]
        else:
            own = said[0] if _has(sides[0], part) or not _has(sides[1], part) else said[1]
            whole[part.id] = own.items.get(part.id, [])
            given |= {at for at in own.numbered if at[0] == part.id}
    wanted = _wanted(there, whole, given)
    for side, own in zip(sides, said, strict=True):
        if wanted == own.numbered and all(
            _said(part.id, whole[part.id], wanted, pairs)
            == _said(part.id, own.items.get(part.id, []), wanted, pairs)
            for part in there
        ):
            return {
                part.id: side[part.id].layers.get("mention") if part.id in side else None
                for part in there
            }
    return _counted(there, whole, wanted, sides, source)


def _has(side: Mapping[str, Part], part: Part) -> bool:
    """Whether an annotator marked references in a part, in these words."""
    own = side.get(part.id)
    return own is not None and own.text == part.text and "mention" in own.layers


def _wanted(
    there: list[Part], items: Mapping[str, Items], given: set[tuple[str, Offsets]]
) -> Places:
    """Everything that gets a number: what is referred to, and what was given one."""
    parts = {part.id for part in there}
    found = set(given)
    for id, own in items.items():
        found |= {at for item in own if (at := antecedent_of(item)) is not None}
        found |= {(id, item.span) for item in own if NUMBERED in item.labels}
    return frozenset(at for at in found if at[0] in parts)


def _said(
    id: str, items: Items, numbered: Places, pairs: Mapping[str, LayerPair]
) -> Counter[tuple[Offsets, bytes]]:
    """What a part's mentions say beyond their numbers."""
    columns = pairs[id].columns if id in pairs else (ANTECEDENT,)
    compared = [name for name in columns if name != NUMBERED]
    return Counter(
        item.key(compared)
        for item in items
        if ANTECEDENT in item.labels or (id, item.span) not in numbered
    )


def _counted(
    there: list[Part],
    items: Mapping[str, Items],
    wanted: Places,
    sides: list[dict[str, Part]],
    source: str,
) -> Layered:
    placed = _by_part(wanted)
    numbers = _numbers(there, placed)
    made: Layered = {}
    for part in there:
        here = {item.span: item for item in items[part.id]}
        spans = sorted({*here, *placed.get(part.id, ())})
        like = [
            layer
            for side in sides
            if _has(side, part) and (layer := side[part.id].layers.get("mention")) is not None
        ]
        # An antecedent's own labels stand in the layers that it comes of.
        known = {one.span: one.labels for layer in reversed(like) for one in layer_items(layer)}
        if not spans and not like:
            made[part.id] = None
            continue
        rows = [_row(part.id, span, here.get(span), numbers, known.get(span, {})) for span in spans]
        names = dict.fromkeys(("id", "ref", *(name for row in rows for name in row)))
        quotes = tuple(part.text[slice(*span)] for span in spans)
        made[part.id] = Layer(
            spans=tuple(spans),
            source=source,
            quotes=quotes if any(layer.quotes for layer in like) else (),
            columns={name: tuple(row.get(name) for row in rows) for name in names},
        )
    return made


def _by_part(places: Places) -> dict[str, list[Offsets]]:
    found: dict[str, list[Offsets]] = {}
    for id, span in places:
        found.setdefault(id, []).append(span)
    return found


def _numbers(
    there: list[Part], placed: Mapping[str, list[Offsets]]
) -> dict[tuple[str, Offsets], int]:
    """Numbers in the order of the text; a question's go on from its passage's."""
    found: dict[tuple[str, Offsets], int] = {}
    last: dict[str | None, int] = {None: 0}
    for part in there:
        first = last[part.before] + 1
        spans = sorted(placed.get(part.id, ()))
        found |= {(part.id, span): number for number, span in enumerate(spans, first)}
        last[part.id] = first + len(spans) - 1
    return found


def _row(
    id: str,
    span: Offsets,
    item: Item | None,
    numbers: Mapping[tuple[str, Offsets], int],
    known: Mapping[str, Any],
) -> dict[str, Any]:
    at = antecedent_of(item) if item is not None else None
    said = item.labels.get(ANTECEDENT) if item is not None else None
    ref = numbers[at] if at is not None else said.get("number") if said else None
    reserved = ("id", "ref", ANTECEDENT, NUMBERED)
    labels = item.labels if item is not None else known
    labels = {name: it for name, it in labels.items() if name not in reserved}
    return {"id": numbers.get((id, span)), "ref": ref, **labels}

"""Marks of a reading task's annotators, compared by what they mark and not by their ids.

Two files of the same document call their marks differently (``T1``, ``T2`` …) and name other
people as their makers, though both mark the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.records import Offsets

if TYPE_CHECKING:
    from readmark.making.crosscheck.items import LayerItem

MARK, SAME = "mark", "same"
"""The columns with a mark's id, and with the marks of the same entity."""
NOT_COMPARED = frozenset({MARK, "annotator", "creator"})
"""Columns that differ by file: what a mark is called and who made it."""
TYPE = "type"

_encode = msgspec.json.Encoder(order="deterministic").encode


def mark_labels(
    spans: Sequence[Offsets], rows: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The labels of marks, with the type and span of the marks that they lead to in place of ids.

    Annotators join marks of one entity in any order: each leads to the first of them in the text.
    """
    numbers = {row[MARK]: number for number, row in enumerate(rows) if isinstance(row[MARK], str)}
    # Union-find: what each mark of an entity is joined to; the first in the text is its own.
    joined_to = list(range(len(rows)))

    def root(number: int) -> int:
        while joined_to[number] != number:
            number = joined_to[number]
        return number

    def place(number: int) -> tuple[Offsets, str]:
        return spans[number], str(rows[number].get(TYPE))

    def target(number: int) -> dict[str, Any]:
        span, type_ = place(number)
        return {TYPE: type_, "span": list(span)}

    for number, row in enumerate(rows):
        same = row.get(SAME) or ()
        for id in [same] if isinstance(same, str) else same:
            if id in numbers:
                first, second = sorted((root(number), root(numbers[id])), key=place)
                joined_to[second] = first

    labels = []
    for number, row in enumerate(rows):
        compared = {
            name: target(numbers[value]) if isinstance(value, str) and value in numbers else value
            for name, value in row.items()
            if name not in NOT_COMPARED and name != SAME and value is not None
        }
        if root(number) != number:
            compared[SAME] = target(root(number))
        labels.append(compared)
    return labels


def mark_columns(items: Iterable[LayerItem]) -> dict[str, tuple[Any, ...]]:
    """The columns of a layer of marks: they are numbered anew, and lead to each other by id."""
    items = list(items)
    ids: dict[bytes, str] = {}
    for number, item in enumerate(items, 1):
        place = {TYPE: str(item.labels.get(TYPE)), "span": list(item.span)}
        ids.setdefault(_encode(place), f"T{number}")

    def value(name: str, label: Any) -> Any:
        is_link = isinstance(label, Mapping) and set(label) == {TYPE, "span"}
        # A mark that was not adopted cannot be led to.
        id = ids.get(_encode(label)) if is_link else label
        return [id] if name == SAME and id is not None else id

    names = dict.fromkeys(name for item in items for name in item.labels)
    columns = {name: tuple(value(name, item.labels.get(name)) for item in items) for name in names}
    return {MARK: tuple(f"T{number}" for number in range(1, len(items) + 1)), **columns}

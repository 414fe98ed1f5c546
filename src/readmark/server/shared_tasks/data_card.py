"""The data card of a shared task: its public splits in numbers, and how large hidden ones are."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.core.labels import ABSENT
from readmark.core.records import Value
from readmark.core.splits import only_splits, split_order
from readmark.core.test import Test
from readmark.making import corpus_table

CARD_ROLE = "data_card"
"""The role of a project's file that has its card."""


class CardSplit(Value, frozen=True):
    """A row of the card; of a hidden split only its size is known."""

    name: str
    units: int
    records: int | None = None
    answers_each: float | None = None
    is_hidden: bool = False


class DataCard(Value, frozen=True):
    """The public part of a test in numbers."""

    record_noun: str
    unit_noun: str
    hidden: tuple[str, ...]
    """The splits that nothing but the size is counted of."""
    splits: tuple[CardSplit, ...]
    length_unit: str = ""
    """What lengths are counted in."""
    lengths: dict[str, tuple[int, float]] = {}
    """The longest and the mean text of each sort."""
    values: dict[str, dict[str, int]] = {}
    """Public units by level and by type."""


def data_card(test: Test, hidden: Sequence[str]) -> DataCard:
    """Count a test; levels and types are part of the key, so those of hidden splits are not."""
    sizes = test.facts.splits
    names = sorted(sizes, key=split_order)
    kind, public = test.kind, [name for name in names if name not in hidden]
    if not public:
        rows = (CardSplit(name or "", sizes[name].units, is_hidden=True) for name in names)
        return DataCard(kind.record_noun, kind.unit_noun, tuple(hidden), tuple(rows))
    table = corpus_table(only_splits(test, public), with_reading=False)
    each = {column.name: column.answers_each for column in table.splits}
    each.setdefault(ABSENT, table.answers_per_unit or None)  # a test without splits
    values = {}
    for field in ("level", "type"):
        counts = table.distributions.get(field) or (table.types if field == "type" else {})
        if counts:
            values[field] = dict(counts)
    return DataCard(
        kind.record_noun,
        kind.unit_noun,
        tuple(hidden),
        tuple(
            CardSplit(name or "", sizes[name].units, is_hidden=True)
            if name in hidden
            else CardSplit(
                name or "", sizes[name].units, sizes[name].records, each.get(name or ABSENT)
            )
            for name in names
        ),
        table.unit,
        {label: (length.longest, length.mean) for label, length in table.lengths.items()},
        values,
    )

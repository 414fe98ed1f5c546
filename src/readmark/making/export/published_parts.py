"""The parts of a test that are published as files of their own: its splits, hidden ones unkeyed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.splits import only_splits, split_order, without_keys
from readmark.core.test import Header, Test

UNSPLIT = "unsplit"
"""The part of the passages that have no split."""
_NAME = re.compile(r"\w+(\.\w+)*")  # what the Hugging Face hub takes for a split's name
_RESERVED = ("all", "con", "nul", "prn", "aux")  # "all" is the hub's word for every split


@dataclass(frozen=True, slots=True)
class PublishedPart:
    """A split as it is published; ``units`` are its questions."""

    name: str
    test: Test
    records: int
    units: int
    hidden: bool = False


def published_test(
    test: Test, hidden: Sequence[str], header: Header, watch: Callable[[], None] = lambda: None
) -> tuple[Test, list[PublishedPart]]:
    """The test as it is published and its parts: of ``hidden`` splits the paper alone."""
    without_hidden = without_keys(test, hidden)
    splits = test.facts.splits
    _require_names(test, [split for split in splits if split is not None], None in splits)
    header = msgspec.structs.replace(
        header, hidden=without_hidden.header.hidden, fields=without_hidden.header.fields
    )

    def watched(record: Any) -> Any:
        watch()
        return record

    published = replace(without_hidden.changed(watched), header=header)
    parts = []
    for split in sorted(splits, key=split_order):
        name = UNSPLIT if split is None else split
        part, size = only_splits(published, (split,)), splits[split]
        parts.append(PublishedPart(name, part, size.records, size.units, hidden=split in hidden))
    return published, parts


def _require_names(test: Test, names: Sequence[str], unsplit: bool) -> None:
    """Splits become files: their names must be fit for that, and differ in more than case."""
    names_by_file: dict[str, str] = {UNSPLIT: UNSPLIT} if unsplit else {}
    for name in names:
        if not _NAME.fullmatch(name) or name.lower() in _RESERVED:
            raise DataError(
                f"split {name!r} cannot be a file's name: letters, digits, _ and single dots, "
                f"and none of {', '.join(_RESERVED)}",
                file=test.file,
            )
        if name.lower() in names_by_file:
            other = names_by_file[name.lower()]
            what = "the passages without a split" if other == UNSPLIT else f"split {other!r}"
            raise DataError(f"split {name!r} and {what} would be one file", file=test.file)
        names_by_file[name.lower()] = name

"""The parts of a test that are published as files of their own: its splits, hidden ones unkeyed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.problems import Report
from readmark.corpus.published import split_of, without_keys
from readmark.corpus.test import Header, Placed, Test
from readmark.setting.splits.order import split_order

UNSPLIT = "unsplit"
"""The part of the passages that have no split."""
_NAME = re.compile(r"\w+(\.\w+)*")  # what the Hugging Face hub takes for a split's name
_RESERVED = ("all", "con", "nul", "prn", "aux")  # "all" is the hub's word for every split


@dataclass(frozen=True, slots=True)
class Part:
    """A split as it is published; ``units`` are its questions."""

    name: str
    test: Test
    records: int
    units: int
    hidden: bool = False


def published(
    test: Test, hidden: Sequence[str], header: Header, watch: Callable[[], None] = lambda: None
) -> tuple[Test, list[Part]]:
    """The test as it is published and its parts: of ``hidden`` splits the paper alone."""
    shown, sizes = without_keys(test, hidden)
    _require_names(test, [split for split in sizes if split is not None], None in sizes)
    told = shown.header
    header = msgspec.structs.replace(header, hidden=told.hidden, fields=told.fields)
    shown = replace(shown, header=header, stream=_watched(shown, watch))
    parts = []
    for split in sorted(sizes, key=split_order):
        # A file names the hidden splits that it has, so that a check of it alone is content.
        own = tuple(name for name in hidden if name == split)
        part = replace(
            shown,
            header=msgspec.structs.replace(header, hidden=own),
            stream=_only(shown, split),
        )
        name = UNSPLIT if split is None else split
        size = sizes[split]
        parts.append(Part(name, part, size.records, size.units, hidden=bool(own)))
    return shown, parts


def _watched(test: Test, watch: Callable[[], None]) -> Callable[[Report], Iterator[Placed]]:
    def stream(report: Report) -> Iterator[Placed]:
        for placed in test.stream(report):
            watch()
            yield placed

    return stream


def _only(test: Test, split: str | None) -> Callable[[Report], Iterator[Placed]]:
    def stream(report: Report) -> Iterator[Placed]:
        for place, record in test.stream(report):
            if split_of(record) == split:
                yield place, record

    return stream


def _require_names(test: Test, names: Sequence[str], unsplit: bool) -> None:
    """Splits become files: their names must be fit for that, and differ in more than case."""
    seen: dict[str, str] = {UNSPLIT: UNSPLIT} if unsplit else {}
    for name in names:
        if not _NAME.fullmatch(name) or name.lower() in _RESERVED:
            raise DataError(
                f"split {name!r} cannot be a file's name: letters, digits, _ and single dots, "
                f"and none of {', '.join(_RESERVED)}",
                file=test.file,
            )
        if name.lower() in seen:
            other = seen[name.lower()]
            what = "the passages without a split" if other == UNSPLIT else f"split {other!r}"
            raise DataError(f"split {name!r} and {what} would be one file", file=test.file)
        seen[name.lower()] = name

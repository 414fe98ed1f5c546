"""The parts of a test that are published as files of their own: its splits, hidden ones unkeyed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from readmark.corpus.errors import DataError, UsageError, did_you_mean
from readmark.corpus.problems import Report
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
    records: dict[str | None, int] = {}
    units: dict[str | None, int] = {}
    for record in test.records():
        split = _split(record)
        records[split] = records.get(split, 0) + 1
        units[split] = units.get(split, 0) + len(list(test.kind.units(record)))
    for name in hidden:
        if name not in records:  # a misspelt split must not be published whole
            known = [split for split in records if split is not None]
            raise UsageError(f"{test.file} has no split {name!r}; {did_you_mean(name, known)}")
    _require_names(test, [split for split in records if split is not None], None in records)
    header = msgspec.structs.replace(header, hidden=tuple(hidden))
    shown = replace(test, header=header, stream=_shown(test, hidden, watch))
    parts = []
    for split in sorted(records, key=split_order):
        # A file names the hidden splits that it has, so that a check of it alone is content.
        own = tuple(name for name in hidden if name == split)
        part = replace(
            shown,
            header=msgspec.structs.replace(header, hidden=own),
            stream=_only(shown, split),
        )
        name = UNSPLIT if split is None else split
        parts.append(Part(name, part, records[split], units[split], hidden=bool(own)))
    return shown, parts


def _shown(
    test: Test, hidden: Sequence[str], watch: Callable[[], None]
) -> Callable[[Report], Iterator[Placed]]:
    def stream(report: Report) -> Iterator[Placed]:
        for place, record in test.stream(report):
            watch()
            yield place, test.kind.paper(record) if _split(record) in hidden else record

    return stream


def _only(test: Test, split: str | None) -> Callable[[Report], Iterator[Placed]]:
    def stream(report: Report) -> Iterator[Placed]:
        for place, record in test.stream(report):
            if _split(record) == split:
                yield place, record

    return stream


def _split(record: Any) -> str | None:
    found: str | None = getattr(record, "split", None)
    return found


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

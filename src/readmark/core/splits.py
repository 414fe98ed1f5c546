"""What of a test may be published: of hidden splits the paper alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from readmark.core.errors import UsageError, did_you_mean
from readmark.core.problems import Report
from readmark.core.test import Placed, Test


@dataclass(frozen=True, slots=True)
class Size:
    """How many records and units a split has."""

    records: int = 0
    units: int = 0


def without_keys(test: Test, hidden: Sequence[str]) -> tuple[Test, Mapping[str | None, Size]]:
    """The test with the keys of hidden splits taken out, and what each split held.

    A split that the test does not have is refused: a misspelt one must not be published whole.
    """
    sizes: dict[str | None, Size] = {}
    for record in test.records():
        split = split_of(record)
        size = sizes.get(split, Size())
        sizes[split] = Size(size.records + 1, size.units + len(list(test.kind.units(record))))
    for name in hidden:
        if name not in sizes:
            known = [split for split in sizes if split is not None]
            raise UsageError(f"{test.file} has no split {name!r}; {did_you_mean(name, known)}")

    def stream(report: Report) -> Iterator[Placed]:
        for place, record in test.stream(report):
            yield place, test.kind.paper(record) if split_of(record) in hidden else record

    fields = dict(test.header.fields)
    if hidden and isinstance(fields.get("adjudication"), dict):
        # What was decided is named by its place, and some places are in keys.
        told = {name: said for name, said in fields["adjudication"].items() if name != "decided"}
        fields["adjudication"] = told
    header = msgspec.structs.replace(test.header, hidden=tuple(hidden), fields=fields)
    return replace(test, header=header, stream=stream), sizes


def split_of(record: Any) -> str | None:
    """A record's split; not every kind of record has one."""
    found: str | None = getattr(record, "split", None)
    return found


# The order in which splits are listed: train, dev, test, a challenge, then any other by name.


_USUAL = ("train", "training", "dev", "development", "validation", "trial", "test", "challenge")


def split_order(split: str | None) -> tuple[int, str]:
    """A sort key; what has no split comes last."""
    if split is None:
        return len(_USUAL) + 1, ""
    known = split.lower()
    return (_USUAL.index(known) if known in _USUAL else len(_USUAL)), split

"""Sittings of people and machines whose ratings are compared: read, and cut to passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import msgspec

from readmark.core.errors import DataError
from readmark.core.parts import part_files
from readmark.core.sitting import Sitting
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.readability.panels.class_tables import CLASS_RATINGS
from readmark.readability.scale import HIGHEST, LOWEST

OUTSIDE = "ratings outside 1 to 5, taken as given"


def people_sittings(
    people: Sequence[str | Path | Sitting], test: Test, *, by_row: bool
) -> list[Sitting]:
    """The sittings of people; a table of a class has several, and so has a folder of sittings."""
    sittings: list[Sitting] = []
    for source in chain.from_iterable(map(_in_folder, people)):
        if isinstance(source, Sitting):
            sittings.append(source)
        elif CLASS_RATINGS.recognises(table := Source(source)):
            sittings += CLASS_RATINGS.read_people(table, test, by_row=by_row)
        else:
            sittings.append(open_sitting(source, test.kind))
    return sittings


def _in_folder(source: str | Path | Sitting) -> Sequence[str | Path | Sitting]:
    """The files of a folder, such as that of `panel collect --novices`; else the source itself."""
    if isinstance(source, Sitting) or not Path(source).is_dir() or part_files(str(source)):
        return [source]
    files = (file for file in Path(source).iterdir() if not file.name.startswith("."))
    return sorted(file for file in files if file.is_file()) or [source]


def rating_sitting(sitting: str | Path | Sitting, test: Test) -> Sitting:
    """A machine's sitting, read where it is a file."""
    return sitting if isinstance(sitting, Sitting) else open_sitting(sitting, test.kind)


def on_passages(sitting: Sitting, test: Test, passages: Sequence[str]) -> Sitting:
    """The sitting on those of the passages that it was to cover."""
    header = sitting.header
    if header.covers is not None:
        covered = frozenset(header.covers)
    else:
        ids = [unit.id for unit in test.units()]
        covered = frozenset(ids if header.limit is None else ids[: header.limit])
    covers = tuple(id for id in passages if id in covered)
    if not covers:
        raise DataError(
            f"covers none of the {len(passages):,} passages that count", file=sitting.file
        )
    if len(covers) == test.facts.units:
        return sitting
    return replace(sitting, header=msgspec.structs.replace(header, covers=covers, limit=None))


def outside_scale(sitting: Sitting, ids: Iterable[str]) -> Iterator[str]:
    """The passages whose rating is off the scale."""
    for id in ids:
        for row in sitting.of(id)[:1]:
            rating = row.answer
            if rating is not msgspec.UNSET and not LOWEST <= rating <= HIGHEST:
                yield id


def spelt_otherwise(known: str, name: str) -> str:
    """The spelling of a name that is taken for the same; nothing where they are equal."""
    return "" if known == name else f" (as {known!r})"

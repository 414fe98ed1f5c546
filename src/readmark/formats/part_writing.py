"""Writing a test or a sitting as a folder of parts of about equal size."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from readmark.core.errors import UsageError
from readmark.core.new_folders import making_folder
from readmark.core.parts import MOST_PARTS, part_name
from readmark.core.sitting import Sitting
from readmark.core.test import Test, in_memory
from readmark.formats.kind_extras import lost_files
from readmark.formats.registry import save_test
from readmark.formats.tables.rows import all_columns, require_columns, write_rows

PART_SUFFIXES = {"native": ".jsonl", "flat": ".jsonl", "parquet": ".parquet"}
"""The formats of which a folder of parts is read as one test."""


def require_part_count(count: int | None) -> None:
    """Refuse to write no parts, or more than are read."""
    if count is not None and not 1 <= count <= MOST_PARTS:
        raise UsageError(f"`parts` {count} is not from 1 to {MOST_PARTS:,}")


def save_parts(test: Test, target: Path, format: str, count: int) -> list[str]:
    """Write the records in their order; the folder is whole or not there."""
    if format not in PART_SUFFIXES:
        raise UsageError(f"`parts` are written as {' or '.join(PART_SUFFIXES)}")
    suffix = PART_SUFFIXES[format] + _packing(target)
    records, total = test.records(), test.facts.records
    if format == "flat" and count > total:
        raise UsageError(
            f"`parts` {count} is more than the test's {total} records: a flat part needs one"
        )
    lost = lost_files(test)
    if format != "native":
        # Losses of the whole test: each part would name those of its header again.
        require_columns(test, format)
        with Path(os.devnull).open("wb") as nowhere:
            lost += write_rows(test, nowhere, all_columns(test))
    with making_folder(target) as folder:
        for index, size in enumerate(_sizes(total, count)):
            part = in_memory(test.header, islice(records, size), file=test.file)
            save_test(part, folder / part_name(index, count, suffix), format=format)
    return lost


def save_sitting_parts(sitting: Sitting, target: Path, writer: Any, count: int) -> None:
    """Write the rows in their order, those of a unit into one part."""
    suffix = f".jsonl{_packing(target)}"
    ids = iter(sitting)
    with making_folder(target) as folder:
        for index, size in enumerate(_sizes(len(sitting.rows), count)):
            rows = {id: sitting.rows[id] for id in islice(ids, size)}
            part = replace(sitting, rows=rows)
            writer.write_sitting(part, folder / part_name(index, count, suffix))


def _sizes(total: int, count: int) -> Iterator[int]:
    """How much goes into each part: sizes differ by one at most."""
    return (total * (index + 1) // count - total * index // count for index in range(count))


def _packing(folder: Path) -> str:
    """How the parts in a folder are packed: as a file of its name would be."""
    return folder.suffix if folder.suffix in (".gz", ".zst") else ""

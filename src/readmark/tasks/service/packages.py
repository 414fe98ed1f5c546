"""Packages of a reading task that the hall hands out or keeps."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec

from readmark.tasks.package import TELLING, Package, open_package
from readmark.tasks.packer import pack
from readmark.tasks.service.selection import WHOLE, TaskSelection, selected_parts
from readmark.tasks.task_folder import Parts, gather


def write_public_package(source: Path, target: Path, selection: TaskSelection = WHOLE) -> None:
    """Write a part of a task without gold of hidden splits, judges and systems."""
    pack(selected_parts(gather(source), selection), target, public=True)


def write_open_splits(
    source: Path,
    target: Path,
    *,
    closed: Collection[str],
    hidden: tuple[str, ...],
    licence: str | None,
    paper: bool,
) -> None:
    """Write a task without its closed splits and without what reveals hidden answers.

    ``closed`` has the splits' names in lower case (casefold); ``paper`` takes every key out.
    """
    parts = Parts(open_package(source), {})
    if closed:
        parts = selected_parts(parts, _open_part(parts.package, closed))
    package = parts.package
    files = tuple(
        file
        for file in package.manifest.files
        if (file.split or "").casefold() not in closed and not (paper and file.role in TELLING)
    )
    manifest = msgspec.structs.replace(
        package.manifest, hidden=hidden, licence=licence, files=files
    )
    pack(Parts(Package(package.folder, manifest), parts.lent), target, public=True)


def _open_part(package: Package, closed: Collection[str]) -> TaskSelection:
    """The documents outside of closed splits, and the queries that are put to any of them."""
    splits = package.splits
    documents = [id for id, split in splits.items() if (split or "").casefold() not in closed]
    queries = [
        row.id
        for _, _, row in package.queries()
        if row.documents is None or set(row.documents) & set(documents)
    ]
    return TaskSelection(documents=tuple(documents), queries=tuple(queries))

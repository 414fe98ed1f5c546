"""Packages that programs send, checked in a process of its own, and tasks with made queries."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.json_lines import json_line
from readmark.tasks.gold_versions import make_gold
from readmark.tasks.package import Package, open_package
from readmark.tasks.packed_task import pack_task
from readmark.tasks.packer import pack, put_file
from readmark.tasks.query_making import write_queries
from readmark.tasks.service.reasoner import answered
from readmark.tasks.service.selection import TaskSelection, selected_parts
from readmark.tasks.task_folder import Parts, gather

PACKED = "packed.zip"
MOST_UNPACKED = 64 << 20
"""Bytes of the files of a package: the hall's own process reads them when they are asked for."""


def check_in_process(task: Mapping[str, Any]) -> dict[str, Any]:
    """The other process: checks a package that was uploaded, and packs it."""
    return answered(lambda: _checked(Path(task["folder"]), task["file"]))


def _checked(folder: Path, file: str, **about: Any) -> dict[str, Any]:
    packed = pack_task(folder / file, folder / PACKED, about=about)
    if packed.failed:
        first, *others = (problem for problem in packed.problems if problem.severity != "warning")
        more = f" (and {len(others):,} more: see readmark check)" if others else ""
        raise DataError(f"{first}{more}")
    manifest = open_package(folder / PACKED).manifest
    size = sum(each.bytes for each in manifest.files)
    if size > MOST_UNPACKED:
        message = f"has {size >> 20} MB unpacked, expected {MOST_UNPACKED >> 20} MB at most"
        raise DataError(message, file=file)
    return {"name": manifest.name}


def make_in_process(task: Mapping[str, Any]) -> dict[str, Any]:
    """The other process: a part of a task with queries made from its ontology, and their gold."""
    return answered(lambda: _made(task))


def _made(task: Mapping[str, Any]) -> dict[str, Any]:
    folder = Path(task["folder"])
    selection = TaskSelection(documents=tuple(task["documents"]))
    parts = selected_parts(gather(folder / "task.zip"), selection)
    manifest = parts.package.manifest
    files = tuple(file for file in manifest.files if file.role not in ("queries", "answers"))
    manifest = msgspec.structs.replace(manifest, files=files)
    target = folder / "made"
    pack(Parts(Package(parts.package.folder, manifest), parts.lent), target)
    ontologies = [file.path for file in files if file.role == "ontology"]
    if not ontologies:
        raise DataError("the task has no ontology to make queries from")
    rows = write_queries(
        str(target / ontologies[0]),
        [str(target)] if task["attested"] else (),
        sorts=task["sorts"],
        language=task["language"],
        most=task["most"],
        seed=task["seed"],
    ).queries
    put_file(open_package(target), "queries.jsonl", b"".join(map(json_line, rows)))
    for split in {file.split for file in files if file.role == "document"}:
        name = "answers.jsonl" if split is None else f"answers.{split}.jsonl"
        has_several = len({each.annotator for each in open_package(target).asserted()}) > 1
        make_gold(target, target / name, split=split, union=has_several)
    return _checked(folder, "made", name=task["name"])

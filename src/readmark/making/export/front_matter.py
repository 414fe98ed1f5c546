"""The YAML at the head of a data card, which describes the folder to the Hugging Face hub."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from readmark.formats.tables.columns import Column
from readmark.making.export.about import About
from readmark.making.export.published_parts import PublishedPart

_TASKS = {"comprehension": "question-answering", "series": "text-generation"}
_SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B")
_FIRST = 1000
"""Rows from which the second category begins."""
_BREAKS = re.compile("[\x7f\x85\u2028\u2029]")  # allowed in JSON, not in YAML


def front_matter(about: About, **test: Any) -> str:
    """The lines between two rows of dashes; ``test`` as `_front_lines` takes it."""
    return "\n".join(["---", *_front_lines(about, **test), "---", ""])


def size_category(rows: int) -> str:
    """The hub's word for a number of rows: each is ten times the one before."""
    index = sum(rows >= _FIRST * 10**power for power in range(len(_SIZES) - 1))
    return _SIZES[index]


def _front_lines(
    about: About,
    *,
    kind: str,
    language: str,
    extractive: bool,
    parts: Mapping[str, PublishedPart],
    columns: Sequence[Column],
) -> Iterator[str]:
    """``parts`` are by the path of their flat file."""
    yield f"pretty_name: {_quoted(about.name)}"
    yield "language:"
    yield f"- {_quoted(language)}"
    licence = about.licence
    yield f"license: {_quoted(licence.hub or 'other')}"
    if licence.hub is None:
        # The hub takes small letters, digits, hyphens and dots.
        slug = re.sub(r"[^a-z0-9.]+", "-", licence.name.lower()).strip("-.")
        yield f"license_name: {_quoted(slug or 'see-license-file')}"
        yield f"license_link: {_quoted(licence.url or 'LICENSE')}"
    if kind in _TASKS:
        yield "task_categories:"
        yield f"- {_quoted(_TASKS[kind])}"
    if kind == "comprehension" and extractive:
        yield "task_ids:"
        yield '- "extractive-qa"'
    yield "size_categories:"
    yield f"- {_quoted(size_category(sum(part.units for part in parts.values())))}"
    if parts:
        yield "configs:"
        yield '- config_name: "default"'
        yield "  data_files:"
        for path, part in parts.items():
            yield f"  - split: {_quoted(part.name)}"
            yield f"    path: {_quoted(path)}"
        yield "dataset_info:"
        yield "  features:"
        for column in columns:
            yield from _feature(column, "  ")


def _feature(column: Column, indent: str) -> Iterator[str]:
    yield f"{indent}- name: {_quoted(column.name)}"
    if column.parts:
        yield f"{indent}  struct:"
        for part in column.parts:
            yield from _feature(part, f"{indent}  ")
    else:
        yield f"{indent}  {'sequence' if column.repeated else 'dtype'}: {_quoted(column.type)}"


def _quoted(text: str) -> str:
    """A string as JSON writes it is one as YAML reads it, and never taken for anything else."""
    return _BREAKS.sub(
        lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False)
    )

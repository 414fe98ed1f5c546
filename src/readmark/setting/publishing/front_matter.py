"""The YAML at the head of a data card, which tells the Hugging Face hub what the folder holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from readmark.corpus.formats.flat.columns import Column
from readmark.setting.publishing.about import About
from readmark.setting.publishing.parts import Part

_TASKS = {"comprehension": "question-answering", "series": "text-generation"}
_SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B")
_FIRST = 1000
_BREAKS = re.compile("[\x7f\x85\u2028\u2029]")  # JSON lets them stand, YAML does not


def front_matter(
    about: About,
    *,
    kind: str,
    language: str,
    extractive: bool,
    parts: Mapping[str, Part],
    columns: Sequence[Column],
) -> str:
    """The lines between two rows of dashes; ``parts`` are by the path of their flat file."""
    return "\n".join(["---", *_lines(about, kind, language, extractive, parts, columns), "---", ""])


def size_category(rows: int) -> str:
    """The hub's word for a number of rows: each is ten times the one before."""
    at, bound = 0, _FIRST
    while rows >= bound and at < len(_SIZES) - 1:
        at, bound = at + 1, bound * 10
    return _SIZES[at]


def _lines(
    about: About,
    kind: str,
    language: str,
    extractive: bool,
    parts: Mapping[str, Part],
    columns: Sequence[Column],
) -> Iterator[str]:
    yield f"pretty_name: {_quoted(about.name)}"
    yield "language:"
    yield f"- {_quoted(language)}"
    licence = about.licence
    yield f"license: {_quoted(licence.hub or 'other')}"
    if licence.hub is None:
        yield f"license_name: {_quoted(_slug(licence.name))}"
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
        for one in column.parts:
            yield from _feature(one, f"{indent}  ")
    else:
        yield f"{indent}  {'sequence' if column.repeated else 'dtype'}: {_quoted(column.type)}"


def _slug(name: str) -> str:
    """A licence's name as the hub takes it: small letters, digits, hyphens and dots."""
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.") or "see-license-file"


def _quoted(text: str) -> str:
    """A string as JSON writes it is one as YAML reads it, and never taken for anything else."""
    return _BREAKS.sub(lambda one: f"\\u{ord(one[0]):04x}", json.dumps(text, ensure_ascii=False))

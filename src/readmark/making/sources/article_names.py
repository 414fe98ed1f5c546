"""The name of an article that is a file: the file's name without the suffixes of its kind."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from readmark.making.sources.articles import Chunk

PACKED = frozenset({".gz", ".bz2", ".xz", ".zst"})
KINDS = frozenset(
    {".txt", ".text", ".md", ".html", ".htm", ".xhtml", ".xml", ".json", ".jsonl", ".ndjson"}
)
"""Suffixes that are no part of a name; that of ``v1.0`` is."""


def name_without_kind(name: str) -> str:
    """``AA/v1.0`` for ``AA/v1.0.txt.gz``; a name that is all suffix stays."""
    path = PurePosixPath(name)
    if path.suffix.lower() in PACKED:
        path = path.with_suffix("")
    if path.suffix.lower() in KINDS:
        path = path.with_suffix("")
    return str(path)


def name_of(chunk: Chunk) -> str:
    """The name of the article in a chunk that is a file."""
    name: str = chunk.about.get("name") or name_without_kind(Path(chunk.file).name)
    return name

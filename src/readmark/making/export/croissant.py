"""Croissant metadata: what a test's files are and hold, in JSON-LD for machines.

The vocabulary is that of the Croissant Format Specification, version 1.0, by MLCommons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.counts import counted
from readmark.formats.tables.columns import Column
from readmark.making.export.about import About
from readmark.making.export.published_parts import PublishedPart

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
_JSON = {"@type": "@json"}
_TERMS = """
    citeAs column equivalentProperty extract field fileObject fileProperty fileSet format includes
    isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace
    separator samplingRate source subField transform
"""
CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", **_JSON},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", **_JSON},
    **{name: f"cr:{name}" for name in _TERMS.split()},
}
_TYPES = {"string": "sc:Text", "int32": "sc:Integer", "bool": "sc:Boolean"}


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file of the folder as it was written."""

    path: str
    about: str
    media: str
    size: int
    sha256: str


def croissant(
    about: About,
    description: str,
    language: str,
    files: Sequence[PublishedFile],
    parts: Mapping[str, PublishedPart],
    columns: Sequence[Column],
) -> dict[str, Any]:
    """The document; ``parts`` are by the path of their flat file. Empty members are left out."""
    document: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": about.name,
        "description": description,
        "license": about.licence.url or about.licence.name,
        "url": about.url,
        "creator": [{"@type": "sc:Person", "name": creator} for creator in about.creators],
        "citeAs": about.citation,
        "datePublished": about.published,
        "version": about.release,
        "inLanguage": language,
        "isLiveDataset": False,
        "distribution": [_file(file) for file in files],
        "recordSet": [_record_set(path, part, columns) for path, part in parts.items()],
    }
    return {name: value for name, value in document.items() if value not in ("", [])}


def _file_id(path: str) -> str:
    """The id of a file, which differs from that of a split with the same name."""
    return f"file/{path}"


def _file(file: PublishedFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": _file_id(file.path),
        "name": file.path,
        "description": file.about,
        "contentUrl": file.path,
        "contentSize": f"{file.size} B",
        "encodingFormat": file.media,
        "sha256": file.sha256,
    }


def _record_set(path: str, part: PublishedPart, columns: Sequence[Column]) -> dict[str, Any]:
    withheld = "; the key is withheld, so answers are empty" if part.hidden else ""
    return {
        "@type": "cr:RecordSet",
        "@id": part.name,
        "name": part.name,
        "description": f"{counted(part.units, 'question')} of {part.name}, one a row{withheld}.",
        "key": {"@id": f"{part.name}/id"},
        "field": [_field(path, part.name, column) for column in columns],
    }


def _field(path: str, within: str, column: Column, of: str | None = None) -> dict[str, Any]:
    id = f"{within}/{column.name}"
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": id,
        "name": id,
        "description": column.about,
    }
    if column.parts:
        field["subField"] = [_field(path, id, part, column.name) for part in column.parts]
        return field
    field["dataType"] = _TYPES[column.type]
    if column.repeated:
        field["repeated"] = True
    source: dict[str, Any] = {
        "fileObject": {"@id": _file_id(path)},
        "extract": {"column": of or column.name},
    }
    if of:
        source["transform"] = {"jsonPath": column.name}
    field["source"] = source
    return field

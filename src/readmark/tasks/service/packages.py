"""A packed reading task as halls serve it: what it says of itself, its parts and its graph."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.test import Facts
from readmark.tasks.manifest import content
from readmark.tasks.package import Package, open_package
from readmark.tasks.packer import pack
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.rdf import stream_rdf
from readmark.tasks.secret_files import KEY_ROLES
from readmark.tasks.service.graph import task_graph
from readmark.tasks.service.selection import (
    WHOLE,
    PartRequest,
    TaskSelection,
    select_part,
    selected_parts,
    task_facts,
)
from readmark.tasks.task_folder import Parts, gather


@dataclass(frozen=True)
class TaskPackage:
    """The zip of a task. It never changes: the next version of a task is another file."""

    path: Path

    @cached_property
    def _package(self) -> Package:
        return open_package(self.path)

    @property
    def name(self) -> str:
        """What the task calls itself."""
        return self._package.manifest.name

    @property
    def hidden(self) -> tuple[str, ...]:
        """The splits whose answers are hidden."""
        return self._package.manifest.hidden

    def facts(self, selection: TaskSelection = WHOLE) -> tuple[Facts, int]:
        """The size and fingerprints of a part of the task, and the version of its gold."""
        return task_facts(self.path, selection)

    def about(self) -> dict[str, Any]:
        """What the task says of itself, and how many queries it has."""
        manifest = self._package.manifest
        return {
            "language": manifest.language,
            "licence": manifest.licence,
            "source": manifest.source,
            "phase": manifest.phase,
            "capabilities": list(manifest.capabilities),
            "annotation": manifest.annotation,
            "queries": sum(1 for _ in self._package.queries()),
        }

    def documents(self) -> list[dict[str, Any]]:
        """The documents: id, split, size in bytes and SHA-256."""
        return [
            {"id": file.id, "split": file.split, "bytes": file.bytes, "sha256": file.sha256}
            for file in self._package.manifest.of("document")
        ]

    def document(self, id: str) -> bytes | None:
        """The text of a document exactly as it is; None if there is none of this id."""
        for file in self._package.manifest.of("document"):
            if file.id == id:
                return content(self._package.folder, file.path, whole=True)
        return None

    def queries(self) -> list[dict[str, Any]]:
        """The queries: graph, question, property and what else they have."""
        return [
            {
                "id": row.id,
                "graph": row.graph,
                "text": row.text,
                "property": row.property,
                "documents": row.documents,
                "fields": row.fields,
            }
            for _, _, row in self._package.queries()
        ]

    def select(self, within: TaskSelection, part: PartRequest, *, all: bool) -> TaskSelection:
        """The documents and queries of a part; hidden documents only where ``all`` may be had."""
        return select_part(self._package, within, part, all=all)

    def write_graph(self, sink: Any, format: str, *, id: str, name: str, gold: int) -> None:
        """Write the task as one RDF graph, in which it has an id, a name and a gold's version."""
        ontology = self._package.ontology()
        names = ontology.namespaces if ontology is not None else Namespaces()
        graph = task_graph(self._package, id=id, name=name, gold=gold)
        stream_rdf(graph, sink, format=format, namespaces=names)

    def write_public(self, target: Path, selection: TaskSelection = WHOLE) -> None:
        """Write a part of the task without gold of hidden splits, judges and systems."""
        pack(selected_parts(gather(self.path), selection), target, public=True)

    def write_open_splits(
        self,
        target: Path,
        *,
        closed: Collection[str],
        hidden: tuple[str, ...],
        licence: str | None,
        paper: bool,
    ) -> None:
        """Write the task without its closed splits and without what reveals hidden answers.

        ``closed`` has the splits' names in lower case (casefold); ``paper`` takes every key out.
        """
        parts = Parts(self._package, {})
        if closed:
            parts = selected_parts(parts, _open_part(self._package, closed))
        package = parts.package
        files = tuple(
            file
            for file in package.manifest.files
            if (file.split or "").casefold() not in closed
            and not (paper and file.role in KEY_ROLES)
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

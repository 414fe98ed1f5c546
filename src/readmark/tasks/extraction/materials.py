"""What an extractor may see of a task, opened: no answers, and no annotation but for training."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from readmark.core.folders import Folder
from readmark.tasks.categories.definitions import Categories
from readmark.tasks.extraction.pattern_set import PatternSet
from readmark.tasks.file_roles import id_from_path, role_of
from readmark.tasks.manifest import Manifest, TaskFile, sha256
from readmark.tasks.package import Package
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Theory

TRAIN = "train"
"""The split that an extractor may see with its annotation."""
_WITHOUT_ANSWERS = (
    "ontology",
    "rules",
    "guidelines",
    "decomposition",
    "categories",
    "patterns",
    "summary",
    "background",
)
"""Roles of files that say nothing of any document's answers."""

Files = Mapping[str, bytes]
"""Files of a task by their path."""


def shown_files(package: Package) -> dict[str, bytes]:
    """What an extractor may see of a task: no answers, and annotation of the train split only."""
    may_train = TRAIN not in package.manifest.hidden
    return {
        file.path: package.folder.read(file.path)
        for file in package.manifest.files
        if file.path in package.folder
        and (
            file.role in _WITHOUT_ANSWERS
            or (may_train and file.split == TRAIN and file.role in ("document", "annotations"))
        )
    }


class _FilesInMemory(Folder):
    """Files in memory as a folder."""

    def __init__(self, files: Files) -> None:
        self.path, self.is_zip = Path(), False
        self.names = tuple(files)
        self._files = files
        self._folded = {name.lower(): name for name in self.names}

    def place(self, name: str) -> str:
        return name

    def read(self, name: str, *, whole: bool = False) -> bytes:
        return self._files[name]


class Materials:
    """Ontology, rules, categories, patterns and training documents, each read when it is used."""

    def __init__(self, files: Files) -> None:
        entries = []
        for path, data in files.items():
            role, split = role_of(path)
            id = id_from_path(path) if role == "document" else None
            entries.append(TaskFile(path, role, sha256(data), len(data), id, split))
        self.package = Package(_FilesInMemory(files), Manifest(files=tuple(entries)))

    @cached_property
    def ontology(self) -> Ontology | None:
        """The ontology of the domain."""
        return self.package.ontology()

    @cached_property
    def theory(self) -> Theory:
        """The rules of the domain."""
        return self.package.theory() or Theory("Theory")

    @cached_property
    def categories(self) -> Categories | None:
        """What annotators mark."""
        return self.package.categories()

    @cached_property
    def patterns(self) -> PatternSet | None:
        """The patterns that people wrote, or that were induced."""
        return self.package.patterns()

    @property
    def guidelines(self) -> str:
        """The guidelines for annotators."""
        files = self.package.manifest.of("guidelines")
        return "\n".join(self.package.folder.text(file.path) for file in files)

    @property
    def namespaces(self) -> Namespaces:
        """How names are spelt."""
        return self.ontology.namespaces if self.ontology is not None else Namespaces()

    def training(self) -> Iterator[tuple[str, str, list[Asserted]]]:
        """The id, text and annotated statements of each document of the train split."""
        by_document: dict[str, list[Asserted]] = defaultdict(list)
        for in_file in self.package.annotated(self.namespaces):
            by_document[in_file.annotated.asserted.graph].append(in_file.annotated.asserted)
        for id, text in self.package.documents.items():
            yield id, text, by_document.get(id, [])

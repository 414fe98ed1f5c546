"""The candidate ``statements``: what people stated in a file, or another system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes
from readmark.core.registry import parameter
from readmark.tasks.extraction.extractor import Extractor
from readmark.tasks.manifest import sha256
from readmark.tasks.reasoning.annotated_statements import NOTATIONS, read_annotated
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.rdf import SUFFIXES
from readmark.tasks.records import Document


@dataclass
class StatementFile(Extractor):
    """Takes the statements of a file, or of a folder of them: people's, or another system's."""

    file: str = parameter("", help="the file or folder with the statements")

    def ready(self) -> None:
        """Refuse a file that is not there, before the first document."""
        if not self.file:
            raise UsageError("candidate statements needs a file: statements(file=read.trig)")
        if not Path(self.file).exists():
            raise DataError("no such file", file=self.file)

    def decides(self) -> Mapping[str, Any]:
        """The files and their contents."""
        return {"read": {path.name: sha256(path.read_bytes())[:16] for path in self._files()}}

    def read(self, document: Document) -> list[Asserted]:
        """The statements about the document."""
        statements: list[Asserted] = []
        for path in self._files():
            data = read_bytes(path)
            is_notation = path.suffix.lower() in NOTATIONS
            is_named = path.stem == document.id or f"document: {document.id}\n".encode() in data
            if is_notation and not is_named:
                continue
            annotated = read_annotated(
                data,
                file=str(path),
                namespaces=self.known.namespaces,
                graph=path.stem,
                texts={document.id: document.text},
            )
            statements += [
                statement.asserted
                for statement in annotated
                if statement.asserted.graph == document.id
            ]
        return statements

    def _files(self) -> list[Path]:
        path = Path(self.file)
        if not path.is_dir():
            return [path]
        suffixes = (*NOTATIONS, *SUFFIXES)
        return sorted(file for file in path.rglob("*") if file.suffix.lower() in suffixes)

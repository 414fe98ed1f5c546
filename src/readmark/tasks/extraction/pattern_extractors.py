"""Extractors that read with patterns: those that people wrote, and those that are induced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from readmark.core.errors import UsageError
from readmark.core.files import read_bytes, toml_of
from readmark.core.registry import parameter
from readmark.tasks.categories.mapping import statements_of
from readmark.tasks.extraction.engine import PatternReader
from readmark.tasks.extraction.extractor import Extractor
from readmark.tasks.extraction.notation import PATTERNS, read_patterns
from readmark.tasks.manifest import sha256
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.records import Document
from readmark.text.training_record import TrainingRecord, make_source
from readmark.text.training_record_files import record_in_toml, recorded_in


@dataclass
class PatternReading(Extractor):
    """Reads with patterns, wherever they come from."""

    _reader: PatternReader | None = field(default=None, init=False, repr=False)

    def read(self, document: Document) -> list[Asserted]:
        """The statements of the marks that the patterns make."""
        assert self._reader is not None  # `ready` was called
        marked = self._reader.marks(document.id, document.text)
        categories = self._reader.categories
        return statements_of(marked, categories, self.known.namespaces)


@dataclass
class PatternExtractor(PatternReading):
    """Reads with the patterns of ``patterns.toml``, whatever the domain."""

    file: str = parameter("", help="patterns.toml to read with; without it, the task's own")

    def ready(self) -> None:
        """Compile the patterns."""
        categories, patterns = self.known.categories, self.known.patterns
        if self.file and categories is not None:
            data = read_bytes(self.file)
            toml_of(data, self.file)  # refuses in one line what is not UTF-8 or not TOML
            patterns = read_patterns(data.decode(), self.file, categories)
        if categories is None or patterns is None:
            raise UsageError("patterns needs a task with patterns.toml and categories.toml")
        self._reader = PatternReader(patterns, categories)

    def decides(self) -> Mapping[str, Any]:
        """The patterns that are not the task's."""
        return {"patterns": sha256(read_bytes(self.file))[:16]} if self.file else {}

    def training_record(self) -> TrainingRecord | None:
        """What the patterns were learnt from; None where people wrote them."""
        if self.file:
            return recorded_in(self.file)
        package = self.known.package
        for file in package.manifest.of("patterns"):
            return record_in_toml(package.folder.read(file.path), file.path)
        return None


@dataclass
class InducedExtractor(PatternReading):
    """Learns patterns from the annotated train split, and reads with them."""

    def ready(self) -> None:
        """Learn."""
        from readmark.tasks.extraction.induction import learn_from

        known = self.known
        learnt = learn_from(known)
        assert known.categories is not None
        patterns = read_patterns(learnt.text, PATTERNS, known.categories)
        assert patterns is not None
        self._reader = PatternReader(patterns, known.categories)

    def training_record(self) -> TrainingRecord:
        """The annotated documents of the train split."""
        texts = [text for _, text, asserted in self.known.training() if asserted]
        return TrainingRecord(sources=(make_source("the train split", texts),))

    def decides(self) -> Mapping[str, Any]:
        """How patterns are learnt."""
        from readmark.tasks.extraction.induction import VERSION

        return {"induction": VERSION}

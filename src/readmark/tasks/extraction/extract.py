"""``readmark task extract``: texts read into entities of a domain, and its summary of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from rich.text import Text

from readmark.core.candidate_run import Run
from readmark.core.display import Result
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import read_bytes, read_lines
from readmark.core.json_lines import decode
from readmark.core.kinds import kind_named
from readmark.core.problems import fail
from readmark.core.source import Source
from readmark.core.traffic import Traffic
from readmark.hooks import hook
from readmark.llm import Llm
from readmark.sitting import CANDIDATES, make_ready
from readmark.tasks.domain_folders import domain_folder
from readmark.tasks.extraction.domain_summary import Summary, read_summary, summarise
from readmark.tasks.extraction.extractor import Extractor, Reading
from readmark.tasks.extraction.materials import shown_files
from readmark.tasks.extraction.read_entities import ReadEntity, entities_of
from readmark.tasks.extraction.replies import ModelExtractor
from readmark.tasks.manifest import MANIFEST, is_unpacked
from readmark.tasks.package import Package
from readmark.tasks.reasoning.derivation_text import contradiction_text
from readmark.tasks.reasoning.graphs import write_triple
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.records import Document
from readmark.tasks.task_folder import gather, open_task

if TYPE_CHECKING:
    from rich.console import Console

_EXTRACTOR = "patterns"
"""Who reads when nobody is named."""


@dataclass(frozen=True, repr=False)
class Extraction(Result):
    """What was read in each document."""

    readings: Mapping[str, Reading]
    ontology: Ontology | None
    summary: Summary
    notes: tuple[str, ...] = ()
    errors: Mapping[str, str] = field(default_factory=dict)
    """Why documents could not be read."""

    @property
    def failed(self) -> bool:
        """Whether a document could not be read."""
        return bool(self.errors)

    @property
    def _hidden(self) -> frozenset[str]:
        """Properties that only help to reason."""
        if self.ontology is None:
            return frozenset()
        return frozenset(prop.name.text for prop in self.ontology.with_role("auxiliary"))

    def entities(self, id: str) -> dict[str, ReadEntity]:
        """The entities of a document."""
        return entities_of(self.readings[id], self.ontology)

    def as_json(self) -> dict[str, Any]:
        """Entities, contexts and contradictions of each document, and its summary."""
        documents: dict[str, Any] = {}
        for id, reading in self.readings.items():
            entities = self.entities(id)
            documents[id] = {
                "entities": [entity.as_json(self._hidden) for entity in entities.values()],
                "contexts": [group.as_json() for group in reading.contexts],
                "contradictions": [
                    {
                        "rule": contradiction.rule.name,
                        "comment": contradiction.rule.comment,
                        "statements": [
                            write_triple(statement) for statement in contradiction.inputs
                        ],
                    }
                    for contradiction in reading.contradictions
                ],
                **summarise(entities, self.summary),
            }
        documents |= {id: {"error": error} for id, error in self.errors.items()}
        return {"documents": documents, **({"notes": list(self.notes)} if self.notes else {})}

    def show(self, console: Console) -> None:
        """Each document: its entities with their properties and words."""
        for id, reading in self.readings.items():
            console.print(Text(id), style="bold")
            for entity in self.entities(id).values():
                class_name = f" ({entity.classes[0]})" if entity.classes else ""
                quote = ""
                if entity.excerpts:
                    start, end = entity.excerpts[0]
                    quote = f"  “{' '.join(reading.document.text[start:end].split())}”"
                console.print(Text(f"  {entity.id}{class_name}{quote}"), soft_wrap=True)
                for name, values in entity.shown(self._hidden).items():
                    listed = ", ".join(map(str, values))
                    console.print(Text(f"    {name}: {listed}"), soft_wrap=True)
            for contradiction in reading.contradictions:
                console.print(Text(contradiction_text(contradiction)), soft_wrap=True)
        for id, error in self.errors.items():
            console.print(Text(id), style="bold")
            console.print(Text(f"  error: {error}"), soft_wrap=True)


def open_domain(name: str) -> Package:
    """A task, or the folder of a domain: one that ships, by its name, or any other."""
    path = Path(name)
    folder = Source(name).folder if path.exists() else None
    if folder is not None and (
        folder.is_zip or folder.find(MANIFEST) is not None or is_unpacked(folder)
    ):
        return open_task(name)
    if path.is_file():
        raise DataError("expected a domain or a task", file=name)
    return gather(domain_folder(name)).package


def read_texts(paths: Iterable[str]) -> list[Document]:
    """Text files, the id of each its stem, and JSON lines with ``id`` and ``text``."""
    documents: dict[str, Document] = {}
    for path in paths:
        for document in _documents_in(path):
            if document.id in documents:
                raise DataError(f"the id {document.id!r} occurs twice", file=path)
            documents[document.id] = document
    return list(documents.values())


class _TextRow(msgspec.Struct):
    id: str
    text: str


def _documents_in(path: str) -> Iterator[Document]:
    if Path(path).suffix.lower() in (".jsonl", ".ndjson"):
        decoder = msgspec.json.Decoder(_TextRow)
        for number, raw in read_lines(path):
            row = decode(path, number, raw, decoder, fail)
            if row is not None:
                yield Document(id=row.id, text=row.text)
        return
    try:
        text = read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"not valid UTF-8 (byte {error.start + 1})"
        raise DataError(message, file=path) from None
    yield Document(id=Path(path).stem, text=text)


def build_extractor(name: str, package: Package) -> Extractor:
    """An extractor that is ready to read texts of a domain."""
    parsed, built = CANDIDATES.build(name)
    if not isinstance(built, Extractor | Llm):
        names = [name for name, cls in CANDIDATES.working() if issubclass(cls, Extractor | Llm)]
        hint = did_you_mean(parsed.base, names)
        raise UsageError(f"{parsed.base} is not an extractor; {hint}")
    language = package.manifest.language or "en"
    files = shown_files(package)
    run = Run(materials=files, traffic=Traffic(cache=""), may_ask=False)
    make_ready(str(parsed), built, kind_named("task"), language, run)
    if isinstance(built, Llm):
        model = ModelExtractor(built.reason, candidate=built, form=built.form)
        model.show(files)
        return model
    return built


def extract(domain: str, texts: Sequence[str], *, extractor: str = _EXTRACTOR) -> Extraction:
    """Read text files, or JSON lines with ``id`` and ``text``, into statements of a domain."""
    package = open_domain(domain)
    built = build_extractor(extractor, package)
    errors: dict[str, str] = {}
    extracted = built.extract(read_texts(texts), errors)
    readings = {reading.document.id: reading for reading in extracted}
    notes = tuple(hook(built, "closing_notes", list)())
    return Extraction(readings, built.known.ontology, read_summary(package), notes, errors)

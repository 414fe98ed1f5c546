"""Extractors: candidates that read documents into statements and answer queries from them.

A new extractor derives from ``Extractor`` and has ``read``. The rest is here: what it may see of a
task, the reasoner over what it read, the answers with excerpts and derivations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from readmark.core.candidate_run import Run
from readmark.core.error_rows import failure
from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes, toml_of
from readmark.core.folders import Folder
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.tasks.categories.definitions import Categories
from readmark.tasks.categories.mapping import statements_of
from readmark.tasks.extraction.engine import PatternReader
from readmark.tasks.extraction.notation import PATTERNS, read_patterns
from readmark.tasks.extraction.pattern_set import PatternSet
from readmark.tasks.file_roles import id_from_path, role_of
from readmark.tasks.manifest import Manifest, QueryRow, TaskFile, sha256
from readmark.tasks.package import Package
from readmark.tasks.query_answers import answers_to, mentions_of
from readmark.tasks.reasoning.annotated_statements import NOTATIONS, read_annotated
from readmark.tasks.reasoning.context_results import ContextGroup
from readmark.tasks.reasoning.contexts import contexts
from readmark.tasks.reasoning.contradictions import Contradiction, contradictions
from readmark.tasks.reasoning.derivations import Derivation, explain
from readmark.tasks.reasoning.engine.inference import Derived, Inference, infer
from readmark.tasks.reasoning.engine.limits import SECONDS
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import TYPE, Ontology
from readmark.tasks.reasoning.rdf import SUFFIXES
from readmark.tasks.reasoning.rules.parser import parse_query
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.records import Document, Query
from readmark.text.training_record import TrainingRecord, make_source
from readmark.text.training_record_files import record_in_toml, recorded_in

TRAIN = "train"
"""The split that an extractor may see with its annotation."""
SHOWN = (
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
BATCH = 1024
"""Documents that are reasoned over together: starting the reasoner takes longer than a document."""
MOST_EXPLAINED = 10 * BATCH
"""So many contradictions of a batch are explained; all are resolved."""

Files = Mapping[str, bytes]
"""Files of a task by their path."""


def shown_files(package: Package) -> dict[str, bytes]:
    """What an extractor may see of a task: no answers, and annotation of the train split only."""
    train = TRAIN not in package.manifest.hidden
    return {
        file.path: package.folder.read(file.path)
        for file in package.manifest.files
        if file.path in package.folder
        and (
            file.role in SHOWN
            or (train and file.split == TRAIN and file.role in ("document", "annotations"))
        )
    }


class _Files(Folder):
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
    """What an extractor has of a task, opened: ontology, rules, categories, patterns, training."""

    def __init__(self, files: Files) -> None:
        entries = []
        for path, data in files.items():
            role, split = role_of(path)
            id = id_from_path(path) if role == "document" else None
            entries.append(TaskFile(path, role, sha256(data), len(data), id, split))
        self.package = Package(_Files(files), Manifest(files=tuple(entries)))

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


@dataclass(frozen=True)
class Reading:
    """What was read in a document, and what followed."""

    document: Document
    asserted: tuple[Asserted, ...]
    """What the extractor read, without what was dropped."""
    statements: tuple[Derived, ...]
    """All of it, with what follows."""
    contradictions: tuple[Contradiction, ...] = ()
    """What contradicted, before anything was dropped."""
    contexts: tuple[ContextGroup, ...] = ()
    """Which of the contradicting statements can be right together, the likeliest first."""
    derivations: Mapping[Statement, Derivation] = field(default_factory=dict)
    """Why what was not read follows: of everything but types and what only helps to reason."""


@dataclass(frozen=True)
class _Reasoned:
    """What stays of a batch of documents, and what follows.

    Documents that contradicted have an inference of their own, over what stays of them.
    """

    kept: list[Asserted]
    inference: Inference
    contradictions: Sequence[Contradiction] = ()
    groups: Sequence[ContextGroup] = ()
    repaired: Inference | None = None
    repairs: frozenset[str] = frozenset()
    """The documents that contradicted."""

    def __enter__(self) -> _Reasoned:
        return self

    def __exit__(self, *_: object) -> None:
        self.inference.close()
        if self.repaired is not None:
            self.repaired.close()

    def parts(self, documents: Iterable[str]) -> Iterator[tuple[Inference, list[str]]]:
        """The documents by the inference that they are in."""
        listed = list(documents)
        yield self.inference, [id for id in listed if id not in self.repairs]
        if self.repaired is not None:
            yield self.repaired, [id for id in listed if id in self.repairs]

    def statements(self) -> Iterator[Derived]:
        """Every statement, asserted and derived."""
        for derived in self.inference.statements():
            if derived.graph not in self.repairs:
                yield derived
        if self.repaired is not None:
            yield from self.repaired.statements()


class _InGraph(Protocol):
    @property
    def graph(self) -> str: ...


_Item = TypeVar("_Item", bound=_InGraph)


def _by_graph(items: Iterable[_Item]) -> dict[str, list[_Item]]:
    found: dict[str, list[_Item]] = defaultdict(list)
    for item in items:
        found[item.graph].append(item)
    return found


def _numbered(groups: Iterable[ContextGroup]) -> Iterator[ContextGroup]:
    """The contexts of a document with its conflicts counted from 1, whatever is read with it."""
    numbers: dict[int, int] = {}
    for group in groups:
        number = numbers.setdefault(group.conflict, len(numbers) + 1)
        yield replace(group, conflict=number)


@dataclass
class Extractor:
    """Reads each document once; queries are answered from what was read and what follows."""

    reason: bool = parameter(
        True, help="infer what follows from what was read, and drop what contradicts"
    )
    materials: Materials | None = field(default=None, init=False, repr=False)

    kinds = ("task",)

    def read(self, document: Document) -> list[Asserted]:
        """The statements in a document, with their excerpts. All that an extractor has to do."""
        raise NotImplementedError

    def ready(self) -> None:
        """Called once with ``materials`` in place, before the first document."""

    def decides(self) -> Mapping[str, Any]:
        """What else decides the answers, for the signature."""
        return {}

    # What the path calls.

    def begin(self, run: Run) -> None:
        """The files of the task are what an extractor may see."""
        self.show(run.materials)

    def show(self, materials: Mapping[str, bytes]) -> None:
        """The files of the task that it may see."""
        self.materials = Materials(materials)

    @property
    def known(self) -> Materials:
        """The materials; a task without them is refused in one line."""
        if self.materials is None or not self.materials.package.manifest.files:
            raise UsageError(
                "an extractor reads a task's folder or zip with its ontology; this test has none"
            )
        return self.materials

    def prepare(self, kind: Kind, language: str) -> None:
        """Compile what is needed, once."""
        self.ready()

    def signature(self) -> Mapping[str, Any]:
        """The files of the task and the parameters."""
        files = {file.path: file.sha256[:16] for file in self.known.package.manifest.files}
        return {"reason": self.reason, "files": files, **self.decides()}

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        """A row a query; documents are read one by one and reasoned over in batches."""
        waiting = _by_document(units)
        while batch := list(islice(waiting, BATCH)):
            asserted, failed = self.read_all([document for document, _ in batch])
            for document, asked in batch:
                if document.id in failed:
                    yield from (failure(unit.id, failed[document.id]) for unit in asked)
            sound = [(document, asked) for document, asked in batch if document.id not in failed]
            yield from self._answers(sound, asserted)

    def extract(
        self, documents: Iterable[Document], failed: dict[str, str] | None = None
    ) -> Iterator[Reading]:
        """What is in documents, without queries; ``failed`` takes why some cannot be read."""
        waiting = iter(documents)
        while batch := list(islice(waiting, BATCH)):
            asserted, errors = self.read_all(batch)
            for id, error in errors.items():
                if failed is None or not isinstance(error, DataError):
                    raise error
                failed[id] = error.message
            batch = [document for document in batch if document.id not in errors]
            with self._reasoned(asserted) as reasoned:
                statements = _by_graph(reasoned.statements())
                derivations = self._explained(reasoned, statements)
            kept = _by_graph(reasoned.kept)
            broken = _by_graph(reasoned.contradictions)
            groups = _by_graph(reasoned.groups)
            for document in batch:
                id = document.id
                yield Reading(
                    document,
                    tuple(kept[id]),
                    tuple(statements[id]),
                    tuple(broken[id]),
                    tuple(_numbered(groups[id])),
                    derivations[id],
                )

    def read_all(
        self, documents: Sequence[Document]
    ) -> tuple[list[Asserted], dict[str, Exception]]:
        """The statements in documents, and why some of them cannot be read."""
        asserted: list[Asserted] = []
        failed: dict[str, Exception] = {}
        for document in documents:
            try:
                asserted += self.read(document)
            except Exception as error:  # one document's failure is the row of its queries
                failed[document.id] = error
        return asserted, failed

    def _reasoned(self, asserted: Sequence[Asserted]) -> _Reasoned:
        """The statements that stay, what follows from them, and what contradicted.

        Of documents that contradict the theory the most probable consistent statements stay.
        """
        if not self.reason:
            inference = infer(asserted, Theory("None"), seconds=SECONDS)
            return _Reasoned(list(asserted), inference)
        inference = self._inferred(asserted)
        with inference.store.closed_on_error():
            broken = contradictions(inference, most=MOST_EXPLAINED, minimal=False)
            if not broken:
                return _Reasoned(list(asserted), inference)
            graphs = inference.contradicted()
            doubtful = [one for one in asserted if one.graph in graphs]
            known = self.known
            try:
                found = contexts(
                    doubtful, known.theory, known.ontology, seconds=SECONDS, contradicted=graphs
                )
            except DataError:  # out of time: the contradictions are listed, and nothing is dropped
                return _Reasoned(list(asserted), inference, broken)
            kept = [one for one in asserted if one.graph not in graphs]
            kept += found.best.kept
            repaired = self._inferred(found.best.kept, consistent=True)
        return _Reasoned(kept, inference, broken, found.groups, repaired, frozenset(graphs))

    def _explained(
        self, reasoned: _Reasoned, statements: Mapping[str, Sequence[Derived]]
    ) -> Mapping[str, dict[Statement, Derivation]]:
        """Why statements of documents hold that were not read there, by document."""
        found: dict[str, dict[Statement, Derivation]] = defaultdict(dict)
        if not self.reason:
            return found
        ontology = self.known.ontology
        unshown = {TYPE} | (
            set() if ontology is None else {one.name for one in ontology.with_role("auxiliary")}
        )
        read = {(one.graph, one.statement) for one in reasoned.kept}
        for inference, documents in reasoned.parts(statements):
            wanted = [
                (id, derived.statement)
                for id in documents
                for derived in statements[id]
                if derived.statement.predicate not in unshown
                and (id, derived.statement) not in read
            ]
            for derivation in explain(inference, wanted, every_way=True) if wanted else ():
                found[derivation.graph][derivation.statement] = derivation
        return found

    def _inferred(self, asserted: Sequence[Asserted], *, consistent: bool = False) -> Inference:
        """What follows, with every statement taken as it was read.

        How surely it was read only decides what is dropped: with chances the rules take three
        times as long.
        """
        known = self.known
        certain = [
            one if one.probability == 1 else replace(one, probability=1.0) for one in asserted
        ]
        return infer(certain, known.theory, known.ontology, seconds=SECONDS, consistent=consistent)

    def _answers(
        self, batch: Sequence[tuple[Document, Sequence[Unit]]], asserted: Sequence[Asserted]
    ) -> Iterator[Row]:
        by_query: dict[tuple[str, str], list[Unit]] = defaultdict(list)
        for _, asked in batch:
            for unit in asked:
                query: Query = unit.item
                by_query[query.query or query.id, query.graph].append(unit)
        with self._reasoned(asserted) as reasoned:
            mentions = mentions_of(reasoned.kept)
            for (id, graph), asked in by_query.items():
                row = QueryRow(id=id, graph=graph, fields=asked[0].item.fields)
                documents = [unit.group for unit in asked]
                try:
                    conditions = parse_query(graph)
                    found: dict[str, list[Any]] = defaultdict(list)
                    for inference, own in reasoned.parts(documents):
                        for answer in answers_to(inference, row, conditions, own, mentions):
                            found[answer.document].append(msgspec.to_builtins(answer.solution()))
                except Exception as error:  # a query's failure is the row of its units
                    yield from (failure(unit.id, error) for unit in asked)
                    continue
                yield from (Row(id=unit.id, answer=found[unit.group]) for unit in asked)


def _by_document(units: Iterable[Unit]) -> Iterator[tuple[Document, list[Unit]]]:
    asked: list[Unit] = []
    for unit in units:
        if asked and unit.group != asked[0].group:
            yield asked[0].record, asked
            asked = []
        asked.append(unit)
    if asked:
        yield asked[0].record, asked


@dataclass
class StatementFile(Extractor):
    """Takes the statements of a file, or of a folder of them: people's, or another system's."""

    file: str = parameter("", help="the file or folder with the statements")

    def ready(self) -> None:
        """See that there is something to read."""
        if not self.file:
            raise UsageError("candidate statements needs a file: statements(file=read.trig)")
        if not Path(self.file).exists():
            raise DataError("no such file", file=self.file)

    def decides(self) -> Mapping[str, Any]:
        """The files and their contents."""
        return {"read": {path.name: sha256(path.read_bytes())[:16] for path in self._files()}}

    def read(self, document: Document) -> list[Asserted]:
        """The statements about the document."""
        found: list[Asserted] = []
        for path in self._files():
            data = read_bytes(path)
            is_notation = path.suffix.lower() in NOTATIONS
            named = path.stem == document.id or f"document: {document.id}\n".encode() in data
            if is_notation and not named:
                continue
            annotated = read_annotated(
                data,
                file=str(path),
                namespaces=self.known.namespaces,
                graph=path.stem,
                texts={document.id: document.text},
            )
            found += [one.asserted for one in annotated if one.asserted.graph == document.id]
        return found

    def _files(self) -> list[Path]:
        path = Path(self.file)
        if not path.is_dir():
            return [path]
        known = (*NOTATIONS, *SUFFIXES)
        return sorted(one for one in path.rglob("*") if one.suffix.lower() in known)


@dataclass
class PatternReading(Extractor):
    """Reads with patterns, wherever they come from."""

    _reader: PatternReader | None = field(default=None, init=False, repr=False)

    def read(self, document: Document) -> list[Asserted]:
        """The statements of the marks that the patterns make."""
        assert self._reader is not None
        marked = self._reader.marks(document.id, document.text)
        categories = self._reader.categories
        return statements_of(marked, categories, self.known.namespaces)


@dataclass
class PatternExtractor(PatternReading):
    """Reads with the patterns of ``patterns.toml``, whatever the domain."""

    file: str = parameter("", help="patterns.toml to read with; without it, the task's own")

    def ready(self) -> None:
        """Compile the patterns."""
        known = self.known
        if known.categories is None or not (self.file or known.patterns is not None):
            raise UsageError("patterns needs a task with patterns.toml and categories.toml")
        patterns = known.patterns
        if self.file:
            toml_of(data := read_bytes(self.file), self.file)  # what is not TOML is one line
            patterns = read_patterns(data.decode(), self.file, known.categories)
        assert patterns is not None
        self._reader = PatternReader(patterns, known.categories)

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

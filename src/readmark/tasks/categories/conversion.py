"""Files of marks as files of statements, and back: ``readmark task annotate``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.display import Result, counted
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes
from readmark.core.numbers import and_more
from readmark.core.source import Source
from readmark.core.writing import writing
from readmark.tasks.categories.definitions import CATEGORIES, Categories, read_categories
from readmark.tasks.categories.inversion import Lost, marks_of
from readmark.tasks.categories.mapping import statements_of
from readmark.tasks.categories.mark_files import WRITTEN, read_marks, write_marks
from readmark.tasks.categories.marks import MarkedText
from readmark.tasks.domain_folders import domain_folder
from readmark.tasks.knowledge_base import texts_near
from readmark.tasks.package import Package
from readmark.tasks.reasoning.annotated_statements import NOTATIONS, read_annotated
from readmark.tasks.reasoning.graphs import Asserted, write_triple
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.provenance import write_provenance
from readmark.tasks.reasoning.rdf import DATASETS, SUFFIXES, format_of
from readmark.tasks.reasoning.statement_notation import STATEMENTS_SUFFIX, write_statements_file
from readmark.tasks.task_folder import gather, open_task

if TYPE_CHECKING:
    from rich.console import Console

_MOST_LINES = 20
"""How many lines of a sort are printed; JSON has all."""


@dataclass(frozen=True, repr=False)
class ConvertedMarks(Result):
    """Marks and the statements that they yield, one of which was written."""

    outputs: tuple[str, ...]
    documents: int
    marks: int
    statements: int
    unused: tuple[str, ...] = ()
    """What the file of marks has that yields nothing."""
    lost: tuple[str, ...] = ()
    """What no category yields, with file and line."""
    added: tuple[str, ...] = ()
    """Statements that the marks imply besides those that were read."""

    @property
    def failed(self) -> bool:
        """Whether anything that was read is not in what was written."""
        return bool(self.lost)

    @property
    def notes(self) -> tuple[str, ...]:
        """The counts, and everything that is not on both sides."""
        marks, statements = counted(self.marks, "mark"), counted(self.statements, "statement")
        lines = [f"{', '.join(self.outputs)}: {marks}, {statements}"]
        lines += _first_lines(self.lost)
        lines += _first_lines([f"implied by the marks too: {triple}" for triple in self.added])
        lines += _first_lines([f"not used: {line}" for line in self.unused])
        return tuple(lines)

    def as_json(self) -> dict[str, Any]:
        """The counts and the lists."""
        return {
            "outputs": list(self.outputs),
            "documents": self.documents,
            "marks": self.marks,
            "statements": self.statements,
            "lost": list(self.lost),
            "added": list(self.added),
            "unused": list(self.unused),
        }

    def show(self, console: Console) -> None:
        """Nothing: marks and statements are in the file."""

    def __str__(self) -> str:
        return "\n".join(self.notes)


def _first_lines(lines: Sequence[str]) -> list[str]:
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], and_more(more)] if more > 0 else [*lines]


def convert_marks(
    source: str,
    output: str,
    *,
    categories: str,
    text: str | None = None,
    annotator: str | None = None,
) -> ConvertedMarks:
    """Write marks as statements, or statements as marks, as the names of the files say.

    ``categories`` is a categories.toml, a domain or a task; its ontology spells the names.
    ``text`` is the document, by default the .txt file next to SOURCE.
    """
    require_distinct_files([output], [source, text])
    known, namespaces, package = open_categories(categories)
    ending = Path(output).suffix.lower()
    of_statements = (*NOTATIONS, *SUFFIXES)
    if Path(source).suffix.lower() in of_statements:
        if ending not in WRITTEN:
            expected = ", ".join(WRITTEN)
            raise UsageError(f"{output}: marks are written to a file that ends in {expected}")
        if annotator is not None:
            raise UsageError("--annotator is for marks; statements have their annotators")
        return _to_marks(source, output, known, namespaces, package, text)
    if ending not in of_statements:
        expected = ", ".join(of_statements)
        raise UsageError(f"{output}: statements are written to a file that ends in {expected}")
    documents = package.documents if package is not None else {}
    marked = read_marks(source, known, text=text, annotator=annotator, documents=documents)
    return _to_statements(marked, output, known, namespaces)


def open_categories(name: str) -> tuple[Categories, Namespaces, Package | None]:
    """Categories, how the ontology with them spells names, and the task that they are of."""
    if Path(name).is_file() and Path(name).suffix.lower() == ".toml":
        categories = _required(read_categories(_text(name), name), name)
        beside = sorted(Path(name).parent.glob("ontology.*"))
        ontologies = [path for path in beside if path.suffix.lower() in SUFFIXES]
        if not ontologies:
            return categories, Namespaces(), None
        ontology = read_ontology(read_bytes(ontologies[0]), file=str(ontologies[0]))
        return categories, ontology.namespaces, None
    if Path(name).exists() and Source(name).folder is None:
        raise DataError("expected a categories.toml, a domain or a task", file=name)
    is_task = Path(name).is_file() or (Path(name) / "documents").is_dir()
    package = open_task(name) if is_task else gather(domain_folder(name)).package
    categories = _required(package.categories(), name)
    domain_ontology = package.ontology()
    namespaces = domain_ontology.namespaces if domain_ontology is not None else Namespaces()
    return categories, namespaces, package


def _text(path: str) -> str:
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise DataError("not valid UTF-8", file=path) from None


def _required(categories: Categories | None, name: str) -> Categories:
    if categories is None:
        raise DataError(f"has no {CATEGORIES}", file=name)
    return categories


def _to_statements(
    marked: Sequence[MarkedText], output: str, categories: Categories, namespaces: Namespaces
) -> ConvertedMarks:
    asserted = [
        statement
        for document in marked
        for statement in statements_of(document, categories, namespaces)
    ]
    if not any(document.marks for document in marked):
        raise DataError("has no marks", file=marked[0].file if marked else output)
    ending = Path(output).suffix.lower()
    if ending in NOTATIONS and len(marked) > 1:
        message = f"{len(marked)} documents do not fit in one file; write .trig or .nq"
        raise DataError(message, file=output)
    if ending == STATEMENTS_SUFFIX:
        texts = {document.id: document.text for document in marked}
        data = write_statements_file(asserted, texts, document=marked[0].id).encode()
    elif ending in NOTATIONS:
        raise UsageError(f"{output}: {ending} has no words; write .statements or .trig")
    else:
        format = format_of(output)
        if len(marked) > 1 and format not in DATASETS:
            message = f"{len(marked)} documents need named graphs; write .trig or .nq"
            raise DataError(message, file=output)
        data = write_provenance(asserted, format=format, namespaces=namespaces, file=output)
    with writing(output) as stream:
        stream.write(data)
    notes = [
        f"{mark.id}: the note “{mark.values['note']}”"
        for document in marked
        for mark in document.marks
        if "note" in mark.values
    ]
    unused = (*(line for document in marked for line in document.unused), *notes)
    count = sum(len(document.marks) for document in marked)
    return ConvertedMarks((output,), len(marked), count, len(asserted), unused)


def _to_marks(
    source: str,
    output: str,
    categories: Categories,
    namespaces: Namespaces,
    package: Package | None,
    text: str | None,
) -> ConvertedMarks:
    id = Path(source).stem
    near = {id: _text(text)} if text is not None else texts_near(Path(source))
    texts = {**(package.documents if package is not None else {}), **near}
    statements = read_annotated(
        read_bytes(source), file=source, namespaces=namespaces, graph=id, texts=texts
    )
    by_document: dict[str, list[tuple[Asserted, int]]] = {}
    for asserted, line, _ in statements:
        by_document.setdefault(asserted.graph, []).append((asserted, line))
    if not statements:
        raise DataError("has no statements", file=source)
    marked: list[MarkedText] = []
    lost: list[Lost] = []
    added: list[Asserted] = []
    for document, of_document in by_document.items():
        if document not in texts:
            message = f"there is no text of the document {document!r}; name it with --text"
            raise DataError(message, file=source)
        result = marks_of(
            of_document,
            categories,
            document=document,
            text=texts[document],
            namespaces=namespaces,
            file=source,
        )
        marked.append(result.marked)
        lost += result.lost
        added += result.added
    outputs = write_marks(marked, output)
    return ConvertedMarks(
        tuple(outputs),
        len(marked),
        sum(len(document.marks) for document in marked),
        len(statements),
        lost=tuple(f"{source}:{each.line}: {each.text}" for each in lost),
        added=tuple(write_triple(asserted.statement) for asserted in added),
    )

"""A task package that was opened: its documents, ontology, rules, annotated graphs, rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from readmark.corpus.errors import DataError
from readmark.corpus.folders import Folder
from readmark.corpus.problems import Problem, Report, fail
from readmark.corpus.source import Source
from readmark.corpus.task_package import (
    AnswerRow,
    Manifest,
    QueryRow,
    TaskFile,
    content,
    read_manifest,
    rows,
)
from readmark.reasoning.blank_nodes import scoped, scopes
from readmark.reasoning.decompositions.scheme import Scheme, read_scheme
from readmark.reasoning.graphs import Asserted
from readmark.reasoning.namespaces import Namespaces
from readmark.reasoning.ontology import Ontology
from readmark.reasoning.owl import read_ontology
from readmark.reasoning.provenance_reading import Annotated, read_annotated
from readmark.reasoning.rules import Theory, parse_rules
from readmark.setting.tasks.rule_files import joined, rule_faults


class InFile(NamedTuple):
    """An annotated statement and the file that it stands in."""

    file: str
    annotated: Annotated
    split: str | None = None


@dataclass(frozen=True)
class Package:
    """A folder or zip with its manifest. What is wrong goes to ``report``; by default it raises."""

    folder: Folder
    manifest: Manifest

    @cached_property
    def documents(self) -> dict[str, str]:
        """The texts of the documents by id; one that cannot be read is left out."""
        found = {}
        for file in self.manifest.of("document"):
            try:
                found[file.id or file.path] = content(self.folder, file.path).decode("utf-8")
            except (DataError, UnicodeDecodeError):
                continue
        return found

    @cached_property
    def splits(self) -> dict[str, str | None]:
        """The split of each document."""
        return {one.id or one.path: one.split for one in self.manifest.of("document")}

    def ontology(self, report: Report = fail) -> Ontology | None:
        """The ontology; None when there is none, or none that can be read."""
        for file in self.manifest.of("ontology"):
            place = self.folder.place(file.path)
            try:
                return read_ontology(content(self.folder, file.path), file=place, report=report)
            except DataError as error:
                report(problem_of(error, place))
        return None

    def theory(self, report: Report = fail) -> Theory | None:
        """The rules of all rule files as one theory; None when there are none, or faulty ones."""
        found: list[Theory] = []
        sound = True
        for file in self.manifest.of("rules"):
            place = self.folder.place(file.path)
            try:
                text = self._text(file)
            except DataError as error:
                report(problem_of(error, place))
                sound = False
                continue
            for fault in rule_faults(text, place):
                report(problem_of(fault, place, "rule"))
                sound = False
            if sound:
                found.append(parse_rules(text, place))
        if not found or not sound:
            return None
        try:
            return joined(found)
        except DataError as error:
            report(problem_of(error, found[0].file or "", "rule"))
            return None

    def scheme(self, report: Report = fail) -> Scheme | None:
        """The additive quantities, where there are any and they name the property of a total."""
        for file in self.manifest.of("decomposition"):
            place = self.folder.place(file.path)
            try:
                found = read_scheme(self._text(file), place)
            except DataError as error:
                report(problem_of(error, place))
                continue
            if found.total is not None:
                return found
        return None

    def annotated(self, namespaces: Namespaces, report: Report = fail) -> Iterator[InFile]:
        """Every annotated statement, file by file; a file that cannot be read is reported.

        Where there are several files, their blank nodes are called after them.
        """
        apart = scopes(file.path for file in self.manifest.of("annotations"))
        for file in self.manifest.of("annotations"):
            place = self.folder.place(file.path)
            try:
                found = self.annotated_in(file, namespaces)
            except DataError as error:
                report(problem_of(error, place))
                continue
            for one in found:
                own = one._replace(asserted=scoped(one.asserted, apart[file.path]))
                yield InFile(place, own, file.split)

    def annotated_in(self, file: TaskFile, namespaces: Namespaces) -> list[Annotated]:
        """The annotated statements of one file."""
        return read_annotated(
            content(self.folder, file.path),
            file=self.folder.place(file.path),
            namespaces=namespaces,
            graph=self.graph_of(file),
        )

    def asserted(self, namespaces: Namespaces) -> Iterator[Asserted]:
        """Every annotated statement."""
        return (one.annotated.asserted for one in self.annotated(namespaces))

    def queries(self, report: Report = fail) -> Iterator[tuple[str, int, QueryRow]]:
        """Every query with its file and line."""
        for file in self._present("queries", report):
            for number, row in rows(self.folder, file.path, QueryRow, report):
                yield self.folder.place(file.path), number, row

    def answers(self, report: Report = fail) -> Iterator[tuple[TaskFile, int, AnswerRow]]:
        """Every answer with its file and line."""
        for file in self._present("answers", report):
            for number, row in rows(self.folder, file.path, AnswerRow, report):
                yield file, number, row

    def _present(self, role: str, report: Report) -> Iterator[TaskFile]:
        for file in self.manifest.of(role):
            if file.path in self.folder:
                yield file
            else:
                said = "the manifest names it, and it is not there"
                report(Problem(self.folder.place(file.path), 1, "missing_file", said))

    def _text(self, file: TaskFile) -> str:
        try:
            return content(self.folder, file.path).decode("utf-8")
        except UnicodeDecodeError as wrong:
            said = f"not valid UTF-8 (byte {wrong.start + 1})"
            raise DataError(said, file=self.folder.place(file.path)) from None

    def graph_of(self, file: TaskFile) -> str:
        """The document of triples in no named graph: the one that the file is called after."""
        parts = PurePosixPath(file.path).with_suffix("").parts
        for start in range(1, len(parts)):
            if (id := "/".join(parts[start:])) in self.splits:
                return id
        return parts[-1]


def open_package(path: str | Path) -> Package:
    """The task in a folder or zip."""
    source = Source(path)
    if source.folder is None:
        if not source.path.exists():
            raise DataError("no such file", file=path)
        raise DataError("is a file, expected the folder or zip of a task", file=path)
    return Package(source.folder, read_manifest(source.folder))


def problem_of(error: DataError, file: str, code: str = "unreadable") -> Problem:
    """An error as a problem, so that the other files are still checked."""
    where = error.where if isinstance(error.where, int) else str(error.where or 1)
    return Problem(str(error.file or file), where, code, error.message)

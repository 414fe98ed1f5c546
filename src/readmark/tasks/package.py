"""A task that was opened: its documents, ontology, rules, annotated graphs, queries and answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from readmark.core.errors import DataError
from readmark.core.folders import Folder
from readmark.core.problems import Problem, ReportProblem, fail
from readmark.core.source import Source
from readmark.tasks.categories.definitions import Categories, read_categories
from readmark.tasks.decompositions.scheme import Scheme, read_scheme
from readmark.tasks.extraction.notation import read_patterns
from readmark.tasks.extraction.pattern_set import PatternSet
from readmark.tasks.manifest import (
    AnswerRow,
    GoldVersion,
    Manifest,
    QueryRow,
    TaskFile,
    content,
    read_manifest,
    rows,
)
from readmark.tasks.reasoning.annotated_statements import AnnotatedStatement, read_annotated
from readmark.tasks.reasoning.blank_nodes import scoped, scopes
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.rule_files import join_theories, rule_faults


class InFile(NamedTuple):
    """An annotated statement, its file and the file's split."""

    file: str
    annotated: AnnotatedStatement
    split: str | None = None


@dataclass(frozen=True)
class Package:
    """A folder or zip with its manifest. What is wrong goes to ``report``; by default it raises."""

    folder: Folder
    manifest: Manifest

    @cached_property
    def documents(self) -> dict[str, str]:
        """The texts of the documents by id; one that cannot be read is left out."""
        texts = {}
        for file in self.manifest.of("document"):
            try:
                text = content(self.folder, file.path).decode("utf-8")
            except (DataError, UnicodeDecodeError):
                continue
            texts[file.id or file.path] = text
        return texts

    @cached_property
    def splits(self) -> dict[str, str | None]:
        """The split of each document."""
        return {file.id or file.path: file.split for file in self.manifest.of("document")}

    def ontology(self, report: ReportProblem = fail) -> Ontology | None:
        """The ontology; None when there is none, or none that can be read."""
        for file in self.manifest.of("ontology"):
            place = self.folder.place(file.path)
            try:
                return read_ontology(content(self.folder, file.path), file=place, report=report)
            except DataError as error:
                report(_problem(error, place))
        return None

    def theory(self, report: ReportProblem = fail) -> Theory | None:
        """The rules of all rule files as one theory; None when there are none, or faulty ones."""
        theories: list[Theory] = []
        is_sound = True
        for file in self.manifest.of("rules"):
            place = self.folder.place(file.path)
            try:
                text = self._text(file)
            except DataError as error:
                report(_problem(error, place))
                is_sound = False
                continue
            for fault in rule_faults(text, place):
                report(_problem(fault, place, "rule"))
                is_sound = False
            if is_sound:
                theories.append(parse_rules(text, place))
        if not theories or not is_sound:
            return None
        try:
            return join_theories(theories)
        except DataError as error:
            report(_problem(error, theories[0].file or "", "rule"))
            return None

    def scheme(self, report: ReportProblem = fail) -> Scheme | None:
        """The first scheme of additive quantities that names the property of a total."""
        for file in self.manifest.of("decomposition"):
            place = self.folder.place(file.path)
            try:
                scheme = read_scheme(self._text(file), place)
            except DataError as error:
                report(_problem(error, place))
                continue
            if scheme.total is not None:
                return scheme
        return None

    def categories(self, report: ReportProblem = fail) -> Categories | None:
        """What annotators mark; None when there is no such file, or a faulty one."""
        for file in self.manifest.of("categories"):
            place = self.folder.place(file.path)
            try:
                return read_categories(self._text(file), place, report)
            except DataError as error:
                if report is fail:
                    raise
                report(_problem(error, place))
        return None

    def patterns(self, report: ReportProblem = fail) -> PatternSet | None:
        """What the ``patterns`` extractor looks for; None without such a file, or a faulty one."""
        for file in self.manifest.of("patterns"):
            place = self.folder.place(file.path)
            try:
                return read_patterns(self._text(file), place, self.categories(report), report)
            except DataError as error:
                if report is fail:
                    raise
                report(_problem(error, place))
        return None

    def annotated(self, namespaces: Namespaces, report: ReportProblem = fail) -> Iterator[InFile]:
        """Every annotated statement, file by file; a file that cannot be read is reported.

        Where there are several files, their blank nodes are called after them.
        """
        scope_of = scopes(file.path for file in self.manifest.of("annotations"))
        for file in self.manifest.of("annotations"):
            place = self.folder.place(file.path)
            try:
                statements = self.annotated_in(file, namespaces)
            except DataError as error:
                report(_problem(error, place))
                continue
            for statement in statements:
                asserted = scoped(statement.asserted, scope_of[file.path])
                yield InFile(place, statement._replace(asserted=asserted), file.split)

    def annotated_in(self, file: TaskFile, namespaces: Namespaces) -> list[AnnotatedStatement]:
        """The annotated statements of one file."""
        return read_annotated(
            content(self.folder, file.path),
            file=self.folder.place(file.path),
            namespaces=namespaces,
            graph=self.graph_of(file),
            texts=self.documents,
        )

    def graph_of(self, file: TaskFile) -> str:
        """The document of statements in no named graph: the one that the file is called after.

        Folders of the file's path may be part of the id, or its split; the longest id counts.
        """
        parts = PurePosixPath(file.path).with_suffix("").parts
        for start in range(1, len(parts)):
            if (id := "/".join(parts[start:])) in self.splits:
                return id
        return parts[-1]

    def asserted(self, namespaces: Namespaces | None = None) -> Iterator[Asserted]:
        """Every annotated statement, its names spelt by ``namespaces``, else by the ontology."""
        if namespaces is None:
            ontology = self.ontology()
            namespaces = ontology.namespaces if ontology is not None else Namespaces()
        return (in_file.annotated.asserted for in_file in self.annotated(namespaces))

    def queries(self, report: ReportProblem = fail) -> Iterator[tuple[str, int, QueryRow]]:
        """Every query with its file and line."""
        for file in self._present("queries", report):
            for number, row in rows(self.folder, file.path, QueryRow, report):
                yield self.folder.place(file.path), number, row

    def answers(self, report: ReportProblem = fail) -> Iterator[tuple[TaskFile, int, AnswerRow]]:
        """Every answer with its file and line."""
        for file in self._present("answers", report):
            for number, row in rows(self.folder, file.path, AnswerRow, report):
                yield file, number, row

    def history(self, report: ReportProblem = fail) -> list[GoldVersion]:
        """The versions of the gold, oldest first."""
        return [
            row
            for file in self._present("history", report)
            for _, row in rows(self.folder, file.path, GoldVersion, report)
        ]

    def _present(self, role: str, report: ReportProblem) -> Iterator[TaskFile]:
        for file in self.manifest.of(role):
            if file.path in self.folder:
                yield file
            else:
                message = "the manifest names it, but it is missing"
                report(Problem(self.folder.place(file.path), 1, "missing_file", message))

    def _text(self, file: TaskFile) -> str:
        try:
            return content(self.folder, file.path).decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"not valid UTF-8 (byte {error.start + 1})"
            raise DataError(message, file=self.folder.place(file.path)) from None


def _problem(error: DataError, file: str, code: str = "unreadable") -> Problem:
    """An error as a problem, so that the other files are still checked."""
    where = error.where if isinstance(error.where, int) else str(error.where or 1)
    return Problem(str(error.file or file), where, code, error.message)


def open_package(path: str | Path) -> Package:
    """The task in a folder or zip that has a manifest."""
    source = Source(path)
    if source.folder is None:
        if not source.path.exists():
            raise DataError("no such file", file=path)
        raise DataError("is a file, expected the folder or zip of a task", file=path)
    return Package(source.folder, read_manifest(source.folder))

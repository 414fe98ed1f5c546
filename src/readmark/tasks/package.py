"""A task package that was opened: its documents, ontology, rules, annotated graphs, rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.folders import Folder
from readmark.core.json_lines import json_line
from readmark.core.problems import Problem, ReportProblem, fail
from readmark.core.records import Value
from readmark.core.source import Source
from readmark.core.spans import Excerpt
from readmark.core.writing import writing
from readmark.tasks.categories.definitions import Categories, read_categories
from readmark.tasks.decompositions.scheme import Scheme, read_scheme
from readmark.tasks.extraction.notation import PatternSet, read_patterns
from readmark.tasks.manifest import (
    ABOUT,
    MANIFEST,
    AnswerRow,
    GoldVersion,
    Manifest,
    QueryRow,
    TaskFile,
    content,
    read_manifest,
    rows,
)
from readmark.tasks.reasoning.annotated_statements import (
    NOTATIONS,
    AnnotatedStatement,
    read_annotated,
)
from readmark.tasks.reasoning.blank_nodes import scoped, scopes
from readmark.tasks.reasoning.graphs import Asserted, write_triple
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.rdf import SUFFIXES
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.strata import stratified
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.terms import TOKEN

# Which file of a task's folder is for what, by where it lies and what it is called.


HISTORY = "history.jsonl"
"""The versions of the gold, a line each, with every judgement; only ever appended to."""
RULES_SUFFIX = ".dsrs"
_TOML = ("decomposition", "categories", "patterns", "summary")
_NAMED = ("ontology", "guidelines", "queries", *_TOML)
_ANSWERS = ("answers", "gold")


def role_of(path: str) -> tuple[str, str | None]:
    """The role of a file and the split that its path names, whatever the case of known names."""
    parts = PurePosixPath(path).parts
    top = parts[0].lower()
    suffix = PurePosixPath(path).suffix.lower()
    if top == "documents" and suffix == ".txt":
        return "document", parts[1] if len(parts) > 2 else None
    if top == "background":
        return "background", None
    if top == "annotations" and suffix in (*SUFFIXES, *NOTATIONS):
        return "annotations", parts[1] if len(parts) > 2 else None
    if len(parts) > 1:
        return "other", None
    first, *middle = PurePosixPath(path).name.split(".")
    stem = first.lower()
    if path.lower() == HISTORY:
        return "history", None
    if stem in _ANSWERS and suffix == ".jsonl":
        return "answers", middle[0] if len(middle) > 1 else None
    if suffix == RULES_SUFFIX:
        return "rules", None
    toml = dict.fromkeys(_TOML, (".toml",))
    expected = {"ontology": (*SUFFIXES,), "queries": (".jsonl",), **toml}
    if stem in _NAMED and (stem not in expected or suffix in expected[stem]):
        return stem, None
    return "other", None


def document_id(path: str) -> str:
    """The id of a document: what its path says below the split, without the suffix."""
    parts = PurePosixPath(path).with_suffix("").parts
    return "/".join(parts[2:] if len(parts) > 2 else parts[1:])


def is_own(path: str) -> bool:
    """Whether a file is the task's description itself."""
    return path in (MANIFEST, ABOUT)


# The rule files of a task as one theory, and every fault in them, not only the first.


MOST_FAULTS = 100


def join_theories(theories: Sequence[Theory]) -> Theory:
    """One theory, named by the first; rules that share a name get their theory's number before it.

    Rules of several files may deny each other in a circle that no file has alone.
    """
    counts = Counter(rule.name for theory in theories for rule in theory.rules)
    rules = tuple(
        replace(rule, name=f"{index}: {rule.name}") if counts[rule.name] > 1 else rule
        for index, theory in enumerate(theories, 1)
        for rule in theory.rules
    )
    whole = Theory(theories[0].name, rules, theories[0].file)
    if len(theories) > 1:
        stratified(whole)
    return whole


def rule_faults(text: str, file: str) -> Iterator[DataError]:
    """Every fault of a rule file: the rule that has one is left out to see the next."""
    for _ in range(MOST_FAULTS):
        try:
            parse_rules(text, file)
        except DataError as error:
            yield error
            rest = _without(text, error)
            if rest is None:
                return
            text = rest
        else:
            return


def _without(text: str, error: DataError) -> str | None:
    """The text with the rule of an error blanked, every other in its place; None if none is it."""
    line = int(str(error.where or 0).partition(":")[0] or 0)
    for start, end in _forms(text):
        first = text.count("\n", 0, start) + 1
        if first <= line <= first + text.count("\n", start, end):
            blank = "".join(one if one == "\n" else " " for one in text[start:end])
            return text[:start] + blank + text[end:]
    return None


def _forms(text: str) -> Iterator[tuple[int, int]]:
    """Where the outermost parentheses open and close, as far as they are balanced."""
    at, depth, start = 0, 0, 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            return
        if match.lastgroup == "open":
            start = at if depth == 0 else start
            depth += 1
        elif match.lastgroup == "close":
            depth -= 1
            if depth == 0:
                yield start, match.end()
            if depth < 0:
                return
        at = match.end()


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
        return {
            task_file.id or task_file.path: task_file.split
            for task_file in self.manifest.of("document")
        }

    def ontology(self, report: ReportProblem = fail) -> Ontology | None:
        """The ontology; None when there is none, or none that can be read."""
        for file in self.manifest.of("ontology"):
            place = self.folder.place(file.path)
            try:
                return read_ontology(content(self.folder, file.path), file=place, report=report)
            except DataError as error:
                report(problem_of(error, place))
        return None

    def theory(self, report: ReportProblem = fail) -> Theory | None:
        """The rules of all rule files as one theory; None when there are none, or faulty ones."""
        theories: list[Theory] = []
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
                theories.append(parse_rules(text, place))
        if not theories or not sound:
            return None
        try:
            return join_theories(theories)
        except DataError as error:
            report(problem_of(error, theories[0].file or "", "rule"))
            return None

    def scheme(self, report: ReportProblem = fail) -> Scheme | None:
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

    def categories(self, report: ReportProblem = fail) -> Categories | None:
        """What annotators mark; None when there is no such file, or a faulty one."""
        for file in self.manifest.of("categories"):
            place = self.folder.place(file.path)
            try:
                return read_categories(self._text(file), place, report)
            except DataError as error:
                if report is fail:
                    raise
                report(problem_of(error, place))
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
                report(problem_of(error, place))
        return None

    def annotated(self, namespaces: Namespaces, report: ReportProblem = fail) -> Iterator[InFile]:
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

    def annotated_in(self, file: TaskFile, namespaces: Namespaces) -> list[AnnotatedStatement]:
        """The annotated statements of one file."""
        return read_annotated(
            content(self.folder, file.path),
            file=self.folder.place(file.path),
            namespaces=namespaces,
            graph=self.graph_of(file),
            texts=self.documents,
        )

    def asserted(self, namespaces: Namespaces | None = None) -> Iterator[Asserted]:
        """Every annotated statement, its names spelt by the ontology unless ``namespaces`` are."""
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
                message = "the manifest names it, and it is not there"
                report(Problem(self.folder.place(file.path), 1, "missing_file", message))

    def _text(self, file: TaskFile) -> str:
        try:
            return content(self.folder, file.path).decode("utf-8")
        except UnicodeDecodeError as wrong:
            message = f"not valid UTF-8 (byte {wrong.start + 1})"
            raise DataError(message, file=self.folder.place(file.path)) from None

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


def domain_folder(name: str) -> Path:
    """The folder of a domain: one that ships, by name, or any other, by path."""
    return Path(name) if Path(name).is_dir() else shipped_domain(name)


def shipped_domain(name: str) -> Path:
    """The folder of a domain that ships."""
    shipped = Path(str(files("readmark.tasks"))) / "domains"
    known = (
        sorted(path.name for path in shipped.iterdir() if path.is_dir()) if shipped.is_dir() else []
    )
    known = [one for one in known if not one.startswith(("_", "."))]
    if name not in known:
        raise UsageError(f"no domain {name!r}; {did_you_mean(name, known)}")
    return shipped / name


# Which files of a task reveal, or may reveal, the answers of hidden splits.


TELLING = ("answers", "annotations", "history")


def secret_files(package: Package, keep: Sequence[str] = ()) -> frozenset[str]:
    """The paths of files that a public task goes without.

    Answers and annotated graphs go by the documents that they are about, whatever they are called;
    a file of no known use may hold anything, so it stays out unless ``keep`` names it.
    """
    paths = [file.path for file in package.manifest.files]
    for path in keep:
        if path not in paths:
            raise UsageError(f"--keep {path}: no such file; {did_you_mean(path, paths)}")
    hidden = {one.casefold() for one in package.manifest.hidden}
    return frozenset(
        file.path
        for file in package.manifest.files
        if file.path not in keep
        and (
            file.role == "other"
            or (hidden and file.role in TELLING and _tells(file, package, hidden))
        )
    )


def _tells(file: TaskFile, package: Package, hidden: set[str]) -> bool:
    if file.split is not None and file.split.casefold() in hidden:
        return True
    try:
        about = set(_ABOUT[file.role](file, package))
    except DataError:
        return True  # nobody can say what is in it
    # What is of no document may be of one that was called otherwise.
    splits = (package.splits.get(id, None) if id in package.splits else "" for id in about)
    is_hidden = any(split == "" or (split or "").casefold() in hidden for split in splits)
    return is_hidden or (not about and file.split is None)


def _answered(file: TaskFile, package: Package) -> Iterable[str]:
    return (row.document for _, row in rows(package.folder, file.path, AnswerRow, fail))


def _graphs(file: TaskFile, package: Package) -> Iterable[str]:
    return (one.asserted.graph for one in package.annotated_in(file, Namespaces()))


def _judged(file: TaskFile, package: Package) -> Iterable[str]:
    return (row.document for version in package.history() for row in version.judgements)


_ABOUT = {"answers": _answered, "annotations": _graphs, "history": _judged}
"""The documents that a file of a role is about."""


# What was annotated as (assertion, text) pairs: "example pairs linking formal assertions to
# sentences or phrases with the same meaning" ("The DARPA Machine Reading Program", section 3.2.1).


class AssertionPair(Value, frozen=True):
    """A statement and the words that it was read from, with those of its parts."""

    assertion: str
    text: str
    document: str
    split: str | None = None
    excerpts: tuple[Excerpt, ...] = ()
    subject: tuple[str, ...] = ()
    predicate: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    probability: float | None = None
    annotator: str | None = None


def pairs(package: Package) -> Iterator[AssertionPair]:
    """A pair a statement with text behind it; one without any is passed over."""
    for asserted in package.asserted():
        support = asserted.support
        whole = support.spread()
        if whole:
            yield AssertionPair(
                assertion=write_triple(asserted.statement),
                text=" … ".join(excerpt.quote for excerpt in whole),
                document=asserted.graph,
                split=package.splits.get(asserted.graph),
                excerpts=whole,
                subject=_quotes(support.subject),
                predicate=_quotes(support.predicate),
                object=_quotes(support.object),
                probability=None if asserted.probability == 1.0 else asserted.probability,
                annotator=asserted.annotator,
            )


def _quotes(excerpts: tuple[Excerpt, ...]) -> tuple[str, ...]:
    return tuple(excerpt.quote for excerpt in excerpts)


def write_pairs(package: Package, output: str | Path) -> int:
    """Write a pair a line, JSON Lines; gives how many."""
    require_distinct_files([output], [package.folder.path])
    count = 0
    with writing(output) as stream:
        for pair in pairs(package):
            stream.write(json_line(pair))
            count += 1
    return count

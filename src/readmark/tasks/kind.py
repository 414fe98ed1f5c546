"""Reading tasks: a folder or zip with a manifest, as a test of queries on documents."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.display import counted
from readmark.core.errors import DataError
from readmark.core.extras import MissingExtra
from readmark.core.files import BOM
from readmark.core.folders import Folder
from readmark.core.json_lines import in_words
from readmark.core.kinds import Finding
from readmark.core.numbers import listed_ids
from readmark.core.problems import Problem, ReportProblem, fail
from readmark.core.records import Labelled, Unit, visible
from readmark.core.source import Source
from readmark.core.spans import excerpt_fault, layer_findings, misplaced_layers
from readmark.core.test import Header, Placed, Test
from readmark.tasks.manifest import (
    MANIFEST,
    VERDICTS,
    AnswerRow,
    GoldVersion,
    Manifest,
    QueryRow,
    TaskFile,
    content,
    is_unpacked,
    read_manifest,
    rows,
    sha256,
)
from readmark.tasks.names import respell
from readmark.tasks.records import (
    ANNOTATIONS,
    NAMESPACES,
    ROLE,
    UNKNOWN,
    Document,
    Query,
    QueryKey,
    Solution,
    Solutions,
    asked_of,
)

if TYPE_CHECKING:
    from readmark.core.sitting import Row, Sitting
    from readmark.core.test import Facts
    from readmark.llm import LlmForm
    from readmark.reporting import PageAnswer
    from readmark.tasks.reasoning.ontology import Ontology


IN_RECORDS = ("document", "queries", "answers")
"""Roles of files that are stored in records."""
GOLD = "gold"
"""The field of a header that has the version of the gold."""
_VARIABLE = re.compile(r"\?(\w+)")

Judged = dict[tuple[str, str], dict[str, list[Solution]]]
"""Document and query -> verdict -> answers."""


class TaskFormat:
    """A task package; every query is a unit on every document that it is asked on."""

    def recognises(self, source: Source) -> bool:
        """A folder or zip with a manifest, or a folder that is not packed."""
        folder = source.folder
        return folder is not None and (bool(folder.find(MANIFEST)) or is_unpacked(folder))

    def read(self, source: Source) -> Test:
        """The manifest now, documents as they are asked for."""
        folder, manifest = _opened(source)

        def stream(report: ReportProblem) -> Iterator[Placed]:
            yield from _documents(folder, manifest, report)

        return Test(header_of(manifest, _gold(folder, manifest)), stream, source.file)


def _opened(source: Source) -> tuple[Folder, Manifest]:
    """The files of a task, and the manifest that it has or would be packed with."""
    folder = source.folder
    if folder is None:
        raise DataError("is a file, expected the folder or zip of a task", file=source.file)
    if not is_unpacked(folder):
        return folder, read_manifest(folder)
    from readmark.tasks.task_folder import gather

    package = gather(source.path).package
    return package.folder, package.manifest


def _gold(folder: Folder, manifest: Manifest) -> dict[str, Any]:
    """The version of the gold, for the header; nothing where nobody has judged any answer."""
    history = [
        row
        for file in manifest.of("history")
        if file.path in folder
        for _, row in rows(folder, file.path, GoldVersion, fail)
    ]
    if not history:
        return {}
    judged = sum(len(version.judgements) for version in history)
    last = history[-1]
    return {"version": last.version, "when": last.when, "judgements": judged}


def header_of(manifest: Manifest, gold: dict[str, Any] | None = None) -> Header:
    """The manifest as a test's header, with the version of its gold."""
    said = {"phase": manifest.phase, "capabilities": list(manifest.capabilities), GOLD: gold}
    fields = {**manifest.fields, **{name: value for name, value in said.items() if value}}
    if manifest.preparation:
        fields["preparation"] = manifest.preparation
    return Header(
        kind="task",
        name=manifest.name,
        language=manifest.language,
        licence=manifest.licence,
        source=manifest.source,
        hidden=manifest.hidden,
        fields=fields,
    )


def _documents(folder: Folder, manifest: Manifest, report: ReportProblem) -> Iterator[Placed]:
    has_ontology, ontology = any(manifest.of("ontology")), _ontology(folder, manifest)
    queries = [
        _with_asked(row, ontology) if has_ontology else row
        for task_file in manifest.of("queries")
        for _, row in rows(folder, task_file.path, QueryRow, report)
    ]
    judged = _judged(folder, manifest, report)
    splits = {task_file.split for task_file in manifest.of("answers")}
    fields = {NAMESPACES: manifest.namespaces} if manifest.namespaces else {}
    for file in manifest.of("document"):
        id = file.id or file.path
        text = _text(folder, file, report)
        if text is None:
            continue
        keyed = None in splits or file.split in splits
        asked = tuple(
            _query(id, row, manifest, judged if keyed else None)
            for row in queries
            if row.documents is None or id in row.documents
        )
        yield id, Document(id=id, text=text, split=file.split, fields=fields, queries=asked)


def _ontology(folder: Folder, manifest: Manifest) -> Ontology | None:
    """The ontology; None where there is none that can be read, which a check reports."""
    from readmark.tasks.reasoning.owl import read_ontology

    for file in manifest.of("ontology"):
        place = folder.place(file.path)
        with suppress(DataError, MissingExtra):
            data = content(folder, file.path)
            return read_ontology(data, file=place, report=lambda problem: None)
    return None


def _with_asked(row: QueryRow, ontology: Ontology | None) -> QueryRow:
    """A query with what its variables stand for and the role of its properties."""
    from readmark.tasks.asked_values import asked_fields

    fields: dict[str, Any] = {ROLE: UNKNOWN}  # a check reports why
    if ontology is not None:
        with suppress(DataError, MissingExtra):
            fields = asked_fields(row.graph, ontology)
    return msgspec.structs.replace(row, fields={**row.fields, **fields})


def _text(folder: Folder, file: TaskFile, report: ReportProblem) -> str | None:
    """A document's text; one that is not the one that was packed is reported."""
    try:
        data = content(folder, file.path, whole=True)
        if sha256(data) != file.sha256:
            said = "the document is not the one that was packed: its hash has changed"
            report(Problem(folder.place(file.path), file.id or 1, "changed", said))
        return data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError:
        said = "not valid UTF-8"
    except DataError as error:
        said = error.message
    report(Problem(folder.place(file.path), file.id or 1, "unreadable", said))
    return None


def _judged(folder: Folder, manifest: Manifest, report: ReportProblem) -> Judged:
    found: Judged = defaultdict(lambda: defaultdict(list))
    for file in manifest.of("answers"):
        for number, row in rows(folder, file.path, AnswerRow, report):
            if row.verdict not in VERDICTS:
                message = f"verdict {row.verdict!r}, expected one of {', '.join(VERDICTS)}"
                report(Problem(folder.place(file.path), number, "schema", message))
            solution = respell(row.solution(), manifest.namespaces)
            found[row.document, row.query][row.verdict].append(solution)
    return found


def _query(document: str, row: QueryRow, manifest: Manifest, judged: Judged | None) -> Query:
    key = None
    if judged is not None:
        said = judged.get((document, row.id), {})
        right, wrong, beyond = (tuple(said.get(verdict, ())) for verdict in VERDICTS)
        key = QueryKey(
            solutions=right, rejected=wrong, out_of_bounds=beyond, annotation=manifest.annotation
        )
    return Query(
        id=f"{document}:{row.id}",
        graph=row.graph,
        query=row.id,
        text=row.text,
        property=row.property,
        fields=row.fields,
        key=key,
    )


TASK_FORMAT = TaskFormat()


# Reading tasks: a unit is a query on a document, the answer a set of bindings with provenance.


class Task:
    """Queries on documents."""

    name = "task"
    record = Document
    package_suffix = ".zip"
    record_noun = "document"
    unit_noun = "query"
    answer = "bindings"
    answer_type = Any
    parts = ("document", "query")
    people_from_key = False
    main_metric = "facts"

    def metrics(self, header: Header, facts: Facts) -> Sequence[str]:
        """Explicit answers and inferred ones apart."""
        return ("facts", "inferences")

    def notes(self, test: Test) -> Iterable[str]:
        """Which version of the gold the marks are by."""
        gold = test.header.fields.get(GOLD)
        if isinstance(gold, dict) and "version" in gold:
            judged = counted(gold.get("judgements", 0), "judgement")
            yield f"gold {gold['version']} of {gold.get('when')}, with {judged}"

    def answer_notes(self, test: Test, sitting: Sitting, *, of_person: bool) -> Iterable[str]:
        """Answers that bind what their query does not have, or do not bind all that it asks for."""
        if of_person:
            return
        strange: dict[str, str] = {}
        lacking: dict[str, str] = {}
        for unit in test.units():
            known, asked = set(_VARIABLE.findall(unit.item.graph)), asked_of(unit.item.fields)
            key: QueryKey | None = unit.item.key
            right = [set(answer.of(asked).values) for answer in key.solutions] if key else []
            needed = set.intersection(*right) if right else set[str]()
            for row in sitting.of(unit.id) if unit.id in sitting else ():
                if row.error is not None or not isinstance(row.answer, list):
                    continue
                answers = [set(solution.values) for solution in _solutions(row)]
                if unknown := set().union(*answers) - known:
                    has = f"{_variables(unknown)}, and its query has {_variables(known)}"
                    strange.setdefault(unit.id, f"{unit.id} binds {has}")
                if missing := set().union(*(needed - bound for bound in answers)):
                    lacking.setdefault(unit.id, f"{unit.id} has no {_variables(missing)}")
        for about, found in (
            ("answers without a value of each variable are wrong", lacking),
            ("unknown variables in answers are ignored", strange),
        ):
            if found:
                more = f"; likewise {listed_ids([*found][1:])}" if len(found) > 1 else ""
                yield f"{about}: {next(iter(found.values()))}{more}"

    def unjudged_answers(self, counts: Mapping[str, int]) -> int:
        """Facts and inferences are different answers, while other metrics count the same ones."""
        apart = sum(counts.get(name, 0) for name in ("facts", "inferences"))
        return max(apart, *counts.values())

    def other_files(self, test: Test) -> Iterable[str]:
        """The ontology, rules, annotation and whatever else a task has beside its documents."""
        source = Source(test.file) if Path(test.file).exists() else None
        if source is None or not TASK_FORMAT.recognises(source):
            return
        _, manifest = _opened(source)
        counts = Counter(file.role for file in manifest.files if file.role not in IN_RECORDS)
        if counts:
            listed = ", ".join(f"{count} {role}" for role, count in counts.items())
            yield f"files of the task that are not stored: {listed}; task pack keeps them"

    def write_open_splits(
        self,
        source: Path,
        target: Path,
        *,
        closed: Collection[str],
        hidden: tuple[str, ...],
        licence: str | None,
        paper: bool,
    ) -> None:
        """Write a package without its closed splits and without what reveals hidden answers."""
        from readmark.tasks.service.packages import TaskPackage

        TaskPackage(source).write_open_splits(
            target, closed=closed, hidden=hidden, licence=licence, paper=paper
        )

    def materials(self, test: Test) -> Mapping[str, bytes]:
        """Ontology, rules, categories, patterns and the like, and the annotated train split."""
        source = Source(test.file) if Path(test.file).exists() else None
        if source is None or not TASK_FORMAT.recognises(source):
            return {}
        from readmark.tasks.extraction.extractor import shown_files
        from readmark.tasks.package import Package

        return shown_files(Package(*_opened(source)))

    def llm_form(self) -> LlmForm:
        """A document with the ontology; the statements in the reply answer all its queries."""
        from readmark.tasks.extraction.replies import ReplyForm

        return ReplyForm()

    def paper(self, record: Document) -> Document:
        """The document and its queries without what was annotated or answered."""
        queries = tuple(
            msgspec.structs.replace(query, key=None, layers=visible(query.layers))
            for query in record.queries
        )
        return msgspec.structs.replace(
            record, key=None, layers=visible(record.layers), queries=queries
        )

    def leave_out(self, record: Document, part: str) -> Document:
        """The document, or every query, left blank."""
        if part == "document":
            return msgspec.structs.replace(record, text="", layers={})
        blank = tuple(
            msgspec.structs.replace(query, graph="", text=None, property=None, layers={})
            for query in record.queries
        )
        return msgspec.structs.replace(record, queries=blank)

    def units(self, record: Document) -> Iterator[Unit]:
        """A unit a query; the cluster is the document."""
        for query in record.queries:
            yield Unit(query.id, record.id, record, query)

    def references(self, unit: Unit) -> Sequence[Sequence[Solutions]]:
        """The gold: one adjudicated set of answers, which may be empty."""
        key: QueryKey | None = unit.key
        return ((Solutions(solutions=key.solutions),),) if key is not None else ()

    def unit_facts(self, unit: Unit) -> Collection[str]:
        """Nothing is counted."""
        return ()

    def read_answer(self, row: Row) -> Solutions:
        """The bindings of a row: a list of answers, or of plain ``{variable: value}``."""
        return Solutions(solutions=tuple(_solutions(row)))

    def paper_part(self, record: Document) -> Any:
        """Ids, text and query graphs."""
        return record.id, record.text, sorted((query.id, query.graph) for query in record.queries)

    def key_part(self, record: Document) -> Any:
        """Every query's gold and judgements, in the order of ids."""
        keyed = [
            (query.id, *_task_judged(query.key))
            for query in record.queries
            if query.key is not None
        ]
        return record.id, sorted(keyed)

    def texts(self, record: Document) -> Iterator[str]:
        """The document."""
        yield record.text

    def findings(self, record: Document) -> Iterator[Finding]:
        """Empty texts and graphs, unknown variables, excerpts that do not lie in the document."""
        if not record.text.strip():
            yield record.id, "empty_text", "the document has no text"
        yield from misplaced_layers(record.id, record.layers)
        yield from layer_findings(record.id, record.text, record.layers)
        for query in record.queries:
            if not query.graph.strip():
                yield query.id, "empty_text", "the query has no graph"
            if query.key is not None:
                yield from _key_findings(record, query, query.key)

    def page_answer(self, value: Any) -> PageAnswer:
        """All answers to a query in a line, with their excerpts and derivations."""
        from readmark.tasks.shown_answers import shown_solutions

        return shown_solutions(value)

    def show_record(self, record: Document) -> Sequence[Labelled]:
        """The document."""
        return (Labelled("document", record.text),)

    def show(self, unit: Unit) -> Sequence[Labelled]:
        """The query in words where it has them, and its graph."""
        query: Query = unit.item
        graph = Labelled("query", query.graph)
        return (graph,) if query.text is None else (Labelled("question", query.text), graph)


def _variables(names: Iterable[str]) -> str:
    return ", ".join(f"?{name}" for name in sorted(names))


def _solutions(row: Row) -> Iterator[Solution]:
    said = row.answer
    if said is msgspec.UNSET or isinstance(said, (str, bytes)) or not isinstance(said, Iterable):
        raise DataError(f"{row.id}: the row has no list of bindings")
    for solution in said:
        if isinstance(solution, Solution):
            yield solution
            continue
        whole = (
            solution
            if isinstance(solution, dict) and "values" in solution
            else {"values": solution}
        )
        try:
            yield msgspec.convert(whole, Solution)
        except msgspec.ValidationError as error:
            raise DataError(f"{row.id}: no answer to a query: {in_words(error)}") from None


def _task_judged(key: QueryKey) -> tuple[Any, ...]:
    sets = (key.solutions, key.rejected, key.out_of_bounds)
    return (
        key.annotation,
        *(sorted((solution.bound, solution.inferred is True) for solution in s) for s in sets),
    )


def _key_findings(record: Document, query: Query, key: QueryKey) -> Iterator[Finding]:
    if key.annotation not in ANNOTATIONS:
        expected = ", ".join(ANNOTATIONS)
        message = f"annotation is {key.annotation!r}, expected one of {expected}"
        yield query.id, "schema", message
    seen: set[tuple[tuple[str, str], ...]] = set()
    for solution in (*key.solutions, *key.rejected, *key.out_of_bounds):
        if solution.bound in seen:
            yield query.id, "duplicate_answer", f"{solution.text} occurs twice in the key"
        seen.add(solution.bound)
        for name in solution.values:
            if f"?{name}" not in query.graph:
                yield query.id, "variable", f"?{name} is bound, which the query does not have"
        for excerpt in solution.excerpts:
            if excerpt.document == record.id and (fault := excerpt_fault(excerpt, record.text)):
                yield query.id, "offset", f"the excerpt {fault}"


TASK = Task()

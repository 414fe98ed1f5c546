"""Reading tasks: a unit is a query on a document, the answer a set of bindings with provenance."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.display import counted
from readmark.core.errors import DataError
from readmark.core.json_lines import in_words
from readmark.core.kinds import Finding
from readmark.core.numbers import listed_ids
from readmark.core.records import Labelled, Unit, visible
from readmark.core.source import Source
from readmark.core.spans import excerpt_fault, layer_findings, misplaced_layers
from readmark.core.test import Header, Test
from readmark.tasks.records import (
    ANNOTATIONS,
    Document,
    Query,
    QueryKey,
    Solution,
    Solutions,
    asked_of,
)
from readmark.tasks.task_format import GOLD, IN_RECORDS, TASK_FORMAT, open_files

if TYPE_CHECKING:
    from readmark.core.sitting import Row, Sitting
    from readmark.core.test import Facts
    from readmark.llm import LlmForm
    from readmark.reporting import PageAnswer

_VARIABLE = re.compile(r"\?(\w+)")


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
            judgements = counted(gold.get("judgements", 0), "judgement")
            yield f"gold {gold['version']} of {gold.get('when')}, with {judgements}"

    def answer_notes(self, test: Test, sitting: Sitting, *, of_person: bool) -> Iterable[str]:
        """Answers that bind what their query does not have, or do not bind all that it asks for."""
        if of_person:
            return
        with_unknown: dict[str, str] = {}
        with_missing: dict[str, str] = {}
        for unit in test.units():
            variables = set(_VARIABLE.findall(unit.item.graph))
            required = _bound_in_all_gold(unit.item)
            for row in sitting.of(unit.id) if unit.id in sitting else ():
                if row.error is not None or not isinstance(row.answer, list):
                    continue
                answers = [set(solution.values) for solution in _solutions(row)]
                if unknown := set().union(*answers) - variables:
                    names = f"{_listed(unknown)}, and its query has {_listed(variables)}"
                    with_unknown.setdefault(unit.id, f"{unit.id} binds {names}")
                if missing := set().union(*(required - bound for bound in answers)):
                    with_missing.setdefault(unit.id, f"{unit.id} has no {_listed(missing)}")
        for consequence, by_unit in (
            ("answers without a value of each variable are wrong", with_missing),
            ("unknown variables in answers are ignored", with_unknown),
        ):
            if by_unit:
                example, *others = by_unit
                more = f"; likewise {listed_ids(others)}" if others else ""
                yield f"{consequence}: {by_unit[example]}{more}"

    def unjudged_answers(self, counts: Mapping[str, int]) -> int:
        """Facts and inferences are different answers, while other metrics count the same ones."""
        in_both = sum(counts.get(name, 0) for name in ("facts", "inferences"))
        return max(in_both, *counts.values())

    def other_files(self, test: Test) -> Iterable[str]:
        """The ontology, rules, annotation and whatever else a task has beside its documents."""
        source = _source_of(test)
        if source is None:
            return
        _, manifest = open_files(source)
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
        source = _source_of(test)
        if source is None:
            return {}
        from readmark.tasks.extraction.materials import shown_files
        from readmark.tasks.package import Package

        return shown_files(Package(*open_files(source)))

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
        judged = [
            (
                query.id,
                query.key.annotation,
                _comparable(query.key.solutions),
                _comparable(query.key.rejected),
                _comparable(query.key.out_of_bounds),
            )
            for query in record.queries
            if query.key is not None
        ]
        return record.id, sorted(judged)

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


def _source_of(test: Test) -> Source | None:
    """The task that a test was read from; None where it came from another file, or from memory."""
    source = Source(test.file) if Path(test.file).exists() else None
    return source if source is not None and TASK_FORMAT.recognises(source) else None


def _bound_in_all_gold(query: Query) -> set[str]:
    """The variables, of those that are asked for, that every right answer has a value for."""
    if query.key is None or not query.key.solutions:
        return set()
    asked = asked_of(query.fields)
    return set.intersection(*(set(answer.of(asked).values) for answer in query.key.solutions))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"?{name}" for name in sorted(names))


def _solutions(row: Row) -> Iterator[Solution]:
    """The answers of a row: complete ones, or only what each variable is bound to."""
    answers = row.answer
    is_list = isinstance(answers, Iterable) and not isinstance(answers, (str, bytes))
    if answers is msgspec.UNSET or not is_list:
        raise DataError(f"{row.id}: the row has no list of bindings")
    for answer in answers:
        if isinstance(answer, Solution):
            yield answer
            continue
        is_complete = isinstance(answer, dict) and "values" in answer
        try:
            yield msgspec.convert(answer if is_complete else {"values": answer}, Solution)
        except msgspec.ValidationError as error:
            raise DataError(f"{row.id}: not an answer to a query: {in_words(error)}") from None


def _comparable(solutions: Iterable[Solution]) -> list[tuple[Any, bool]]:
    """Answers without what may change while they stay the same: order, excerpts, mentions."""
    return sorted((solution.bound, solution.inferred is True) for solution in solutions)


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

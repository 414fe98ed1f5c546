"""Reading tasks: a unit is a query on a document, the answer a set of bindings with provenance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.corpus.documents import (
    ANNOTATIONS,
    Document,
    Query,
    QueryKey,
    Solution,
    Solutions,
    excerpt_fault,
)
from readmark.corpus.errors import DataError
from readmark.corpus.formats.lines import in_words
from readmark.corpus.kinds import Finding
from readmark.corpus.spans import layer_findings, misplaced_layers
from readmark.corpus.values import Labelled, Unit, visible

if TYPE_CHECKING:
    from readmark.corpus.sitting import Row
    from readmark.corpus.test import Facts, Header


class Task:
    """Queries on documents."""

    name = "task"
    record = Document
    record_noun = "document"
    unit_noun = "query"
    answer = "bindings"
    parts = ("document", "query")
    people_from_key = False
    main_metric = "facts"

    def metrics(self, header: Header, facts: Facts) -> Sequence[str]:
        """Explicit answers and inferred ones apart."""
        return ("facts", "inferences")

    def paper(self, record: Document) -> Document:
        """The document and its queries without what was annotated or answered."""
        queries = tuple(
            msgspec.structs.replace(one, key=None, layers=visible(one.layers))
            for one in record.queries
        )
        return msgspec.structs.replace(
            record, key=None, layers=visible(record.layers), queries=queries
        )

    def leave_out(self, record: Document, part: str) -> Document:
        """The document, or every query, left blank."""
        if part == "document":
            return msgspec.structs.replace(record, text="", layers={})
        blank = tuple(
            msgspec.structs.replace(one, graph="", text=None, property=None, layers={})
            for one in record.queries
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

    def read_answer(self, row: Row) -> Solutions:
        """The bindings of a row: a list of answers, or of plain ``{variable: value}``."""
        return Solutions(solutions=tuple(_solutions(row)))

    def paper_part(self, record: Document) -> Any:
        """Ids, text and query graphs."""
        return record.id, record.text, sorted((one.id, one.graph) for one in record.queries)

    def key_part(self, record: Document) -> Any:
        """Every query's gold and judgements, in the order of ids."""
        keyed = [(one.id, *_judged(one.key)) for one in record.queries if one.key is not None]
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

    def show_record(self, record: Document) -> Sequence[Labelled]:
        """The document."""
        return (Labelled("document", record.text),)

    def show(self, unit: Unit) -> Sequence[Labelled]:
        """The query in words where it has them, and its graph."""
        query: Query = unit.item
        graph = Labelled("query", query.graph)
        return (graph,) if query.text is None else (Labelled("question", query.text), graph)


def _solutions(row: Row) -> Iterator[Solution]:
    said = row.bindings
    if said is msgspec.UNSET or isinstance(said, (str, bytes)) or not isinstance(said, Iterable):
        raise DataError(f"{row.id}: the row has no list of bindings")
    for one in said:
        if isinstance(one, Solution):
            yield one
            continue
        whole = one if isinstance(one, dict) and "values" in one else {"values": one}
        try:
            yield msgspec.convert(whole, Solution)
        except msgspec.ValidationError as error:
            raise DataError(f"{row.id}: no answer to a query: {in_words(error)}") from None


def _judged(key: QueryKey) -> tuple[Any, ...]:
    sets = (key.solutions, key.rejected, key.out_of_bounds)
    return (key.annotation, *(sorted((one.bound, one.inferred is True) for one in s) for s in sets))


def _key_findings(record: Document, query: Query, key: QueryKey) -> Iterator[Finding]:
    if key.annotation not in ANNOTATIONS:
        expected = ", ".join(ANNOTATIONS)
        said = f"annotation is {key.annotation!r}, expected one of {expected}"
        yield query.id, "schema", said
    seen: set[tuple[tuple[str, str], ...]] = set()
    for one in (*key.solutions, *key.rejected, *key.out_of_bounds):
        if one.bound in seen:
            told = ", ".join(f"?{name} = {value}" for name, value in one.bound)
            yield query.id, "duplicate_answer", f"{told} stands twice in the key"
        seen.add(one.bound)
        for name in one.values:
            if f"?{name}" not in query.graph:
                yield query.id, "variable", f"?{name} is bound, which the query does not have"
        for excerpt in one.excerpts:
            if excerpt.document == record.id and (fault := excerpt_fault(excerpt, record.text)):
                yield query.id, "offset", f"the excerpt {fault}"


TASK = Task()

"""Whether queries and answers keep to the ontology, to each other and to the documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from readmark.core.errors import DataError
from readmark.core.problems import Problem, ReportProblem
from readmark.tasks.manifest import VERDICTS, AnswerRow
from readmark.tasks.names import respell
from readmark.tasks.package import Package
from readmark.tasks.reasoning.rules.parser import parse_query
from readmark.tasks.reasoning.rules.values import Condition, binding, patterns_of, variables_of
from readmark.tasks.reasoning.terms import Literal, Term, term_of
from readmark.tasks.records import asked_of
from readmark.tasks.statement_checks import excerpt_findings
from readmark.tasks.value_tokens import token
from readmark.tasks.vocabulary import Finding, Vocabulary


class ParsedQuery(NamedTuple):
    """A query: its conditions, none when it cannot be read, and the variables it asks for."""

    conditions: Sequence[Condition] = ()
    names: frozenset[str] = frozenset()


ParsedQueries = dict[str, ParsedQuery]
"""By the id of the query."""


def query_problems(
    package: Package, vocabulary: Vocabulary | None, queries: ParsedQueries, report: ReportProblem
) -> Iterator[Problem]:
    """Queries that cannot be read, repeat an id, or name what the ontology does not have.

    ``queries`` is filled with what was read, for `answer_problems`.
    """
    for file, line, row in package.queries(report):
        if row.id in queries:
            yield Problem(file, line, "duplicate_id", f"the query {row.id!r} occurs twice")
        queries[row.id] = ParsedQuery()
        try:
            conditions = parse_query(row.graph)
        except DataError as error:
            where = f" (at {error.where})" if error.where else ""
            yield Problem(file, line, "graph", f"{row.id}: {error.message}{where}")
            continue
        variables = {variable.text for variable in variables_of(conditions)}
        names = frozenset(asked_of(row.fields) or variables)
        queries[row.id] = ParsedQuery(conditions, names)
        for name in sorted(names - variables):
            message = f"{row.id}: asks for ?{name}, which its graph does not have"
            yield Problem(file, line, "variable", message)
        if vocabulary is not None:
            for pattern in patterns_of(conditions):
                for code, message in vocabulary.findings(pattern, asserted=False):
                    yield Problem(file, line, code, f"{row.id}: {message}")
        for id in row.documents or ():
            if id not in package.splits:
                message = f"{row.id}: asks about {id!r}, which is not a document of the task"
                yield Problem(file, line, "unknown_document", message)


def answer_problems(
    package: Package, vocabulary: Vocabulary | None, queries: ParsedQueries, report: ReportProblem
) -> Iterator[Problem]:
    """Answers to no query or document, with wrong variables, values or excerpts."""
    places: dict[tuple[str, str, object], str] = {}
    for file, line, row in package.answers(report):
        place = package.folder.place(file.path)
        unit = f"{row.document}:{row.query}"
        for code, message in _row_findings(package, row, queries, vocabulary, file.split):
            yield Problem(place, line, code, f"{unit}: {message}")
        solution = respell(row.solution(), package.manifest.namespaces)
        identity = row.document, row.query, solution.bound
        if identity in places:
            message = f"{unit}: the answer is also at {places[identity]}"
            yield Problem(place, line, "duplicate_answer", message)
        places[identity] = f"{place}:{line}"


def _row_findings(
    package: Package,
    row: AnswerRow,
    queries: ParsedQueries,
    vocabulary: Vocabulary | None,
    file_split: str | None,
) -> Iterator[Finding]:
    if row.document not in package.splits:
        yield "unknown_document", f"{row.document!r} is not a document of the task"
    elif file_split not in (None, package.splits[row.document]):
        split = package.splits[row.document]
        yield "split", f"the document is of the split {split!r}, the file of {file_split!r}"
    if row.verdict not in VERDICTS:
        yield "schema", f"verdict {row.verdict!r}, expected one of {', '.join(VERDICTS)}"
    if row.query not in queries:
        yield "unknown_query", f"{row.query!r} is not a query of the task"
    elif queries[row.query].conditions:
        yield from _value_findings(row, queries[row.query], vocabulary)
    for excerpt in row.excerpts:
        yield from excerpt_findings(excerpt, package.documents)


def _value_findings(
    row: AnswerRow, query: ParsedQuery, vocabulary: Vocabulary | None
) -> Iterator[Finding]:
    variables = {variable.text for variable in variables_of(query.conditions)}
    for name in sorted(set(row.values) - variables):
        yield "variable", f"?{name} is bound, which the query does not have"
    for name in sorted(query.names & variables - set(row.values)):
        yield "variable", f"?{name} is not bound"
    terms: dict[str, Term] = {}
    for name, value in row.values.items():
        try:
            terms[name] = term_of(token(value)) if token(value) else Literal("")
        except ValueError as error:
            yield "value", f"?{name}: {error}"
    if vocabulary is not None:
        for pattern in patterns_of(query.conditions):
            with_values = pattern.with_terms(binding(terms))
            # A pattern without a value of the row was checked with the query.
            if with_values != pattern:
                yield from vocabulary.findings(with_values, asserted=False)

"""Whether queries and answers keep to the ontology, to each other and to the documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from readmark.corpus.documents import asked_of, token
from readmark.corpus.errors import DataError
from readmark.corpus.iris import respelt
from readmark.corpus.problems import Problem, Report
from readmark.corpus.task_package import VERDICTS, AnswerRow
from readmark.reasoning.graphs import Pattern
from readmark.reasoning.ontology import Ontology
from readmark.reasoning.rules import parse_query
from readmark.reasoning.rules.values import Condition, patterns_of, variables_of
from readmark.reasoning.terms import Literal, Term, Variable, term_of
from readmark.setting.tasks.graph_checks import excerpt_problems
from readmark.setting.tasks.package import Package
from readmark.setting.tasks.vocabulary import Vocabulary


class Asked(NamedTuple):
    """A query: its conditions, none when it cannot be read, and the variables it asks for."""

    conditions: Sequence[Condition] = ()
    names: frozenset[str] = frozenset()


Graphs = dict[str, Asked]


def query_problems(
    package: Package, ontology: Ontology | None, graphs: Graphs, report: Report
) -> Iterator[Problem]:
    """Queries that cannot be read, repeat an id, or name what the ontology does not have.

    ``graphs`` is filled with those that can be read.
    """
    vocabulary = Vocabulary(ontology) if ontology is not None else None
    for file, line, row in package.queries(report):
        if row.id in graphs:
            yield Problem(file, line, "duplicate_id", f"the query {row.id!r} stands twice")
        graphs[row.id] = Asked()
        try:
            conditions = parse_query(row.graph)
        except DataError as error:
            where = f" (at {error.where})" if error.where else ""
            yield Problem(file, line, "graph", f"{row.id}: {error.message}{where}")
            continue
        variables = {one.text for one in variables_of(conditions)}
        names = frozenset(asked_of(row.fields) or variables)
        graphs[row.id] = Asked(conditions, names)
        for name in sorted(names - variables):
            said = f"{row.id}: asks for ?{name}, which its graph does not have"
            yield Problem(file, line, "variable", said)
        for pattern in patterns_of(conditions) if vocabulary is not None else ():
            for code, message in vocabulary.findings(pattern, asserted=False):  # type: ignore[union-attr]
                yield Problem(file, line, code, f"{row.id}: {message}")
        for id in row.documents or ():
            if id not in package.splits:
                said = f"{row.id}: asked on {id!r}, which is no document of the task"
                yield Problem(file, line, "unknown_document", said)


def answer_problems(
    package: Package, ontology: Ontology | None, graphs: Graphs, report: Report
) -> Iterator[Problem]:
    """Answers to no query or document, with wrong variables, values or excerpts."""
    vocabulary = Vocabulary(ontology) if ontology is not None else None
    seen: dict[tuple[str, str, object], str] = {}
    for file, line, row in package.answers(report):
        place = package.folder.place(file.path)
        who = f"{row.document}:{row.query}"
        for code, message in _row_findings(package, row, graphs, vocabulary, file.split):
            yield Problem(place, line, code, f"{who}: {message}")
        solution = respelt(row.solution(), package.manifest.namespaces)
        identity = row.document, row.query, solution.bound
        if identity in seen:
            said = f"{who}: the answer stands at {seen[identity]} too"
            yield Problem(place, line, "duplicate_answer", said)
        seen[identity] = f"{place}:{line}"


def _row_findings(
    package: Package,
    row: AnswerRow,
    graphs: Graphs,
    vocabulary: Vocabulary | None,
    split: str | None,
) -> Iterator[tuple[str, str]]:
    if row.document not in package.splits:
        yield "unknown_document", f"{row.document!r} is no document of the task"
    elif split is not None and package.splits[row.document] != split:
        of = package.splits[row.document]
        yield "split", f"the document is of the split {of!r}, the file of {split!r}"
    if row.verdict not in VERDICTS:
        yield "schema", f"verdict {row.verdict!r}, expected one of {', '.join(VERDICTS)}"
    if row.query not in graphs:
        yield "unknown_query", f"{row.query!r} is no query of the task"
    elif graphs[row.query].conditions:
        yield from _value_findings(row, graphs[row.query], vocabulary)
    for excerpt in row.excerpts:
        yield from excerpt_problems(excerpt, package.documents)


def _value_findings(
    row: AnswerRow, asked: Asked, vocabulary: Vocabulary | None
) -> Iterator[tuple[str, str]]:
    known = {one.text for one in variables_of(asked.conditions)}
    for name in sorted(set(row.values) - known):
        yield "variable", f"?{name} is bound, which the query does not have"
    for name in sorted(asked.names & known - set(row.values)):
        yield "variable", f"?{name} is not bound"
    bound: dict[str, Term] = {}
    for name, value in row.values.items():
        try:
            bound[name] = term_of(token(value)) if token(value) else Literal("")
        except ValueError as wrong:
            yield "value", f"?{name}: {wrong}"
    for pattern in patterns_of(asked.conditions) if vocabulary is not None else ():
        filled = Pattern(*(_filled(one, bound) for one in _terms(pattern)))
        if filled != pattern:
            yield from vocabulary.findings(filled, asserted=False)  # type: ignore[union-attr]


def _terms(pattern: Pattern) -> tuple[Term, Term, Term]:
    return pattern.subject, pattern.predicate, pattern.object


def _filled(term: Term, bound: dict[str, Term]) -> Term:
    return bound.get(term.text, term) if isinstance(term, Variable) else term

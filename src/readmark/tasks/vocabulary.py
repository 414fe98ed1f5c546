"""Whether triples keep to an ontology's vocabulary, taken one by one.

What takes several statements to see (cardinality, domain, disjointness) is the engine's.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from readmark.core.errors import DataError, did_you_mean
from readmark.core.problems import Problem, ReportProblem
from readmark.core.spans import Excerpt, excerpt_fault
from readmark.tasks.categories.definitions import (
    Categories,
    Hole,
    StatementTemplate,
)
from readmark.tasks.manifest import VERDICTS, AnswerRow
from readmark.tasks.names import respell
from readmark.tasks.package import InFile, Package
from readmark.tasks.reasoning.datatypes import datatype, literal_fits
from readmark.tasks.reasoning.graphs import Pattern, Statement, write_triple
from readmark.tasks.reasoning.ontology import SAME, THING, TYPE, Ontology
from readmark.tasks.reasoning.rules.parser import parse_query
from readmark.tasks.reasoning.rules.values import (
    Condition,
    Rule,
    Theory,
    binding,
    patterns_of,
    variables_of,
)
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable, term_of, written
from readmark.tasks.records import asked_of
from readmark.tasks.value_tokens import token
from readmark.works import MarkAttribute

Finding = tuple[str, str]
"""A code and a line of prose."""
MRQ = "mrq:"
CONTRADICTS = Name("contradicts")


@dataclass(frozen=True)
class Vocabulary:
    """The names that an ontology knows."""

    ontology: Ontology

    def findings(self, triple: Pattern | Statement, *, asserted: bool) -> Iterator[Finding]:
        """Unknown classes and properties, values outside the range, built-ins that are asserted."""
        predicate, object_ = triple.predicate, triple.object
        if isinstance(predicate, Variable):
            return
        name = self._name(predicate)
        if name == TYPE:
            yield from self._class(object_)
        elif name.text.startswith(MRQ) or name in (SAME, CONTRADICTS):
            if asserted and name != SAME:
                yield "builtin", f"{name.text} cannot be stated: queries and rules compute it"
        elif name not in self.ontology.properties:
            known = [name.text for name in self.ontology.properties]
            hint = did_you_mean(name.text, known)
            yield "unknown_property", f"{name.text} is no property of the ontology; {hint}"
        else:
            prop = self.ontology.properties[name]
            if asserted and prop.role == "builtin":
                yield "builtin", f"{name.text} cannot be stated: it is for queries and rules only"
            if prop.range is not None:
                yield from self._value(name, object_, prop.range)

    def _class(self, object_: object) -> Iterator[Finding]:
        if isinstance(object_, Variable):
            return
        if isinstance(object_, Literal):
            yield "unknown_class", f"{written(object_)} is a literal, expected a class"
        elif isinstance(object_, Name):
            name = self._name(object_)
            if name not in self.ontology.classes and name != THING:
                hint = did_you_mean(name.text, [name.text for name in self.ontology.classes])
                yield "unknown_class", f"{name.text} is no class of the ontology; {hint}"

    def _value(self, name: Name, object_: object, range: Name) -> Iterator[Finding]:
        type = datatype(range)
        if isinstance(object_, Variable):
            return
        if type is None and isinstance(object_, Literal):
            message = f"{name.text} has an entity ({range.text}), not the literal {_short(object_)}"
            yield "range", message
        elif type is not None and isinstance(object_, Name):
            yield (
                "range",
                f"{name.text} has a literal ({range.text}), not the entity {object_.text}",
            )
        elif type is not None and isinstance(object_, Literal) and not literal_fits(object_, type):
            yield "range", f"{_short(object_)} is no {range.text}, the range of {name.text}"

    def _name(self, term: object) -> Name:
        if not isinstance(term, Name):
            return Name(str(term))
        return self.ontology.namespaces.canonical(term)


def _short(literal: Literal) -> str:
    text = written(literal)
    return text if len(text) <= 40 else text[:39] + "…"


# Whether annotated statements keep to the ontology and point at what the documents say.


def graph_problems(
    package: Package, annotated: Iterable[InFile], vocabulary: Vocabulary | None
) -> Iterator[Problem]:
    """A problem a statement: unknown names, wrong values, provenance that does not hold."""
    documents = package.documents
    unknown: set[tuple[str, str]] = set()
    for file, one, _ in annotated:
        asserted = one.asserted
        said = write_triple(asserted.statement)
        if asserted.graph not in documents and (file, asserted.graph) not in unknown:
            unknown.add((file, asserted.graph))
            message = f"{said} is of {asserted.graph!r}, which is no document of the task"
            yield Problem(file, one.line, "unknown_document", message)
        if vocabulary is not None:
            for code, message in vocabulary.findings(asserted.statement, asserted=True):
                yield Problem(file, one.line, code, f"{said}: {message}")
        for part, excerpt in asserted.support.excerpts():
            line = one.lines.get(excerpt, one.line)
            about = "" if part == "statement" else f"the {part} of "
            for code, fault in excerpt_problems(excerpt, documents):
                yield Problem(file, line, code, f"{about}{said}: {fault}")


def excerpt_problems(excerpt: Excerpt, documents: dict[str, str]) -> Iterator[tuple[str, str]]:
    """A code and a line of prose for an excerpt that its document does not have."""
    text = documents.get(excerpt.document)
    if text is None:
        message = f"an excerpt is of {excerpt.document!r}, which is no document of the task"
        yield "unknown_document", message
    elif fault := excerpt_fault(excerpt, text):
        outside = not 0 <= excerpt.start < excerpt.end <= len(text)
        yield "outside" if outside else "quote", f"the excerpt {fault}"


# Whether queries and answers keep to the ontology, to each other and to the documents.


class AskedQuery(NamedTuple):
    """A query: its conditions, none when it cannot be read, and the variables it asks for."""

    conditions: Sequence[Condition] = ()
    names: frozenset[str] = frozenset()


Graphs = dict[str, AskedQuery]


def query_problems(
    package: Package, vocabulary: Vocabulary | None, graphs: Graphs, report: ReportProblem
) -> Iterator[Problem]:
    """Queries that cannot be read, repeat an id, or name what the ontology does not have.

    ``graphs`` is filled with those that can be read.
    """
    for file, line, row in package.queries(report):
        if row.id in graphs:
            yield Problem(file, line, "duplicate_id", f"the query {row.id!r} occurs twice")
        graphs[row.id] = AskedQuery()
        try:
            conditions = parse_query(row.graph)
        except DataError as error:
            where = f" (at {error.where})" if error.where else ""
            yield Problem(file, line, "graph", f"{row.id}: {error.message}{where}")
            continue
        variables = {variable.text for variable in variables_of(conditions)}
        names = frozenset(asked_of(row.fields) or variables)
        graphs[row.id] = AskedQuery(conditions, names)
        for name in sorted(names - variables):
            fault = f"{row.id}: asks for ?{name}, which its graph does not have"
            yield Problem(file, line, "variable", fault)
        if vocabulary is not None:
            for pattern in patterns_of(conditions):
                for code, message in vocabulary.findings(pattern, asserted=False):
                    yield Problem(file, line, code, f"{row.id}: {message}")
        for id in row.documents or ():
            if id not in package.splits:
                fault = f"{row.id}: asked on {id!r}, which is no document of the task"
                yield Problem(file, line, "unknown_document", fault)


def answer_problems(
    package: Package, vocabulary: Vocabulary | None, graphs: Graphs, report: ReportProblem
) -> Iterator[Problem]:
    """Answers to no query or document, with wrong variables, values or excerpts."""
    seen: dict[tuple[str, str, object], str] = {}
    for file, line, row in package.answers(report):
        place = package.folder.place(file.path)
        who = f"{row.document}:{row.query}"
        for code, message in _row_findings(package, row, graphs, vocabulary, file.split):
            yield Problem(place, line, code, f"{who}: {message}")
        solution = respell(row.solution(), package.manifest.namespaces)
        identity = row.document, row.query, solution.bound
        if identity in seen:
            fault = f"{who}: the answer is also at {seen[identity]}"
            yield Problem(place, line, "duplicate_answer", fault)
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
    row: AnswerRow, asked: AskedQuery, vocabulary: Vocabulary | None
) -> Iterator[tuple[str, str]]:
    known = {variable.text for variable in variables_of(asked.conditions)}
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
    if vocabulary is not None:
        for pattern in patterns_of(asked.conditions):
            filled = pattern.with_terms(binding(bound))
            if filled != pattern:
                yield from vocabulary.findings(filled, asserted=False)


# Whether rules name only what the ontology has, and conclude only what may be concluded.


def rule_problems(theory: Theory, vocabulary: Vocabulary) -> Iterator[Problem]:
    """A problem a rule and name."""
    for rule in theory.rules:
        seen: set[tuple[str, str]] = set()
        for pattern, concluded in _patterns(rule):
            if concluded and pattern.predicate == CONTRADICTS:
                continue
            for finding in vocabulary.findings(pattern, asserted=concluded):
                if finding not in seen:
                    seen.add(finding)
                    code, message = finding
                    fault = f"{rule.name}: {message}"
                    yield Problem(theory.file or "rules", rule.line, code, fault)


def _patterns(rule: Rule) -> Iterator[tuple[Pattern, bool]]:
    """The patterns of a rule, and whether each is concluded."""
    denied = (pattern for group in rule.negative for pattern in patterns_of(group))
    yield from ((pattern, False) for pattern in (*rule.positive, *denied))
    yield from ((pattern, True) for pattern in rule.head)


# Whether the statements of annotation categories keep to the ontology.


_SAMPLES: dict[str, Literal] = {
    "integer": Literal(1),
    "number": Literal(1.5),
    "boolean": Literal(True),
    "date": Literal(datetime.date(2000, 1, 1)),
    "string": Literal("a"),
}


def category_problems(categories: Categories, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Statements with unknown names, or with values that a property cannot have."""
    for object_ in categories.objects.values():
        for template in object_.templates:
            yield from _template_problems(template, {}, vocabulary, categories.file, object_.name)
    for category in categories.categories.values():
        for template in category.templates:
            yield from _template_problems(
                template, category.attributes, vocabulary, categories.file, category.name
            )


def _template_problems(
    template: StatementTemplate,
    attributes: Mapping[str, MarkAttribute],
    vocabulary: Vocabulary,
    file: str,
    name: str,
) -> Iterator[Problem]:
    options = [
        _samples(attributes.get(term.name)) if isinstance(term, Hole) else [term]
        for term in template.terms
    ]
    # Subjects are entities, whatever they are called.
    subject = next(iter(options[0]))
    found: dict[Finding, None] = {}
    for predicate, value in product(*options[1:]):
        for finding in vocabulary.findings(Pattern(subject, predicate, value), asserted=True):
            found.setdefault(finding)
    for code, message in found:
        yield Problem(file, template.line, code, f"{name}: {template.text}: {message}")


def _samples(attribute: MarkAttribute | None) -> list[Term]:
    """Terms that a placeholder may stand for: every choice, or one of its type."""
    if attribute is None:
        return [Name("entity")]
    if attribute.type == "name":
        return [Name(str(choice)) for choice in attribute.choices] or [Variable("name")]
    if attribute.choices and attribute.type != "string":
        return [term_of(str(choice)) for choice in attribute.choices]
    return [_SAMPLES[attribute.type]]

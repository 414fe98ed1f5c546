"""Whether the statements of annotation categories keep to the ontology."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from itertools import product

from readmark.core.problems import Problem
from readmark.tasks.categories.definitions import Categories, Hole, StatementTemplate
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable, term_of
from readmark.tasks.vocabulary import Finding, Vocabulary
from readmark.works import MarkAttribute

_SAMPLES: dict[str, Literal] = {
    "integer": Literal(1),
    "number": Literal(1.5),
    "boolean": Literal(True),
    "date": Literal(datetime.date(2000, 1, 1)),
    "string": Literal("a"),
}
"""A value of each type of attribute, to try a statement with."""


def category_problems(categories: Categories, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Statements with unknown names, or with values that a property cannot have."""
    file = categories.file
    for object_ in categories.objects.values():
        for template in object_.templates:
            for code, message in _template_findings(template, {}, vocabulary):
                text = f"{object_.name}: {template.text}: {message}"
                yield Problem(file, template.line, code, text)
    for category in categories.categories.values():
        for template in category.templates:
            for code, message in _template_findings(template, category.attributes, vocabulary):
                text = f"{category.name}: {template.text}: {message}"
                yield Problem(file, template.line, code, text)


def _template_findings(
    template: StatementTemplate, attributes: Mapping[str, MarkAttribute], vocabulary: Vocabulary
) -> Iterator[Finding]:
    """What is wrong with a statement with any value that its placeholders may stand for."""
    subjects, predicates, objects = (
        _samples(attributes.get(term.name)) if isinstance(term, Hole) else [term]
        for term in template.terms
    )
    # Subjects are entities, whatever they are called, so any of them will do.
    findings = {
        finding: None
        for predicate, value in product(predicates, objects)
        for finding in vocabulary.findings(Pattern(subjects[0], predicate, value), asserted=True)
    }
    yield from findings


def _samples(attribute: MarkAttribute | None) -> list[Term]:
    """Terms that a placeholder may stand for: every choice, or a value of its type."""
    if attribute is None:
        return [Name("entity")]
    if attribute.type == "name":
        return [Name(str(choice)) for choice in attribute.choices] or [Variable("name")]
    if attribute.choices and attribute.type != "string":
        return [term_of(str(choice)) for choice in attribute.choices]
    return [_SAMPLES[attribute.type]]

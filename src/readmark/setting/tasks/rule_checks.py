"""Whether rules name only what the ontology has, and conclude only what may be concluded."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.corpus.problems import Problem
from readmark.reasoning.graphs import Pattern
from readmark.reasoning.ontology import Ontology
from readmark.reasoning.rules.values import Rule, Theory, patterns_of
from readmark.setting.tasks.vocabulary import CONTRADICTS, Vocabulary


def rule_problems(theory: Theory, ontology: Ontology | None) -> Iterator[Problem]:
    """A problem a rule and name."""
    if ontology is None:
        return
    vocabulary = Vocabulary(ontology)
    for rule in theory.rules:
        told: set[tuple[str, str]] = set()
        for pattern, concluded in _patterns(rule):
            if concluded and pattern.predicate == CONTRADICTS:
                continue
            for finding in vocabulary.findings(pattern, asserted=concluded):
                if finding not in told:
                    told.add(finding)
                    code, message = finding
                    said = f"{rule.name}: {message}"
                    yield Problem(theory.file or "rules", rule.line, code, said)


def _patterns(rule: Rule) -> Iterator[tuple[Pattern, bool]]:
    for pattern in rule.positive:
        yield pattern, False
    for group in rule.negative:
        for pattern in patterns_of(group):
            yield pattern, False
    for pattern in rule.head:
        yield pattern, True

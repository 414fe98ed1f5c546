"""Whether rules name only what the ontology has, and conclude only what may be concluded."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.core.problems import Problem
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.rules.values import Rule, Theory, patterns_of
from readmark.tasks.vocabulary import CONTRADICTS, Vocabulary


def rule_problems(theory: Theory, vocabulary: Vocabulary) -> Iterator[Problem]:
    """What the vocabulary finds in the patterns of each rule, every finding once."""
    for rule in theory.rules:
        seen: set[tuple[str, str]] = set()
        for pattern, is_concluded in _patterns(rule):
            if is_concluded and pattern.predicate == CONTRADICTS:
                continue
            for code, message in vocabulary.findings(pattern, asserted=is_concluded):
                if (code, message) not in seen:
                    seen.add((code, message))
                    file = theory.file or "rules"
                    yield Problem(file, rule.line, code, f"{rule.name}: {message}")


def _patterns(rule: Rule) -> Iterator[tuple[Pattern, bool]]:
    """The patterns of a rule, and whether each is concluded."""
    for pattern in rule.positive:
        yield pattern, False
    for group in rule.negative:
        for pattern in patterns_of(group):
            yield pattern, False
    for pattern in rule.head:
        yield pattern, True

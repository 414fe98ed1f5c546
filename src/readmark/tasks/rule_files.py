"""The rule files of a task: every fault in them, not only the first, and one theory of them all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from readmark.core.errors import DataError
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.strata import stratified
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.terms import TOKEN

_MOST_FAULTS = 100  # the file is parsed again for each


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
    joined = Theory(theories[0].name, rules, theories[0].file)
    if len(theories) > 1:
        stratified(joined)
    return joined


def rule_faults(text: str, file: str) -> Iterator[DataError]:
    """Every fault of a rule file: a rule with a fault is blanked to find the next one."""
    for _ in range(_MOST_FAULTS):
        try:
            parse_rules(text, file)
        except DataError as error:
            yield error
            without = _without_rule(text, error)
            if without is None:
                return
            text = without
        else:
            return


def _without_rule(text: str, error: DataError) -> str | None:
    """The text with the faulty rule blanked, all others in their lines; None if no rule is there.

    An error without a line, as of rules that deny each other, belongs to no single rule.
    """
    line = int(str(error.where or 0).partition(":")[0] or 0)
    for start, end in _outermost_forms(text):
        first = text.count("\n", 0, start) + 1
        if first <= line <= first + text.count("\n", start, end):
            blank = "".join("\n" if character == "\n" else " " for character in text[start:end])
            return text[:start] + blank + text[end:]
    return None


def _outermost_forms(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each outermost pair of parentheses, as far as they are balanced."""
    offset, depth, start = 0, 0, 0
    while offset < len(text):
        match = TOKEN.match(text, offset)
        if match is None:
            return
        if match.lastgroup == "open":
            if depth == 0:
                start = offset
            depth += 1
        elif match.lastgroup == "close":
            depth -= 1
            if depth == 0:
                yield start, match.end()
            if depth < 0:
                return
        offset = match.end()

"""The rule files of a task as one theory, and every fault in them, not only the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from readmark.corpus.errors import DataError
from readmark.reasoning.rules import Theory, parse_rules
from readmark.reasoning.rules.strata import stratified
from readmark.reasoning.terms import TOKEN

MOST_FAULTS = 100


def joined(theories: Sequence[Theory]) -> Theory:
    """One theory, named by the first; rules that share a name get their theory's number before it.

    Rules of several files may deny each other in a circle that no file has alone.
    """
    counts = Counter(rule.name for theory in theories for rule in theory.rules)
    rules = tuple(
        replace(rule, name=f"{at}: {rule.name}") if counts[rule.name] > 1 else rule
        for at, theory in enumerate(theories, 1)
        for rule in theory.rules
    )
    whole = Theory(theories[0].name, rules, theories[0].file)
    if len(theories) > 1:
        stratified(whole)
    return whole


def rule_faults(text: str, file: str) -> Iterator[DataError]:
    """Every fault of a rule file: the rule that has one is left out to see the next."""
    for _ in range(MOST_FAULTS):
        try:
            parse_rules(text, file)
        except DataError as error:
            yield error
            rest = _without(text, error)
            if rest is None:
                return
            text = rest
        else:
            return


def _without(text: str, error: DataError) -> str | None:
    """The text with the rule of an error blanked, every other in its place; None if none is it."""
    line = int(str(error.where or 0).partition(":")[0] or 0)
    for start, end in _forms(text):
        first = text.count("\n", 0, start) + 1
        if first <= line <= first + text.count("\n", start, end):
            blank = "".join(one if one == "\n" else " " for one in text[start:end])
            return text[:start] + blank + text[end:]
    return None


def _forms(text: str) -> Iterator[tuple[int, int]]:
    """Where the outermost parentheses open and close, as far as they are balanced."""
    at, depth, start = 0, 0, 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            return
        if found.lastgroup == "open":
            start = at if depth == 0 else start
            depth += 1
        elif found.lastgroup == "close":
            depth -= 1
            if depth == 0:
                yield start, found.end()
            if depth < 0:
                return
        at = found.end()

"""Answers to queries as the page of a report shows them: a line, excerpts and derivations."""

from __future__ import annotations

from typing import Any

from readmark.formats.members import objects
from readmark.reporting import PageAnswer
from readmark.reporting.sections import json_words


def shown_solutions(value: Any) -> PageAnswer:
    """All answers to a query: a sitting's list of bindings, or a gold with ``solutions``."""
    if isinstance(value, dict):
        value = value.get("solutions")
    return PageAnswer(bindings_words(value), excerpt_spans(value), derivations_of(value))


def bindings_words(value: Any) -> str:
    """The answers to a query in a line, ``?G = Game-1, ?N = 5; …``; JSON when they are others."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(one, dict) for one in value):
        return json_words(value)
    solutions = [one["values"] if isinstance(one.get("values"), dict) else one for one in value]
    lines = (
        ", ".join(f"?{name} = {json_words(bound)}" for name, bound in solution.items())
        for solution in solutions
    )
    return "; ".join(lines)


def excerpt_spans(bindings: Any) -> list[tuple[int, int]]:
    """Where the excerpts of the answers to a query are, each place once."""
    spans: dict[tuple[int, int], None] = {}
    for solution in objects(bindings):
        for excerpt in objects(solution.get("excerpts")):
            start, end = excerpt.get("start"), excerpt.get("end")
            if isinstance(start, int) and isinstance(end, int) and 0 <= start < end:
                spans[start, end] = None
    return list(spans)


def derivations_of(bindings: Any) -> list[str]:
    """How the answers to a query were derived, where they say it."""
    derivations = (solution.get("derivation") for solution in objects(bindings))
    return [each for each in derivations if isinstance(each, str) and each]

"""Experts' criteria: what they went by in a round, an open list in their own words.

They are counted as written. The DARPA Machine Reading evaluation asks for such a list after each
round, and not for a choice among criteria that others set (section 2.1).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

_SEPARATORS = re.compile(r"[;\n；]+|(?:^|\s)[-*•]\s+")
_AROUND = " \t.,:·-–—，。：、'\"“”"
"""Punctuation around a criterion, which is no part of it."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion, how often it was named (at most once a round and expert), and by whom."""

    text: str
    times: int
    experts: tuple[str, ...]


def count_criteria(criteria: Mapping[str, Mapping[int, str]]) -> list[Criterion]:
    """Criteria by how often they were named, from experts' texts by expert and round.

    Case and white space do not count; a criterion is shown as it was written first.
    """
    times: Counter[str] = Counter()
    spellings: dict[str, str] = {}
    experts: dict[str, list[str]] = {}
    for expert, rounds in criteria.items():
        for text in rounds.values():
            for folded, criterion in criteria_in(text).items():
                spellings.setdefault(folded, criterion)
                times[folded] += 1
                named_by = experts.setdefault(folded, [])
                if expert not in named_by:
                    named_by.append(expert)
    order = sorted(times, key=lambda folded: (-times[folded], folded))
    return [Criterion(spellings[folded], times[folded], tuple(experts[folded])) for folded in order]


def criteria_in(text: str) -> dict[str, str]:
    """The criteria that a text lists, as written, by the form in which they are compared."""
    parts = (" ".join(part.split()).strip(_AROUND) for part in _SEPARATORS.split(text))
    return {criterion.casefold(): criterion for criterion in parts if criterion}

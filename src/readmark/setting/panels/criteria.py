"""Experts' criteria: an open list in their own words, counted as they stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

_APART = re.compile(r"[;\n；]+|(?:^|\s)[-*•]\s+")
_AROUND = " \t.,:·-–—，。：、'\"“”"


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion, how often it was named (once a round and expert at most), and by whom."""

    text: str
    times: int
    experts: tuple[str, ...]


def listed(criteria: Mapping[str, Mapping[int, str]]) -> list[Criterion]:
    """Criteria by how often they were named; spelling in case and white space does not count."""
    times: Counter[str] = Counter()
    said: dict[str, str] = {}
    by: dict[str, dict[str, None]] = {}
    for expert, rounds in criteria.items():
        for text in rounds.values():
            for key, one in items(text).items():
                said.setdefault(key, one)
                times[key] += 1
                by.setdefault(key, {})[expert] = None
    order = sorted(times, key=lambda key: (-times[key], key))
    return [Criterion(said[key], times[key], tuple(by[key])) for key in order]


def items(text: str) -> dict[str, str]:
    """The criteria that a text lists, as they stand, by what makes two of them the same."""
    plain = filter(None, map(_plain, _APART.split(text)))
    return {one.casefold(): one for one in plain}


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(_AROUND)

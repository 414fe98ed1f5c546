"""Who gave the levels of a test: rules, people, or nobody that the file names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from readmark.comprehension import LEVEL_BY, is_by_rules
from readmark.core.test import Test


@dataclass(frozen=True, slots=True)
class LevelSources:
    """How many published levels rules gave, people gave, and nobody is named for."""

    rules: Mapping[str, int] = field(default_factory=dict)
    """By the version of the rules."""
    people: int = 0
    unsaid: int = 0


def level_sources(test: Test) -> LevelSources:
    """Who gave the levels of a test, as `set levels` and people's labels record it."""
    rules: Counter[str] = Counter()
    people = unsaid = 0
    for unit in test.units():
        level = getattr(unit.key, "level", None)
        if level in (None, ""):
            continue
        by = str(unit.key.fields.get(LEVEL_BY) or "")
        if is_by_rules(by):
            rules[by] += 1
        elif by:
            people += 1
        else:
            unsaid += 1
    return LevelSources(dict(sorted(rules.items())), people, unsaid)

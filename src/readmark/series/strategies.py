"""The strategies that every comparison has, and rewrites as a mapping from ids to texts."""

from __future__ import annotations

from collections.abc import Mapping

from readmark.core.sitting import Sitting
from readmark.core.test import Test

NONE, APPEND, GOLD = "none", "append", "gold"
"""The question as it stands, the question with the target after it, and the first gold."""


def first_golds(test: Test) -> dict[str, str]:
    """Each question's first gold as its rewrite: the strategy that nothing is better than."""
    golds = {}
    for unit in test.units():
        texts = [gold.text for annotator in test.kind.references(unit) for gold in annotator]
        if texts:
            golds[unit.id] = texts[0]
    return golds


def rewrites_of(test: Test, sitting: Sitting | Mapping[str, str]) -> dict[str, str]:
    """The first rewrite of each question that has one."""
    if not isinstance(sitting, Sitting):
        return dict(sitting)
    rewrites: dict[str, str] = {}
    for id in sitting:
        for row in sitting.of(id):
            if row.answered and id not in rewrites:
                rewrites[id] = row.text
    return rewrites

"""Where the answer goes when it takes the place of the question phrase.

A Chinese question phrase stands where the answer does. An English one is fronted, with an auxiliary
after it ("when did the sun go down"): that order alone is no difference, so the answer may go
anywhere behind the subject; an answer fronted in the passage is another order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from readmark.setting.levels.questions import Asked

_AUXILIARY = re.compile(
    "do|does|did|is|are|was|were|has|have|had|can|could|will|would|shall|should|may|might|must"
)


@dataclass(frozen=True, slots=True)
class Filled:
    """What stands before and after the answer, and the noun that it stands for."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    noun: tuple[str, ...] = ()


def readings_of(asked: Asked, language: str) -> Iterator[Filled]:
    """The ways to put an answer in the place of the question phrase."""
    if not asked.phrases:
        yield Filled(tuple(asked.keys), ())
        return
    core = asked.phrases[0]
    for start, end in asked.phrases:
        before = tuple(token.key for token in asked.tokens if token.end <= start)
        after = tuple(token.key for token in asked.tokens if token.start >= end)
        noun = tuple(token.key for token in asked.tokens if core[1] <= token.start < end)
        yield Filled(before, after, noun)
        if language == "en" and after and _AUXILIARY.fullmatch(after[0]):
            for cut in range(2, len(after) + 1):
                yield Filled(after[1:cut], after[cut:], noun)

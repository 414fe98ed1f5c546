"""Whether one sentence gives the answer (CMRC 2018's first criterion for its challenge set).

A short answer is not deduced from a single sentence when the question speaks of things that no
sentence with the answer has, and other sentences do: they must be joined. What the passage is
about needs no other sentence: it is known wherever the passage speaks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from readmark.setting.challenge.clues import Clue, Read, clues

_SUBJECT = re.compile(r"[，,（(。:：;；]|(?<=.)(?:是|为|位于)| (?:is|was|are|were) ")


@dataclass(frozen=True, slots=True)
class Limits:
    """The thresholds of the first criterion."""

    covered: float = 0.7
    """The share of a question's weight that makes one sentence enough."""
    joined: float = 0.25
    """The share that must come from other sentences."""
    words: int = 2
    """How many words must come from there, where the best sentence has any at all."""
    topic: float = 0.34
    """A word in so many of the sentences is what the passage is about."""


@dataclass(frozen=True, slots=True)
class Deduction:
    """How the first criterion was judged for a question."""

    single: bool
    """Whether a single sentence gives the answer."""
    covered: float
    """The share of the question's content that the best sentence with the answer has."""
    sentence: int
    """That sentence; -1 when none holds the answer."""
    joined: tuple[int, ...]
    """The other sentences that have what is missing there."""
    missing: tuple[str, ...]
    """The words that they have."""
    why: str


def deduce(
    question: str,
    holding: Sequence[int],
    passage: Read,
    language: str,
    *,
    title: str | None = None,
    limits: Limits | None = None,
) -> Deduction:
    """Judge whether the best sentence with the answer gives it alone."""
    limits = limits or Limits()
    found = clues(question, passage, language)
    if not holding:
        return Deduction(False, 0.0, -1, (), (), "no sentence of the passage holds the answer")
    total = sum(clue.weight for clue in found)
    if not total:
        return Deduction(True, 1.0, holding[0], (), (), "the question has no content words")
    about = _topic(found, passage, title, limits)

    def share(at: int) -> float:
        return sum(one.weight for one in found if at in one.near or one.word in about) / total

    best = max(holding, key=lambda at: (share(at), -at))
    covered = share(best)
    missing = [one for one in found if best not in one.near and one.word not in about]
    elsewhere = [one for one in missing if one.exact]
    moved = sum(one.weight for one in elsewhere) / total
    why = f"one sentence has {covered:.0%} of the question"
    heard = any(best in one.near for one in found)
    # One word alone must be a thing: a verb that is missing has a synonym that is not known.
    few = len(elsewhere) < limits.words and (heard or not all(one.nominal for one in elsewhere))
    if covered >= limits.covered or moved < limits.joined or few:
        if missing and not elsewhere:
            why += "; the rest stands nowhere else"
        return Deduction(True, covered, best, (), (), why)
    if heard and _one_name(elsewhere):
        name = "".join(one.word for one in elsewhere) if language == "zh" else "a name"
        return Deduction(True, covered, best, (), (), f"{why}; only {name} is taken up from before")
    joined = _fewest(elsewhere, passage)
    words = tuple(one.word for one in elsewhere)
    why = f"the best sentence has {covered:.0%} of the question; elsewhere: {', '.join(words)}"
    return Deduction(False, covered, best, joined, words, why)


def _topic(
    found: Sequence[Clue], passage: Read, title: str | None, limits: Limits
) -> frozenset[str]:
    """Words of the title, of the passage's first subject, or of many sentences."""
    first = passage.sentences[0] if passage.sentences else ""
    subject = _SUBJECT.split(first, maxsplit=1)[0][:30]
    said = f"{title or ''} {subject}".lower()
    many = limits.topic * len(passage.sentences)
    return frozenset(
        one.word for one in found if one.word in said or len(one.exact) >= max(2.0, many)
    )


def _one_name(missing: Sequence[Clue]) -> bool:
    """Whether what is missing is one noun phrase: a sentence takes it up by a pronoun or none."""
    places = sorted(one.place for one in missing)
    together = all(after - before <= 1 for before, after in pairwise(places))
    return together and all(one.nominal for one in missing)


def _fewest(wanted: Sequence[Clue], passage: Read) -> tuple[int, ...]:
    """Few sentences that together have all the words: each time the one with the most."""
    left = list(wanted)
    chosen: list[int] = []
    while left:
        at = max(range(len(passage.sentences)), key=lambda at: sum(at in one.exact for one in left))
        chosen.append(at)
        left = [one for one in left if at not in one.exact]
    return tuple(sorted(chosen))

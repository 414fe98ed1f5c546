"""Whether one sentence gives the answer (CMRC 2018's first criterion for its challenge set).

A short answer is not deduced from a single sentence when the question speaks of things that no
sentence with the answer has, and other sentences do: they must be joined. What the passage is
about needs no other sentence: a reader knows it at any point of the passage.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from readmark.core import numbers
from readmark.making.challenge.clues import Clue, SentenceWords, clues

_HALF = 0.5
_SUBJECT = re.compile(r"[，,（(。:：;；]|(?<=.)(?:是|为|位于)| (?:is|was|are|were) ")


@dataclass(frozen=True, slots=True)
class DeductionLimits:
    """The thresholds of the first criterion."""

    covered: float = 0.7
    """The share of a question's weight that makes one sentence enough."""
    joined: float = 0.25
    """The share that must come from other sentences."""
    words: int = 2
    """How many words must come from there, where the best sentence has any at all."""
    topic: float = 0.34
    """A word in so many of the sentences is what the passage is about."""
    unknown: float = 0.3
    """The share that occurs nowhere from which the words decide nothing, where no sentence has
    half of the question."""


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
    undecided: bool = False
    """Whether the question's words are not in the passage, so that they prove nothing."""

    @property
    def needed(self) -> list[int]:
        """The sentences to join, where one is not enough."""
        if self.single or self.undecided or self.sentence < 0:
            return []
        return sorted({self.sentence, *self.joined})


def deduce(
    question: str,
    holding: Sequence[int],
    passage: SentenceWords,
    language: str,
    *,
    title: str | None = None,
    limits: DeductionLimits | None = None,
) -> Deduction:
    """Judge whether the best of the sentences ``holding`` the answer gives it alone."""
    limits = limits or DeductionLimits()
    all_clues = clues(question, passage, language)
    if not holding:
        return Deduction(False, 0.0, -1, (), (), "no sentence of the passage holds the answer")
    total = sum(clue.weight for clue in all_clues)
    if not total:
        return Deduction(True, 1.0, holding[0], (), (), "the question has no content words")
    topic = _topic(all_clues, passage, title, limits)

    def share(sentence: int) -> float:
        present = (clue for clue in all_clues if sentence in clue.near or clue.word in topic)
        return sum(clue.weight for clue in present) / total

    best = max(holding, key=lambda sentence: (share(sentence), -sentence))
    covered = share(best)
    why = f"one sentence has {numbers.percent(covered, 0)} of the question"
    if covered >= limits.covered:
        return Deduction(True, covered, best, (), (), why)

    missing = [clue for clue in all_clues if best not in clue.near and clue.word not in topic]
    elsewhere = [clue for clue in missing if clue.exact]
    words_elsewhere = tuple(clue.word for clue in elsewhere)
    elsewhere_share = sum(clue.weight for clue in elsewhere) / total
    best_has_some = any(best in clue.near for clue in all_clues)
    # One word alone must be a thing: a verb that is missing may have a synonym that no table has.
    too_few = len(elsewhere) < limits.words and (
        best_has_some or not all(clue.nominal for clue in elsewhere)
    )
    one_phrase = best_has_some and _is_noun_phrase(elsewhere)
    if elsewhere_share >= limits.joined and not (too_few or one_phrase):
        why = f"the best sentence has {numbers.percent(covered, 0)} of the question; elsewhere: "
        why += ", ".join(words_elsewhere)
        joined = _fewest(elsewhere, passage)
        return Deduction(False, covered, best, joined, words_elsewhere, why)

    nowhere_share = 1 - covered - elsewhere_share
    if covered < _HALF and nowhere_share >= limits.unknown:
        why += f", {numbers.percent(nowhere_share, 0)} occurs nowhere: a person must decide"
        return Deduction(False, covered, best, (), (), why, undecided=True)
    if elsewhere and one_phrase:
        name = "".join(words_elsewhere) if language == "zh" else "a name"
        why += f"; only {name} is taken up from before"
    elif elsewhere:
        why += f"; elsewhere only: {', '.join(words_elsewhere)}"
        if covered < _HALF:
            why += "; a person must decide"
            return Deduction(False, covered, best, (), (), why, undecided=True)
    return Deduction(True, covered, best, (), (), why)


def _topic(
    all_clues: Sequence[Clue], passage: SentenceWords, title: str | None, limits: DeductionLimits
) -> frozenset[str]:
    """Words of the title, of the passage's first subject, or of many sentences."""
    first = passage.sentences[0] if passage.sentences else ""
    subject = _SUBJECT.split(first, maxsplit=1)[0][:30]
    heading = f"{title or ''} {subject}".lower()
    # Two at least: of a passage of two sentences, a third is less than one.
    least = max(2.0, limits.topic * len(passage.sentences))
    return frozenset(
        clue.word for clue in all_clues if clue.word in heading or len(clue.exact) >= least
    )


def _is_noun_phrase(missing: Sequence[Clue]) -> bool:
    """Whether the missing words are one noun phrase, which a pronoun or nothing may take up."""
    places = sorted(clue.place for clue in missing)
    adjacent = all(after - before <= 1 for before, after in pairwise(places))
    return adjacent and all(clue.nominal for clue in missing)


def _fewest(missing: Sequence[Clue], passage: SentenceWords) -> tuple[int, ...]:
    """Few sentences that together have all the words: each time the one with the most."""
    left = list(missing)
    chosen: list[int] = []
    while left:
        best = max(
            range(len(passage.sentences)),
            key=lambda sentence: sum(sentence in clue.exact for clue in left),
        )
        chosen.append(best)
        left = [clue for clue in left if best not in clue.exact]
    return tuple(sorted(chosen))

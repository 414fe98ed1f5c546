"""What the learned rewriter weighs: phrases that may be meant, and places where they may go."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from readmark.series.guided.edits import Rewrite
from readmark.stats.networks import Floats
from readmark.text.word_vectors import ROW, lexicon, words_in

# How rare the words of a phrase are, and how near two texts are in meaning: the word tables.


@functools.lru_cache(maxsize=50_000)
def sense(text: str, language: str) -> tuple[float, Floats]:
    """The rarity of a text's rarest word, 0 to 1, and the mean vector of its content words."""
    known = lexicon(language)
    rows = [known.entry(word.lower()) for word, _ in words_in(text, language)]
    figures = known.figures[rows]
    content = figures[:, 1] == 0
    if not content.any():
        return 0.0, np.zeros(known.vectors.shape[1], np.float32)
    vectors = known.vectors[known.numbers[rows, ROW]][content]
    weights = figures[content, 0]
    whole = (vectors * weights[:, None]).sum(axis=0)
    size = float(np.linalg.norm(whole))
    return float(weights.max()), whole / size if size else whole


HISTORY = 24
"""How many earlier questions one may draw on; no series that was learnt from has as many."""
MOST = 40
"""How many phrases a question chooses from."""


@dataclass(frozen=True, slots=True)
class MeantPhrase:
    """Something that an earlier part of the series names, and a question may leave out."""

    text: str
    article: str
    source: str
    """target, inner, topic, question, answer or variable (PREVIOUS_ANSWER)."""
    turn: int
    """The question that it occurs in or answers; -1 if before the first."""
    words: frozenset[str]
    """Its content words, for comparison."""
    head: str
    plural: bool = False
    kind: str = "unknown"
    """person, organisation, place, event, thing, act, time or unknown."""
    gender: str | None = None
    role: str = "other"
    """subject, object, of, asked or other."""
    name: bool = False
    general: bool = False
    """Whether its noun says little by itself: types, name, best way."""
    extended: bool = False
    """Whether more than one noun phrase makes it: causes of the war."""
    introduced: bool = False
    """Whether its question brings it up: tell me about X, what is X."""
    final: bool = False
    """Whether it is the last of its question."""
    inside: bool = False
    """Whether a fuller phrase of the same text holds it."""

    @property
    def named(self) -> str:
        """The phrase in running text."""
        return f"{self.article} {self.text}" if self.article else self.text


@dataclass(frozen=True, slots=True)
class EditPlace:
    """A stretch of the question that a phrase may take the place of, or an empty one."""

    start: int
    end: int
    how: str
    """One of PLACES in features.py."""
    was: str
    link: str = ""
    """The preposition that joins an inserted phrase."""
    plural: bool | None = None
    gender: str | None = None
    personal: bool | None = None
    """Whether people alone can be meant (he), or never (it)."""
    owning: bool = False
    noun: str = ""
    """The noun of a nominal, or the one that a phrase is put after."""
    kinds: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    flags: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with all that may be done to it."""

    text: str
    index: int
    places: Sequence[EditPlace]
    phrases: Sequence[MeantPhrase]
    question: Mapping[str, float]
    """What is known of the question as a whole."""
    guided: str
    """What the guidelines as code make of it."""
    guided_edits: Sequence[tuple[int, int, str]]
    before: str
    """The question before it, as it was rewritten."""
    rewritten_words: Sequence[frozenset[str]]
    """The words of each earlier question that may be drawn on, as it was rewritten."""
    asked: Sequence[frozenset[str]] = ()
    """The words of the same, as they were asked."""
    since: int = 0
    """The first question that may be drawn on."""
    language: str = "en"


def make_asking(
    text: str,
    index: int,
    *,
    rewritten: Sequence[str],
    questions: Sequence[str],
    target: str,
    guided: Rewrite,
    content: Callable[[str], frozenset[str]],
    counts: Mapping[str, float],
    **more: Any,
) -> Asking:
    """A question of a series with what is known of it as a whole.

    ``rewritten`` are the earlier questions as they were rewritten, ``counts`` what the language
    counts in it, and ``more`` the other members.
    """
    since = max(0, index - HISTORY)
    return Asking(
        text=text,
        index=index,
        question={
            "has a target": float(bool(target.strip())),
            "turn": min(index, 10) / 10,
            "guided edits": float(len(guided.edits)),
            "guided sure": guided.sure,
            "says the target": float(bool(content(target) & content(text))),
            **counts,
        },
        guided=guided.text,
        guided_edits=[(edit.start, edit.end, edit.now) for edit in guided.edits],
        before=rewritten[-1] if rewritten else "",
        rewritten_words=[content(earlier) for earlier in rewritten[since:]],
        asked=[content(earlier) for earlier in questions[since:index]],
        since=since,
        **more,
    )

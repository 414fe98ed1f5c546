"""An annotated text without its tags: noun phrases, answer sentences, and where words end.

Noun phrases are tagged ``<NP NE=PERSON REFID=7>``, answer sentences ``<ANSQ2>…</ANSQ2>``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from readmark.comprehension.brcc.spacing import words
from readmark.core.records import Offsets


@dataclass(frozen=True, slots=True)
class TaggedPhrase:
    """A base noun phrase: what it contains, its number as an antecedent, and what it refers to."""

    start: int
    end: int
    entity: str | None = None
    id: int | None = None
    ref: int | None = None


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A stretch of the passage that answers the question of that number."""

    number: int
    start: int
    end: int


@dataclass(frozen=True)
class AnnotatedText:
    """A text without its tags, and what the tags said."""

    text: str
    phrases: tuple[TaggedPhrase, ...] = ()
    answers: tuple[AnswerSentence, ...] = ()
    edges: frozenset[int] = frozenset()
    """Where white space or a tag stood: a word ends there."""
    spaced: bool = False
    """Whether a space stood between two Han characters: somebody marked the words."""

    @cached_property
    def words(self) -> tuple[Offsets, ...]:
        """The words that spaces, tags and punctuation leave, punctuation marks included."""
        return tuple(words(self.text, self.edges))


def outermost_first(element: TaggedPhrase | AnswerSentence) -> tuple[int, int, bool]:
    """Sorts what is tagged so that long stretches come before what they contain."""
    return element.start, -element.end, isinstance(element, TaggedPhrase)


def without_crossings(
    phrases: Iterable[TaggedPhrase], answers: Iterable[AnswerSentence]
) -> tuple[list[TaggedPhrase], list[TaggedPhrase]]:
    """The noun phrases that tags can hold, and those that are empty or cross something."""
    writable: list[TaggedPhrase] = []
    dropped: list[TaggedPhrase] = []
    sentences = list(answers)
    around: list[TaggedPhrase] = []
    for phrase in sorted(phrases, key=outermost_first):
        while around and around[-1].end <= phrase.start:
            around.pop()
        if (
            phrase.start >= phrase.end
            or (around and phrase.end > around[-1].end)
            or any(_cross(phrase, sentence) for sentence in sentences)
        ):
            dropped.append(phrase)
        else:
            writable.append(phrase)
            around.append(phrase)
    return writable, dropped


def _cross(phrase: TaggedPhrase, sentence: AnswerSentence) -> bool:
    """Whether two stretches overlap and neither contains the other."""
    return (
        phrase.start < sentence.start < phrase.end < sentence.end
        or sentence.start < phrase.start < sentence.end < phrase.end
    )

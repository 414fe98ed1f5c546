"""BRCC's inline notation: noun phrases, entities, references and answer sentences in a text.

The notation of "Design and Development of a Bilingual Reading Comprehension Corpus", sections
4.2 to 4.6: ``<NP NE=PERSON REFID=7>``, ``<ANSQ2>…</ANSQ2>``, spaces between Chinese words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from readmark.corpus.notation.spacing import words
from readmark.corpus.values import Offsets

ENTITY_TYPES = ("PERSON", "TIME", "LOCATION", "NUM", "ORGANIZATION")
"""What ``NE=`` may say. The document annotates the first four and keeps the last for later."""


@dataclass(frozen=True, slots=True)
class NounPhrase:
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


Element = NounPhrase | AnswerSentence


@dataclass(frozen=True)
class Annotated:
    """A text without its tags, and what the tags said."""

    text: str
    phrases: tuple[NounPhrase, ...] = ()
    answers: tuple[AnswerSentence, ...] = ()
    edges: frozenset[int] = frozenset()
    """Where white space or a tag stood: a word ends there."""
    spaced: bool = False
    """Whether a space stood between two Han characters: somebody marked the words."""

    @cached_property
    def words(self) -> tuple[Offsets, ...]:
        """The words that spaces, tags and punctuation leave, punctuation marks included."""
        return words(self.text, self.edges)


@dataclass(frozen=True, slots=True)
class NotationFault:
    """Something that cannot be read, at an offset of what was written."""

    at: int
    code: str
    message: str

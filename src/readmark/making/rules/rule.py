"""What a rule is: a name, what it says of a passage's questions, and the thresholds it goes by."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from readmark.core.language import primary
from readmark.core.records import Answer, Offsets, Passage, Question, QuestionKey
from readmark.text.answers.places import holding, passage_sentences

LANGUAGES = ("en", "zh")
"""The languages that rules of wording know."""

Said = tuple[str, str]
"""The id of a question, or of the passage, and a line of prose."""
Settings = Mapping[str, Any]


class Page:
    """A passage as rules look at it: with its language, and its sentences once they are wanted."""

    def __init__(self, passage: Passage, language: str, *, hidden: bool = False) -> None:
        self.passage = passage
        self.language = primary(passage.language) if passage.language else language
        self.hidden = hidden
        """Whether the key of this passage's split is withheld, so that none can be asked for."""

    @functools.cached_property
    def sentences(self) -> list[Offsets]:
        """The sentences of the passage."""
        return passage_sentences(self.passage, self.language)

    def keyed(self) -> Iterator[tuple[Question, QuestionKey]]:
        """The questions that have a key."""
        for question in self.passage.questions:
            if question.key is not None:
                yield question, question.key

    def language_of(self, question: Question) -> str:
        """The language that a question is in."""
        return primary(question.language) if question.language else self.language

    def answers(self, key: QuestionKey) -> tuple[Answer, ...]:
        """People's answers, else the published ones."""
        return key.answers or tuple(Answer(text=phrase.text) for phrase in key.published)

    def holding(self, key: QuestionKey) -> list[int]:
        """The sentences marked as answers, else those that hold one."""
        if key.sentences:
            return [
                at
                for at, (start, end) in enumerate(self.sentences)
                if any(start < last and first < end for first, last in key.sentences)
            ]
        return sorted(holding(key.answers, self.passage.text, self.sentences))

    def said_in(self, answer: Answer, key: QuestionKey) -> str | None:
        """The sentences that hold one answer; None when it does not occur in the passage.

        A published key is in its publisher's words: what is marked as its sentence counts.
        """
        held = sorted(holding([answer], self.passage.text, self.sentences))
        if not held and not key.answers:
            held = self.holding(key)
        return " ".join(map(self.sentence, held)) or None

    def sentence(self, at: int) -> str:
        """A sentence's text."""
        start, end = self.sentences[at]
        return self.passage.text[start:end]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by its code; ``settings`` are its thresholds with their defaults."""

    code: str
    line: str
    """What it finds, in one line."""
    find: Callable[[Any, Settings], Iterator[Said]]
    """From a page of the rule's kind of test: a passage's, or a series'."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    of_questions: bool = True
    """Whether it is found in questions; in passages or the whole test otherwise."""
    needs_language: bool = False
    """Whether it knows English and Chinese only."""
    kind: str = "comprehension"
    """The kind of test that it is for."""

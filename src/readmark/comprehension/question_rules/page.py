"""A passage as question rules look at it: with its language, and its sentences when needed."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from readmark.core.language import primary
from readmark.core.question_rules import RULED_LANGUAGES
from readmark.core.records import Answer, Offsets, Passage, Question, QuestionKey
from readmark.text.answers.sentences import passage_sentences, sentences_of_answers
from readmark.text.questions.types import question_type


class PassagePage:
    """A passage, its questions and what rules ask about their keys."""

    def __init__(self, passage: Passage, language: str, hidden: bool = False) -> None:
        self.passage = passage
        self.language = primary(passage.language) if passage.language else language
        self._has_type_rules = language in RULED_LANGUAGES
        self.hidden = hidden
        """Whether the key of this passage's split is withheld, so that none can be asked for."""

    def question_types(self) -> Iterator[str | None]:
        """The type of each question by its key, else by rule where the language is known."""
        for question in self.passage.questions:
            type_of_question = question.key.type if question.key is not None else None
            if not type_of_question and self._has_type_rules:
                type_of_question = question_type(question.text, self.language_of(question))
            yield type_of_question

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

    def answer_sentences(self, key: QuestionKey) -> list[int]:
        """The sentences marked as answers, else those that hold one."""
        if key.sentences:
            return [
                index
                for index, (start, end) in enumerate(self.sentences)
                if any(start < last and first < end for first, last in key.sentences)
            ]
        return sorted(sentences_of_answers(key.answers, self.passage.text, self.sentences))

    def sentences_of(self, answer: Answer, key: QuestionKey) -> str | None:
        """The sentences that hold one answer; None when it does not occur in the passage.

        A published key is in its publisher's words: what is marked as its sentence counts.
        """
        indexes = sorted(sentences_of_answers([answer], self.passage.text, self.sentences))
        if not indexes and not key.answers:
            indexes = self.answer_sentences(key)
        return " ".join(map(self.sentence, indexes)) or None

    def sentence(self, index: int) -> str:
        """A sentence's text."""
        start, end = self.sentences[index]
        return self.passage.text[start:end]

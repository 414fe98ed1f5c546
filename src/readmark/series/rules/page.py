"""A series as the rules look at it: its golds, and the words that a gold may be made of."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from readmark.core.language import primary
from readmark.core.question_rules import RULED_LANGUAGES
from readmark.series.notation import bracketed
from readmark.series.records import Series, SeriesQuestion
from readmark.series.rules.words import RuleWord, content_of, words_of
from readmark.text.questions.types import question_type


class SeriesPage:
    """A series with its language."""

    def __init__(self, series: Series, language: str, hidden: bool = False) -> None:
        self.series = series
        self.language = primary(series.language) if series.language else language

    def keyed(self) -> Iterator[tuple[SeriesQuestion, list[str]]]:
        """The questions that have golds, with them; equal golds of two people are one."""
        for question in self.series.questions:
            rewrites = question.key.rewrites if question.key is not None else ()
            golds = list(dict.fromkeys(answer.text for answer in rewrites))
            if golds:
                yield question, golds

    def question_types(self) -> Iterator[str | None]:
        """The type of each question by rule; None in languages without rules."""
        has_rules = self.language in RULED_LANGUAGES
        for question in self.series.questions:
            yield question_type(question.text, self.language) if has_rules else None

    def words(self, text: str) -> list[RuleWord]:
        """The words of a text in the series' language."""
        return words_of(text, self.language)

    def content(self, text: str) -> list[RuleWord]:
        """The words of a text that say something."""
        return content_of(text, self.language)

    @functools.cached_property
    def target(self) -> list[RuleWord]:
        """The target's words that say something."""
        return self.content(self.series.target)

    @functools.cached_property
    def targets(self) -> list[frozenset[str]]:
        """The forms that a full target may have: whole, and those of a bracketed one."""
        texts: list[str] = [self.series.target]
        forms = bracketed(self.series.target)
        if forms is not None:
            texts += [forms.outer, *forms.inner]
        return [frozenset(word.base for word in self.content(text)) for text in texts]

    @functools.cached_property
    def sources(self) -> str:
        """Target, questions and known answers, a line each."""
        texts = [self.series.target]
        for question in self.series.questions:
            texts += [question.text, *question.previous]
        return "\n".join(texts)

    @functools.cached_property
    def source_words(self) -> frozenset[str]:
        """The words of target, questions and known answers."""
        return frozenset(
            word.base for line in self.sources.split("\n") for word in self.words(line)
        )

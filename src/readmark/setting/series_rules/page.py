"""A series as the rules look at it: its golds, and the words that a gold may be made of."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from readmark.corpus.language import primary
from readmark.corpus.series_notation import bracketed
from readmark.corpus.values import Series, SeriesQuestion
from readmark.setting.series_rules.wording import Word, content_of, words_of


class SeriesPage:
    """A series with its language."""

    def __init__(self, series: Series, language: str) -> None:
        self.series = series
        self.language = primary(series.language) if series.language else language

    def keyed(self) -> Iterator[tuple[SeriesQuestion, list[str]]]:
        """The questions that have golds, with them; equal golds of two people are one."""
        for question in self.series.questions:
            rewrites = question.key.rewrites if question.key is not None else ()
            golds = list(dict.fromkeys(one.text for one in rewrites))
            if golds:
                yield question, golds

    def words(self, text: str) -> list[Word]:
        """The words of a text in the series' language."""
        return words_of(text, self.language)

    def content(self, text: str) -> list[Word]:
        """The words of a text that say something."""
        return content_of(text, self.language)

    @functools.cached_property
    def target(self) -> list[Word]:
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
        """Target, questions and known answers, as one text."""
        texts = [self.series.target]
        for question in self.series.questions:
            texts += [question.text, *question.previous]
        return "\n".join(texts)

    @functools.cached_property
    def known(self) -> frozenset[str]:
        """The words of target, questions and known answers."""
        return frozenset(
            word.base for line in self.sources.split("\n") for word in self.words(line)
        )

"""What the metrics of rewritten questions share: the golds, and the best over them."""

from __future__ import annotations

import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from readmark.core.records import Unit
from readmark.hooks import MetricFacts
from readmark.marking import Ratio, RatioInLanguage
from readmark.series import words as similarity_words
from readmark.series.failures import is_content
from readmark.series.records import OTHER, PREVIOUS_ANSWER, Series, SeriesQuestion
from readmark.series.words import words

# Whose answer PREVIOUS_ANSWER is in the golds of a question, and what the series knows of it.


_HAN = re.compile("[\u3400-\u9fff]+")


def answers_meant(series: Series, question: SeriesQuestion) -> tuple[str, ...]:
    """The known answers that may stand for PREVIOUS_ANSWER; none where they are another's.

    Answers without a question of their own belong to the question that this one refers to.
    """
    if question.previous and question.previous_of is None:
        return _without_blanks(question.previous)
    meant = question_meant(series, question)
    if meant is None:
        return ()
    for series_question in (question, *series.questions):
        if series_question.previous_of == meant.id and (
            known := _without_blanks(series_question.previous)
        ):
            return known
    return ()


def question_meant(series: Series, question: SeriesQuestion) -> SeriesQuestion | None:
    """The one that the key names, else that a gold embeds, else the one just before."""
    earlier = []
    for series_question in series.questions:
        if series_question.id == question.id:
            break
        if series_question.category != OTHER:
            earlier.append(series_question)
    named = question.key.refers if question.key is not None else None
    if named is not None:
        return next(
            (series_question for series_question in earlier if series_question.id == named), None
        )
    return _embedded(series, earlier, question) or (earlier[-1] if earlier else None)


def _embedded(
    series: Series, earlier: Sequence[SeriesQuestion], question: SeriesQuestion
) -> SeriesQuestion | None:
    """The earlier question that shares most with what golds without the variable add.

    Words of the target tell nothing, so they only decide between equals; of two that share as
    much the later one is meant.
    """
    new: set[str] = set()
    for gold in _golds(question):
        if PREVIOUS_ANSWER not in gold:
            new |= _content(gold)
    new -= _content(question.text)
    target = _content(series.target)

    def shared(one: SeriesQuestion) -> tuple[int, int]:
        has = set(_content(one.text))
        golds = list(_golds(one))
        if not any(PREVIOUS_ANSWER in gold for gold in golds):
            # Golds of one that leans itself embed what it leans on.
            has |= {word for gold in golds for word in _content(gold)}
        return len(new & has - target), len(new & has)

    best = max(reversed(earlier), key=shared, default=None)
    return best if best is not None and any(shared(best)) else None


def _golds(question: SeriesQuestion) -> Iterator[str]:
    for answer in question.key.rewrites if question.key is not None else ():
        yield answer.text


@functools.lru_cache(maxsize=4096)
def _content(text: str) -> frozenset[str]:
    """Words of content; of text without spaces every two characters."""
    found = set()
    for word in words(text):
        for run in _HAN.findall(word):
            found |= {run[index : index + 2] for index in range(len(run) - 1)}
        if not _HAN.search(word) and is_content(word, "en"):
            found.add(word.removesuffix("'s"))
    return frozenset(found)


def _without_blanks(answers: Sequence[str]) -> tuple[str, ...]:
    return tuple(answer for answer in answers if answer.strip())


VARIANTS = ("standard", "simmetrics")
VARIANT_HELP = "the usual definition, or SimMetrics' with its quirks"


def golds(unit: Unit, references: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Every gold rewrite; one that leans on an earlier answer also with the answer in its place.

    Only answers to the question that is meant. Several take the place together, as a list, and
    each by itself.
    """
    known: Sequence[str] | None = None
    for person in references:
        for gold in person:
            yield gold.text
            if PREVIOUS_ANSWER in gold.text:
                if known is None:
                    known = answers_meant(unit.record, unit.item)
                for answer in _instances(known, unit):
                    yield gold.text.replace(PREVIOUS_ANSWER, answer)


def _instances(known: Sequence[str], unit: Unit) -> Iterator[str]:
    if len(known) > 1:
        chinese = any("\u4e00" <= character <= "\u9fff" for character in unit.item.text)
        comma, last = ("、", "和") if chinese else (", ", " and ")
        yield comma.join(known[:-1]) + last + known[-1]
    yield from known


@dataclass
class BestOverRewrites(RatioInLanguage, ABC):
    """The mean over questions of the best similarity of the rewrite to a gold."""

    facts: ClassVar[MetricFacts] = replace(Ratio.facts, scale=1.0)

    @abstractmethod
    def alike(self, answer: str, gold: str) -> float:
        """The similarity of a rewrite to one gold, 0 to 1."""

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(best, 1); an unanswered question has 0."""
        best = 0.0
        if answer is not None:
            for gold in golds(unit, references):
                best = max(best, self.alike(answer.text, gold))
                if best >= 1.0:  # no other gold can better it
                    return 1.0, 1.0
        return best, 1.0

    def signature(self) -> Mapping[str, str]:
        """What every metric of rewrites says of itself."""
        return {"previous": "instantiated", "references": "best", "units": "mean"}


@dataclass
class OverPlainTexts(BestOverRewrites, ABC):
    """One that compares the characters of the plain forms of both texts."""

    @abstractmethod
    def strings(self, answer: str, gold: str) -> float:
        """The similarity of two strings."""

    @functools.cached_property
    def _plain(self) -> Any:
        return functools.lru_cache(maxsize=4096)(similarity_words.plain)

    def alike(self, answer: str, gold: str) -> float:
        """That of the plain forms."""
        return self.strings(self._plain(answer), self._plain(gold))

    def signature(self) -> Mapping[str, str]:
        """The form that is compared."""
        return {"text": f"plain({similarity_words.RULES})", **super().signature()}


@dataclass
class OverWords(BestOverRewrites, ABC):
    """One that compares the words of both texts."""

    @abstractmethod
    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The similarity of two sequences of words."""

    @functools.cached_property
    def _words(self) -> Any:
        return functools.lru_cache(maxsize=4096)(similarity_words.cutter(self.language))

    def alike(self, answer: str, gold: str) -> float:
        """That of the words."""
        return self.sequences(self._words(answer), self._words(gold))

    def signature(self) -> Mapping[str, str]:
        """How words are cut."""
        return {"words": similarity_words.signature(self.language), **super().signature()}


# Exact match of rewritten questions.


@dataclass(frozen=True)
class Exact(Ratio):
    """1 when a rewrite equals a gold one, runs of white space counting as one space."""

    facts: ClassVar[MetricFacts] = replace(Ratio.facts, scale=1.0)

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """Equal to any gold, or not."""
        if answer is None:
            return 0.0, 1.0
        said = answer.text.split()
        return float(any(gold.split() == said for gold in golds(unit, references))), 1.0

    def signature(self) -> Mapping[str, str]:
        """The comparison."""
        return {
            "normal": "spaces",
            "previous": "instantiated",
            "references": "best",
            "units": "mean",
        }

"""What the metrics of rewritten questions share: the golds, and the best over them."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from readmark.corpus.series_notation import PREVIOUS_ANSWER
from readmark.corpus.values import Unit
from readmark.marking.batches import Case
from readmark.marking.metrics.ratio import RatioInLanguage
from readmark.marking.series.antecedents import answers_meant
from readmark.measures.similarity import words

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

    scale: ClassVar[float] = 1.0

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
class ManyRewrites(BestOverRewrites, ABC):
    """One that compares many rewrites with their golds at once."""

    @abstractmethod
    def alike_in_each(self, answers: Sequence[str], golds: Sequence[str]) -> Sequence[float]:
        """The similarity of each rewrite to its gold, as ``alike`` gives it."""

    def statistics_of_many(self, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
        """(best, 1) of every answer."""
        best = [0.0] * len(cases)
        asked = [
            (at, case.answer.text, gold)
            for at, case in enumerate(cases)
            if case.answer is not None
            for gold in golds(case.unit, case.references)
        ]
        found = self.alike_in_each([said for _, said, _ in asked], [gold for *_, gold in asked])
        for (at, _, _), alike in zip(asked, found, strict=True):
            best[at] = max(best[at], alike)
        return [(one, 1.0) for one in best]


@dataclass
class OverPlainTexts(BestOverRewrites, ABC):
    """One that compares the characters of the plain forms of both texts."""

    @abstractmethod
    def strings(self, answer: str, gold: str) -> float:
        """The similarity of two strings."""

    @functools.cached_property
    def _plain(self) -> Any:
        return functools.lru_cache(maxsize=4096)(words.plain)

    def alike(self, answer: str, gold: str) -> float:
        """That of the plain forms."""
        return self.strings(self._plain(answer), self._plain(gold))

    def signature(self) -> Mapping[str, str]:
        """The form that is compared."""
        return {"text": f"plain({words.RULES})", **super().signature()}


@dataclass
class OverWords(BestOverRewrites, ABC):
    """One that compares the words of both texts."""

    @abstractmethod
    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The similarity of two sequences of words."""

    @functools.cached_property
    def _words(self) -> Any:
        return functools.lru_cache(maxsize=4096)(words.cutter(self.language))

    def alike(self, answer: str, gold: str) -> float:
        """That of the words."""
        return self.sequences(self._words(answer), self._words(gold))

    def signature(self) -> Mapping[str, str]:
        """How words are cut."""
        return {"words": words.signature(self.language), **super().signature()}

"""Rows of a sitting from the replies of a reader of spans: a stretch, an option, or no answer."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from readmark.comprehension.options.choice import WEIGHED, nearest_option
from readmark.core.records import Offsets, Unit
from readmark.core.sitting import Row
from readmark.text.answers.sentences import passage_sentences

if TYPE_CHECKING:
    from readmark.comprehension.span.confidence import SpanConfidence
    from readmark.comprehension.span.replies import SpanReply

    ReadPairs = Callable[[Sequence[tuple[str, str]], int], Sequence[SpanReply]]
    """Pairs of passage and question, and the number of likely answers to give, to replies."""

_JOINERS = "\u200d\ufe0e\ufe0f"
"""The zero-width joiner and variation selectors, which belong to the character before them."""


class SpanRows:
    """Makes rows: the likeliest stretch, its sentence, the runners-up; or an option; or none."""

    def __init__(
        self,
        language: str,
        no_answer: float | None,
        best: int,
        confidence: SpanConfidence | None = None,
    ) -> None:
        self._language, self._no_answer, self._best = language, no_answer, best
        self._confidence = confidence
        self._sentences: tuple[Any, list[Offsets]] | None = None

    def rows(self, units: Sequence[Unit], read: ReadPairs) -> list[Row]:
        """The rows of units, in their order.

        Those with options are read by themselves, for more of what is likely than is listed.
        """
        rows: dict[int, Row] = {}
        for count, with_options in ((self._best, False), (max(self._best, WEIGHED), True)):
            indexes = [
                index for index, unit in enumerate(units) if bool(unit.item.options) is with_options
            ]
            pairs = [(units[index].record.text, units[index].item.text) for index in indexes]
            replies = read(pairs, count) if pairs else ()
            for index, reply in zip(indexes, replies, strict=True):
                rows[index] = self._row(units[index], reply)
        return [rows[index] for index in range(len(units))]

    def _row(self, unit: Unit, reply: SpanReply) -> Row:
        text = unit.record.text
        none = {"none": round(reply.none, 4)}
        if not reply.answers or (self._no_answer is not None and reply.none > self._no_answer):
            return Row(id=unit.id, answer="", score=self._none_score(reply), evidence=none)
        places: dict[Offsets, float] = {}
        for answer in reply.answers:  # two that end in one letter and its marks are one
            place = answer.start, end_with_marks(text, answer.end)
            places[place] = places.get(place, 0.0) + answer.probability
        likely = [_likely_answer(text, *item) for item in places.items()][: self._best]
        evidence: dict[str, Any] = {"likely": likely, **none}
        if unit.item.options:
            return self._option_row(unit, list(places.items()), evidence)
        start, end = next(iter(places))
        return Row(
            id=unit.id,
            answer=text[start:end],
            start=start,
            end=end,
            sentence=self._sentence(unit.record, start),
            score=self._score(likely[0]["probability"], reply.none),
            evidence=evidence,
        )

    def _option_row(
        self, unit: Unit, likely: list[tuple[Offsets, float]], evidence: dict[str, Any]
    ) -> Row:
        """An option has no place of its own; the stretch that speaks most for it is kept."""
        nearest = nearest_option(unit, likely, self._language)
        span = _likely_answer(unit.record.text, nearest.place, dict(likely)[nearest.place])
        return Row(
            id=unit.id,
            answer=nearest.option,
            sentence=self._sentence(unit.record, nearest.place[0]),
            score=round(nearest.score, 6),
            evidence={"span": span, **evidence},
        )

    def _score(self, probability: float, none: float) -> float:
        """The fitted score of an answer; its probability where nothing is fitted."""
        if self._confidence is None:
            return probability
        mixed = self._no_answer is not None
        return round(self._confidence.score(probability, none, mixed=mixed), 6)

    def _none_score(self, reply: SpanReply) -> float | None:
        """The fitted score of giving no answer."""
        if self._confidence is None or not reply.answers:
            return None
        return round(self._confidence.none_score(reply.answers[0].probability, reply.none), 6)

    def _sentence(self, record: Any, start: int) -> Offsets | None:
        """The sentence that holds a place; the last passage's sentences are kept."""
        if self._sentences is None or self._sentences[0] is not record:
            self._sentences = record, list(passage_sentences(record, self._language))
        return next(
            (sentence for sentence in self._sentences[1] if sentence[0] <= start < sentence[1]),
            None,
        )


def _likely_answer(text: str, place: Offsets, probability: float) -> dict[str, Any]:
    start, end = place
    return {"text": text[start:end], "start": start, "probability": round(probability, 6)}


def end_with_marks(text: str, end: int) -> int:
    """The end moved past marks that belong to the last character: the tokenizer drops them."""
    while end < len(text) and (unicodedata.combining(text[end]) or text[end] in _JOINERS):
        end += 1
    return end

"""A sitting's rows from the stretches of a passage that a network found."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from readmark.corpus.sitting import Row
from readmark.corpus.values import Offsets, Unit
from readmark.sitting.nearest_option import WEIGHED, nearest_option
from readmark.text.answer_sentences import passage_sentences

if TYPE_CHECKING:
    from readmark.models.span.reading import Reply

    Read = Callable[[Sequence[tuple[str, str]], int], Sequence[Reply]]
    """Pairs of passage and question, and how many likely answers are wanted, to replies."""

_JOINED = "\u200d\ufe0e\ufe0f"


class SpanRows:
    """Makes rows: the likeliest stretch, its sentence, the runners-up; or an option; or none."""

    def __init__(self, language: str, no_answer: float | None, best: int) -> None:
        self._language, self._no_answer, self._best = language, no_answer, best
        self._sentences: tuple[Any, list[Offsets]] | None = None

    def rows(self, units: Sequence[Unit], read: Read) -> list[Row]:
        """The rows of units, in their order.

        Those with options are read by themselves, for more of what is likely than is listed.
        """
        found: dict[int, Row] = {}
        for many, with_options in ((self._best, False), (max(self._best, WEIGHED), True)):
            some = [at for at, one in enumerate(units) if bool(one.item.options) is with_options]
            asked = [(units[at].record.text, units[at].item.text) for at in some]
            for at, reply in zip(some, read(asked, many) if asked else (), strict=True):
                found[at] = self._row(units[at], reply)
        return [found[at] for at in range(len(units))]

    def _row(self, unit: Unit, reply: Reply) -> Row:
        text = unit.record.text
        said = {"none": round(reply.none, 4)}
        if not reply.found or (self._no_answer is not None and reply.none > self._no_answer):
            return Row(id=unit.id, text="", evidence=said)
        places: dict[Offsets, float] = {}
        for one in reply.found:  # two that end in one letter and its marks are one
            place = one.start, whole_end(text, one.end)
            places[place] = places.get(place, 0.0) + one.probability
        likely = [_told(text, *one) for one in places.items()][: self._best]
        evidence: dict[str, Any] = {"likely": likely, **said}
        if unit.item.options:
            return self._option(unit, list(places.items()), evidence)
        start, end = next(iter(places))
        return Row(
            id=unit.id,
            text=text[start:end],
            start=start,
            end=end,
            sentence=self._sentence(unit.record, start),
            score=likely[0]["probability"],
            evidence=evidence,
        )

    def _option(
        self, unit: Unit, likely: list[tuple[Offsets, float]], evidence: dict[str, Any]
    ) -> Row:
        """An option has no place of its own; the stretch that speaks most for it is kept."""
        found = nearest_option(unit, likely, self._language)
        span = _told(unit.record.text, found.place, dict(likely)[found.place])
        return Row(
            id=unit.id,
            text=found.option,
            sentence=self._sentence(unit.record, found.place[0]),
            score=round(found.expected, 6),
            evidence={"span": span, **evidence},
        )

    def _sentence(self, record: Any, start: int) -> Offsets | None:
        if self._sentences is None or self._sentences[0] is not record:
            self._sentences = record, list(passage_sentences(record, self._language))
        return next((at for at in self._sentences[1] if at[0] <= start < at[1]), None)


def _told(text: str, place: Offsets, probability: float) -> dict[str, Any]:
    start, end = place
    return {"text": text[start:end], "start": start, "probability": round(probability, 6)}


def whole_end(text: str, end: int) -> int:
    """The end moved past marks that belong to the last character: the tokenizer drops them."""
    while end < len(text) and (unicodedata.combining(text[end]) or text[end] in _JOINED):
        end += 1
    return end

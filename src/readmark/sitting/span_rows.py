"""A sitting's rows from the stretches of a passage that a network found."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from readmark.corpus.sitting import Row
from readmark.corpus.values import Offsets, Unit
from readmark.text.answer_sentences import passage_sentences

if TYPE_CHECKING:
    from readmark.models.span.reading import Reply

_JOINED = "\u200d\ufe0e\ufe0f"


class SpanRows:
    """Makes rows: the likeliest stretch, its sentence, the runners-up; or no answer."""

    def __init__(self, language: str, no_answer: float | None) -> None:
        self._language, self._no_answer = language, no_answer
        self._sentences: tuple[Any, list[Offsets]] | None = None

    def row(self, unit: Unit, reply: Reply) -> Row:
        """The row of a unit."""
        text = unit.record.text
        said = {"none": round(reply.none, 4)}
        if not reply.found or (self._no_answer is not None and reply.none > self._no_answer):
            return Row(id=unit.id, text="", evidence=said)
        places: dict[Offsets, float] = {}
        for one in reply.found:  # two that end in one letter and its marks are one
            place = one.start, whole_end(text, one.end)
            places[place] = places.get(place, 0.0) + one.probability
        start, end = next(iter(places))
        likely = [
            {"text": text[first:last], "start": first, "probability": round(probability, 6)}
            for (first, last), probability in places.items()
        ]
        return Row(
            id=unit.id,
            text=text[start:end],
            start=start,
            end=end,
            sentence=self._sentence(unit.record, start),
            score=likely[0]["probability"],
            evidence={"likely": likely, **said},
        )

    def _sentence(self, record: Any, start: int) -> Offsets | None:
        if self._sentences is None or self._sentences[0] is not record:
            self._sentences = record, list(passage_sentences(record, self._language))
        return next((at for at in self._sentences[1] if at[0] <= start < at[1]), None)


def whole_end(text: str, end: int) -> int:
    """The end moved past marks that belong to the last character: the tokenizer drops them."""
    while end < len(text) and (unicodedata.combining(text[end]) or text[end] in _JOINED):
        end += 1
    return end

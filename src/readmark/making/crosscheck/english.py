"""The parallel English next to a Chinese place: its sentence with the noun phrases in brackets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from readmark.core.errors import DataError
from readmark.core.records import Layers, Offsets, Passage
from readmark.core.spans import overlap
from readmark.core.test import Test
from readmark.making.crosscheck.items import KEY, PASSAGE, TextPart
from readmark.text.answers.sentences import passage_sentences

# Which sentences of two parallel texts go together, by their lengths and their order.


Beads = list[tuple[range, range]]
"""Sentences of one text with those of the other; either may be none."""

PRIORS = {
    (1, 1): 0.89,
    (1, 0): 0.0099 / 2,
    (0, 1): 0.0099 / 2,
    (2, 1): 0.089 / 2,
    (1, 2): 0.089 / 2,
    (2, 2): 0.011,
}
"""How often so many sentences go with so many, as the article counted them."""
VARIANCE = 6.8
"""Of a length for each character of the other text, the article's too."""


def beads(first: Sequence[int], second: Sequence[int]) -> Beads:
    """Pair sentences by their lengths; as many on both sides are paired by their order."""
    if len(first) == len(second):
        return [(range(index, index + 1), range(index, index + 1)) for index in range(len(first))]
    if not sum(first) or not sum(second):
        return [(range(len(first)), range(len(second)))]
    ratio = sum(second) / sum(first)
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
    for i in range(len(first) + 1):
        for j in range(len(second) + 1):
            for (m, n), prior in PRIORS.items():
                if i < m or j < n or (i - m, j - n) not in best:
                    continue
                expected = sum(first[i - m : i]) * ratio
                cost = (
                    best[i - m, j - n][0]
                    - math.log(prior)
                    + _cost(expected, sum(second[j - n : j]), ratio)
                )
                if (i, j) not in best or cost < best[i, j][0]:
                    best[i, j] = cost, (m, n)
    found: Beads = []
    at = len(first), len(second)
    while at != (0, 0):
        m, n = best[at][1]
        found.append((range(at[0] - m, at[0]), range(at[1] - n, at[1])))
        at = at[0] - m, at[1] - n
    return found[::-1]


def _cost(expected: float, found: float, ratio: float) -> float:
    """Minus the logarithm of the chance of a length so far from the expected one."""
    mean = (expected + found) / 2
    delta = (found - expected) / math.sqrt(VARIANCE * max(mean, 1e-9) * max(ratio, 1e-9))
    return -math.log(max(math.erfc(abs(delta) / math.sqrt(2)), 1e-300))


def bracketed(text: str, layers: Layers, within: Offsets | None = None) -> str:
    """A text, or a stretch of it, with its noun phrases in square brackets."""
    first, last = within or (0, len(text))
    np = layers.get("np")
    signs: list[tuple[int, int, str]] = []
    for start, end in np.spans if np is not None else ():
        if first <= start < end <= last:
            signs += [(start, 1, "["), (end, 0, "]")]
    shown, at = [], first
    for place, _, sign in sorted(signs):
        shown += [text[at:place], sign]
        at = place
    return "".join([*shown, text[at:last]])


class English:
    """The English passages by the ids that both sides share."""

    def __init__(self, test: Test) -> None:
        if test.language != "en":
            raise DataError(f"is {test.language}, expected English", file=test.file)
        self.file = test.file
        self.passages = {record.shared_id: record for record in test.records()}
        self._shown: tuple[str, list[tuple[Offsets, str]]] = "", []
        """The last passage asked for, and its sentences with their English."""

    def passage(self, other: Passage) -> Passage | None:
        """The English passage of a passage."""
        return self.passages.get(other.shared_id)

    def parallel_text(
        self, passage: Passage, part: TextPart, place: Offsets, language: str
    ) -> str | None:
        """The English of a place, in brackets; none where there is no parallel text."""
        english = self.passage(passage)
        if english is None:
            return None
        if part.sort == PASSAGE:
            if self._shown[0] != passage.id:
                self._shown = passage.id, list(_parallel_sentences(english, passage, language))
            start, end = place
            texts = dict.fromkeys(
                text
                for span, text in self._shown[1]
                if overlap(span, place) or span[0] <= start == end <= span[1]
            )
            return " ".join(texts) or None
        shared = {question.id: question.shared_id for question in passage.questions}
        asked = {question.shared_id: question for question in english.questions}
        question = asked.get(shared.get(part.unit or "", ""))
        if question is None:
            return None
        if part.sort != KEY:
            return bracketed(question.text, question.layers)
        published = question.key.published if question.key else ()
        return " | ".join(bracketed(phrase.text, phrase.layers) for phrase in published) or None


def sentence_beads(english: Passage, other: Passage, language: str) -> Beads:
    """Which sentences of two parallel passages go together, as ranges of their order."""
    return beads(
        *(
            [end - start for start, end in passage_sentences(passage, spoken)]
            for passage, spoken in ((english, "en"), (other, language))
        )
    )


def _parallel_sentences(
    english: Passage, other: Passage, language: str
) -> Iterator[tuple[Offsets, str]]:
    """The sentences of a passage, each with the English that goes with it, in brackets."""
    mine, theirs = passage_sentences(english, "en"), passage_sentences(other, language)
    for ours, those in sentence_beads(english, other, language):
        shown = " ".join(bracketed(english.text, english.layers, mine[our]) for our in ours)
        if shown:
            for at in those:
                yield theirs[at], shown

"""The parallel English next to a Chinese place: its sentence with the noun phrases in brackets."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.core.errors import DataError
from readmark.core.records import Layers, Offsets, Passage
from readmark.core.spans import overlap
from readmark.core.test import Test
from readmark.making.crosscheck.sentence_alignment import sentence_beads
from readmark.making.crosscheck.texts import KEY, PASSAGE, TextPart
from readmark.text.answers.sentences import passage_sentences


class English:
    """The English passages by the ids that both sides share."""

    def __init__(self, test: Test) -> None:
        if test.language != "en":
            raise DataError(f"is {test.language}, expected English", file=test.file)
        self.file = test.file
        self.passages = {record.shared_id: record for record in test.records()}
        # Places come passage by passage, so the sentences of the last passage are enough.
        self._passage_id = ""
        self._sentences: list[tuple[Offsets, str]] = []

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
            if self._passage_id != passage.id:
                self._passage_id = passage.id
                self._sentences = list(_parallel_sentences(english, passage, language))
            start, end = place
            texts = dict.fromkeys(
                text
                for span, text in self._sentences
                if overlap(span, place) or span[0] <= start == end <= span[1]
            )
            return " ".join(texts) or None
        shared_ids = {question.id: question.shared_id for question in passage.questions}
        questions = {question.shared_id: question for question in english.questions}
        question = questions.get(shared_ids.get(part.unit or "", ""))
        if question is None:
            return None
        if part.sort != KEY:
            return bracketed(question.text, question.layers)
        published = question.key.published if question.key else ()
        return " | ".join(bracketed(phrase.text, phrase.layers) for phrase in published) or None


def _parallel_sentences(
    english: Passage, other: Passage, language: str
) -> Iterator[tuple[Offsets, str]]:
    """The sentences of a passage, each with the English that goes with it, in brackets."""
    english_spans = passage_sentences(english, "en")
    spans = passage_sentences(other, language)
    for english_range, other_range in sentence_beads(english, other, language):
        text = " ".join(
            bracketed(english.text, english.layers, english_spans[index]) for index in english_range
        )
        if text:
            for index in other_range:
                yield spans[index], text


def bracketed(text: str, layers: Layers, within: Offsets | None = None) -> str:
    """A text, or a stretch of it, with its noun phrases in square brackets."""
    first, last = within or (0, len(text))
    np = layers.get("np")
    brackets: list[tuple[int, int, str]] = []
    for start, end in np.spans if np is not None else ():
        if first <= start < end <= last:
            brackets += [(start, 1, "["), (end, 0, "]")]  # one closes before the next opens
    pieces, offset = [], first
    for place, _, bracket in sorted(brackets):
        pieces += [text[offset:place], bracket]
        offset = place
    return "".join([*pieces, text[offset:last]])

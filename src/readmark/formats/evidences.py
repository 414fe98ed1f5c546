"""Evidence as ExpMRC marks it: quotes of whole sentences beside a question's answers."""

from __future__ import annotations

import msgspec

from readmark.core.records import Offsets, Question, QuestionKey
from readmark.core.spans import places

EVIDENCES = "evidences"
"""The member of a question with the quotes."""


def with_marked_sentences(question: Question, text: str) -> Question:
    """The question with the stretches of the passage that its evidences quote.

    The member itself stays where it stood, so that the document can be written back.
    """
    key = question.key
    if key is None or not isinstance(key.fields.get(EVIDENCES), list):
        return question
    spans = {_place(text, quote, key) for quote in key.fields[EVIDENCES] if isinstance(quote, str)}
    sentences = tuple(sorted(span for span in spans if span is not None))
    return msgspec.structs.replace(question, key=msgspec.structs.replace(key, sentences=sentences))


def _place(text: str, quote: str, key: QuestionKey) -> Offsets | None:
    """Where a quote is; of several places, the one that holds an answer."""
    spans = [(start, start + len(quote)) for start in places(text, quote)]
    starts = [answer.start for answer in key.answers if answer.start is not None]
    holding = [span for span in spans if any(span[0] <= start < span[1] for start in starts)]
    return next(iter(holding or spans), None)

"""Evidence as ExpMRC marks it: quotes of whole sentences beside a question's answers."""

from __future__ import annotations

import msgspec

from readmark.corpus.spans import places
from readmark.corpus.values import Offsets, Question, QuestionKey

MEMBER = "evidences"


def with_marked_sentences(question: Question, text: str) -> Question:
    """The question with the stretches of the passage that its evidences quote.

    The member itself stays where it stood, so that the document can be written back.
    """
    key = question.key
    if key is None or not isinstance(key.fields.get(MEMBER), list):
        return question
    found = dict.fromkeys(
        _place(text, quote, key) for quote in key.fields[MEMBER] if isinstance(quote, str)
    )
    marked = tuple(sorted(one for one in found if one is not None))
    return msgspec.structs.replace(question, key=msgspec.structs.replace(key, sentences=marked))


def _place(text: str, quote: str, key: QuestionKey) -> Offsets | None:
    """Where a quote stands; of several places, the one that holds an answer."""
    spans = [(at, at + len(quote)) for at in places(text, quote)]
    starts = [answer.start for answer in key.answers if answer.start is not None]
    holding = [one for one in spans if any(one[0] <= start < one[1] for start in starts)]
    return next(iter(holding or spans), None)

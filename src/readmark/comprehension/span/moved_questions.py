"""Questions without an answer: asked of another passage, which does not have theirs."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from readmark.comprehension.draws import draw
from readmark.core.records import Passage, Question, QuestionKey
from readmark.core.test import Test, in_memory
from readmark.text.folding import folded

_TRIES = 200  # passages that are drawn for a question: where its answers are common, few will do


def moved_questions(test: Test, *, share: float = 0.5, seed: int = 1) -> Test:
    """A test in which a share of the questions is asked of other passages and has no answer.

    The other passage is of the same test and has none of the question's answers, whatever the
    case, width and punctuation. A question for which none is found stays where it is. The draws
    depend on the question's id and the seed alone.
    """
    records: list[Passage] = list(test.records())
    texts = [folded(record.text) for record in records]
    questions: list[list[Question]] = [[] for _ in records]
    for index, record in enumerate(records):
        for question in record.questions:
            is_drawn = draw(f"{seed} moved {question.id}") % 10**6 < share * 10**6
            place = _other_passage(question, index, texts, seed) if is_drawn else None
            if place is None:
                questions[index].append(question)
            else:
                key = QuestionKey(unanswerable=True)
                questions[place].append(msgspec.structs.replace(question, key=key))
    changed = [
        msgspec.structs.replace(record, questions=tuple(on_record))
        for record, on_record in zip(records, questions, strict=True)
    ]
    return in_memory(test.header, changed, file=test.file)


def _other_passage(question: Question, present: int, texts: Sequence[str], seed: int) -> int | None:
    """A passage that does not have the answers of a question; None if none is drawn."""
    key = question.key
    answers = [folded(answer.text) for answer in key.answers] if key is not None else []
    if not any(answers):
        return None
    for attempt in range(_TRIES):
        place = draw(f"{seed} {attempt} {question.id}") % len(texts)
        text = texts[place]
        if text != texts[present] and not any(answer in text for answer in answers if answer):
            return place
    return None

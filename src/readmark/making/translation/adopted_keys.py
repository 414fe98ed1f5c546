"""An adopted key in the place of the one that a Chinese question had: a key is stored once."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from readmark.core.records import Answer, Phrase, Question, QuestionKey
from readmark.core.spans import places


def key_with(
    texts: Sequence[str],
    question: Question,
    earlier: Question | None,
    passage: str,
    *,
    keep_people: bool,
) -> QuestionKey:
    """The key of ``question`` with the adopted alternatives.

    Where the key was an answer in the passage, so is the adopted one if it is there. With
    ``keep_people``, answers of named annotators stay as long as the question that they answered is
    the same.
    """
    key = question.key or QuestionKey()
    is_same_question = earlier is not None and earlier.text == question.text
    peoples_answers = [
        answer for answer in key.answers if keep_people and answer.annotator and is_same_question
    ]
    if key.answers and not peoples_answers and not key.published and len(texts) == 1:
        answer = _nearest_answer(texts[0], key.answers, passage)
        if answer is not None:
            return msgspec.structs.replace(key, answers=(answer,), unanswerable=False)
    published = {phrase.text: phrase for phrase in key.published}
    return msgspec.structs.replace(
        key,
        answers=tuple(peoples_answers),
        published=tuple(published.get(text) or Phrase(text=text) for text in texts),
        unanswerable=False,
    )


def _nearest_answer(text: str, earlier: Sequence[Answer], passage: str) -> Answer | None:
    """The adopted text where it occurs in the passage, nearest to the place of the earlier key."""
    for answer in earlier:
        if answer.text == text:
            return answer
    starts = places(passage, text)
    if not starts:
        return None
    earlier_start = earlier[0].start or 0
    return Answer(text=text, start=min(starts, key=lambda start: abs(start - earlier_start)))


def removed_from_key(earlier: Question | None, key: QuestionKey) -> tuple[str, ...]:
    """What an earlier key has and the new one does not, in either place."""
    if earlier is None or earlier.key is None:
        return ()
    new_texts = _texts(key)
    return tuple(text for text in dict.fromkeys(_texts(earlier.key)) if text not in new_texts)


def _texts(key: QuestionKey) -> list[str]:
    return [*(phrase.text for phrase in key.published), *(answer.text for answer in key.answers)]

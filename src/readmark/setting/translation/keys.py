"""An adopted key in the place of the one that a Chinese question had: a key is held once."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from readmark.corpus.spans import places
from readmark.corpus.values import Answer, Phrase, Question, QuestionKey


def with_key(
    question: Question,
    earlier: Question | None,
    texts: Sequence[str],
    passage: str,
    *,
    people: bool,
) -> QuestionKey:
    """The key of ``question`` with the adopted alternatives.

    Where the key was an answer in the passage, so is the adopted one if it stands there. With
    ``people`` the passages are no translator's file: answers of named annotators are theirs, and
    stay as long as the question that they answered is the same.
    """
    key = question.key or QuestionKey()
    mine = [
        one
        for one in key.answers
        if people and one.annotator and earlier is not None and earlier.text == question.text
    ]
    if key.answers and not mine and not key.published and len(texts) == 1:
        answer = _placed(texts[0], key.answers, passage)
        if answer is not None:
            return msgspec.structs.replace(key, answers=(answer,), unanswerable=False)
    known = {one.text: one for one in key.published}
    return msgspec.structs.replace(
        key,
        answers=tuple(mine),
        published=tuple(known.get(text) or Phrase(text=text) for text in texts),
        unanswerable=False,
    )


def given_way(earlier: Question | None, key: QuestionKey) -> tuple[str, ...]:
    """What an earlier key held and the new one does not, in either place."""
    if earlier is None or earlier.key is None:
        return ()
    now = _texts(key)
    return tuple(one for one in dict.fromkeys(_texts(earlier.key)) if one not in now)


def _texts(key: QuestionKey) -> list[str]:
    return [*(one.text for one in key.published), *(one.text for one in key.answers)]


def _placed(text: str, earlier: Sequence[Answer], passage: str) -> Answer | None:
    """The adopted text where it stands in the passage, nearest to where the earlier key stood."""
    for one in earlier:
        if one.text == text:
            return one
    found = places(passage, text)
    if not found:
        return None
    near = earlier[0].start or 0
    return Answer(text=text, start=min(found, key=lambda at: abs(at - near)))

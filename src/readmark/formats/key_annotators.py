"""Who answered a question according to its key, and who was asked and gave no answer."""

from __future__ import annotations

from readmark.core.records import QuestionKey

NO_ANSWER_BY = "no_answer_by"
"""The field of a key with the names of those who were asked and gave no answer."""


def answered_by(key: QuestionKey | None) -> list[str]:
    """Who answered a question, those who found no answer included."""
    if key is None:
        return []
    annotators = [answer.annotator for answer in key.answers if answer.annotator is not None]
    return [*annotators, *without_answer(key)]


def without_answer(key: QuestionKey | None) -> list[str]:
    """Who was asked and gave no answer."""
    names = key.fields.get(NO_ANSWER_BY) if key is not None else None
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []

"""People's names: what differs in case, width or spaces alone is one person's."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from readmark.corpus.values import QuestionKey

NO_ANSWER_BY = "no_answer_by"
"""The field of a key with the names of those who were asked and gave no answer."""


def folded_name(name: str) -> str:
    """A name as it is compared; two of one folding would also be one file on some systems."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def twice(names: Iterable[str]) -> tuple[str, str] | None:
    """The first two names that are one."""
    seen: dict[str, str] = {}
    for name in names:
        before = seen.get(folded_name(name))
        if before is not None:
            return before, name
        seen[folded_name(name)] = name
    return None


def answered_by(key: QuestionKey | None) -> list[str]:
    """Who answered a question by its key, those who found no answer included."""
    if key is None:
        return []
    named = [answer.annotator for answer in key.answers if answer.annotator is not None]
    return [*named, *without_answer(key)]


def without_answer(key: QuestionKey | None) -> list[str]:
    """Who was asked and gave no answer, as the key tells."""
    told = key.fields.get(NO_ANSWER_BY) if key is not None else None
    return [name for name in told if isinstance(name, str)] if isinstance(told, list) else []

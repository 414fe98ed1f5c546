"""Whose answer PREVIOUS_ANSWER is in the golds of a question, and what the series knows of it."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

from readmark.corpus.series_notation import OTHER, PREVIOUS_ANSWER
from readmark.corpus.values import Series, SeriesQuestion
from readmark.marking.series.failures import is_content
from readmark.measures.similarity.words import words

_HAN = re.compile("[\u3400-\u9fff]+")


def answers_meant(series: Series, question: SeriesQuestion) -> tuple[str, ...]:
    """The known answers that may stand for PREVIOUS_ANSWER; none where they are another's.

    Answers that do not say whose they are, are those that the question leans on.
    """
    if question.previous and question.previous_of is None:
        return _said(question.previous)
    meant = question_meant(series, question)
    if meant is None:
        return ()
    for one in (question, *series.questions):
        if one.previous_of == meant.id and (known := _said(one.previous)):
            return known
    return ()


def question_meant(series: Series, question: SeriesQuestion) -> SeriesQuestion | None:
    """The one that the key names, else that a gold embeds, else the one just before."""
    earlier = []
    for one in series.questions:
        if one.id == question.id:
            break
        if one.category != OTHER:
            earlier.append(one)
    named = question.key.refers if question.key is not None else None
    if named is not None:
        return next((one for one in earlier if one.id == named), None)
    return _embedded(series, earlier, question) or (earlier[-1] if earlier else None)


def _embedded(
    series: Series, earlier: Sequence[SeriesQuestion], question: SeriesQuestion
) -> SeriesQuestion | None:
    """The earlier question that shares most with what golds without the variable add.

    Words of the target tell nothing, so they only decide between equals; of two that share as
    much the later one is meant.
    """
    new: set[str] = set()
    for gold in _golds(question):
        if PREVIOUS_ANSWER not in gold:
            new |= _content(gold)
    new -= _content(question.text)
    target = _content(series.target)

    def shared(one: SeriesQuestion) -> tuple[int, int]:
        has = set(_content(one.text))
        golds = list(_golds(one))
        if not any(PREVIOUS_ANSWER in gold for gold in golds):
            # Golds of one that leans itself embed what it leans on.
            has |= {word for gold in golds for word in _content(gold)}
        return len(new & has - target), len(new & has)

    best = max(reversed(earlier), key=shared, default=None)
    return best if best is not None and any(shared(best)) else None


def _golds(question: SeriesQuestion) -> Iterator[str]:
    for one in question.key.rewrites if question.key is not None else ():
        yield one.text


@functools.lru_cache(maxsize=4096)
def _content(text: str) -> frozenset[str]:
    """Words of content; of text without spaces every two characters."""
    found = set()
    for word in words(text):
        for run in _HAN.findall(word):
            found |= {run[at : at + 2] for at in range(len(run) - 1)}
        if not _HAN.search(word) and is_content(word, "en"):
            found.add(word.removesuffix("'s"))
    return frozenset(found)


def _said(answers: Sequence[str]) -> tuple[str, ...]:
    return tuple(one for one in answers if one.strip())

"""The golds that a rewrite is compared with, and the answers that PREVIOUS_ANSWER stands for."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from readmark.core.records import Unit
from readmark.series.failures import is_content
from readmark.series.notation import OTHER, PREVIOUS_ANSWER, enumerated
from readmark.series.records import Series, SeriesQuestion
from readmark.series.words import words

_HAN_RUN = re.compile("[\u3400-\u9fff]+")


def golds(unit: Unit, references: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Every gold rewrite; one with PREVIOUS_ANSWER also with known answers in its place.

    Several answers take the place together, as a list, and each by itself.
    """
    answers: Sequence[str] | None = None
    for golds_of_annotator in references:
        for gold in golds_of_annotator:
            yield gold.text
            if PREVIOUS_ANSWER not in gold.text:
                continue
            if answers is None:
                answers = answers_meant(unit.record, unit.item)
                if len(answers) > 1:
                    answers = (enumerated(answers, unit.item.text), *answers)
            for answer in answers:
                yield gold.text.replace(PREVIOUS_ANSWER, answer)


def answers_meant(series: Series, question: SeriesQuestion) -> tuple[str, ...]:
    """The known answers that PREVIOUS_ANSWER may stand for; none if they answer another question.

    Answers that do not say whose they are belong to the question that this one refers to.
    """
    if question.previous and question.previous_of is None:
        return _without_blanks(question.previous)
    source = question_meant(series, question)
    if source is None:
        return ()
    for each in (question, *series.questions):
        if each.previous_of == source.id and (answers := _without_blanks(each.previous)):
            return answers
    return ()


def question_meant(series: Series, question: SeriesQuestion) -> SeriesQuestion | None:
    """The earlier question that the key names, else one that a gold embeds, else the last."""
    earlier = []
    for each in series.questions:
        if each.id == question.id:
            break
        if each.category != OTHER:
            earlier.append(each)
    named = question.key.refers if question.key is not None else None
    if named is not None:
        return next((each for each in earlier if each.id == named), None)
    return _embedded(series, earlier, question) or (earlier[-1] if earlier else None)


def _embedded(
    series: Series, earlier: Sequence[SeriesQuestion], question: SeriesQuestion
) -> SeriesQuestion | None:
    """The earlier question that shares most with what golds without the variable add.

    Words of the target tell nothing, so they only decide between equals; of two that share as
    much the later one is meant.
    """
    new: set[str] = set()
    for gold in _gold_texts(question):
        if PREVIOUS_ANSWER not in gold:
            new |= _content(gold)
    new -= _content(question.text)
    target = _content(series.target)

    def shared(source: SeriesQuestion) -> tuple[int, int]:
        content = set(_content(source.text))
        texts = list(_gold_texts(source))
        if not any(PREVIOUS_ANSWER in gold for gold in texts):
            # Its golds embed what it leans on itself.
            content |= {word for gold in texts for word in _content(gold)}
        return len(new & content - target), len(new & content)

    best = max(reversed(earlier), key=shared, default=None)
    return best if best is not None and any(shared(best)) else None


def _gold_texts(question: SeriesQuestion) -> list[str]:
    return [answer.text for answer in question.key.rewrites] if question.key is not None else []


@functools.lru_cache(maxsize=4096)
def _content(text: str) -> frozenset[str]:
    """Words of content; of text without spaces every two characters."""
    content = set()
    for word in words(text):
        for run in _HAN_RUN.findall(word):
            content |= {run[index : index + 2] for index in range(len(run) - 1)}
        if not _HAN_RUN.search(word) and is_content(word, "en"):
            content.add(word.removesuffix("'s"))
    return frozenset(content)


def _without_blanks(answers: Sequence[str]) -> tuple[str, ...]:
    return tuple(answer for answer in answers if answer.strip())

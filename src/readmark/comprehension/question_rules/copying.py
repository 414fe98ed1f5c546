"""The rule that a question does not copy the wording of the sentence with its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from readmark.comprehension.question_rules.page import PassagePage
from readmark.core import numbers
from readmark.core.question_rules import RULED_LANGUAGES, RuleFinding, RuleSettings
from readmark.core.records import Question, QuestionKey
from readmark.statistics.copying import copied_share
from readmark.text.questions.types import wh_word
from readmark.text.script import simplified
from readmark.text.words import words

_PARTICLES = re.compile(r"^(?:请问|那么)|[吗呢吧啊呀](?=\W*$)")
"""What a Chinese question may begin or end with, which no passage says."""
_AUXILIARY = frozenset(
    {"is", "are", "was", "were", "be", "been", "do", "does", "did"}
    | {"has", "have", "had", "can", "could"}
)


def copied_wording(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions of which most words are in the answer's sentence."""
    limit = settings["least_share"].get(page.language)
    for question, key in page.keyed():
        share = overlap(page, question, key, settings)
        if share is not None and share >= limit:
            percent, least = numbers.percent(share, 0), numbers.percent(limit, 0)
            message = f"{percent} of the question is the passage's wording ({least} or more)"
            yield question.id, f"overlap {numbers.decimal(share)}: {message}"


def overlap(
    page: PassagePage, question: Question, key: QuestionKey, settings: RuleSettings
) -> float | None:
    """How much of a question was copied from the sentence of its answer; None when too short."""
    language = page.language_of(question)
    if language not in RULED_LANGUAGES or language != page.language:
        return None
    pieces = _around_question_word(question.text, language)
    sentences = page.answer_sentences(key)
    if sum(map(len, pieces)) < settings["least"][language] or not sentences:
        return None
    run = settings["run"][language]
    return max(
        copied_share(pieces, comparable_words(page.sentence(index), language), run=run)
        for index in sentences
    )


def _around_question_word(question: str, language: str) -> list[Sequence[str]]:
    """The words before and after the question word, across which no run is copied."""
    word = wh_word(question, language)
    if language == "zh":
        bare = _PARTICLES.sub("", simplified(question))
        return [comparable_words(part, "zh") for part in (bare.split(word, 1) if word else [bare])]
    tokens = words(question, "en")
    first = (word or "").lower().split(" ")[0]
    place = tokens.index(first) if first in tokens else -1
    after = place + 1
    while after < len(tokens) and tokens[after] in _AUXILIARY:
        after += 1
    return [tokens[: max(place, 0)], tokens[after:]]


def comparable_words(text: str, language: str) -> list[str]:
    """The words of a text, Chinese ones simplified: a question may be in the other script."""
    return words(simplified(text) if language == "zh" else text, language)

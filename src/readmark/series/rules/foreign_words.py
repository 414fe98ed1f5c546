"""Content words of a gold that neither its question, the target nor the series has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from readmark.core.question_rules import RuleFinding, RuleSettings
from readmark.core.spans import clip
from readmark.series.notation import PREVIOUS_ANSWER
from readmark.series.rules.page import SeriesPage
from readmark.series.rules.words import GRAMMAR_WORDS

_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")


def foreign_words(page: SeriesPage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """One line for each gold with such words."""
    find = _chinese if page.language == "zh" else _english
    for question, golds in page.keyed():
        for gold in golds:
            words = list(dict.fromkeys(find(page, gold)))
            if words:
                verb = "stands" if len(words) == 1 else "stand"
                names = ", ".join(map(repr, words))
                message = f"{names} {verb} neither in target nor series: {clip(gold)!r}"
                yield question.id, message


def _english(page: SeriesPage, gold: str) -> Iterator[str]:
    for word in page.content(gold):
        has_source = word.text == PREVIOUS_ANSWER or word.base in page.source_words
        parts = word.base.split("-")
        if len(parts) > 1:
            has_source = has_source or all(part in page.source_words for part in parts)
        if not has_source:
            yield word.text


def _chinese(page: SeriesPage, gold: str) -> Iterator[str]:
    """Runs of characters: a word of the gold may be cut otherwise in its source."""
    characters = {*page.sources, *"".join(GRAMMAR_WORDS["zh"])}
    for run in _HAN_RUN.findall(gold):
        yield from "".join(sign if sign not in characters else " " for sign in run).split()

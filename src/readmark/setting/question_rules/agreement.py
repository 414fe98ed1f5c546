"""People's answers to one question that have nothing in common: one of them misread it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from readmark.corpus.spans import clip
from readmark.setting.question_rules.rule import Page, Rule, Said, Settings
from readmark.text.simplified import simplified
from readmark.text.words import words


def _disagree(page: Page, settings: Settings) -> Iterator[Said]:
    for question, key in page.keyed():
        said = {answer.text: _bag(answer.text, page.language) for answer in key.answers}
        for (one, its), (other, others) in combinations(said.items(), 2):
            if its and others and not its & others:
                shown = f"{clip(one)!r} and {clip(other)!r}"
                unit = "character" if page.language == "zh" else "word"
                yield question.id, f"the answers {shown} have no {unit} in common"
                break


def _bag(text: str, language: str) -> frozenset[str]:
    return frozenset(words(simplified(text) if language == "zh" else text, language))


DISAGREE = Rule("answers_disagree", "people's answers with nothing in common", _disagree)

"""Questions that copy the wording of the passage: most of them stands in their answer's sentence.

"A Chinese Span-Extraction Dataset for Machine Reading Comprehension" (2.3) asks to avoid it. The
overlap is the share of the question, less its question word, that stands in runs common with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from readmark.corpus.values import Question, QuestionKey
from readmark.measures.copying import copied_share
from readmark.setting.question_rules.rule import LANGUAGES, Page, Rule, Said, Settings
from readmark.text.question_types import wh_word
from readmark.text.simplified import simplified
from readmark.text.words import words

_ASIDE = re.compile(r"^(?:请问|那么)|[吗呢吧啊呀](?=\W*$)")
_AUXILIARY = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "can",
        "could",
    ]
)


def overlap(page: Page, question: Question, key: QuestionKey, settings: Settings) -> float | None:
    """How much of a question was copied from the sentence of its answer; None when too short."""
    language = page.language_of(question)
    if language not in LANGUAGES or language != page.language:
        return None
    pieces = _pieces(question.text, language)
    held = page.holding(key)
    if sum(map(len, pieces)) < settings["least"][language] or not held:
        return None
    run = settings["run"][language]
    return max(copied_share(pieces, _tokens(page.sentence(at), language), run=run) for at in held)


def _pieces(question: str, language: str) -> list[Sequence[str]]:
    """What stands before and after the question word."""
    if language == "zh":
        asked = _ASIDE.sub("", simplified(question))
        word = wh_word(question, language)
        return [_tokens(part, "zh") for part in (asked.split(word, 1) if word else [asked])]
    said = words(question, "en")
    word = (wh_word(question, "en") or "").lower().split(" ")[0]
    at = said.index(word) if word in said else -1
    after = at + 1
    while after < len(said) and said[after] in _AUXILIARY:
        after += 1
    return [said[: max(at, 0)], said[after:]]


def _tokens(text: str, language: str) -> list[str]:
    return words(simplified(text) if language == "zh" else text, language)


def _copied(page: Page, settings: Settings) -> Iterator[Said]:
    for question, key in page.keyed():
        found = overlap(page, question, key, settings)
        limit = settings["least_share"].get(page.language)
        if found is not None and found >= limit:
            said = f"{found:.0%} of the question is the passage's wording ({limit:.0%} or more)"
            yield question.id, f"overlap {found:.2f}: {said}"


COPIED = Rule(
    "copied_wording",
    "a question in the words of its answer's sentence",
    _copied,
    {
        "least_share": {"zh": 0.9, "en": 0.8},
        "run": {"zh": 4, "en": 3},
        "least": {"zh": 6, "en": 5},
    },
    needs_language=True,
)

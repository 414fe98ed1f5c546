"""Rules on a question's own words: asked twice, no question, the answer given away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from readmark.corpus.spans import clip
from readmark.setting.question_rules.rule import Page, Rule, Said, Settings
from readmark.text.question_types import question_type, wh_word
from readmark.text.simplified import simplified
from readmark.text.words import words

_MARK = re.compile(r"[?？]\W*$")
_REQUEST = re.compile(
    r"^(?:请|试)?(?:列举|说出|写出|指出|举出|简述|描述|解释|说明)|^(?:请|试)"
    r"|^(?:name|list|describe|explain|define|give|state|identify|find|tell)\b",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[\W_]+")
_SHORTEST = 2
"""An answer of one character stands in a question by chance."""


def _duplicate(page: Page, settings: Settings) -> Iterator[Said]:
    first: dict[str, str] = {}
    for question in page.passage.questions:
        spelt = _bare(question.text)
        if spelt and spelt in first:
            yield question.id, f"asks what {first[spelt]} asks: {clip(question.text)!r}"
        first.setdefault(spelt, question.id)


def _no_question(page: Page, settings: Settings) -> Iterator[Said]:
    for question in page.passage.questions:
        text = question.text.strip()
        if not text:
            continue  # told as empty_text
        missing = []
        if not _MARK.search(text):
            missing.append("question mark")
        if not _asks(text, page.language_of(question)):
            missing.append("question word")
        if missing and not _REQUEST.search(text):
            yield question.id, f"has no {' and no '.join(missing)}: {clip(text)!r}"


def _asks(text: str, language: str) -> bool:
    """Whether something asks: a question word, or a yes/no question's form.

    A Chinese statement with a question mark is no form; an English one begins with an auxiliary.
    """
    if wh_word(text, language) is not None or _BURIED.search(text):
        return True
    if question_type(text, language) != "Yes/No":
        return False
    if language == "zh":
        return question_type(_MARK.sub("", text), language) == "Yes/No"
    return bool(_AUXILIARY.match(text))


_BURIED = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
"""Question words that the types do not go by, as in "… are not ones who can deal with?"."""
_AUXILIARY = re.compile(
    r"(?:.*[,;:] *)?(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|"
    r"should|may|might|must|isn|aren|wasn|weren|don|doesn|didn|hasn|haven|hadn|can|won|wouldn)\b",
    re.IGNORECASE,
)


def _given_away(page: Page, settings: Settings) -> Iterator[Said]:
    for question, key in page.keyed():
        if question_type(question.text, page.language_of(question)) == "Yes/No":
            continue  # its answer repeats the question, or is one of two that it names
        for text in dict.fromkeys(answer.text.strip() for answer in page.answers(key)):
            if _stands_in(text, question.text, page.language_of(question)):
                yield question.id, f"the answer {clip(text)!r} stands in the question"


def _stands_in(answer: str, question: str, language: str) -> bool:
    if language == "zh":
        spelt = _bare(answer)
        return len(spelt) >= _SHORTEST and spelt in _bare(question)
    wanted, said = words(answer, "en"), words(question, "en")
    size = len(wanted)
    if not size or len("".join(wanted)) < _SHORTEST:
        return False
    return any(said[at : at + size] == wanted for at in range(len(said) - size + 1))


def _bare(text: str) -> str:
    return _LETTERS.sub("", simplified(text).lower())


DUPLICATE = Rule("duplicate_question", "a question that a passage has twice", _duplicate)
NO_QUESTION = Rule(
    "no_question",
    "a question without a question mark or a question word",
    _no_question,
    needs_language=True,
)
GIVEN_AWAY = Rule(
    "answer_in_question", "an answer that stands in its question", _given_away, needs_language=True
)

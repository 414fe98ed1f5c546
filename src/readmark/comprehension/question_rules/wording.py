"""Rules on the wording of questions: that they ask, once, for nothing they say or calculate."""

from __future__ import annotations

import re
from collections.abc import Iterator

from readmark.comprehension.question_rules.page import PassagePage
from readmark.core.question_rules import RuleFinding, RuleSettings
from readmark.core.spans import clip
from readmark.text.questions.calculation import calculation
from readmark.text.questions.types import question_type, wh_word
from readmark.text.script import simplified
from readmark.text.words import words

_CALCULATIONS = {
    "calculation": "a calculation",
    "number": "a number that does not occur in the passage",
    "sum": "a sum",
    "difference": "a difference",
    "mean": "a mean",
    "ratio": "a ratio",
    "interval": "an interval",
}
_MARK = re.compile(r"[?？]\W*$")
_REQUEST = re.compile(
    r"^(?:请|试)?(?:列举|说出|写出|指出|举出|简述|描述|解释|说明)|^(?:请|试)"
    r"|^(?:name|list|describe|explain|define|give|state|identify|find|tell)\b",
    re.IGNORECASE,
)
_WH_WORD = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
"""Question words that the types do not go by, as in "… are not ones who can deal with?"."""
_AUXILIARY = re.compile(
    r"(?:.*[,;:] *)?(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|"
    r"should|may|might|must|isn|aren|wasn|weren|don|doesn|didn|hasn|haven|hadn|can|won|wouldn)\b",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"[\W_]+")
_SHORTEST = 2
"""An answer of one character occurs in a question by chance."""


def duplicate_question(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions that a passage has twice, whatever the case, script and signs."""
    first: dict[str, str] = {}
    for question in page.passage.questions:
        bare = _bare(question.text)
        if bare and bare in first:
            yield question.id, f"asks what {first[bare]} asks: {clip(question.text)!r}"
        first.setdefault(bare, question.id)


def no_question(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions without a question mark or a question word, unless they request something."""
    for question in page.passage.questions:
        text = question.text.strip()
        if not text:
            continue  # reported as empty_text
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
    if wh_word(text, language) is not None or _WH_WORD.search(text):
        return True
    if question_type(text, language) != "Yes/No":
        return False
    if language == "zh":
        return question_type(_MARK.sub("", text), language) == "Yes/No"
    return bool(_AUXILIARY.match(text))


def answer_in_question(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions that say their answer."""
    for question, key in page.keyed():
        language = page.language_of(question)
        if question_type(question.text, language) == "Yes/No":
            continue  # its answer repeats the question, or is one of two that it names
        for text in dict.fromkeys(answer.text.strip() for answer in page.answers(key)):
            if _occurs_in(text, question.text, language):
                yield question.id, f"the answer {clip(text)!r} occurs in the question"


def _occurs_in(answer: str, question: str, language: str) -> bool:
    if language == "zh":
        bare = _bare(answer)
        return len(bare) >= _SHORTEST and bare in _bare(question)
    answer_words, question_words = words(answer, "en"), words(question, "en")
    size = len(answer_words)
    if len("".join(answer_words)) < _SHORTEST:
        return False
    starts = range(len(question_words) - size + 1)
    return any(question_words[start : start + size] == answer_words for start in starts)


def _bare(text: str) -> str:
    """Letters and digits alone, small and simplified."""
    return _SIGNS.sub("", simplified(text).lower())


def arithmetic(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions that ask for a calculation, which SMART does not allow."""
    for question in page.passage.questions:
        key = question.key
        if key is None or key.unanswerable:
            continue
        language = page.language_of(question)
        for answer in page.answers(key):
            sentence = page.sentences_of(answer, key)
            cue = calculation(question.text, language, answer_sentence=sentence, answer=answer.text)
            if cue is not None:
                message = f"seems to ask for {_CALCULATIONS[cue.kind]} ({clip(cue.cue)!r})"
                yield question.id, message
                break

"""Reasoning other than reference: causes to infer, times to work out, values to compare.

Each function says why the reasoning is needed, in words, or nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace

from readmark.comprehension.levels.cues import cues
from readmark.comprehension.levels.facts import StatedFact, content_share, covered
from readmark.comprehension.levels.passages import PassageReading, lowered
from readmark.comprehension.levels.questions import LevelQuestion
from readmark.comprehension.levels.tokens import keys, tokens
from readmark.core.records import Offsets

_DEGREE = re.compile(r"i?(?:er|est)$")
_NO_CAUSE = re.compile("谁|何[人时地处]|哪|几|多少")
_NEAR_ANSWER = {"zh": 6, "en": 24}
"""Characters around an answer in which a difference is stated: 晚了六年."""
_LONG_FORM = re.compile("[之以](?=[前后])")
_NEAR = 3
"""Statements between a cause and its effect, at most."""
_MARKED_BEFORE = 8
"""Characters before an answer in which a word may mark it as a cause."""
_VERBATIM = 0.9
_YEAR = 3
"""Digits of a year; fewer are a duration as often as a date."""


def causal(
    question: LevelQuestion, passage: PassageReading, fact: StatedFact, *, refers: bool
) -> str:
    """Why a cause must be inferred.

    A link that the passage marks counts only with a reference to resolve or a reworded effect
    ("SMART", example 6).
    """
    patterns = cues(passage.language)
    text = lowered(question.text, passage)
    match = patterns.asks_cause.search(text)
    if match is None or not _asks_cause(question, passage):
        return ""
    if refers:
        return f"{match[0]!r} asks for a cause, whose effect is not named in full"
    statement = _text_of(fact, passage)
    around = f"{text[: match.start()]}\n{text[match.end() :]}"
    if any(mark[0] in statement for mark in patterns.marks_cause.finditer(around)):
        return ""  # the question brings along the very word that marks the cause
    if patterns.marks_cause.search(statement) is None:
        return f"{match[0]!r} asks for a cause that no word marks"
    if len({statement.sentence for statement in fact.statements}) > 1 and fact.effect:
        return f"{match[0]!r} asks for a cause in another sentence"
    if fact.share < _VERBATIM:
        return f"{match[0]!r} asks for a cause, whose effect is reworded"
    return ""


def cause_is_marked(question: LevelQuestion, passage: PassageReading, answer: Offsets) -> bool:
    """Whether an answer can be a cause by its words alone; any can if none is asked for."""
    if not _asks_cause(question, passage):
        return True
    text = lowered(passage.text[max(0, answer[0] - _MARKED_BEFORE) : answer[1]], passage)
    return cues(passage.language).marks_cause.search(text) is not None


def _asks_cause(question: LevelQuestion, passage: PassageReading) -> bool:
    """Whether a question asks for a cause and does not bring its connective along."""
    patterns = cues(passage.language)
    text = lowered(question.text, passage)
    match = patterns.asks_cause.search(text)
    if match is None or patterns.carries_cause.search(text) is not None:
        return False
    if not question.phrases:
        return True
    # 谁是起火的原因: the word cause is there, but a person, a place or a number is asked for.
    start, end = question.phrase
    widest = question.text[start : question.phrases[-1][1]]
    is_apart = end <= match.start() or match.end() <= start
    asks_otherwise = is_apart and _NO_CAUSE.match(widest) is not None and "因" not in widest
    return not asks_otherwise


def with_effect(question: LevelQuestion, passage: PassageReading, fact: StatedFact) -> StatedFact:
    """If a cause is asked for, the fact together with the statement of the effect.

    A cause and its effect are side by side: the answer is one, the question's words the other.
    """
    effect = fact.elsewhere
    if effect is None or not _asks_cause(question, passage):
        return fact
    if abs(effect.place - fact.main.place) > _NEAR:
        return fact
    beside_topics = {
        index for index in question.content if question.tokens[index].key not in question.topic_keys
    }
    in_effect = covered(question, passage, effect.first, effect.last)
    if len(in_effect & beside_topics) <= len(fact.covered & beside_topics):
        return fact
    both = fact.covered | in_effect
    statements = sorted((*fact.statements, effect), key=lambda statement: statement.place)
    return replace(
        fact,
        statements=tuple(statements),
        main=effect,
        covered=both,
        share=content_share(question, both),
        elsewhere=None,
        effect=True,
    )


def placed(question: LevelQuestion, passage: PassageReading, fact: StatedFact) -> str:
    """The words by which a later statement of the fact points back to the time asked for.

    "In 2007 … . The same year the race had its first wheelchair group": 2007 is not said of it.
    """
    patterns = cues(passage.language)
    later = fact.elsewhere
    if later is None or later.place <= fact.main.place or fact.elsewhere_share <= fact.share:
        return ""
    if patterns.asks_time.search(lowered(question.text, passage)) is None:
        return ""
    text = lowered(passage.text[later.start : later.end], passage)
    match = patterns.time_reference.search(text)
    return match[0] if match is not None else ""


def temporal(
    question: LevelQuestion, passage: PassageReading, fact: StatedFact, *, refers: bool
) -> str:
    """Why a time must be worked out.

    A relative time in the question counts by itself only: with a name to resolve it mostly sets
    the scene, which does not raise a level.
    """
    patterns = cues(passage.language)
    text = lowered(question.text, passage)
    statement = lowered(passage.text[fact.main.start : fact.main.end], passage)
    statement_keys = set(passage.keys[fact.main.first : fact.main.last])
    back = patterns.time_reference.search(statement)
    for time in patterns.time.finditer(text):
        figures = {
            key
            for key in keys(tokens(time[0], passage.language))
            if key.isdigit() and len(key) >= _YEAR
        }
        is_elsewhere = not statement_keys & figures and figures & set(passage.keys)
        if back and figures and is_elsewhere:
            return f"{back[0]!r} must be placed at {time[0]!r}"
    relative = patterns.relative_time.search(text)
    if refers or relative is None:
        return ""
    end_of_event = text[max(0, relative.start() - 2) : relative.end()]
    if _LONG_FORM.sub("", end_of_event) in _LONG_FORM.sub("", statement):
        return ""
    event = _event(question, passage, fact, relative.span())
    is_told = any(
        index + 1 in event and passage.has(question.keys[index : index + 2]) for index in event
    )
    return f"{relative[0]!r} must be worked out" if is_told else ""


def _event(
    question: LevelQuestion,
    passage: PassageReading,
    fact: StatedFact,
    relative: tuple[int, int],
) -> set[int]:
    """The words of the event that a relative time hangs on, if the statement lacks them.

    They come before the relative word in Chinese, after it in English.
    """
    start, end = relative
    return {
        index
        for index in question.content - fact.covered
        if question.tokens[index].key not in question.topic_keys
        and (
            question.tokens[index].end <= start
            if passage.language == "zh"
            else question.tokens[index].start >= end
        )
    }


def difference(question: LevelQuestion, passage: PassageReading, fact: StatedFact) -> str:
    """The words that ask how far two values are apart, if the passage does not state it."""
    patterns = cues(passage.language)
    match = patterns.asks_difference.search(lowered(question.text, passage))
    if match is None:
        return ""
    reach = _NEAR_ANSWER[passage.language]
    start = passage.tokens[fact.answer[0]].start
    end = passage.tokens[fact.answer[1] - 1].end
    text = lowered(passage.text[max(0, start - reach) : end + reach], passage)
    is_stated = patterns.states_difference.search(text)
    return "" if is_stated else question.source[slice(*match.span())]


def comparison(question: LevelQuestion, passage: PassageReading, fact: StatedFact) -> str:
    """Why values must be compared: a comparison that is stated needs none."""
    patterns = cues(passage.language)
    words = difference(question, passage, fact)
    if words:
        return f"{words!r} asks for a difference that no word of the statement gives"
    match = patterns.asks_comparison.search(lowered(question.text, passage))
    text = _text_of(fact, passage)
    if fact.elsewhere is not None:
        text += lowered(passage.text[fact.elsewhere.start : fact.elsewhere.end], passage)
    if match is None or patterns.states_comparison.search(text):
        return ""
    root = _DEGREE.sub("", match[0])
    if len(root) > 2 and root in text:  # "higher paid" of what the passage calls highly paid
        return ""
    return f"{match[0]!r} is asked for, and no word of the statement says it"


def _text_of(fact: StatedFact, passage: PassageReading) -> str:
    """The sentences of the statements and of the answer, as cues are looked up in them."""
    first = passage.sentences[fact.statements[0].sentence][0]
    last = passage.sentences[fact.statements[-1].sentence][1]
    return lowered(passage.text[first:last], passage)

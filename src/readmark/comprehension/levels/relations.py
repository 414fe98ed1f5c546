"""Reasoning other than reference: causes to infer, times to work out, values to compare."""

from __future__ import annotations

import re
from dataclasses import replace

from readmark.comprehension.levels.cues import cues
from readmark.comprehension.levels.facts import StatedFact, covered
from readmark.comprehension.levels.passages import PassageReading, keys, lowered, tokens
from readmark.comprehension.levels.questions import LevelQuestion
from readmark.core.records import Offsets

_DEGREE = re.compile(r"i?(?:er|est)$")
_NO_CAUSE = re.compile("谁|何[人时地处]|哪|几|多少")
_DIFFERENCE = {"zh": 6, "en": 24}
"""Characters around an answer in which a difference is stated: 晚了六年."""
_LONG_FORM = re.compile("[之以](?=[前后])")
_NEAR = 3
_MARKED_BEFORE = 8
_VERBATIM = 0.9
_YEAR = 3
"""Digits of a year; fewer are a duration as often as a date."""


def causal(asked: LevelQuestion, passage: PassageReading, fact: StatedFact, *, refers: bool) -> str:
    """Why a cause must be inferred, else nothing.

    A link that the passage marks counts only with a reference to resolve or a reworded effect
    ("SMART", example 6).
    """
    known = cues(passage.language)
    question = lowered(asked.text, passage)
    match = known.asks_cause.search(question)
    if match is None or not _asks_cause(asked, passage):
        return ""
    if refers:
        return f"{match[0]!r} asks for a cause, whose effect is not named in full"
    said = _fact_text(passage, fact)
    around = f"{question[: match.start()]}\n{question[match.end() :]}"
    if any(word[0] in said for word in known.marks_cause.finditer(around)):
        return ""  # the question brings along the very word that marks the cause
    if known.marks_cause.search(said) is None:
        return f"{match[0]!r} asks for a cause that no word marks"
    if len({statement.sentence for statement in fact.statements}) > 1 and fact.effect:
        return f"{match[0]!r} asks for a cause in another sentence"
    if fact.share < _VERBATIM:
        return f"{match[0]!r} asks for a cause, whose effect is reworded"
    return ""


def cause_is_marked(asked: LevelQuestion, passage: PassageReading, answer: Offsets) -> bool:
    """Whether an answer can be a cause by its words alone; any can where none is asked for."""
    if not _asks_cause(asked, passage):
        return True
    said = lowered(passage.text[max(0, answer[0] - _MARKED_BEFORE) : answer[1]], passage)
    return cues(passage.language).marks_cause.search(said) is not None


def _asks_cause(asked: LevelQuestion, passage: PassageReading) -> bool:
    """Whether a question asks for a cause and does not bring its connective along."""
    known = cues(passage.language)
    question = lowered(asked.text, passage)
    carries = known.carries_cause.search(question) is not None
    match = known.asks_cause.search(question)
    return match is not None and not carries and not _asks_otherwise(asked, match)


def _asks_otherwise(asked: LevelQuestion, match: re.Match[str]) -> bool:
    """Whether a question that has the word cause asks for a person, a place or a number."""
    if not asked.phrases:
        return False
    start, end = asked.phrases[0]
    widest = asked.text[start : asked.phrases[-1][1]]
    apart = end <= match.start() or match.end() <= start
    return apart and _NO_CAUSE.match(widest) is not None and "因" not in widest


def effect(asked: LevelQuestion, passage: PassageReading, fact: StatedFact) -> StatedFact:
    """Of a question for a cause, the fact as the statement of the effect says it.

    A cause and its effect are side by side: the answer is one, the question's words the other.
    """
    other = fact.elsewhere
    if other is None or not _asks_cause(asked, passage):
        return fact
    if abs(other.place - fact.main.place) > _NEAR:
        return fact
    topics = {key for topic in asked.topics for key in topic.keys}
    besides_topics = {at for at in asked.content if asked.tokens[at].key not in topics}
    there = covered(asked, passage, other.first, other.last)
    if len(there & besides_topics) <= len(fact.covered & besides_topics):
        return fact
    both = fact.covered | there
    share = len(both & asked.content) / max(1, len(asked.content))
    near = tuple(sorted((*fact.statements, other), key=lambda statement: statement.place))
    return replace(
        fact, statements=near, main=other, covered=both, share=share, elsewhere=None, effect=True
    )


def placed(asked: LevelQuestion, passage: PassageReading, fact: StatedFact) -> str:
    """The words by which a later statement of the fact points back to the time that is asked for.

    "In 2007 … . The same year the race had its first wheelchair group": 2007 is not said of it.
    """
    known = cues(passage.language)
    other = fact.elsewhere
    if other is None or other.place <= fact.main.place or fact.elsewhere_share <= fact.share:
        return ""
    if known.asks_time.search(lowered(asked.text, passage)) is None:
        return ""
    match = known.time_reference.search(lowered(passage.text[other.start : other.end], passage))
    return match[0] if match is not None else ""


def temporal(
    asked: LevelQuestion, passage: PassageReading, fact: StatedFact, *, refers: bool
) -> str:
    """Why a time must be worked out, else nothing.

    A relative time in the question counts by itself only: with a name to resolve it mostly sets
    the scene, which does not raise a level.
    """
    known = cues(passage.language)
    question = lowered(asked.text, passage)
    said = lowered(passage.text[fact.main.start : fact.main.end], passage)
    own = set(passage.keys[fact.main.first : fact.main.last])
    back = known.time_reference.search(said)
    for time in known.time.finditer(question):
        figures = {
            key
            for key in keys(tokens(time[0], passage.language))
            if key.isdigit() and len(key) >= _YEAR
        }
        if back and figures and not own & figures and figures & set(passage.keys):
            return f"{back[0]!r} must be placed at {time[0]!r}"
    relative = known.relative_time.search(question)
    if refers or relative is None:
        return ""
    event_ends = question[max(0, relative.start() - 2) : relative.end()]
    if _LONG_FORM.sub("", event_ends) in _LONG_FORM.sub("", said):
        return ""
    topics = {key for topic in asked.topics for key in topic.keys}
    event = _event(asked, fact, relative.span(), passage.language, topics)
    known_pairs = [at for at in event if at + 1 in event and passage.has(asked.keys[at : at + 2])]
    return f"{relative[0]!r} must be worked out" if known_pairs else ""


def _event(
    asked: LevelQuestion,
    fact: StatedFact,
    relative: tuple[int, int],
    language: str,
    topics: set[str],
) -> set[int]:
    """The words of the event that a relative time hangs on, where the statement lacks them.

    They come before the relative word in Chinese, after it in English.
    """
    start, end = relative
    return {
        index
        for index, token in enumerate(asked.tokens)
        if index in asked.content
        and (token.end <= start if language == "zh" else token.start >= end)
        and index not in fact.covered
        and token.key not in topics
    }


def difference(asked: LevelQuestion, passage: PassageReading, fact: StatedFact) -> str:
    """The words that ask how far two values are apart, where the passage does not state it."""
    known = cues(passage.language)
    match = known.asks_difference.search(lowered(asked.text, passage))
    if match is None:
        return ""
    around = _DIFFERENCE[passage.language]
    start = passage.tokens[fact.answer[0]].start
    end = passage.tokens[fact.answer[1] - 1].end
    said = lowered(passage.text[max(0, start - around) : end + around], passage)
    stated = known.states_difference.search(said)
    return "" if stated else asked.source[slice(*match.span())]


def comparison(asked: LevelQuestion, passage: PassageReading, fact: StatedFact) -> str:
    """Why values must be compared, else nothing: a comparison that is stated needs none."""
    known = cues(passage.language)
    apart = difference(asked, passage, fact)
    if apart:
        return f"{apart!r} asks for a difference that no word of the statement gives"
    match = known.asks_comparison.search(lowered(asked.text, passage))
    said = _fact_text(passage, fact)
    if fact.elsewhere is not None:
        said += lowered(passage.text[fact.elsewhere.start : fact.elsewhere.end], passage)
    if match is None or known.states_comparison.search(said):
        return ""
    root = _DEGREE.sub("", match[0])
    if len(root) > 2 and root in said:  # "higher paid" of what the passage calls highly paid
        return ""
    return f"{match[0]!r} is asked for, and no word of the statement says it"


def _fact_text(passage: PassageReading, fact: StatedFact) -> str:
    """The sentences of the statements and of the answer, as cues are looked up in them."""
    first = passage.sentences[fact.statements[0].sentence][0]
    last = passage.sentences[fact.statements[-1].sentence][1]
    return lowered(passage.text[first:last], passage)

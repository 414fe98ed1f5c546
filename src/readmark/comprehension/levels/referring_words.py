"""The pronoun or noun by which a statement refers to a name instead of naming it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readmark.comprehension.levels.cues import cues
from readmark.comprehension.levels.naming import tail_of
from readmark.comprehension.levels.passages import PassageReading, lowered
from readmark.comprehension.levels.questions import LevelQuestion
from readmark.comprehension.levels.statements import Clause, PassageStatement
from readmark.comprehension.levels.topics import QuestionTopic

POSSESSIVE = frozenset({"其", "its", "his", "her", "their"})
PERSONAL = frozenset({"他", "她", "他们", "她们"})
EVENT = frozenset("这此")
"""What stands for all that was said, more often than for a name."""
DETERMINERS = frozenset("该此这本")


@dataclass(frozen=True, slots=True)
class ReferringWord:
    """A pronoun or noun where it occurs; without a text, nothing: the name is left out."""

    text: str = ""
    start: int = -1
    reason: str = "zero_pronoun"


def overt_word(
    question: LevelQuestion,
    passage: PassageReading,
    statement: PassageStatement,
    topic: QuestionTopic,
) -> ReferringWord:
    """The first pronoun or noun of a statement that stands for a topic, if there is one."""
    text = lowered(passage.text[statement.start : statement.end], passage)
    pronoun = first_pronoun(question, passage, statement.clauses, topic)
    match = cues(passage.language).nominal.search(text)
    if match is not None and match[0].strip() not in lowered(question.text, passage):
        start = statement.start + match.start() + len(match[0]) - len(match[0].lstrip())
        if not pronoun.text or start < pronoun.start:
            return ReferringWord(match[0].strip(), start, "nominal_reference")
    if pronoun.text:
        return pronoun
    tail = tail_of(topic, passage.keys[statement.first : statement.last])
    if tail:
        start = statement.start + max(0, text.find(tail))
        return ReferringWord(tail, start, "nominal_reference")
    return ReferringWord()


def first_pronoun(
    question: LevelQuestion,
    passage: PassageReading,
    clauses: Sequence[Clause],
    topic: QuestionTopic | None = None,
    answer: tuple[int, int] = (0, 0),
) -> ReferringWord:
    """The first pronoun that the question does not have itself, outside the answer.

    A title or a place is no 他.
    """
    is_chinese = passage.language == "zh"
    in_question = question.text if is_chinese else set(question.text.lower().split())
    for clause in clauses:
        text = lowered(passage.text[clause.start : clause.end], passage)
        for match in cues(passage.language).pronoun.finditer(text):
            start = clause.start + match.start()
            token = passage.tokens_in(start, clause.start + match.end())[0]
            if match[0] in in_question or answer[0] <= token < answer[1]:
                continue
            if topic is not None and topic.thing and match[0] in PERSONAL:
                continue
            return ReferringWord(match[0], start, "pronoun")
    return ReferringWord()

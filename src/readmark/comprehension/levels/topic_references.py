"""References to a topic of the question that the statement of the fact does not name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from readmark.comprehension.levels.cues import cues
from readmark.comprehension.levels.facts import StatedFact, covered_share
from readmark.comprehension.levels.naming import is_named, mentions
from readmark.comprehension.levels.passages import PassageReading, lowered
from readmark.comprehension.levels.questions import LevelQuestion
from readmark.comprehension.levels.referring_words import (
    EVENT,
    POSSESSIVE,
    ReferringWord,
    first_pronoun,
    overt_word,
)
from readmark.comprehension.levels.resolved import Reference, resolved
from readmark.comprehension.levels.statements import Clause
from readmark.comprehension.levels.subjects import begins_earlier, lacks_subject, opens_bare
from readmark.comprehension.levels.topics import QuestionTopic

_LITTLE = 0.4
"""Of the question in the answer's statement, for it to be a later predicate of what is repeated."""
_SUBJECT_TOKENS = 8
"""Tokens at the beginning of a clause among which its subject ends."""
_LINK = 3
"""Characters from which on two statements share more than a common word."""


def to_a_topic(
    topic: QuestionTopic, question: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    """A topic that the statement of the fact does not name, or takes up again by a pronoun."""
    is_second = topic is not question.topics[0]
    is_carried = passage.language == "zh" and begins_earlier(topic, passage, fact.main)
    stated = (fact.main,) if fact.effect else fact.statements
    naming = [
        clause
        for statement in stated
        for clause in statement.clauses
        if is_named(
            topic,
            passage,
            clause,
            fact.answer,
            anywhere=is_second or not topic.strong,
            as_subject=is_carried,
        )
    ]
    word = overt_word(question, passage, fact.main, topic)
    if naming:
        if not is_second and _is_later_predicate(question, passage, fact, naming):
            return resolved(passage, word, topic, fact.main)
        pronoun = _pronoun_beside_name(question, passage, fact, topic, naming)
        if pronoun.text and not is_second:
            return resolved(passage, pronoun, topic, fact.main)
        return None
    may_be_carried = (
        word.text or begins_earlier(topic, passage, fact.main) or opens_bare(passage, fact.main)
    )
    if not topic.strong and not may_be_carried:
        return None
    if word.reason == "zero_pronoun" and (link := _link(topic, passage, fact)):
        start = passage.tokens[fact.main.clauses[-1].first].start
        word = ReferringWord(link, start, "multi_sentence")
    return resolved(passage, word, topic, fact.main)


def _is_later_predicate(
    question: LevelQuestion, passage: PassageReading, fact: StatedFact, naming: Sequence[Clause]
) -> bool:
    """Whether the answer's statement has no subject, and the name is in one that comes before.

    The question may repeat that one, but what it asks is about a subject that is carried over
    ("SMART", example 5).
    """
    if passage.language != "zh" or fact.effect or len(fact.statements) < 2:
        return False
    if cues("zh").asks_cause.search(question.text):  # a cause follows its effect
        return False
    if any(clause.first >= fact.main.first for clause in naming):
        return False
    share = covered_share(question, passage, fact.main.first, fact.main.last)
    return share < _LITTLE and lacks_subject(passage, fact.main)


def _pronoun_beside_name(
    question: LevelQuestion,
    passage: PassageReading,
    fact: StatedFact,
    topic: QuestionTopic,
    naming: Sequence[Clause],
) -> ReferringWord:
    """A pronoun that takes up a name that the statement has, too."""
    later = [clause for clause in fact.main.clauses if clause.first > naming[-1].first]
    if passage.language == "en":  # only as a subject: "When Ito retired, he …"
        later = [
            _first_token(clause, passage) for clause in later if clause.first <= fact.answer[0]
        ]
    pronoun = first_pronoun(question, passage, later, topic, fact.answer)
    if pronoun.text and pronoun.text not in (POSSESSIVE if passage.language == "en" else EVENT):
        return pronoun
    # A pronoun that begins a clause which has the name further on ("SMART", example 6).
    for clause in naming if topic.strong else ():
        clause_keys = passage.keys[clause.first : clause.last]
        if any(offset == 0 for offset, _ in mentions(topic, clause_keys)):
            continue
        pronoun = first_pronoun(question, passage, [_first_token(clause, passage)], topic)
        if pronoun.text and pronoun.text not in POSSESSIVE:
            return pronoun
    # A pronoun in a cause that is in another sentence than its effect.
    causes = [
        clause
        for statement in fact.statements
        if fact.effect and statement.sentence != fact.main.sentence
        for clause in statement.clauses
    ]
    if any(is_named(topic, passage, clause, fact.answer, anywhere=True) for clause in causes):
        return ReferringWord()
    return first_pronoun(question, passage, causes, topic)


def _first_token(clause: Clause, passage: PassageReading) -> Clause:
    """A clause up to the end of its first token, 们 included."""
    end = passage.tokens[clause.first].end
    return replace(clause, end=end + (passage.text[end : end + 1] == "们"))


def _link(topic: QuestionTopic, passage: PassageReading, fact: StatedFact) -> str:
    """The class that another sentence puts the topic in, and that the statement is about.

    "X is a reservoir. Reservoirs are drained …": two facts must be joined, no name is left out.
    """
    patterns = cues(passage.language)
    clause = fact.main.clauses[-1]
    subject = passage.keys[clause.first : clause.first + _SUBJECT_TOKENS]
    for statement in passage.statements:
        text = lowered(passage.text[statement.start : statement.end], passage)
        member = patterns.membership.search(text)
        if statement.sentence == fact.main.sentence or member is None:
            continue
        statement_keys = passage.keys[statement.first : statement.last]
        begins_with_topic = any(
            offset <= 1 and size == len(topic.keys)
            for offset, size in mentions(topic, statement_keys)
        )
        if not begins_with_topic:
            continue
        first, last = passage.tokens_in(statement.start + member.end(), statement.end)
        link = _shared_class(subject, passage.keys[first:last], patterns.closed)
        if link:
            return link
    return ""


def _shared_class(subject: Sequence[str], membership: Sequence[str], closed: frozenset[str]) -> str:
    """The longest run that a subject begins with and that ends a statement of membership."""
    for size in range(len(subject), 0, -1):
        run = subject[:size]
        is_long = size >= _LINK or any(len(key) > 2 for key in run)
        if is_long and run[0] not in closed and tuple(membership[-size:]) == tuple(run):
            is_english = bool(membership) and len(membership[-1]) > 2
            return (" " if is_english else "").join(run)
    return ""

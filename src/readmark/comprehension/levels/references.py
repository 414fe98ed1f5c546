"""Reference: whether the statement of the fact names what the question names, and what else does.

Three ways to leave a name out: a pronoun, a noun that stands for it, or nothing at all ("SMART",
examples 4 and 5). They are one type of reasoning.
"""

from __future__ import annotations

from collections.abc import Sequence

from readmark.comprehension.levels.answer_references import to_the_answer
from readmark.comprehension.levels.cues import cues
from readmark.comprehension.levels.facts import StatedFact, covered, is_asked_along, runs
from readmark.comprehension.levels.naming import is_named, mentions
from readmark.comprehension.levels.passages import PassageReading, lowered
from readmark.comprehension.levels.questions import LevelQuestion
from readmark.comprehension.levels.referring_words import (
    PERSONAL,
    POSSESSIVE,
    ReferringWord,
    first_pronoun,
)
from readmark.comprehension.levels.resolved import Reference, resolved
from readmark.comprehension.levels.statements import PassageStatement, is_verb
from readmark.comprehension.levels.tokens import PassageToken, joined, keys
from readmark.comprehension.levels.topic_references import to_a_topic
from readmark.comprehension.levels.topics import QuestionTopic
from readmark.text.segmenter import Tagged


def reference(
    question: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    """What must be resolved between the question and the statement that answers it."""
    if _is_topic_named_elsewhere(question, passage, fact):
        answer_reference = to_the_answer(question, passage, fact)
        if answer_reference is not None:
            return answer_reference
    compares = cues(passage.language).asks_comparison.search(lowered(question.text, passage))
    for index, topic in enumerate(question.topics):
        if not topic.strong and (index or compares):  # one of the things compared is no topic
            continue
        topic_reference = to_a_topic(topic, question, passage, fact)
        if topic_reference is not None:
            return topic_reference
    return (
        to_the_answer(question, passage, fact)
        or _to_another_word(question, passage, fact)
        or _to_the_speaker(question, passage, fact)
    )


def _is_topic_named_elsewhere(
    question: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> bool:
    """Whether another statement names what the question is about, and the answer's does not."""
    if fact.elsewhere is None or not question.topics or fact.effect:
        return False

    def name_topic(statements: Sequence[PassageStatement]) -> bool:
        return any(
            is_named(question.topics[0], passage, clause, fact.answer, anywhere=True)
            for statement in statements
            for clause in statement.clauses
        )

    return name_topic([fact.elsewhere]) and not name_topic(fact.statements)


def _to_another_word(
    question: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    """A pronoun in the statement where the question has a word that the passage had before.

    "… talked the council out of selling it" for "selling the ferry".
    """
    is_chinese = passage.language == "zh"
    clauses = fact.main.clauses
    if is_chinese:  # the clause that has the answer
        start = passage.tokens[fact.answer[0]].start
        clauses = tuple(clause for clause in clauses if clause.start <= start < clause.end)
    pronoun = first_pronoun(question, passage, clauses, answer=fact.answer)
    if not pronoun.text or (not is_chinese and pronoun.text in POSSESSIVE):
        return None
    first, last = fact.main.first, fact.main.last
    in_stretch = fact.covered
    before_end = first
    if is_chinese:
        first, last = clauses[0].first, clauses[0].last
        in_stretch = covered(question, passage, first, last)
        scenes = [clause for clause in fact.main.clauses if clause.first < first]
        if not any(is_asked_along(question, passage, clause) for clause in scenes):
            before_end = first
    before = joined(passage.keys[:before_end])
    for run in runs(question.content - in_stretch):
        part: Sequence[PassageToken] = [question.tokens[index] for index in run]
        if is_chinese:
            part = _longest_noun(part, before, question, of_person=pronoun.text in PERSONAL)
        if not part:
            continue
        spelt = question.source[part[0].start : part[-1].end]
        topic = QuestionTopic(tuple(keys(part)), spelt, strong=False)
        is_here = any(True for _ in mentions(topic, passage.keys[first:last]))
        if joined(topic.keys) in before and not is_here:
            return resolved(passage, pronoun, topic, fact.main)
    return None


def _longest_noun(
    run: Sequence[PassageToken], before: str, question: LevelQuestion, *, of_person: bool
) -> Sequence[PassageToken]:
    """The longest noun of a run, or name of a person, that the passage had before."""
    for size in range(len(run), 1, -1):
        for first in range(len(run) - size + 1):
            part = run[first : first + size]
            if joined(keys(part)) in before and _is_noun(part, question.words, of_person=of_person):
                return part
    return ()


def _is_noun(part: Sequence[PassageToken], words: Sequence[Tagged], *, of_person: bool) -> bool:
    """Whether part of a question is whole words, and those a noun phrase."""
    start, end = part[0].start, part[-1].end
    inside = [word for word in words if start <= word[0] and word[1] <= end]
    if not inside or (inside[0][0], inside[-1][1]) != (start, end):
        return False
    tags = [tag for _, _, tag in inside]
    is_noun = tags[-1].startswith(("nr", "x") if of_person else ("n", "j"))
    return is_noun and not any(map(is_verb, tags))


def _to_the_speaker(
    question: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    """Who says "I" or "we" is for the reader to find out, whatever the question calls them."""
    first_person = cues(passage.language).first_person
    if first_person.search(lowered(question.text, passage)):
        return None
    for clause in fact.main.clauses:
        start = passage.tokens[clause.first].start
        match = first_person.match(lowered(passage.text[start : clause.end], passage))
        if match is not None:
            spelt = question.topics[0].spelt if question.topics else ""
            speaker = QuestionTopic((), spelt, strong=False)
            word = ReferringWord(match[0], start, "pronoun")
            return resolved(passage, word, speaker, fact.main)
    return None

"""References to the answer, from another statement that has more of the question.

The shares of the question's content were set by hand on development questions.
"""

from __future__ import annotations

from dataclasses import replace

from readmark.comprehension.levels.facts import (
    StatedFact,
    content_share,
    covered,
    covered_share,
)
from readmark.comprehension.levels.passages import PassageReading, lowered
from readmark.comprehension.levels.questions import LevelQuestion
from readmark.comprehension.levels.referring_words import (
    PERSONAL,
    POSSESSIVE,
    ReferringWord,
    first_pronoun,
    overt_word,
)
from readmark.comprehension.levels.resolved import Reference, resolved
from readmark.comprehension.levels.statements import PassageStatement
from readmark.comprehension.levels.subjects import (
    answer_is_subject,
    lacks_subject,
    place_of_answer,
    subject_beside_answer,
)
from readmark.comprehension.levels.topics import QuestionTopic

_ENOUGH = 0.5
"""In another statement, for what it leaves out to be the answer."""
_SOME = 0.34
"""The same in a later predicate, whose subject is left out."""
_MUCH_MORE = 0.3
"""By how much another statement must have more than the answer's."""
_SOME_MORE = 0.1
"""The same for a later predicate."""
_ADDED = 0.35
"""What another statement of the answer's sentence has, and the answer's lacks."""
_SUBJECT_CHARACTERS = 4
"""Characters of a clause before a pronoun that is still its subject."""


def to_the_answer(
    question: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    """Another statement that has more of the question, and refers to the answer."""
    is_chinese = passage.language == "zh"
    place = place_of_answer(passage, fact)
    answer = QuestionTopic(
        tuple(passage.keys[slice(*fact.answer)]), passage.quote(*place), strong=True
    )
    for statement in fact.statements if is_chinese and not fact.effect else ():
        pronoun = first_pronoun(question, passage, statement.clauses)
        if statement is fact.main or not pronoun.text or pronoun.text in POSSESSIVE:
            continue
        share = covered_share(question, passage, statement.first, statement.last)
        share_of_main = covered_share(question, passage, fact.main.first, fact.main.last)
        if share >= share_of_main + _MUCH_MORE:
            return resolved(passage, pronoun, answer, statement, antecedent=place)
    others = [] if fact.elsewhere is None else [(fact.elsewhere, fact.elsewhere_share)]
    if is_chinese:
        others += _others_in_sentence(question, passage, fact)
    for statement, share in others:
        word = overt_word(question, passage, statement, answer)
        if _means_answer(question, passage, fact, statement, share, word):
            if not word.text and not answer_is_subject(passage, fact):
                place = subject_beside_answer(passage, fact) or place
                answer = replace(answer, spelt=passage.quote(*place))
            return resolved(passage, word, answer, statement, antecedent=place)
    return None


def _others_in_sentence(
    question: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> list[tuple[PassageStatement, float]]:
    """The other statements of the answer's sentence, those with most of the question first."""
    used = {statement.place for statement in fact.statements}
    others = [
        (statement, covered_share(question, passage, statement.first, statement.last))
        for statement in passage.statements
        if statement.sentence == fact.main.sentence and statement.place not in used
    ]
    return sorted(others, key=lambda pair: -pair[1])


def _means_answer(
    question: LevelQuestion,
    passage: PassageReading,
    fact: StatedFact,
    statement: PassageStatement,
    share: float,
    word: ReferringWord,
) -> bool:
    """Whether what another statement leaves out, or has a word for, is the answer."""
    has_enough = share >= max(_ENOUGH, fact.share + _MUCH_MORE)
    is_near = statement.sentence == fact.main.sentence
    if passage.language == "zh" and is_near:
        added = covered(question, passage, statement.first, statement.last) - fact.covered
        has_enough = has_enough or content_share(question, added) >= _ADDED
    if statement.place < fact.main.place:
        # Before the answer, only a pronoun shows that it is meant.
        is_pronoun = word.reason == "pronoun" and word.text not in POSSESSIVE
        return has_enough and is_near and is_pronoun
    if passage.language == "en" or not is_near:
        return has_enough
    if word.reason != "zero_pronoun":
        leads = word.text in PERSONAL and _is_subject(word, passage, statement)
        has_much_more = share >= max(_SOME, fact.share + _MUCH_MORE)
        return has_enough or (leads and has_much_more)
    has_some = share >= max(_SOME, fact.share + _SOME_MORE) and answer_is_subject(passage, fact)
    return (has_enough or has_some) and lacks_subject(passage, statement)


def _is_subject(word: ReferringWord, passage: PassageReading, statement: PassageStatement) -> bool:
    """Whether a pronoun occurs where a subject does, near the beginning of a clause."""
    return any(
        0
        <= lowered(passage.text[clause.start : clause.end], passage).find(word.text)
        <= _SUBJECT_CHARACTERS
        for clause in statement.clauses
    )

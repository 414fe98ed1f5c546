"""Subjects of Chinese clauses: whether one is left out, whether an answer is one."""

from __future__ import annotations

from readmark.comprehension.levels.facts import StatedFact
from readmark.comprehension.levels.naming import mentions
from readmark.comprehension.levels.passages import PassageReading
from readmark.comprehension.levels.statements import PassageStatement
from readmark.comprehension.levels.topics import QuestionTopic
from readmark.core.records import Offsets
from readmark.text.segmenter import Tagged

_BEFORE_VERB = ("d", "c", "t", "m", "q", "x", "f", "b", "a")
"""Tags of what may come before a verb without being its subject."""
_VERB_FIRST = ("v", "p", "l", "i")
"""Tags of what a clause without a subject begins with: verbs, prepositions and set phrases."""


def lacks_subject(passage: PassageReading, statement: PassageStatement) -> bool:
    """Whether a statement begins with its verb, as a later predicate does, or with a bare noun."""
    tags = _tags(passage, statement)
    if tags[:1] == ["n"]:  # a bare noun, whose owner is left out: 制法与豆浆相似
        return tags[1:2] == [] or tags[1].startswith(_VERB_FIRST)
    return bool(tags) and tags[0].startswith(_VERB_FIRST)


def opens_bare(passage: PassageReading, statement: PassageStatement) -> bool:
    """Whether a Chinese statement begins with its verb, and no topic is in front of it."""
    if passage.language != "zh" or len(statement.clauses) > 1:
        return False
    tags = _tags(passage, statement)
    return bool(tags) and tags[0].startswith(_VERB_FIRST)


def _tags(passage: PassageReading, statement: PassageStatement) -> list[str]:
    """The tags of a statement's last clause, without what may come before a verb."""
    clause = statement.clauses[-1]
    tags = []
    for start, end, tag in passage.words_in(clause.start, clause.end):
        if passage.text[end - 1] == "朝":  # a dynasty, which jieba takes for a time
            tags.append("n")
        elif tag.startswith(_BEFORE_VERB):
            continue
        elif passage.text[start] == "被":
            tags.append("v")
        else:
            tags.append(tag)
    return tags


def begins_earlier(
    topic: QuestionTopic, passage: PassageReading, statement: PassageStatement
) -> bool:
    """Whether an earlier statement of the same sentence begins with the topic."""
    return any(
        offset <= 1 and size == len(topic.keys)
        for earlier in passage.statements[: statement.place]
        if earlier.sentence == statement.sentence
        for offset, size in mentions(topic, passage.keys[earlier.first : earlier.last])
    )


def place_of_answer(passage: PassageReading, fact: StatedFact) -> Offsets:
    """Where the answer is."""
    first, last = fact.answer
    return passage.tokens[first].start, passage.tokens[last - 1].end


def answer_is_subject(passage: PassageReading, fact: StatedFact) -> bool:
    """Whether the answer comes before the verb of its clause, as its subject or the subject's."""
    start, end = place_of_answer(passage, fact)
    clause = next(
        (clause for clause in fact.main.clauses if clause.start <= start < clause.end), None
    )
    if clause is None:
        return False
    verb = passage.predicate(clause.start, clause.end)
    if verb is None or end > verb[0]:
        return False
    is_first = passage.tokens[clause.first].start == start
    return is_first or passage.text[end : end + 1] != "的"


def subject_beside_answer(passage: PassageReading, fact: StatedFact) -> Offsets | None:
    """The nouns before the verb of the answer's clause, if the answer itself is no subject."""
    start, end = place_of_answer(passage, fact)
    clause = fact.main.clauses[-1]
    verb = passage.predicate(clause.start, clause.end)
    if verb is None:
        return None
    nouns: list[Tagged] = []
    for word in passage.words_in(clause.start, verb[0]):
        is_apart = word[1] <= start or end <= word[0]
        if is_apart and word[2].startswith(("n", "j", "eng")):
            adjoins = nouns and nouns[-1][1] == word[0]
            nouns = [*nouns, word] if adjoins else [word]
    return (nouns[0][0], nouns[-1][1]) if nouns else None

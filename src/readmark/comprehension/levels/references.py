"""Reference: whether the statement of the fact names what the question names, and what else does.

Three ways to leave a name out: a pronoun, a noun that stands for it, or nothing at all ("SMART",
examples 4 and 5). They are one type of reasoning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from readmark.comprehension.levels.cues import cues
from readmark.comprehension.levels.facts import StatedFact, mentions, missing_runs, named, tail_of
from readmark.comprehension.levels.passages import (
    Clause,
    PassageReading,
    PassageStatement,
    joined,
    lowered,
    tagged,
)
from readmark.comprehension.levels.questions import LevelQuestion, QuestionTopic
from readmark.core.spans import clip
from readmark.text.questions.classes import between_words
from readmark.text.segmenter import Tagged

# What was found by characters, reported in whole words of a Chinese text.


_SMALL = ("p", "c", "u", "y", "d", "f", "v", "r", "w", "e", "o")
_BREAKS = ("p", "c", "u", "y", "w")


def with_noun(text: str, start: int, end: int) -> str:
    """A determiner with the whole of its noun: 该画院 for 该画, 这张专辑 for 这张."""
    measured = text[end - 1] in between_words("zh")
    for first, last, tag in tagged(text):
        if first < end < last or (first == end and measured and tag.startswith("n")):
            return text[start:last]
    return text[start:end]


def longest_stretch(text: str, lost: Callable[[int, int], bool]) -> str:
    """The longest stretch of whole words that are lost, less small words at its ends."""
    found = [text[run[0][0] : run[-1][1]] for run in _runs(text, lost)]
    return max(found, key=len, default="")


def _runs(text: str, lost: Callable[[int, int], bool]) -> Iterator[list[Tagged]]:
    run: list[Tagged] = []
    for word in [*tagged(text), (len(text), len(text), "w")]:
        if not word[2].startswith(_BREAKS) and lost(word[0], word[1]):
            run.append(word)
            continue
        while run and _is_small(run[0]):
            del run[0]
        while run and _is_small(run[-1]):
            run.pop()
        if run:
            yield run
        run = []


def _is_small(word: Tagged) -> bool:
    return word[1] - word[0] == 1 and word[2].startswith(_SMALL)


_NEAR = 4
_POSSESSIVE = frozenset({"其", "its", "his", "her", "their"})
_DETERMINERS = frozenset("该此这本")
_SUBJECT_TOKENS = 8
_LINK = 3
_MORE_ELSEWHERE = 0.3
_ENOUGH_ELSEWHERE = 0.5


@dataclass(frozen=True, slots=True)
class Reference:
    """A name that must be carried over: the reason, the statement, and the name's sentence."""

    reason: str
    words: str
    statement: PassageStatement
    source: int | None


def reference(asked: LevelQuestion, passage: PassageReading, fact: StatedFact) -> Reference | None:
    """What must be resolved between the question and the statement that answers it."""
    compared = cues(passage.language).asks_comparison.search(lowered(asked.text, passage))
    for index, topic in enumerate(asked.topics):
        if not topic.strong and (index or compared):  # one of the things compared is no topic
            continue
        found = _left_out(topic, asked, passage, fact)
        if found is not None:
            return found
    return (
        _answer_left_out(asked, passage, fact)
        or _other_left_out(asked, passage, fact)
        or _first_person(asked, passage, fact)
    )


def _left_out(
    topic: QuestionTopic, asked: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    stated = (fact.main,) if fact.effect else fact.statements
    clauses = [clause for one in stated for clause in one.clauses]
    second = topic is not asked.topics[0]
    naming = [
        clause
        for clause in clauses
        if named(topic, passage, clause, fact.answer, anywhere=second or not topic.strong)
    ]
    word = _overt(asked, passage, fact.main, topic)
    if naming:
        later = [clause for clause in fact.main.clauses if clause.first > naming[-1].first]
        if passage.language == "en":  # only as a subject: "When Ito retired, he …"
            later = [
                _beginning(clause, passage) for clause in later if clause.first <= fact.answer[0]
            ]
        pronoun = _pronoun(asked, passage, later, fact.answer)
        pronoun = "" if pronoun in _POSSESSIVE and passage.language == "en" else pronoun
        if not pronoun:
            pronoun = _subject_pronoun(asked, passage, naming, topic)
        if not pronoun:
            pronoun = _in_the_cause(asked, passage, fact, topic)
        if pronoun and not second:
            return _reference(passage, "pronoun", pronoun, topic, fact.main)
        return None
    if not topic.strong and not (
        _leads(passage, fact.main, word[1]) or _carried(topic, passage, fact.main)
    ):
        return None
    if word[0] == "zero_pronoun" and (link := _link(topic, passage, fact)):
        return _reference(passage, "multi_sentence", link, topic, fact.main)
    return _reference(passage, word[0], word[1], topic, fact.main)


def _link(topic: QuestionTopic, passage: PassageReading, fact: StatedFact) -> str:
    """The class that another sentence puts the topic in, and that the statement is about.

    "X is a reservoir. Reservoirs are drained …": two facts must be joined, no name is left out.
    """
    known = cues(passage.language)
    subject = fact.main.clauses[-1]
    own = passage.keys[subject.first : subject.first + _SUBJECT_TOKENS]
    for statement in passage.statements:
        text = passage.text[statement.start : statement.end]
        member = known.membership.search(text if passage.language == "zh" else text.lower())
        if statement.sentence == fact.main.sentence or member is None:
            continue
        there = passage.keys[statement.first : statement.last]
        if not any(at <= 1 for at, size in mentions(topic, there) if size == len(topic.keys)):
            continue
        first, last = passage.within(statement.start + member.end(), statement.end)
        link = _shared(own, passage.keys[first:last], topic, known.closed)
        if link:
            return link
    return ""


def _shared(
    own: Sequence[str], of: Sequence[str], topic: QuestionTopic, closed: frozenset[str]
) -> str:
    """The longest run that a subject begins with and that ends a statement of membership."""
    for size in range(len(own), 0, -1):
        run = own[:size]
        long = size >= _LINK or any(len(key) > 2 for key in run)
        if long and run[0] not in closed and tuple(of[-size:]) == tuple(run):
            return (" " if of and len(of[-1]) > 2 else "").join(run)
    return ""


def _subject_pronoun(
    asked: LevelQuestion, passage: PassageReading, naming: Sequence[Clause], topic: QuestionTopic
) -> str:
    """A pronoun that begins a clause which has the name further on ("SMART", example 6)."""
    for clause in naming:
        if any(at == 0 for at, _ in mentions(topic, passage.keys[clause.first : clause.last])):
            continue
        pronoun = _pronoun(asked, passage, [_beginning(clause, passage)])
        if pronoun and pronoun not in _POSSESSIVE:
            return pronoun
    return ""


def _in_the_cause(
    asked: LevelQuestion, passage: PassageReading, fact: StatedFact, topic: QuestionTopic
) -> str:
    """A pronoun for the topic in a cause that occurs in another sentence than its effect."""
    others = [
        statement for statement in fact.statements if statement.sentence != fact.main.sentence
    ]
    if not fact.effect or not others:
        return ""
    clauses = [clause for other in others for clause in other.clauses]
    if any(named(topic, passage, clause, fact.answer, anywhere=True) for clause in clauses):
        return ""
    return _pronoun(asked, passage, clauses)


def _beginning(clause: Clause, passage: PassageReading) -> Clause:
    """A clause up to the end of its first token."""
    return replace(clause, end=passage.tokens[clause.first].end)


def _leads(passage: PassageReading, main: PassageStatement, word: str) -> bool:
    """Whether a pronoun or noun occurs where a subject does, near the beginning of a clause."""
    return bool(word) and any(
        0 <= lowered(passage.text[clause.start : clause.end], passage).find(word) <= _NEAR
        for clause in main.clauses
    )


def _carried(topic: QuestionTopic, passage: PassageReading, main: PassageStatement) -> bool:
    """Whether an earlier statement of the same sentence begins with the topic."""
    before = [
        statement
        for statement in passage.statements[: main.place]
        if statement.sentence == main.sentence
    ]
    return any(
        at <= 1 and size == len(topic.keys)
        for one in before
        for at, size in mentions(topic, passage.keys[one.first : one.last])
    )


def _overt(
    asked: LevelQuestion, passage: PassageReading, statement: PassageStatement, topic: QuestionTopic
) -> tuple[str, str]:
    """The reason, and the pronoun or noun that stands for a name that is left out."""
    text = lowered(passage.text[statement.start : statement.end], passage)
    pronoun = _pronoun(asked, passage, statement.clauses)
    match = cues(passage.language).nominal.search(text)
    if match is not None and match[0].strip() in lowered(asked.text, passage):
        match = None
    if match is not None and (not pronoun or match.start() < text.find(pronoun)):
        return "nominal_reference", match[0].strip()
    if pronoun:
        return "pronoun", pronoun
    tail = tail_of(topic, passage.keys[statement.first : statement.last])
    if tail:
        return "nominal_reference", tail
    return "zero_pronoun", ""


def _pronoun(
    asked: LevelQuestion,
    passage: PassageReading,
    clauses: Sequence[Clause],
    answer: tuple[int, int] = (0, 0),
) -> str:
    """The first pronoun that the question does not have itself, outside the answer."""
    own = asked.text if passage.language == "zh" else set(asked.text.lower().split())
    for clause in clauses:
        text = lowered(passage.text[clause.start : clause.end], passage)
        for match in cues(passage.language).pronoun.finditer(text):
            at = passage.within(clause.start + match.start(), clause.start + match.end())[0]
            if match[0] not in own and not answer[0] <= at < answer[1]:
                return match[0]
    return ""


def _other_left_out(
    asked: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    """A pronoun in the statement where the question has a word that the passage had before.

    "… talked the council out of selling it" for "selling the ferry".
    """
    pronoun = _pronoun(asked, passage, fact.main.clauses, fact.answer)
    if not pronoun or (passage.language == "en" and pronoun in _POSSESSIVE):
        return None
    first, last = fact.main.first, fact.main.last
    before = joined(passage.keys[:first])
    for run in missing_runs(asked, fact):
        own = [asked.tokens[at] for at in run]
        spelt = asked.text[own[0].start : own[-1].end]
        topic = QuestionTopic(tuple(token.key for token in own), spelt, strong=False)
        here = any(True for _ in mentions(topic, passage.keys[first:last]))
        if joined(topic.keys) in before and not here:
            return _reference(passage, "pronoun", pronoun, topic, fact.main)
    return None


def _first_person(
    asked: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    """Who says "I" or "we" is for the reader to find out, whatever the question calls them."""
    known = cues(passage.language).first_person
    if known.search(lowered(asked.text, passage)):
        return None
    for clause in fact.main.clauses:
        start = passage.tokens[clause.first].start
        match = known.match(lowered(passage.text[start : clause.end], passage))
        if match is not None:
            topic = QuestionTopic((), asked.topics[0].spelt if asked.topics else "", strong=False)
            return _reference(passage, "pronoun", match[0], topic, fact.main)
    return None


def _answer_left_out(
    asked: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    """A statement after the answer's that has more of the question, and refers to the answer."""
    other = fact.elsewhere
    if other is None or other.place <= fact.main.place:
        return None
    if fact.elsewhere_share < max(_ENOUGH_ELSEWHERE, fact.share + _MORE_ELSEWHERE):
        return None
    spelt = passage.text[
        passage.tokens[fact.answer[0]].start : passage.tokens[fact.answer[1] - 1].end
    ]
    topic = QuestionTopic(tuple(passage.keys[slice(*fact.answer)]), spelt, strong=True)
    reason, word = _overt(asked, passage, other, topic)
    return _reference(passage, reason, word, topic, other)


def _reference(
    passage: PassageReading,
    reason: str,
    word: str,
    topic: QuestionTopic,
    statement: PassageStatement,
) -> Reference:
    """A reference with its words, and the last sentence before it that names the topic."""
    said = passage.text[statement.start : statement.end]
    there = clip(said.strip(" ，,。；;：:\n"))
    if reason == "nominal_reference" and word[:1] in _DETERMINERS and word in said:
        word = with_noun(said, at := said.index(word), at + len(word))
    if reason == "multi_sentence":
        words = f"{word!r} joins {clip(topic.spelt)!r} with {there!r}"
    elif word and not topic.keys:
        words = f"{word!r} refers to the speaker in {there!r}"
    elif word:
        words = f"{word!r} stands for {clip(topic.spelt)!r} in {there!r}"
    else:
        words = f"{clip(topic.spelt)!r} is left out of {there!r}"
    naming = [
        one.sentence
        for one in passage.statements[: statement.place]
        if any(True for _ in mentions(topic, passage.keys[one.first : one.last]))
    ]
    return Reference(reason, words, statement, naming[-1] if naming else None)

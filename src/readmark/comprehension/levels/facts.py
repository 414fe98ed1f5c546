"""The statement of a passage that answers a question: around an answer, the one that says most.

The sentence that states the fact counts, not the first place where the answer's words occur; of
two statements the easier one does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from readmark.comprehension.levels.cues import cues
from readmark.comprehension.levels.passages import (
    Clause,
    PassageReading,
    PassageStatement,
    folded,
    glosses,
    holding_stretch,
    keys,
    reading,
    tokens,
)
from readmark.comprehension.levels.questions import LevelQuestion, QuestionTopic
from readmark.core.records import Answer, Offsets
from readmark.core.spans import places

# Whether a stretch of a passage names a topic: in full, shortened, or by its last noun.


_SUBJECT = 1
"""Tokens that may come before a subject in its clause."""
_PERSON = 4
"""Characters of a Chinese person's name at most."""
_LONG_NAME = 4
_PLACES = "市县省区镇乡村州"
_PLACE = re.compile(f"[{_PLACES}](?!民)")


def named(
    topic: QuestionTopic,
    passage: PassageReading,
    clause: Clause,
    answer: tuple[int, int],
    *,
    anywhere: bool,
    as_subject: bool = False,
) -> bool:
    """Whether a clause names the topic.

    Amid an answer a name is no subject (柳镇 in "…县柳镇东街" does not name 柳镇车站), unless
    ``anywhere`` says that the full name will do, or the answer is the whole clause. With
    ``as_subject`` a part of the name counts before the clause's verb only.
    """
    own = passage.keys[clause.first : clause.last]
    for at, size in mentions(topic, own):
        first = clause.first + at
        full = size == len(topic.keys)
        amid = answer[0] < first and first + size <= answer[1] and at > _SUBJECT
        there = passage.tokens[first].start
        whole = full and (
            anywhere or (answer[0] <= clause.first and _leads(passage, clause, there))
        )
        if passage.language == "zh" and amid and not whole:
            continue
        if as_subject and not full and at > _SUBJECT and not _leads(passage, clause, there):
            continue
        if passage.language == "zh" and _of_another(topic, passage, first, size):
            continue
        if passage.language == "en" and topic.name and not _is_capital(passage, first):
            continue
        return True
    return passage.language == "zh" and _shortened(topic, passage, clause, answer)


def _of_another(topic: QuestionTopic, passage: PassageReading, first: int, size: int) -> bool:
    """Whether a name is the beginning of another: 青山 of 青山市, but not in 青山市民."""
    if size < len(topic.keys) or topic.keys[-1] in _PLACES:
        return False
    end = passage.tokens[first + size - 1].end
    return _PLACE.match(passage.text, end) is not None


def _leads(passage: PassageReading, clause: Clause, place: int) -> bool:
    """Whether a place comes before its clause's verb."""
    verb = passage.predicate(clause.start, clause.end)
    return verb is not None and place < verb[0]


def _shortened(
    topic: QuestionTopic, passage: PassageReading, clause: Clause, answer: tuple[int, int]
) -> bool:
    """Whether a surname or a short form stands for a name: 杜 for 杜文海, 松师 for 松江师范."""
    if not topic.name:
        return False
    name = "".join(topic.keys)
    for start, end, tag in passage.words_in(clause.start, clause.end):
        word = passage.text[start:end]
        at = passage.within(start, end)[0]
        whole = answer[0] <= clause.first and _leads(passage, clause, start)
        if (answer[0] <= at < answer[1] and not whole) or not tag.startswith(("n", "j")):
            continue
        if len(word) == 1 and tag.startswith("nr") and word == name[0] and len(name) <= _PERSON:
            return True
        if 2 <= len(word) < len(name) and len(name) >= _LONG_NAME and _abbreviates(word, name):
            return True
    return False


def _abbreviates(word: str, name: str) -> bool:
    """Whether a word has characters of both parts of a name, in their order."""
    places: list[int] = []
    for sign in word:
        at = name.find(sign, places[-1] + 1 if places else 0)
        if at < 0:
            return False
        places.append(at)
    apart = places[-1] - places[0] >= len(word)
    return apart and places[0] < len(name) / 2 <= places[-1]


def mentions(topic: QuestionTopic, tokens: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Places of the topic, or of a part that distinguishes it from others, longest first."""
    name = topic.keys
    telling = len(name) - topic.tail
    least = 1 if len(name) == 1 or any(len(key) > 1 for key in name) else 2
    for size in range(len(name), least - 1, -1):
        for begin in range(min(telling, len(name) - size + 1)):
            part = name[begin : begin + size]
            if size == 1 and len(part[0]) < 2 <= len(name):
                continue
            for index in range(len(tokens) - size + 1):
                if tuple(tokens[index : index + size]) == part:
                    yield index, size


def tail_of(topic: QuestionTopic, tokens: Sequence[str]) -> str:
    """The common noun that a name ends in, where a stretch has that alone."""
    tail = topic.keys[len(topic.keys) - topic.tail :] if topic.tail else ()
    there = any(tuple(tokens[index : index + len(tail)]) == tail for index in range(len(tokens)))
    return "".join(tail) if tail and there else ""


def _is_capital(passage: PassageReading, token: int) -> bool:
    return passage.text[passage.tokens[token].start].isupper()


_WORD = re.compile(r"\d\d|[^\W\d_\u2e80-\U0003fffd]{2}")
_MOST_PLACES = 40
_BETTER_PART = 0.6
_QUOTED_SHARE = 0.7
"""Of a neighbouring statement's words in the question, for it to count as asked along."""


@dataclass(frozen=True, slots=True)
class StatedFact:
    """Where the answer occurs, and the statements that say the fact."""

    answer: tuple[int, int]
    """As a range of the passage's tokens."""
    statements: tuple[PassageStatement, ...]
    main: PassageStatement
    """The one that has most of the question's words."""
    covered: frozenset[int]
    """The question's tokens that the statements have."""
    share: float
    """How much of the question's content they have."""
    elsewhere: PassageStatement | None
    """Another statement, without the answer, that has more of the question."""
    elsewhere_share: float
    effect: bool = False
    """Whether ``main`` states the effect whose cause the answer is."""


def answer_places(text: str, answers: Iterable[Answer], language: str) -> list[Offsets]:
    """Every place where an answer occurs in a folded text."""
    found: set[Offsets] = set()
    for answer in answers:
        spelt = folded(answer.text, language).strip()
        if spelt:
            spans = [(place, place + len(spelt)) for place in places(text, spelt)[:_MOST_PLACES]]
            found.update(span for span in spans if not _amid_a_word(text, *span))
        if not found and answer.offsets is not None:
            found.add(answer.offsets)
    return sorted(found)


def _amid_a_word(text: str, start: int, end: int) -> bool:
    """Whether a stretch begins or ends inside a word or number: 200 does not occur in 2004."""
    return any(0 < at < len(text) and _WORD.match(text, at - 1) is not None for at in (start, end))


def read_for(
    text: str, answers: Iterable[Answer], language: str
) -> tuple[PassageReading, list[Offsets]]:
    """The passage, with the brackets that hold answers, and where those occur."""
    plain = folded(text, language)
    answers = tuple(answers)
    found = answer_places(plain, answers, language) or _reworded(text, answers, language)
    brackets = glosses(plain)
    inside = [span for span in found if holding_stretch(brackets, *span) is not None]
    return reading(text, language, tuple(inside)), found


def _reworded(text: str, answers: Sequence[Answer], language: str) -> list[Offsets]:
    """Where the better part of an answer in somebody's own words occurs: its longest run."""
    view = reading(text, language)
    for answer in answers:
        own = keys(tokens(folded(answer.text, language), language))
        first, size = longest_run(own, view.keys)
        if size and size >= _BETTER_PART * len(own):
            return [(view.tokens[first].start, view.tokens[first + size - 1].end)]
    return []


def longest_run(tokens: Sequence[str], text: Sequence[str]) -> tuple[int, int]:
    """Where in a text its longest run of another's tokens begins, and how long it is."""
    best = (0, 0)
    ending: dict[int, int] = {}
    places: dict[str, list[int]] = {}
    for index, token in enumerate(text):
        places.setdefault(token, []).append(index)
    for token in tokens:
        ending = {place: ending.get(place - 1, 0) + 1 for place in places.get(token, ())}
        for at, size in ending.items():
            if size > best[1]:
                best = (at - size + 1, size)
    return best


def covered(asked: LevelQuestion, passage: PassageReading, first: int, last: int) -> frozenset[int]:
    """The question's tokens that a stretch of the passage has: pairs in Chinese, words else."""
    own = passage.keys[first:last]
    there = set(own)
    pairs = set(pairwise(own))
    own_keys = asked.keys
    core = asked.phrases[0] if asked.phrases else (len(asked.text), len(asked.text))
    outside = [not core[0] <= token.start < core[1] for token in asked.tokens]
    found: set[int] = set()
    for index, key in enumerate(own_keys):
        if not outside[index]:
            continue
        if (passage.language == "en" or len(key) > 1) and key in there:
            found.add(index)
        elif (
            index + 1 < len(own_keys) and outside[index + 1] and (key, own_keys[index + 1]) in pairs
        ):
            found.update((index, index + 1))
    return frozenset(found)


def fact(
    asked: LevelQuestion, passage: PassageReading, spans: Sequence[Offsets]
) -> StatedFact | None:
    """The best statement around any place of the answer; None where no token is the answer's."""
    best: tuple[float, StatedFact] | None = None
    shares = [
        content_share(asked, covered(asked, passage, statement.first, statement.last))
        for statement in passage.statements
    ]
    around: dict[tuple[int, int], float] = {}
    ranked = sorted(passage.statements, key=lambda statement: -shares[statement.place])
    for start, end in spans:
        first, last = passage.within(start, end)
        holding = passage.holding(first, last)
        if first >= last or not holding:
            continue
        made = _around(asked, passage, (first, last), holding, shares, ranked)
        whole = passage.within(
            passage.sentences[holding[0].sentence][0], passage.sentences[holding[-1].sentence][1]
        )
        if whole not in around:
            around[whole] = content_share(asked, covered(asked, passage, *whole))
        score = made.share + 0.5 * around[whole]
        if best is None or score > best[0]:
            best = score, made
    return None if best is None else best[1]


def _around(
    asked: LevelQuestion,
    passage: PassageReading,
    answer: tuple[int, int],
    holding: list[PassageStatement],
    shares: Sequence[float],
    ranked: Sequence[PassageStatement],
) -> StatedFact:
    main = max(holding, key=lambda one: shares[one.place] + 0.25 * _names(asked, passage, one))
    taken = [main]
    for step in (-1, 1):
        at = main.place + step
        while 0 <= at < len(passage.statements):
            near = passage.statements[at]
            if near.sentence != main.sentence or not asked_along(asked, passage, near):
                break
            if step > 0 and shares[near.place] > shares[main.place]:
                break  # there is the predicate that is asked of, and here its subject
            taken.append(near)
            at += step
    taken.sort(key=lambda one: one.place)
    found: frozenset[int] = frozenset()
    for one in taken:
        found |= covered(asked, passage, one.first, one.last)
    share = content_share(asked, found)
    used = {one.place for one in (*taken, *holding)}
    other = next((statement for statement in ranked if statement.place not in used), None)
    more = shares[other.place] if other is not None else 0.0
    return StatedFact(answer, tuple(taken), main, found, share, other, more)


def asked_along(
    asked: LevelQuestion, passage: PassageReading, near: PassageStatement | Clause
) -> bool:
    """Whether the question repeats a neighbouring statement, so that nothing is carried over."""
    closed = cues(passage.language).closed
    besides = {key for topic in asked.topics for key in topic.keys} | closed
    own = [key for key in passage.keys[near.first : near.last] if key not in besides]
    there = set(asked.keys)
    return bool(own) and sum(key in there for key in own) >= _QUOTED_SHARE * len(own)


def content_share(asked: LevelQuestion, found: frozenset[int]) -> float:
    """How much of the question's content some of its tokens are."""
    return len(found & asked.content) / len(asked.content) if asked.content else 0.0


def _names(asked: LevelQuestion, passage: PassageReading, one: PassageStatement) -> bool:
    own = passage.keys[one.first : one.last]
    return bool(asked.topics) and any(True for _ in mentions(asked.topics[0], own))


def missing_runs(asked: LevelQuestion, fact: StatedFact) -> list[list[int]]:
    """Runs of the question's content that the statements do not have."""
    return runs(asked.content - fact.covered)


def runs(places: Iterable[int]) -> list[list[int]]:
    """Numbers in stretches without a gap."""
    found: list[list[int]] = []
    for at in sorted(places):
        if found and found[-1][-1] == at - 1:
            found[-1].append(at)
        else:
            found.append([at])
    return found

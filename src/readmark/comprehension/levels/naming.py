"""Whether a stretch of a passage names a topic: in full, shortened, or by its last noun."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from readmark.comprehension.levels.passages import PassageReading
from readmark.comprehension.levels.statements import Clause
from readmark.comprehension.levels.topics import QuestionTopic

_SUBJECT = 1
"""Tokens that may come before a subject in its clause."""
_PERSON = 4
"""Characters of a Chinese person's name at most."""
_LONG_NAME = 4
"""Characters from which on a name has a short form."""
_PLACES = "市县省区镇乡村州"
_PLACE = re.compile(f"[{_PLACES}](?!民)")


def is_named(
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
    is_chinese = passage.language == "zh"
    for offset, size in mentions(topic, passage.keys[clause.first : clause.last]):
        first = clause.first + offset
        start = passage.tokens[first].start
        is_full = size == len(topic.keys)
        is_amid_answer = answer[0] < first and first + size <= answer[1] and offset > _SUBJECT
        is_clause_answer = answer[0] <= clause.first and _leads(passage, clause, start)
        counts_amid_answer = is_full and (anywhere or is_clause_answer)
        if is_chinese and is_amid_answer and not counts_amid_answer:
            continue
        is_part = as_subject and not is_full
        if is_part and offset > _SUBJECT and not _leads(passage, clause, start):
            continue
        if is_chinese and _is_of_another(topic, passage, first, size):
            continue
        if passage.language == "en" and topic.name and not passage.text[start].isupper():
            continue
        return True
    return is_chinese and _is_shortened(topic, passage, clause, answer)


def _is_of_another(topic: QuestionTopic, passage: PassageReading, first: int, size: int) -> bool:
    """Whether a name is the beginning of another: 青山 of 青山市, but not in 青山市民."""
    if size < len(topic.keys) or topic.keys[-1] in _PLACES:
        return False
    end = passage.tokens[first + size - 1].end
    return _PLACE.match(passage.text, end) is not None


def _leads(passage: PassageReading, clause: Clause, start: int) -> bool:
    """Whether a place comes before its clause's verb."""
    verb = passage.predicate(clause.start, clause.end)
    return verb is not None and start < verb[0]


def _is_shortened(
    topic: QuestionTopic, passage: PassageReading, clause: Clause, answer: tuple[int, int]
) -> bool:
    """Whether a surname or a short form stands for a name: 杜 for 杜文海, 松师 for 松江师范."""
    if not topic.name:
        return False
    name = "".join(topic.keys)
    for start, end, tag in passage.words_in(clause.start, clause.end):
        word = passage.text[start:end]
        is_in_answer = answer[0] <= passage.tokens_in(start, end)[0] < answer[1]
        is_clause_answer = answer[0] <= clause.first and _leads(passage, clause, start)
        if (is_in_answer and not is_clause_answer) or not tag.startswith(("n", "j")):
            continue
        if len(word) == 1 and tag.startswith("nr") and word == name[0] and len(name) <= _PERSON:
            return True
        if 2 <= len(word) < len(name) and len(name) >= _LONG_NAME and _abbreviates(word, name):
            return True
    return False


def _abbreviates(word: str, name: str) -> bool:
    """Whether a word has characters of both halves of a name, in their order and not in a row."""
    places: list[int] = []
    for character in word:
        place = name.find(character, places[-1] + 1 if places else 0)
        if place < 0:
            return False
        places.append(place)
    is_apart = places[-1] - places[0] >= len(word)
    return is_apart and places[0] < len(name) / 2 <= places[-1]


def mentions(topic: QuestionTopic, tokens: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Places and sizes of the topic, or of a part that tells it from others, longest first."""
    name = topic.keys
    distinguishing = len(name) - topic.tail
    least = 1 if len(name) == 1 or any(len(key) > 1 for key in name) else 2
    for size in range(len(name), least - 1, -1):
        for begin in range(min(distinguishing, len(name) - size + 1)):
            part = name[begin : begin + size]
            if size == 1 and len(part[0]) < 2 <= len(name):
                continue
            for index in range(len(tokens) - size + 1):
                if tuple(tokens[index : index + size]) == part:
                    yield index, size


def tail_of(topic: QuestionTopic, tokens: Sequence[str]) -> str:
    """The common noun that a name ends in, if a stretch has that alone."""
    tail = topic.keys[len(topic.keys) - topic.tail :] if topic.tail else ()
    occurs = any(tuple(tokens[index : index + len(tail)]) == tail for index in range(len(tokens)))
    return "".join(tail) if tail and occurs else ""

"""Whether a stretch of a passage names a topic: in full, shortened, or by its last noun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readmark.setting.levels.passages import Clause, Reading
from readmark.setting.levels.topics import Topic

_SUBJECT = 1
"""Tokens that may stand before a subject in its clause."""


def named(
    topic: Topic, passage: Reading, clause: Clause, answer: tuple[int, int], *, anywhere: bool
) -> bool:
    """Whether a clause names the topic.

    Amid an answer a name is no subject (柳镇 in "…县柳镇东街" does not name 柳镇车站), unless
    ``anywhere`` says that the full name will do.
    """
    own = passage.keys[clause.first : clause.last]
    for at, size in mentions(topic, own):
        first = clause.first + at
        amid = answer[0] < first and first + size <= answer[1] and at > _SUBJECT
        whole = anywhere and size == len(topic.keys)
        if passage.language == "zh" and amid and not whole:
            continue
        if passage.language == "en" and topic.name and not _is_capital(passage, first):
            continue
        return True
    return False


def mentions(topic: Topic, own: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Places of the topic, or of a part that tells it from others, longest first."""
    name = topic.keys
    telling = len(name) - topic.tail
    least = 1 if len(name) == 1 or any(len(key) > 1 for key in name) else 2
    for size in range(len(name), least - 1, -1):
        for begin in range(min(telling, len(name) - size + 1)):
            part = name[begin : begin + size]
            if size == 1 and len(part[0]) < 2:
                continue
            for at in range(len(own) - size + 1):
                if tuple(own[at : at + size]) == part:
                    yield at, size


def tail_of(topic: Topic, own: Sequence[str]) -> str:
    """The common noun that a name ends in, where a stretch has that alone."""
    tail = topic.keys[len(topic.keys) - topic.tail :] if topic.tail else ()
    there = any(tuple(own[at : at + len(tail)]) == tail for at in range(len(own)))
    return "".join(tail) if tail and there else ""


def _is_capital(passage: Reading, token: int) -> bool:
    return passage.text[passage.tokens[token].start].isupper()

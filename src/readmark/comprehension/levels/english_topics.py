"""The topic of an English question: a name by its capital, else the first word of content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readmark.comprehension.levels.passages import PassageReading
from readmark.comprehension.levels.tokens import PassageToken, joined, keys
from readmark.comprehension.levels.topics import QuestionTopic
from readmark.core.records import Offsets

_ARTICLES = frozenset({"the", "a", "an"})
_PLACING = frozenset(
    {"in", "at", "on", "before", "after", "during", "around", "near", "outside", "within", "until"}
)


def english_topics(
    text: str,
    tokens: Sequence[PassageToken],
    phrases: Sequence[Offsets],
    content: frozenset[int],
    passage: PassageReading,
    title: str,
) -> Iterator[QuestionTopic]:
    """The first name that the passage has, else the first run of words that it has."""
    runs: list[list[int]] = []
    for index in sorted(content):
        if any(start <= tokens[index].start < end for start, end in phrases):
            continue
        last = runs[-1][-1] if runs else -2
        if last == index - 1 and _is_name(text, tokens, last) == _is_name(text, tokens, index):
            runs[-1].append(index)
        else:
            runs.append([index])
    searched = passage.joined + title
    in_passage = [
        run for run in runs if any(joined([tokens[index].key]) in searched for index in run)
    ]
    names = [
        run
        for run in in_passage
        if _is_name(text, tokens, run[0]) and not _is_in_scene(tokens, run[0])
    ]
    for run in (names or in_passage)[:1]:
        topic = [tokens[index] for index in run]
        is_name = run in names
        spelt = text[topic[0].start : topic[-1].end]
        yield QuestionTopic(tuple(keys(topic)), spelt, strong=is_name, name=is_name)


def _is_in_scene(tokens: Sequence[PassageToken], index: int) -> bool:
    """Whether a name says where or when ("in Oslo", "before the Fire") and not of what."""
    before = [token.key for token in tokens[max(0, index - 2) : index]]
    while before and before[-1] in _ARTICLES:
        before.pop()
    return bool(before) and before[-1] in _PLACING


def _is_name(text: str, tokens: Sequence[PassageToken], index: int) -> bool:
    """Whether a word is written as a name: a capital that does not begin the question."""
    return index > 0 and text[tokens[index].start].isupper()

"""The topic of an English question: a name by its capital, else the first word of content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readmark.corpus.values import Offsets
from readmark.setting.levels.passages import Reading, joined
from readmark.setting.levels.tokens import Token, keys
from readmark.setting.levels.topics import Topic

_ARTICLES = frozenset({"the", "a", "an"})
_PLACING = frozenset(
    {"in", "at", "on", "before", "after", "during", "around", "near", "outside", "within", "until"}
)


def english_topics(
    text: str,
    tokens: Sequence[Token],
    phrases: Sequence[Offsets],
    content: frozenset[int],
    passage: Reading,
    title: str,
) -> Iterator[Topic]:
    """The first name that the passage has, else the first run of words that it has."""
    runs: list[list[int]] = []
    for at in sorted(content):
        if any(start <= tokens[at].start < end for start, end in phrases):
            continue
        last = runs[-1][-1] if runs else -2
        if last == at - 1 and _is_name(text, tokens, last) == _is_name(text, tokens, at):
            runs[-1].append(at)
        else:
            runs.append([at])
    there = passage.joined + title
    known = [run for run in runs if any(joined([tokens[at].key]) in there for at in run)]
    names = [run for run in known if _is_name(text, tokens, run[0])]
    talked_of = [run for run in names if not _in_scene(tokens, run[0])]
    for run in (talked_of or known)[:1]:
        own = [tokens[at] for at in run]
        name = run in talked_of
        spelt = text[own[0].start : own[-1].end]
        yield Topic(tuple(keys(own)), spelt, strong=name, name=name)


def _in_scene(tokens: Sequence[Token], at: int) -> bool:
    """Whether a name says where or when ("in Oslo", "before the Fire") and not of what."""
    before = [token.key for token in tokens[max(0, at - 2) : at]]
    while before and before[-1] in _ARTICLES:
        before.pop()
    return bool(before) and before[-1] in _PLACING


def _is_name(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a word is written as a name: a capital that does not begin the question."""
    return at > 0 and text[tokens[at].start].isupper()

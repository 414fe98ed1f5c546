"""A passage taken apart for judging its questions: sentences, statements, tokens, tagged words."""

from __future__ import annotations

import functools
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.comprehension.levels.statements import PassageStatement, StatementCutter, is_verb
from readmark.comprehension.levels.tokens import (
    PassageToken,
    folded,
    glosses,
    joined,
    keys,
    stretch_around,
    tokens,
)
from readmark.core.records import Offsets
from readmark.text.segmenter import Tagged, segmenter
from readmark.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class PassageReading:
    """A passage as its questions are judged by."""

    text: str
    language: str
    sentences: tuple[Offsets, ...]
    tokens: tuple[PassageToken, ...]
    keys: tuple[str, ...]
    statements: tuple[PassageStatement, ...]
    joined: str
    """The keys in one string, clause by clause, to look runs of them up in."""
    source: str = ""
    """The text as given, to quote from; ``text`` is folded."""
    words: tuple[Tagged, ...] = ()
    """The tagged words of a Chinese text."""
    glosses: tuple[Offsets, ...] = ()
    """The brackets whose words are no tokens."""

    def quote(self, start: int, end: int) -> str:
        """A stretch as the passage spells it, without white space and marks at its ends."""
        return self.source[start:end].strip(" ，,。；;：:\n")

    def words_in(self, start: int, end: int) -> tuple[Tagged, ...]:
        """The tagged words that begin in a stretch."""
        first = bisect_left(self.words, start, key=lambda word: word[0])
        return self.words[first : bisect_left(self.words, end, key=lambda word: word[0])]

    def predicate(self, start: int, end: int) -> Tagged | None:
        """The first verb of a stretch of Chinese."""
        return next((word for word in self.words_in(start, end) if is_verb(word[2])), None)

    def has(self, run: Sequence[str]) -> bool:
        """Whether a run of keys occurs in the passage."""
        return joined(run) in self.joined

    def statements_in(self, first: int, last: int) -> list[PassageStatement]:
        """The statements that share tokens with a range of them."""
        index = bisect_right(self.statements, first, key=lambda statement: statement.first) - 1
        overlapping = []
        for statement in self.statements[max(0, index) :]:
            if statement.first >= last:
                break
            if statement.last > first:
                overlapping.append(statement)
        return overlapping

    def tokens_in(self, start: int, end: int) -> tuple[int, int]:
        """The range of tokens in a stretch of the text."""
        first = bisect_left(self.tokens, start, key=lambda token: token.end - 1)
        last = bisect_left(self.tokens, end, key=lambda token: token.start)
        return first, max(first, last)


@functools.lru_cache(maxsize=64)  # the questions on a passage come one after another
def reading(text: str, language: str, answers: tuple[Offsets, ...] = ()) -> PassageReading:
    """Take a passage apart; ``answers`` are spans in glosses, whose words are needed."""
    plain = folded(text, language)
    brackets = glosses(plain)
    needed = {stretch_around(brackets, *span) for span in answers}
    left_out = [span for span in brackets if span not in needed]
    passage_tokens = tuple(tokens(plain, language, without=left_out))
    passage_keys = tuple(keys(passage_tokens))
    passage_sentences = tuple(sentences(text, language))
    words = tagged(plain) if language == "zh" else []
    cutter = StatementCutter(plain, language, passage_tokens, words, left_out)
    statements = tuple(cutter.statements(passage_sentences))
    by_clause = "\n".join(
        joined(passage_keys[clause.first : clause.last])
        for statement in statements
        for clause in statement.clauses
    )
    return PassageReading(
        plain,
        language,
        passage_sentences,
        passage_tokens,
        passage_keys,
        statements,
        by_clause,
        source=text,
        words=tuple(words),
        glosses=tuple(left_out),
    )


def lowered(text: str, passage: PassageReading) -> str:
    """A text as cues are looked up in it: English in small letters."""
    return text if passage.language == "zh" else text.lower()


def tagged(text: str) -> list[Tagged]:
    """The words of a folded Chinese text with their tags."""
    return segmenter().tagged(text)

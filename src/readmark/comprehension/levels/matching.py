"""Level 1: the question with its answer in place of the question phrase occurs in the passage.

A few closed-class words may differ. The match is an alignment: the words before the question
phrase end just before the answer, those after it begin just after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.comprehension.levels.questions import LevelQuestion

MOST_EDITS = 3
"""Closed-class words that may differ."""
_TOO_MANY = MOST_EDITS + 1
_BEYOND = 2
"""Tokens between question phrase and answer, if the answer is shorter than what is said."""
_AUXILIARY = re.compile(
    "do|does|did|is|are|was|were|has|have|had|can|could|will|would|shall|should|may|might|must"
)
_DEEDS = frozenset("做干")


@dataclass(frozen=True, slots=True)
class FilledQuestion:
    """What comes before and after the answer, and the noun that it stands for."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    noun: tuple[str, ...] = ()


def fillings(question: LevelQuestion, language: str) -> Iterator[FilledQuestion]:
    """The ways to put an answer in the place of the question phrase."""
    if not question.phrases:
        yield FilledQuestion(tuple(question.keys), ())
        return
    for start, end in question.phrases:
        before = tuple(token.key for token in question.tokens if token.end <= start)
        after = tuple(token.key for token in question.tokens if token.start >= end)
        noun = tuple(
            token.key for token in question.tokens if question.phrase[1] <= token.start < end
        )
        yield FilledQuestion(before, after, noun)
        if before and before[-1] in _DEEDS and question.text[start:end] == "什么":
            yield FilledQuestion(before[:-1], after, noun)  # 用来做什么 asks for a verb
        if language == "en" and after and _AUXILIARY.fullmatch(after[0]):
            # Where did the ferry go: without did, any part of the rest may precede the answer.
            for cut in range(2, len(after) + 1):
                yield FilledQuestion(after[1:cut], after[cut:], noun)


def edits(
    before: Sequence[str],
    after: Sequence[str],
    text: Sequence[str],
    answer: tuple[int, int],
    closed: frozenset[str],
    *,
    noun: Sequence[str] = (),
) -> int | None:
    """The fewest closed-class edits with which the passage has ``before … answer … after``.

    ``answer`` is a range of tokens of ``text``, ``noun`` the noun of the question phrase, which may
    be next to the answer. None if it takes more than three edits, or if the question says next to
    nothing but closed-class words.
    """
    if sum(token not in closed for token in (*before, *after)) < 2:
        return None
    beyond = 0 if before and after else _BEYOND
    # Only the surroundings of the answer can match: the alignment is quadratic.
    reach = max(beyond, len(noun)) + _TOO_MANY
    begin = max(0, answer[0] - len(before) - reach)
    end = min(len(text), answer[1] + len(after) + reach)
    window = list(text[begin:end])
    in_window = answer[0] - begin, answer[1] - begin
    mirrored = len(window) - in_window[1], len(window) - in_window[0]
    lefts = list(_ends(before, window, in_window, closed, noun, beyond, alone=not after))
    rights = list(_ends(after[::-1], window[::-1], mirrored, closed, noun, beyond, exact=True))
    costs = (
        left_cost + right_cost
        for left_end, left_cost in lefts
        for right_end, right_cost in rights
        if not before or not after or left_end < len(window) - right_end
    )
    fewest = min(costs, default=_TOO_MANY)
    return fewest if fewest <= MOST_EDITS else None


def _ends(
    pattern: Sequence[str],
    text: Sequence[str],
    answer: tuple[int, int],
    closed: frozenset[str],
    noun: Sequence[str],
    beyond: int,
    *,
    alone: bool = False,
    exact: bool = False,
) -> Iterator[tuple[int, int]]:
    """Where the words on one side of the question phrase may end, and with how many edits.

    An answer may repeat them. With ``alone`` it may be nothing else (a question for yes or no);
    with ``exact`` the word next to the phrase must then be the same ("什么是X" is not "…叫做X").
    """
    if not pattern:
        yield 0, 0
        return
    first, last = answer
    for end, (cost, start) in enumerate(_alignments(pattern, text, closed)):
        if cost > MOST_EDITS:
            continue
        ends_alike = end > 0 and text[end - 1] == pattern[-1]
        if end <= first:
            between = text[end:first]
            is_only_noun = all(token in noun for token in between)
            fits = is_only_noun or (len(between) <= beyond and ends_alike)
        else:
            fits = end < last + alone and start <= first + 1
            fits = fits and (not exact or start < first or ends_alike)
        if fits:
            yield end, cost


def _alignments(
    pattern: Sequence[str], text: Sequence[str], closed: frozenset[str]
) -> list[tuple[int, int]]:
    """For every place in a text, the edits of an alignment that ends there and where it began.

    The pattern is aligned with the text as in an edit distance, but may begin anywhere, and only
    closed-class words can be added, dropped or swapped.
    """
    row = [(0, place) for place in range(len(text) + 1)]
    for token in pattern:
        can_be_dropped = token in closed
        above = row
        row = [(min(above[0][0] + 1, _TOO_MANY) if can_be_dropped else _TOO_MANY, 0)]
        for place, text_token in enumerate(text):
            if token == text_token:
                row.append(above[place])
                continue
            best = _TOO_MANY, place
            if can_be_dropped:
                best = min(best, _with_one_edit(above[place + 1]))
            if text_token in closed:
                best = min(best, _with_one_edit(row[place]))
                if can_be_dropped:
                    best = min(best, _with_one_edit(above[place]))
            row.append(best)
    return row


def _with_one_edit(end: tuple[int, int]) -> tuple[int, int]:
    return min(end[0] + 1, _TOO_MANY), end[1]

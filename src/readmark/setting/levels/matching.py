"""Level 1: the question with its answer in place of the question phrase stands in the passage.

Spaces, punctuation and glosses are no tokens; of closed-class tokens at most three may be added,
dropped or swapped ("SMART", section 3.2; the number is ours).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MOST_EDITS = 3
_BEYOND = 2
"""Tokens between question phrase and answer where the answer is shorter than what is said."""
_TOO_MANY = MOST_EDITS + 1

Keys = Sequence[str]
Ends = list[tuple[int, int]]
"""For every place in a text, the edits of an alignment that ends there and where it began."""


def edits(
    before: Keys,
    after: Keys,
    text: Keys,
    answer: tuple[int, int],
    closed: frozenset[str],
    *,
    noun: Keys = (),
) -> int | None:
    """The fewest closed-class edits with which the passage has ``before … answer … after``.

    ``answer`` is a range of tokens of ``text``, ``noun`` the noun of the question phrase, which may
    stand beside the answer. None when it takes more than three edits, or when the question says
    next to nothing but closed-class words.
    """
    if sum(token not in closed for token in (*before, *after)) < 2:
        return None
    beside = 0 if before and after else _BEYOND
    reach = max(beside, len(noun)) + _TOO_MANY
    begin = max(0, answer[0] - len(before) - reach)
    end = min(len(text), answer[1] + len(after) + reach)
    window = list(text[begin:end])
    here = answer[0] - begin, answer[1] - begin
    mirrored = len(window) - here[1], len(window) - here[0]
    lefts = list(_ends(before, window, here, closed, noun, beside, alone=not after))
    rights = list(_ends(after[::-1], window[::-1], mirrored, closed, noun, beside, exact=True))
    costs = (
        cost + more
        for left, cost in lefts
        for back, more in rights
        if not before or not after or left < len(window) - back
    )
    fewest = min(costs, default=_TOO_MANY)
    return fewest if fewest <= MOST_EDITS else None


def _ends(
    pattern: Keys,
    text: Keys,
    answer: tuple[int, int],
    closed: frozenset[str],
    noun: Keys,
    beside: int,
    *,
    alone: bool = False,
    exact: bool = False,
) -> Iterator[tuple[int, int]]:
    """Where the words on one side of the question phrase may end, and with how many edits.

    An answer may repeat them. With ``alone`` it may be nothing else (a question for yes or no);
    with ``exact`` the word beside the phrase must then be the same ("什么是X" is not "…叫做X").
    """
    if not pattern:
        yield 0, 0
        return
    first, last = answer
    for place, (cost, began) in enumerate(_aligned(pattern, text, closed)):
        if cost > MOST_EDITS:
            continue
        between = text[place:first]
        if place <= first:
            fits = all(token in noun for token in between) or (
                len(between) <= beside and place > 0 and text[place - 1] == pattern[-1]
            )
        else:
            fits = place < last + alone and began <= first + 1
            fits = fits and (not exact or began < first or text[place - 1] == pattern[-1])
        if fits:
            yield place, cost


def _aligned(pattern: Keys, text: Keys, closed: frozenset[str]) -> Ends:
    """The pattern aligned with the text, beginning anywhere: edits and beginning for every end."""
    row: Ends = [(0, place) for place in range(len(text) + 1)]
    for token in pattern:
        loose = token in closed
        above = row
        row = [(min(above[0][0] + 1, _TOO_MANY) if loose else _TOO_MANY, 0)]
        for place, other in enumerate(text):
            if token == other:
                row.append(above[place])
                continue
            best = _TOO_MANY, place
            if loose:
                best = min(best, _one_more(above[place + 1]))
            if other in closed:
                best = min(best, _one_more(row[place]))
                if loose:
                    best = min(best, _one_more(above[place]))
            row.append(best)
    return row


def _one_more(end: tuple[int, int]) -> tuple[int, int]:
    return min(end[0] + 1, _TOO_MANY), end[1]

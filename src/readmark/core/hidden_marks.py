"""How little marks of hidden splits tell of single units: they are rounded, and answers are short.

Whoever writes answers chooses how much each is worth if it is right: of F1, an answer among so many
other words is worth half, a quarter, an eighth. With every digit of the mean, one submission would
show which of many guesses are right. Rounded to one unit, the mean tells little more than how many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from readmark.core.errors import DataError
from readmark.core.sitting import Row

SIDES = ("score", "low", "high")
"""The numbers of a mark."""
FINEST = 1e-4
"""The least step, as a share of the scale: two decimals of a mark up to 100."""
LONGEST_ANSWER = 2000
"""Characters of an answer to a unit of a hidden split."""


def on_grid(value: float | None, *, units: int, scale: float) -> float | None:
    """A mark rounded to one unit, or to two decimals of 100 where that is coarser."""
    if value is None or not units:
        return None
    steps = min(units, round(1 / FINEST))
    return round(value * steps / scale) * scale / steps


def rounded_mark(mark: Mapping[str, Any], units: int) -> dict[str, Any]:
    """A mark of a hidden split with its interval, as it may be shown."""
    sides = {side: on_grid(mark[side], units=units, scale=mark["scale"]) for side in SIDES}
    return {**mark, **sides}


def rounded_ratio(ratio: Mapping[str, Any], units: int, scale: float) -> dict[str, Any]:
    """A machine's mark against people's on a hidden split: both rounded, their ratio too."""
    sides = {side: on_grid(ratio[side], units=units, scale=scale) for side in ("machine", "people")}
    ratios = ((name, ratio[name]) for name in ("ratio", "low", "high"))
    return {**ratio, **sides, **{name: each and round(each, 2) for name, each in ratios}}


def rounded_p(p: float | None) -> float | None:
    """A p-value on a hidden split: two decimals, three below 0.01, and no less than 0.001."""
    if p is None:
        return None
    return round(p, 2) if p >= 0.01 else max(round(p, 3), 0.001)


def require_short_answers(rows: Iterable[Row]) -> None:
    """Refuse answers to units of hidden splits that are longer than anybody needs."""
    for row in rows:
        longest = max(map(len, _texts(row)), default=0)
        if longest > LONGEST_ANSWER:
            raise DataError(
                f"the answer to {row.id} has {longest:,} characters, expected {LONGEST_ANSWER:,} "
                "at most on a hidden split"
            )


def _texts(row: Row) -> Iterator[str]:
    """The texts that a row is marked by."""
    if isinstance(row.answer, str):
        yield row.answer
    for answer in row.answer if isinstance(row.answer, list) else ():
        if isinstance(answer, Mapping):
            # One without "values" is in the short form: all of it is values.
            is_whole = "values" in answer
            yield from _strings([answer["values"], answer.get("mentions")] if is_whole else answer)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _strings([*value.values()])
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _strings(each)

"""The classic formulas as ratings: a monotone line through what each says of three levels.

The table that ships has the mean of each formula over the passages of each level of
OneStopEnglish; between the means and beyond them the line goes on straight, and the ends of the
scale are soft. The Chinese index has no levelled texts: its line is a convention, uncalibrated.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from importlib.resources import files
from statistics import fmean

import msgspec

from readmark.models.rating.scale import LEVELS, squashed, unsquashed
from readmark.text.readability.chinese import ChineseReadability
from readmark.text.readability.english import EnglishReadability

FORMULAS = ("flesch", "flesch_kincaid", "fog", "smog", "ari", "coleman_liau", "dale_chall")
CHINESE = "zh_index"
"""What the Chinese measure is called as a formula."""
ORDINARY, A_POINT = 100.0, 25.0
"""The Chinese index of a rating of 3, and how much of it makes a point."""
UNCALIBRATED = "uncalibrated: no Chinese ratings were there to fit it to"

Anchors = tuple[tuple[float, float], ...]
"""Formula and unbounded rating, the lowest formula first."""


def rate_english(found: EnglishReadability, formula: str) -> float:
    """The rating that a formula stands for."""
    return squashed(_on_line(getattr(found, formula), anchors()[formula]))


def rate_chinese(found: ChineseReadability) -> float:
    """The rating that the Chinese index is taken for; uncalibrated."""
    return squashed(3.0 - (found.index - ORDINARY) / A_POINT)


def fit_formulas(found: Sequence[EnglishReadability | None], levels: Sequence[str]) -> str:
    """The table of anchors as JSON: means by level, made monotone by pooling."""
    table = {}
    for formula in FORMULAS:
        points = []
        for level, rating in LEVELS.items():
            values = [
                getattr(one, formula)
                for one, own in zip(found, levels, strict=True)
                if own == level and one is not None
            ]
            points.append((fmean(values), unsquashed(rating)))
        table[formula] = _monotone(sorted(points))
    short = {name: [[round(x, 4), round(y, 4)] for x, y in one] for name, one in table.items()}
    return msgspec.json.format(msgspec.json.encode(short), indent=1).decode() + "\n"


@functools.cache
def anchors() -> dict[str, Anchors]:
    """The table that ships."""
    data = files("readmark.models.rating").joinpath("data", "formulas.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, Anchors])


def _on_line(value: float, points: Anchors) -> float:
    """The line through the points; its first and last stretch go on."""
    at = 0
    while at < len(points) - 2 and value > points[at + 1][0]:
        at += 1
    (x0, y0), (x1, y1) = points[at], points[at + 1]
    return y0 + (value - x0) * (y1 - y0) / (x1 - x0)


def _monotone(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points whose ratings run one way; a middle one that does not is left out."""
    falling = points[-1][1] < points[0][1]
    kept = [points[0]]
    for point in points[1:-1]:
        last, end = kept[-1][1], points[-1][1]
        if (last > point[1] > end) if falling else (last < point[1] < end):
            kept.append(point)
    return [*kept, points[-1]]

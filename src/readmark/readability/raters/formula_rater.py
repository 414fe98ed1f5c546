"""The candidate ``formula``: classic formulas as ratings, by a line through three levels.

The table that ships has the mean of each formula over the passages of each level of
OneStopEnglish. Between the means and beyond them the line goes on straight, and the ends of the
scale are soft. Chinese has no levelled texts: its line gives passages the mean and the spread that
the English rater gives to the same passages in English.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import msgspec

from readmark.core.error_rows import one_by_one
from readmark.core.errors import DataError, UsageError
from readmark.core.language import primary
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.readability.formulas.by_language import LANGUAGES, readability, signature
from readmark.readability.formulas.chinese import ChineseReadability
from readmark.readability.formulas.english import EnglishReadability
from readmark.readability.raters.ratable import unratable, without_words
from readmark.readability.raters.spelling import as_read
from readmark.readability.scale import MIDDLE, squashed

FORMULAS = ("flesch", "flesch_kincaid", "fog", "smog", "ari", "coleman_liau", "dale_chall")
CHINESE_FORMULA = "zh_index"
ORDINARY, A_POINT = 70.0, 34.0
"""The Chinese index of a rating of 3, and of one point: by ``benchmarks/rating_chinese.py``."""
CHINESE_SCALE = (
    "aligned with the English ratings of the same passages in English (XQuAD); "
    "no person's ratings of Chinese"
)
"""What Chinese ratings rest on, those by features too."""

Anchors = tuple[tuple[float, float], ...]
"""Formula and unbounded rating, the lowest formula first."""


def rate_english(scores: EnglishReadability, formula: str) -> float:
    """The rating that a formula's value corresponds to."""
    return squashed(_on_line(getattr(scores, formula), anchors()[formula]))


def rate_chinese(scores: ChineseReadability) -> float:
    """The rating that the Chinese index corresponds to."""
    return squashed(MIDDLE - (scores.index - ORDINARY) / A_POINT)


@functools.cache
def anchors() -> dict[str, Anchors]:
    """The table that ships."""
    data = files("readmark.readability.raters").joinpath("data", "formulas.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, Anchors])


def _on_line(value: float, points: Anchors) -> float:
    """The line through the points; its first and last segments continue."""
    index = 0
    while index < len(points) - 2 and value > points[index + 1][0]:
        index += 1
    (x0, y0), (x1, y1) = points[index], points[index + 1]
    return y0 + (value - x0) * (y1 - y0) / (x1 - x0)


@dataclass
class Formula:
    """Rates by one formula; in Chinese by the Chinese index."""

    name: str = parameter(
        "auto",
        help="which formula; by default flesch in English and Readmark's index in Chinese",
        choices=("auto", *FORMULAS, CHINESE_FORMULA),
    )
    _language: str = field(default="en", init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        code = primary(language)
        if code not in LANGUAGES:
            raise UsageError(f"formula rates English and Chinese, not {language!r}")
        if self.name != "auto" and (self.name == CHINESE_FORMULA) != (code == "zh"):
            raise UsageError(f"formula {self.name} is not for {code}; leave the name out")
        self._language = code

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._rated)

    def signature(self) -> Mapping[str, Any]:
        rules = signature(self._language)
        if self._language == "zh":
            return {"formula": CHINESE_FORMULA, "scale": CHINESE_SCALE, **rules}
        line = " ".join(f"{x:g}:{y:g}" for x, y in anchors()[self._formula])
        return {"formula": self._formula, "scale": f"OneStopEnglish levels {line}", **rules}

    @property
    def _formula(self) -> str:
        return "flesch" if self.name == "auto" else self.name

    def _rated(self, unit: Unit) -> Row:
        text = unit.item.text
        reason = unratable(text, self._language)
        if reason is not None:
            raise DataError(reason)
        if self._language == "en":
            text = as_read(text)
        measures = readability(text, self._language)
        if measures is None:
            raise DataError(without_words(self._language))
        if isinstance(measures, ChineseReadability):
            rating, formula, value = rate_chinese(measures), CHINESE_FORMULA, measures.index
        else:
            rating, formula = rate_english(measures, self._formula), self._formula
            value = getattr(measures, formula)
        evidence: dict[str, Any] = {"formula": formula, "value": round(value, 4)}
        if self._language == "zh":
            evidence["note"] = CHINESE_SCALE
        return Row(id=unit.id, answer=round(rating, 4), evidence=evidence)

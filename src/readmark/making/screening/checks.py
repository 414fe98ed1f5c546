"""The checks by name: what each is for, its thresholds, and the languages that it fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from readmark.making.screening.character_checks import (
    classical,
    length,
    non_chinese,
    non_latin,
    symbols,
)
from readmark.making.screening.findings import CheckFinding, ScreenedText
from readmark.making.screening.holes import english_holes, holes
from readmark.making.screening.list_check import list_like
from readmark.making.screening.word_checks import english_terms, terms, topic

Measure = Callable[[ScreenedText, Mapping[str, float]], CheckFinding]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a threshold may be, in words and as a test."""

    expected: str
    allows: Callable[[float], bool]


SHARE = Bounds("a share, 0 to 1", lambda value: 0 <= value <= 1)
COUNT = Bounds("a whole number from 0", lambda value: value == int(value) >= 0)
AMOUNT = Bounds("0 or more", lambda value: value >= 0)
SCORE = Bounds("a number", lambda value: True)
RESEMBLANCE = Bounds("more than 0, at most 1", lambda value: 0 < value <= 1)
SIZE = Bounds("a whole number from 1", lambda value: value == int(value) >= 1)
NEAR_DUPLICATES = "near_duplicates"


@dataclass(frozen=True, slots=True)
class Check:
    """One check; ``measures`` has its function for each language."""

    name: str
    thresholds: Mapping[str, Bounds]
    measures: Mapping[str, Measure]
    characters_only: bool = True


def _compared_later(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Near-duplicates are found among passages, after the other checks."""
    return CheckFinding(value=None, threshold=settings["resemblance"], verdict="keep")


def _both_languages(measure: Measure) -> dict[str, Measure]:
    return {"zh": measure, "en": measure}


CHECKS = {
    check.name: check
    for check in (
        Check("non_chinese", {"most": SHARE}, {"zh": non_chinese}),
        Check("non_latin", {"most": SHARE}, {"en": non_latin}),
        Check("symbols", {"most": SHARE, "leftover": AMOUNT}, _both_languages(symbols)),
        Check(
            "holes",
            {"most": COUNT},
            {"zh": holes, "en": english_holes},
        ),
        Check("list_like", {"most": SHARE, "short": COUNT}, _both_languages(list_like)),
        Check(
            "terms",
            {"most": SHARE},
            {"zh": terms, "en": english_terms},
            characters_only=False,
        ),
        Check(
            "topic",
            {"most": SHARE, "words": COUNT},
            {"zh": topic},
            characters_only=False,
        ),
        Check("classical", {"most": SCORE}, {"zh": classical}),
        Check("length", {"least": COUNT, "most": COUNT}, _both_languages(length)),
        Check(
            NEAR_DUPLICATES,
            {"resemblance": RESEMBLANCE, "shingle": SIZE},
            _both_languages(_compared_later),
        ),
    )
}
LANGUAGES = ("zh", "en")

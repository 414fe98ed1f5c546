"""The checks by name: what each is for, its thresholds, and the languages that it fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from readmark.setting.screening import Finding, Reading, by_characters, by_lines, by_words

Measure = Callable[[Reading, Mapping[str, float]], Finding]


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


def _not_alone(reading: Reading, settings: Mapping[str, float]) -> Finding:
    """Near-duplicates are found among passages, after the other checks."""
    return Finding(value=None, threshold=settings["resemblance"], verdict="keep")


def _both(measure: Measure) -> dict[str, Measure]:
    return {"zh": measure, "en": measure}


CHECKS = {
    check.name: check
    for check in (
        Check("non_chinese", {"most": SHARE}, {"zh": by_characters.non_chinese}),
        Check("non_latin", {"most": SHARE}, {"en": by_characters.non_latin}),
        Check("symbols", {"most": SHARE, "leftover": AMOUNT}, _both(by_characters.symbols)),
        Check(
            "holes",
            {"most": COUNT},
            {"zh": by_characters.holes, "en": by_characters.english_holes},
        ),
        Check("list_like", {"most": SHARE, "short": COUNT}, _both(by_lines.list_like)),
        Check(
            "terms",
            {"most": SHARE},
            {"zh": by_words.terms, "en": by_words.english_terms},
            characters_only=False,
        ),
        Check(
            "topic",
            {"most": SHARE, "words": COUNT},
            {"zh": by_words.topic},
            characters_only=False,
        ),
        Check("classical", {"most": SCORE}, {"zh": by_characters.classical}),
        Check("length", {"least": COUNT, "most": COUNT}, _both(by_characters.length)),
        Check(NEAR_DUPLICATES, {"resemblance": RESEMBLANCE, "shingle": SIZE}, _both(_not_alone)),
    )
}
LANGUAGES = ("zh", "en")

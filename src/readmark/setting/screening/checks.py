"""The checks by name: what each is for, its thresholds, and the languages that it fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from readmark.setting.screening import Finding, Reading, by_characters, by_lines, by_words

Measure = Callable[[Reading, Mapping[str, float]], Finding]
NEAR_DUPLICATES = "near_duplicates"


@dataclass(frozen=True, slots=True)
class Check:
    """One check; ``measures`` has its function for each language."""

    name: str
    thresholds: tuple[str, ...]
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
        Check("non_chinese", ("most",), {"zh": by_characters.non_chinese}),
        Check("non_latin", ("most",), {"en": by_characters.non_latin}),
        Check("symbols", ("most", "leftover"), _both(by_characters.symbols)),
        Check("list_like", ("most", "short"), _both(by_lines.list_like)),
        Check(
            "terms",
            ("most",),
            {"zh": by_words.terms, "en": by_words.english_terms},
            characters_only=False,
        ),
        Check("topic", ("most", "words"), {"zh": by_words.topic}, characters_only=False),
        Check("classical", ("most",), {"zh": by_characters.classical}),
        Check("length", ("least", "most"), _both(by_characters.length)),
        Check(NEAR_DUPLICATES, ("resemblance", "shingle"), _both(_not_alone)),
    )
}
LANGUAGES = ("zh", "en")

"""Vetting: what rules doubt of a candidate, and the sheet on which people keep or discard it.

In the DARPA Machine Reading evaluation candidates are vetted by hand to exclude inappropriate
passages, such as those that are not in English (section 2.1). Rules only help: a passage that they
doubt is left out until somebody keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from readmark.core.fingerprint import text_id
from readmark.core.language import language_of, primary
from readmark.core.numbers import decimal
from readmark.formats.passage_decisions import Decision, Decisions, majority
from readmark.readability.formulas.foreign import foreign
from readmark.text.near_duplicates import near_duplicates
from readmark.text.words import words

COLUMNS = ("id", "genre", "decision", "reason", "person", "hint", "passage", "version")
FILLED_IN = ("decision", "reason", "person")
"""The columns that people fill in."""
EMPTY = "empty"
_NUMBER = re.compile(r"\d+(?:e\d+)?")
_LANGUAGES = {"en": "English", "zh": "Chinese"}


@dataclass(frozen=True, slots=True)
class PassageLimits:
    """What the rules expect of a passage: its language, and how many words it has."""

    language: str = "en"
    least: int = 50
    most: int = 400
    alike: float = 0.8
    """The resemblance from which two passages are near-duplicates."""


@dataclass(frozen=True, slots=True)
class Vetted:
    """Whether a candidate may be drawn, why not, what rules doubt and what people decided."""

    is_eligible: bool
    reasons: tuple[str, ...]
    hints: Mapping[str, str]
    decisions: tuple[Decision, ...]
    undecided: bool = False
    """People were divided; it is kept until somebody decides."""


def vet(texts: Mapping[str, str], decisions: Decisions, limits: PassageLimits) -> dict[str, Vetted]:
    """Every candidate by id, in the order of the texts; of near-duplicates the first id stays."""
    resembling: dict[str, list[tuple[str, float]]] = {}
    full = {id: text for id, text in sorted(texts.items()) if text.strip()}
    for pair in near_duplicates(lambda: iter(full.items()), threshold=limits.alike):
        resembling.setdefault(pair.second, []).append((pair.first, pair.resemblance))
    vetted: dict[str, Vetted] = {}
    for id, text in sorted(texts.items()):
        hints = doubts(text, limits)
        for other, resemblance in resembling.get(id, ()):
            if vetted[other].is_eligible:  # what is left out itself replaces nothing
                hints["near_duplicate"] = f"resembles {other} by {decimal(resemblance)}"
                break
        vetted[id] = _decide(hints, decisions.on(id, text))
    return {id: vetted[id] for id in texts}


def doubts(text: str, limits: PassageLimits) -> dict[str, str]:
    """What rules doubt of a text by itself, and why."""
    if not text.strip():
        return {EMPTY: "there is no text"}
    hints: dict[str, str] = {}
    language = language_of([text])
    wrong = foreign(text)
    if wrong is None and language != primary(limits.language):
        wrong = f"it looks {_LANGUAGES[language]}"
    if wrong is not None:
        hints["wrong_language"] = wrong
    count = len(words(text, language))
    unit = "characters" if language == "zh" else "words"
    if count < limits.least:
        hints["too_short"] = f"{count} {unit}, expected {limits.least} at least"
    elif count > limits.most:
        hints["too_long"] = f"{count} {unit}, expected {limits.most} at most"
    return hints


def _decide(hints: Mapping[str, str], decisions: tuple[Decision, ...]) -> Vetted:
    """People's majority decides, else the rules; nobody can keep a passage without a text."""
    verdict = majority(decisions)
    if EMPTY in hints or (hints and not decisions):
        return Vetted(False, tuple(_hint_lines(hints)), hints, decisions)
    if verdict == "discard":
        reasons = tuple(
            f"{decision.person}: {decision.reason or 'no reason given'}"
            for decision in decisions
            if decision.decision == "discard"
        )
        return Vetted(False, reasons, hints, decisions)
    # Where people are divided, a rule does not tip the scales.
    return Vetted(True, (), hints, decisions, undecided=bool(decisions) and verdict is None)


def vetting_rows(
    texts: Mapping[str, str], genres: Mapping[str, str], vetted: Mapping[str, Vetted]
) -> Iterator[tuple[str, ...]]:
    """The rows under ``COLUMNS``: candidates that somebody should decide on, by id.

    There is nothing to decide where there is no text, or where people agree on a verdict.
    """
    for id, text in texts.items():
        candidate = vetted[id]
        if EMPTY in candidate.hints or (candidate.decisions and not candidate.undecided):
            continue
        version = text_id(text)
        if _NUMBER.fullmatch(version):  # a spreadsheet would take it for a number
            version = ""
        hint = "; ".join(_hint_lines(candidate.hints))
        yield id, genres[id], "", "", "", hint, text, version


def _hint_lines(hints: Mapping[str, str]) -> Iterator[str]:
    return (f"{name}: {reason}" for name, reason in hints.items())

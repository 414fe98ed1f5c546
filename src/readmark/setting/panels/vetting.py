"""Vetting: what rules doubt of a candidate, and a sheet on which people keep or discard each.

People's decisions go before the rules'. What only a rule doubts is left out until somebody keeps
it; a text that is empty cannot be kept. The files that people fill in are those of ``set screen``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from readmark.corpus.fingerprint import text_id
from readmark.corpus.language import language_of, primary
from readmark.measures.near_duplicates import near_duplicates
from readmark.setting.screening.decisions import Decision, Decisions, majority
from readmark.text.readability.foreign import foreign
from readmark.text.words import words

COLUMNS = ("id", "genre", "decision", "reason", "person", "hint", "passage", "version")
FILLED_IN = ("decision", "reason", "person")
"""The columns that are people's."""
EMPTY = "empty"
_NUMBER = re.compile(r"\d+(?:e\d+)?")
_NAMES = {"en": "English", "zh": "Chinese"}


@dataclass(frozen=True, slots=True)
class Limits:
    """What a passage should be, for the rules: its language, and words at least and at most."""

    language: str = "en"
    least: int = 50
    most: int = 400
    alike: float = 0.8


@dataclass(frozen=True, slots=True)
class Vetted:
    """Whether a candidate is kept, why not, and who said what."""

    kept: bool
    reasons: tuple[str, ...]
    hints: Mapping[str, str]
    decisions: tuple[Decision, ...]
    undecided: bool = False
    """People were divided; it is kept until somebody decides."""


def vet(texts: Mapping[str, str], decisions: Decisions, limits: Limits) -> dict[str, Vetted]:
    """Every candidate by id, in the order of the pool; which of two stays is for ids to tell."""
    alike: dict[str, list[tuple[str, float]]] = {}
    full = {id: text for id, text in sorted(texts.items()) if text.strip()}
    for pair in near_duplicates(lambda: iter(full.items()), threshold=limits.alike):
        alike.setdefault(pair.second, []).append((pair.first, pair.resemblance))
    found: dict[str, Vetted] = {}
    for id, text in sorted(texts.items()):
        hints = doubts(text, limits)
        for other, how in alike.get(id, ()):
            if found[other].kept:  # of two that are alike the first by id stays
                hints["near_duplicate"] = f"resembles {other} by {how:.2f}"
                break
        found[id] = _decided(hints, decisions.on(id, text))
    return {id: found[id] for id in texts}


def doubts(text: str, limits: Limits) -> dict[str, str]:
    """What rules doubt of a text by itself, and why."""
    if not text.strip():
        return {EMPTY: "there is no text"}
    found: dict[str, str] = {}
    wrong = foreign(text)
    told = language_of([text])
    if wrong is None and told != primary(limits.language):
        wrong = f"it looks {_NAMES[told]}"
    if wrong is not None:
        found["wrong_language"] = wrong
    count = len(words(text, told))
    unit = "characters" if told == "zh" else "words"
    if count < limits.least:
        found["too_short"] = f"{count} {unit}, expected {limits.least} at least"
    elif count > limits.most:
        found["too_long"] = f"{count} {unit}, expected {limits.most} at most"
    return found


def _decided(hints: Mapping[str, str], said: tuple[Decision, ...]) -> Vetted:
    verdict = majority(said)
    if EMPTY in hints:
        return Vetted(False, _told(hints), hints, said)
    if verdict == "discard":
        why = tuple(
            f"{one.person}: {one.reason or 'no reason given'}"
            for one in said
            if one.decision == "discard"
        )
        return Vetted(False, why, hints, said)
    if verdict == "keep" or not hints:
        return Vetted(True, (), hints, said, undecided=bool(said) and verdict is None)
    if said:  # divided: a rule that doubts as well has no say
        return Vetted(True, (), hints, said, undecided=True)
    return Vetted(False, _told(hints), hints, said)


def _told(hints: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"{name}: {why}" for name, why in hints.items())


def vetting_rows(
    texts: Mapping[str, str], genres: Mapping[str, str], vetted: Mapping[str, Vetted]
) -> Iterator[tuple[str, ...]]:
    """The rows under ``COLUMNS``: every candidate, what rules doubt, and an empty decision."""
    for id, text in texts.items():
        hint = "; ".join(_told(vetted[id].hints))
        yield id, genres[id], "", "", "", hint, text, _version(text)


def _version(text: str) -> str:
    """Which text was vetted; left out where a spreadsheet would take it for a number."""
    version = text_id(text)
    return "" if _NUMBER.fullmatch(version) else version

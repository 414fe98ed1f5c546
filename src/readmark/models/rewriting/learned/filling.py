"""How a phrase goes into a place of an English question."""

from __future__ import annotations

import re

from readmark.models.rewriting.learned.places import frame, why
from readmark.models.rewriting.learned.values import Phrase, Place
from readmark.models.rewriting.surface import own

_AUXILIARY = re.compile(
    r"(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|may|might)\b", re.I
)


def filled(text: str, place: Place, phrase: Phrase, before: str) -> tuple[int, int, str] | None:
    """The edit that says the phrase in the place, or None where it makes none."""
    if place.how == "frame":
        return _framed(text, place, phrase, before)
    if place.how == "reason":
        return _reason(text, place, before)
    said = phrase.named
    start, end = place.start, place.end
    if place.link == "besides":
        rest = text[:1].lower() + text[1:]
        return 0, len(rest.split(" ", 1)[0]), f"Besides {said}, {rest.split(' ', 1)[0]}"
    if place.how in ("after", "end"):
        return start, end, f" {place.link} {said}" if place.link else f" {said}"
    if place.how == "before":
        return start, end, f"{phrase.text} "
    if place.how == "there":
        return start, end, f"{place.link} {said}"
    if place.how == "one":
        alone = bool(re.search(r"(?:^|\b(?:become|be|is|of|have|get|buy|use)\s)$", text[:start]))
        said = said if alone else phrase.text
    elif place.how == "whose":
        said = f"{own(said, plural=phrase.plural)} {text[start:end].split(None, 1)[-1]}"
    elif place.how == "part":
        if text[:start].rstrip().lower().endswith(("the", "a", "an")) or not phrase.article:
            said = phrase.text
        if said.lower() == text[start:end].lower():
            return None
    elif place.owning:
        said = own(said, plural=phrase.plural)
    if not text[:start].strip() and said[:1].islower():
        said = said[:1].upper() + said[1:]
    return start, end, said


def _framed(text: str, place: Place, phrase: Phrase, before: str) -> tuple[int, int, str] | None:
    """The question before with one phrase changed for the new one."""
    found = frame(text)
    if found is None or phrase.text not in before:
        return None
    new = re.sub(r"^(?:the|an?)\s+", "", found["new"], flags=re.IGNORECASE)
    if new.lower() in before.lower():
        return None
    return 0, len(text), before.replace(phrase.text, new, 1)


def _reason(text: str, place: Place, before: str) -> tuple[int, int, str] | None:
    found = why(text)
    if found is None or not _AUXILIARY.match(before):
        return None
    word = found["word"]
    return 0, len(text), f"{word[:1].upper()}{word[1:]} {before[:1].lower()}{before[1:]}"

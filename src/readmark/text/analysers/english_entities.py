"""Which entity an English noun phrase contains, by the guidelines of the BRCC document.

What the phrase is (its last noun) counts before what else it contains; a duration is TIME, an
age or a frequency NUM. The words are in data/en.toml.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from readmark.text.analysers.tables import endings, table, words

_LABELS: dict[str, str] = table("en")["labels"]
_OCCUPATIONS = words("en", "person", "occupations")
_ENDINGS = endings("en", "person", "occupation_endings")
_NO_OCCUPATIONS = words("en", "person", "no_occupations")
_TITLES = words("en", "person", "titles")
_FEMALE = words("en", "person", "female")
_MALE = words("en", "person", "male")
_TIME_UNITS = words("en", "time", "units")
_TIME_WORDS = words("en", "time", "words")
_TIME_NAMES = words("en", "time", "capitalised")
_SEASONS = words("en", "time", "seasons")
_PLACES = words("en", "location", "kinds")
_SURELY_PLACES = words("en", "location", "sure")
_BODIES = words("en", "organization", "kinds")
_NUMBER_WORDS = words("en", "number", "words")
_UNITS = words("en", "number", "units")
_VAGUE = words("en", "number", "vague")
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_NAMES = ("NNP", "NNPS")


@dataclass(frozen=True, slots=True)
class Word:
    """A token of a phrase: as written, its base, its tag, and the label of its entity or ''."""

    text: str
    lemma: str
    tag: str
    label: str = ""


def entity_type(
    phrase: Sequence[Word], following: str = "", preceding: Sequence[str] = ()
) -> str | None:
    """The type of a phrase's entity, or None; ages need a look at the words around it."""
    named = _LABELS.get(phrase[-1].label)
    if _is_occupation(phrase) or named == "PERSON" or _has_title(phrase):
        return "PERSON"
    last = phrase[-1]
    if last.lemma == "age":
        return None
    if _is_age(phrase, following, preceding) or _is_frequency(phrase):
        return "NUM"
    if last.tag == "NNS" and last.lemma.lower() in _NUMBER_WORDS and named != "TIME":
        return "NUM"  # Millions, whatever the recogniser takes them for
    season = phrase[-1].text.lower() in _SEASONS
    if named != "LOCATION" and (season or any(map(_is_time, phrase))):
        return "TIME"
    compound = last.tag in _NAMES and len(phrase) > 1 and phrase[-2].tag in _NAMES
    if compound and last.text.lower() in _SURELY_PLACES:
        return "LOCATION"
    if named in ("LOCATION", "ORGANIZATION", "TIME"):
        return named
    if compound:
        if last.text.lower() in _PLACES:
            return "LOCATION"
        if last.text.lower() in _BODIES:
            return "ORGANIZATION"
    within = {_LABELS.get(word.label) for word in phrase}
    for type in ("PERSON", "TIME", "LOCATION", "ORGANIZATION"):
        if type in within:
            return type
    return "NUM" if _is_number(phrase) else None


def gender_of(titles: Sequence[str]) -> str | None:
    """What the words before a name say of the person's gender."""
    known = {title.lower().rstrip(".") for title in titles}
    if known & _FEMALE:
        return "female"
    return "male" if known & _MALE else None


def _is_occupation(phrase: Sequence[Word]) -> bool:
    nouns = [word for word in phrase if word.tag in _NOUNS]
    return bool(nouns) and _names_people(nouns[-1])


def _names_people(word: Word) -> bool:
    base = word.lemma.lower()
    if word.tag == "NNS":
        base = base.replace("women", "woman").replace("men", "man")
    if base in _OCCUPATIONS:
        return True
    return (
        word.tag in ("NN", "NNS")
        and base.endswith(_ENDINGS)
        and len(base) > 5
        and base not in _NO_OCCUPATIONS
    )


def _has_title(phrase: Sequence[Word]) -> bool:
    return any(
        first.text.lower().rstrip(".") in _TITLES
        and first.text[:1].isupper()
        and second.tag in _NAMES
        and not second.label.startswith(("GPE", "LOC", "FAC", "ORG"))
        and second.text.lower() not in _PLACES
        for first, second in pairwise(phrase)
    )


def _is_time(word: Word) -> bool:
    if word.text in _TIME_NAMES and word.tag in _NAMES and word.label in ("DATE", "TIME"):
        return True
    lower = word.text.lower()
    if lower in _TIME_WORDS:
        return True
    if word.tag in _NOUNS and word.lemma.lower() in _TIME_UNITS:
        return True
    parts = lower.split("-")
    if len(parts) > 1 and parts[0][:1].isalnum() and not _TIME_UNITS.isdisjoint(parts):
        return "old" not in parts
    return _is_year(word)


def _is_year(word: Word) -> bool:
    text = word.text.removesuffix("s").removesuffix("'").removesuffix("’")
    plural = text != word.text
    if not (text.isascii() and text.isdigit() and len(text) == 4):
        return False
    return (1000 <= int(text) <= 2100) and (
        plural or word.label in ("DATE", "TIME", "CARDINAL", "")
    )


def _is_age(phrase: Sequence[Word], following: str, preceding: Sequence[str]) -> bool:
    before = [word.lower() for word in preceding]
    if before[-2:] == ["age", "of"] or before[-1:] == ["aged"]:
        return any(word.tag == "CD" for word in phrase)
    if following.lower() in ("old", "older", "younger"):
        return any(word.lemma in ("year", "month", "week", "day") for word in phrase)
    texts = [word.text.lower() for word in phrase]
    if any("-old" in text for text in texts):
        return True
    return "old" in texts and "year" in texts and "-" in texts


def _is_frequency(phrase: Sequence[Word]) -> bool:
    at = next((i for i, word in enumerate(phrase) if word.text.lower() == "times"), 0)
    return at > 0 and phrase[at - 1].tag == "CD"


def _is_number(phrase: Sequence[Word]) -> bool:
    if phrase[-1].lemma.lower() in _VAGUE:
        return False
    if any(word.tag in ("$", "#") or word.label in ("MONEY", "PERCENT") for word in phrase):
        return True
    measured = any(word.lemma.lower() in _UNITS for word in phrase)
    for word in phrase:
        lower = word.text.lower()
        if word.tag == "CD" and (measured or lower not in ("one", "1")):
            return True
        if word.tag == "NNS" and word.lemma.lower() in _NUMBER_WORDS:
            return True
    return False

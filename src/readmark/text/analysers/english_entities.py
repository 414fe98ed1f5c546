"""The entity that an English noun phrase contains, and the gender of a name.

The guidelines are in section 4.4 of "Design and Development of a Bilingual Reading Comprehension
Corpus": a phrase has the type of what it contains, and an occupation is a PERSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from readmark.text.analysers.word_tables import table, table_endings, table_words

_LABELS: dict[str, str] = table("en")["labels"]
_OCCUPATIONS = table_words("en", "person", "occupations")
_OCCUPATION_ENDINGS = table_endings("en", "person", "occupation_endings")
_NO_OCCUPATIONS = table_words("en", "person", "no_occupations")
_TITLES = table_words("en", "person", "titles")
_FEMALE = table_words("en", "person", "female")
_MALE = table_words("en", "person", "male")
TIME_UNITS = table_words("en", "time", "units")
_TIME_WORDS = table_words("en", "time", "words")
_TIME_NAMES = table_words("en", "time", "capitalised")
_SEASONS = table_words("en", "time", "seasons")
_PLACES = table_words("en", "location", "kinds")
_SURELY_PLACES = table_words("en", "location", "sure")
_BODIES = table_words("en", "organization", "kinds")
_NUMBER_WORDS = table_words("en", "number", "words")
_UNITS = table_words("en", "number", "units")
_VAGUE = table_words("en", "number", "vague")
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_NAMES = ("NNP", "NNPS")


@dataclass(frozen=True, slots=True)
class PhraseWord:
    """A token of a phrase: as written, its base, its tag, and the label of its entity or ''."""

    text: str
    lemma: str
    tag: str
    label: str = ""


def entity_type(
    phrase: Sequence[PhraseWord], following: str = "", preceding: Sequence[str] = ()
) -> str | None:
    """The type of a phrase's entity, or None; ages need a look at the words around it."""
    last = phrase[-1]
    label = _LABELS.get(last.label)
    if _is_occupation(phrase) or label == "PERSON" or _has_title(phrase):
        return "PERSON"
    if last.lemma == "age":
        return None
    if _is_age(phrase, following, preceding) or _is_frequency(phrase):
        return "NUM"
    if last.tag == "NNS" and last.lemma.lower() in _NUMBER_WORDS and label != "TIME":
        return "NUM"  # Millions, whatever the recogniser takes them for
    is_season = last.text.lower() in _SEASONS
    if label != "LOCATION" and (is_season or any(map(_is_time, phrase))):
        return "TIME"
    is_compound = last.tag in _NAMES and len(phrase) > 1 and phrase[-2].tag in _NAMES
    if is_compound and last.text.lower() in _SURELY_PLACES:
        return "LOCATION"
    if label in ("LOCATION", "ORGANIZATION", "TIME"):
        return label
    if is_compound:
        if last.text.lower() in _PLACES:
            return "LOCATION"
        if last.text.lower() in _BODIES:
            return "ORGANIZATION"
    labels = {_LABELS.get(word.label) for word in phrase}
    for type in ("PERSON", "TIME", "LOCATION", "ORGANIZATION"):
        if type in labels:
            return type
    return "NUM" if _is_number(phrase) else None


def gender_of(titles: Sequence[str]) -> str | None:
    """What the words before a name say of the person's gender."""
    words = {title.lower().rstrip(".") for title in titles}
    if words & _FEMALE:
        return "female"
    return "male" if words & _MALE else None


def _is_occupation(phrase: Sequence[PhraseWord]) -> bool:
    """Whether the head of a phrase names people by what they do."""
    nouns = [word for word in phrase if word.tag in _NOUNS]
    if not nouns:
        return False
    head = nouns[-1]
    base = head.lemma.lower()
    if head.tag == "NNS":
        base = base.replace("women", "woman").replace("men", "man")
    if base in _OCCUPATIONS:
        return True
    return (
        head.tag in ("NN", "NNS")
        and base.endswith(_OCCUPATION_ENDINGS)
        and len(base) > 5
        and base not in _NO_OCCUPATIONS
    )


def _has_title(phrase: Sequence[PhraseWord]) -> bool:
    """Whether a title stands before a name that is not a place's, such as King Street."""
    return any(
        first.text.lower().rstrip(".") in _TITLES
        and first.text[:1].isupper()
        and second.tag in _NAMES
        and not second.label.startswith(("GPE", "LOC", "FAC", "ORG"))
        and second.text.lower() not in _PLACES
        for first, second in pairwise(phrase)
    )


def _is_time(word: PhraseWord) -> bool:
    if word.text in _TIME_NAMES and word.tag in _NAMES and word.label in ("DATE", "TIME"):
        return True  # May is a month, and a name
    lower = word.text.lower()
    if lower in _TIME_WORDS:
        return True
    if word.tag in _NOUNS and word.lemma.lower() in TIME_UNITS:
        return True
    parts = lower.split("-")
    if len(parts) > 1 and parts[0][:1].isalnum() and not TIME_UNITS.isdisjoint(parts):
        return "old" not in parts  # a 30-week course, but a 30-year-old man
    return _is_year(word)


def _is_year(word: PhraseWord) -> bool:
    text = word.text.removesuffix("s").removesuffix("'").removesuffix("’")
    is_decade = text != word.text
    if not (text.isascii() and text.isdigit() and len(text) == 4 and 1000 <= int(text) <= 2100):
        return False
    return is_decade or word.label in ("DATE", "TIME", "CARDINAL", "")


def _is_age(phrase: Sequence[PhraseWord], following: str, preceding: Sequence[str]) -> bool:
    before = [word.lower() for word in preceding]
    if before[-2:] == ["age", "of"] or before[-1:] == ["aged"]:
        return any(word.tag == "CD" for word in phrase)
    if following.lower() in ("old", "older", "younger"):
        return any(word.lemma in ("year", "month", "week", "day") for word in phrase)
    texts = [word.text.lower() for word in phrase]
    if any("-old" in text for text in texts):
        return True
    return "old" in texts and "year" in texts and "-" in texts


def _is_frequency(phrase: Sequence[PhraseWord]) -> bool:
    """Three times."""
    place = next((i for i, word in enumerate(phrase) if word.text.lower() == "times"), 0)
    return place > 0 and phrase[place - 1].tag == "CD"


def _is_number(phrase: Sequence[PhraseWord]) -> bool:
    """Whether a phrase says a specific number, as the guidelines ask."""
    if phrase[-1].lemma.lower() in _VAGUE:
        return False
    if any(word.tag in ("$", "#") or word.label in ("MONEY", "PERCENT") for word in phrase):
        return True
    has_unit = any(word.lemma.lower() in _UNITS for word in phrase)
    for word in phrase:
        if word.tag == "CD" and (has_unit or word.text.lower() not in ("one", "1")):
            return True  # one day says "a"; one mile says how far
        if word.tag == "NNS" and word.lemma.lower() in _NUMBER_WORDS:
            return True
    return False

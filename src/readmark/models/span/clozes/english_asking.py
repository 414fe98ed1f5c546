"""How a name, a number or a phrase of parsed English is asked for."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from readmark.models.span.clozes.values import word_set

KINDS = word_set(
    "university college school company corporation war battle river lake mountain mountains "
    "island islands party church award prize street county empire act ocean sea museum theory "
    "league dynasty army court treaty festival bridge palace castle temple cathedral library "
    "hospital airport station band album novel film newspaper magazine institute academy "
    "agency committee council parliament assembly revolution conference agreement religion"
)
"""Nouns that end the name of one of their kind: the Seine River, the Nobel Prize."""
_COUNTRIES = word_set(
    "Argentina Australia Austria Belgium Brazil Bulgaria Canada Chile China Colombia Cuba Denmark "
    "Egypt England Ethiopia Finland France Germany Greece Hungary Iceland India Indonesia Iran "
    "Iraq Ireland Israel Italy Japan Kenya Korea Mexico Morocco Netherlands Nigeria Norway "
    "Pakistan Peru Poland Portugal Romania Russia Scotland Spain Sweden Switzerland Syria "
    "Thailand Turkey Ukraine Vietnam Wales"
)
_PEOPLE = word_set(
    "king queen president minister leader general author writer poet scientist professor painter "
    "artist composer engineer philosopher historian architect director actor bishop emperor "
    "explorer founder inventor teacher doctor lawyer journalist singer player coach captain"
)
_ENTITY: dict[str, tuple[str, ...]] = {
    "PERSON": ("who", "who", "who", "which person"),
    "NORP": ("what group", "which group", "what people"),
    "FAC": ("what", "what place", "what building"),
    "ORG": ("what organization", "which organization", "what group", "what"),
    "LOC": ("what place", "what area", "what region"),
    "PRODUCT": ("what", "which product"),
    "EVENT": ("what event", "which event"),
    "WORK_OF_ART": ("what work", "what"),
    "LAW": ("what law", "what document"),
    "LANGUAGE": ("what language", "which language"),
    "MONEY": ("how much", "how much money"),
    "PERCENT": ("what percentage", "what percent", "how much"),
    "QUANTITY": ("how much", "what"),
}
_SPELLS = re.compile(r"\b(?:years?|months?|weeks?|days?|hours?|minutes?|decades|centuries)\b")
_YEAR = re.compile(r"(?:1\d|20)\d\d")


def wh_of_name(name: Any, draw: Random) -> str | None:
    """The wh-phrase for a named entity; None where none fits."""
    last = name[-1].text.lower()
    if last in KINDS and len(name) > 1 and name.label_ not in ("PERSON", "DATE"):
        return f"{draw.choice(('what', 'which'))} {last}"
    if name.label_ == "DATE":
        return _time(name, draw)
    if name.label_ == "GPE":
        kind = "country" if name.text in _COUNTRIES else draw.choice(("city", "place", "state"))
        return f"{draw.choice(('what', 'what', 'which'))} {kind}"
    asked = _ENTITY.get(name.label_)
    return draw.choice(asked) if asked else None


def _time(name: Any, draw: Random) -> str | None:
    if _YEAR.fullmatch(name.text):
        return draw.choice(("when", "what year", "which year"))
    if _SPELLS.search(name.text.lower()) and not _YEAR.search(name.text):
        return "how long" if name[0].i and name[0].nbor(-1).lower_ == "for" else None
    if re.search(r"\d|century|Monday|Sunday|June|spring|summer", name.text):
        return draw.choice(("when", "when", "what date" if "," in name.text else "when"))
    return None


def wh_of_phrase(head: Any, words: list[Any], draw: Random) -> tuple[str, bool]:
    """The wh-phrase for a noun phrase, and whether its noun is said in it."""
    noun = head.text.lower()
    if noun in _PEOPLE:
        return "who", False
    if len(words) > 1 and head.pos_ == "NOUN" and draw.random() < 0.4:
        forms = ("what kind of", "what type of", "what", "which")
        return f"{draw.choice(forms)} {noun}", True
    return "what", False

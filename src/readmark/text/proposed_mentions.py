"""Who refers to whom, proposed by rule: each anaphor means the nearest phrase before it that fits.

People correct what is proposed; the guidelines are those of ``mentions``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from readmark.core.records import Layer, Layers, Offsets
from readmark.text.names import NO_NAMES
from readmark.text.script import is_han
from readmark.text.third_persons import is_third_person

RULE = "nearest-2"

_THINGS = {"en": frozenset({"it", "its", "itself"}), "zh": frozenset({"它", "牠"})}
_PLURALS = {
    "en": frozenset({"they", "them", "their", "theirs", "themselves"}),
    "zh": frozenset({"它们", "它們", "牠们", "牠們", "他们", "他們", "她们", "她們"}),
}
_NO_REFERENT = re.compile(  # it is said that, it seems to, it was raining
    r"it(?:['’]s|\s+(?:is|was|seems|seemed|will\s+be|has\s+been|may\s+be|might\s+be))\s+"
    r"(?:(?:\w+\s+){0,3}(?:that|to|who|which|when)\b|(?:not\s+)?(?:rain|snow)ing\b)",
    re.IGNORECASE,
)
_DEFINITE = {
    "en": re.compile(r"(?:the|this|that|these|those)\s+\S", re.IGNORECASE),
    "zh": re.compile(
        r"(?:[这那這][一两兩几幾]?(?:[位个個名只隻条條座本件些种種家所]|)|该|該)(?=..)"
    ),
}
_DEFINITE_PERSON = re.compile(r"[这那這]位")
_PLURAL_NOUN = re.compile(r"(?:[^s\W]s|people|children|men|women)$", re.IGNORECASE)
_HAN_PLURAL = re.compile(r"[们們]$|^[两兩三四五六七八九十几幾]|^(?:许多|許多|一些|很多|不少|各)")
_SINGULAR = frozenset({"a", "an", "this", "that", "one", "each", "every"})


class _Sort(Enum):
    """What sort of phrase an anaphor refers to."""

    PERSON = auto()
    THING = auto()
    SEVERAL = auto()
    SAME_NOUN = auto()
    SAME_NOUN_OR_PERSON = auto()
    """Of a Chinese description with 位, which is said of persons: 这位骑手 may mean a name."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A noun phrase as an anaphor and as an antecedent."""

    span: Offsets
    means: _Sort | None
    """None if it refers to nothing before it."""
    type: str | None
    noun: str
    is_name: bool
    is_plural: bool


def proposed_mentions(text: str, layers: Layers, language: str) -> Layer | None:
    """A mention layer over the noun phrases; none where there are no phrases or entities.

    he and 他 mean the nearest person's name, it and 它 the nearest thing, they and 它们 the nearest
    plural, and a definite description (the rider, 这位骑手) the nearest phrase with its noun.
    """
    np, ne = layers.get("np"), layers.get("ne")
    if np is None or ne is None:
        return None
    types = dict(zip(ne.spans, ne.columns.get("type", ()), strict=False))
    before: list[_Phrase] = []
    antecedents: dict[Offsets, Offsets] = {}
    for span in sorted(np.spans):
        phrase = _phrase(text, span, types.get(span), language)
        for candidate in reversed(before):
            if _may_mean(phrase, candidate):
                antecedents[span] = candidate.span
                break
        before.append(phrase)
    numbers = {span: number for number, span in enumerate(sorted(set(antecedents.values())), 1)}
    spans = tuple(sorted({*antecedents, *numbers}))
    return Layer(
        spans=spans,
        source=f"readmark-{language}-{RULE}",
        columns={
            "id": tuple(numbers.get(span) for span in spans),
            "ref": tuple(
                numbers[antecedents[span]] if span in antecedents else None for span in spans
            ),
        },
    )


def _phrase(text: str, span: Offsets, type: str | None, language: str) -> _Phrase:
    words = text[slice(*span)]
    means = _meaning(text, span, type, language)
    if language == "zh":
        noun = _DEFINITE["zh"].sub("", words, count=1)
        is_plural = _HAN_PLURAL.search(words) is not None
        is_name = True
    else:
        tokens = words.lower().split()
        noun = tokens[-1] if tokens else ""
        is_plural = bool(tokens) and tokens[0] not in _SINGULAR
        is_plural = is_plural and (_PLURAL_NOUN.search(noun) is not None or "and" in tokens)
        # A name ends in a capital word; "a retired teacher" is a person and not a name.
        is_name = words.split()[-1][:1].isupper() if tokens else False
    is_name = is_name and type == "PERSON" and means is None
    return _Phrase(span, means, type, noun, is_name, is_plural)


def _meaning(text: str, span: Offsets, type: str | None, language: str) -> _Sort | None:
    words = text[slice(*span)]
    if _begins_with_third_person(words, language):
        return _Sort.PERSON
    first = words if language == "zh" else (words.lower().split() or [""])[0]
    if first in _THINGS[language]:
        return None if _NO_REFERENT.match(text, span[0]) else _Sort.THING
    if first in _PLURALS[language]:
        return _Sort.SEVERAL
    if language == "zh" and type == "PERSON" and _DEFINITE_PERSON.match(words):
        return _Sort.SAME_NOUN_OR_PERSON
    return _Sort.SAME_NOUN if _DEFINITE[language].match(words) else None


def _begins_with_third_person(words: str, language: str) -> bool:
    """he, his wrist, 他, 他的手."""
    if language == "zh":  # 他们 is another word
        return is_third_person(words[:1], "zh") and words[1:2] not in ("们", "們")
    first = words.split()[0] if words.split() else ""
    return is_third_person(first, language)


def _may_mean(anaphor: _Phrase, before: _Phrase) -> bool:
    """Whether an anaphor may refer to a phrase before it."""
    is_antecedent = before.means in (None, _Sort.SAME_NOUN)
    # Equal, or in Chinese what a longer phrase ends in: 风筝 of 一只风筝.
    noun = anaphor.noun
    is_same_noun = before.noun.endswith(noun) if is_han(noun[-1:]) else before.noun == noun
    match anaphor.means:
        case _Sort.PERSON:
            return before.is_name
        case _Sort.THING:
            return (
                before.type not in ("PERSON", "TIME", "NUM")
                and is_antecedent
                and not before.is_plural
                and before.noun not in NO_NAMES
            )
        case _Sort.SEVERAL:
            return before.is_plural and is_antecedent
        case _Sort.SAME_NOUN_OR_PERSON:
            return before.is_name or is_same_noun
        case _Sort.SAME_NOUN:
            return is_antecedent and is_same_noun
        case None:
            return False

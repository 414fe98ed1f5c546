"""Anaphors and antecedents: checks of who refers to whom, and whom third persons mean."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.kinds import Finding
from readmark.core.problems import WarningCode
from readmark.core.records import Layer, Layers, Offsets
from readmark.core.spans import clip
from readmark.text.script import is_han

# Noun phrases that may name the same, found without comparing each with every other.


_WORD = re.compile(r"[\w’'‧·-]+")
_NO_NAMES = frozenset(
    {
        *("i", "me", "my", "mine", "you", "your", "yours", "we", "us", "our", "ours"),
        *("he", "him", "his", "she", "her", "hers", "it", "its", "they", "them", "their", "theirs"),
        *("the", "a", "an", "this", "that", "these", "those", "such", "one", "ones"),
        *("who", "which", "whom"),
        *("what", "whose", "some", "any", "all", "both", "each", "every", "other", "another"),
    }
)
"""Words that name nobody: determiners and pronouns."""
SHORTEST_NAME = 2
"""Characters that a Chinese name has at least; 他 and 它 are none."""
LAST = "\U0010ffff"
"""Sorts behind every character of a name."""

EnglishMention = tuple[str, frozenset[str]]
"""The last word, which is the head, and all words."""


class Names:
    """The names of a text's noun phrases.

    Thomas Edison and Thomas Alva Edison may be the same: in English the last words are equal and
    all words of the one are in the other; in Chinese the one ends in the other.
    """

    def __init__(self, text: str, phrases: Sequence[Offsets]) -> None:
        self._spans: dict[EnglishMention | str, list[Offsets]] = {}
        for start, end in phrases:
            name = name_of(text[start:end])
            if name is not None:
                self._spans.setdefault(name, []).append((start, end))
        self._backwards = sorted(name[::-1] for name in self._spans if isinstance(name, str))
        english = [name for name in self._spans if not isinstance(name, str)]
        self._counts = Counter((head, word) for head, words in english for word in words)
        self._with: dict[tuple[str, str], list[EnglishMention]] = {}
        self._told_by: dict[tuple[str, str], list[EnglishMention]] = {}
        for head, words in english:
            for word in words:
                self._with.setdefault((head, word), []).append((head, words))
            self._told_by.setdefault(self._rarest(head, words), []).append((head, words))
        self._places: dict[EnglishMention | str, list[Offsets]] = {}

    def like(self, phrase: str) -> list[Offsets]:
        """Where the noun phrases occur that may name the same as this, in order."""
        name = name_of(phrase)
        if name is None:
            return []
        if name not in self._places:
            alike: set[EnglishMention | str] = set()
            alike.update(self._chinese(name) if isinstance(name, str) else self._english(*name))
            self._places[name] = sorted(span for one in alike for span in self._spans[one])
        return self._places[name]

    def _chinese(self, name: str) -> Iterator[str]:
        for start in range(1, len(name) - SHORTEST_NAME + 1):
            if name[start:] in self._spans:
                yield name[start:]
        backwards = name[::-1]
        first = bisect_left(self._backwards, backwards)
        last = bisect_left(self._backwards, backwards + LAST)
        for backward in self._backwards[first:last]:
            yield backward[::-1]

    def _english(self, head: str, words: frozenset[str]) -> Iterator[EnglishMention]:
        for one in self._with.get(self._rarest(head, words), ()):
            if words <= one[1]:
                yield one
        for word in words:
            for one in self._told_by.get((head, word), ()):
                if one[1] <= words:
                    yield one

    def _rarest(self, head: str, words: frozenset[str]) -> tuple[str, str]:
        return min(((head, word) for word in words), key=lambda one: (self._counts[one], one))


def name_of(phrase: str) -> EnglishMention | str | None:
    """What of a noun phrase may be compared; None for pronouns and single Chinese characters."""
    if is_han(phrase[-1:]):
        return phrase if len(phrase) >= SHORTEST_NAME else None
    words = [word for word in _WORD.findall(phrase.casefold()) if word not in _NO_NAMES]
    return (words[-1], frozenset(words)) if words else None


@dataclass(frozen=True, slots=True)
class NumberedMention:
    """A noun phrase with its number as an antecedent, the number it refers to, or both."""

    start: int
    end: int
    id: int | None
    ref: int | None


class Antecedents:
    """The mentions of a text, in its order, and what the texts before it have numbered."""

    def __init__(self, text: str, layers: Layers, *, before: Antecedents | None = None) -> None:
        self.text = text
        self._names = Names(text, _spans(layers.get("np")))
        self.mentions = _mentions(layers.get("mention"))
        self.before = before
        own = {mention.id for mention in self.mentions if mention.id is not None}
        self.ids: frozenset[int] = frozenset(own) | (before.ids if before else frozenset())
        """Every number given to an antecedent here or before."""

    @property
    def earlier(self) -> frozenset[int]:
        """The numbers given before this text."""
        return self.before.ids if self.before else frozenset()

    def between(self, antecedent: NumberedMention, anaphor: NumberedMention) -> Offsets | None:
        """The noun phrase of the antecedent's name that comes nearest before the anaphor."""
        same = self._names.like(self.text[antecedent.start : antecedent.end])
        for index in range(bisect_left(same, (anaphor.start, 0)) - 1, -1, -1):
            start, end = same[index]
            if start < antecedent.end:
                return None
            if end <= anaphor.start:
                return start, end
        return None

    def quote(self, span: Offsets | NumberedMention) -> str:
        """The words of a span, short enough for a message."""
        start, end = (span.start, span.end) if isinstance(span, NumberedMention) else span
        return repr(clip(self.text[start:end]))


def mention_findings(owner: str, own: Antecedents, called: str) -> Iterator[Finding]:
    """References to nothing, numbers that repeat or are not counted, nearer antecedents."""
    numbered: dict[int, NumberedMention] = {}
    for mention in own.mentions:
        if mention.ref is not None:
            antecedent = numbered.get(mention.ref)
            if antecedent is not None:
                yield from _nearer(owner, own, called, antecedent, mention)
            elif mention.ref not in own.earlier:
                yield (
                    owner,
                    "reference",
                    f"{called}{own.quote(mention)} has REF={mention.ref} and no "
                    f"REFID={mention.ref} comes before it",
                )
        if mention.id is None:
            continue
        if mention.id in numbered:
            both = f"{own.quote(numbered[mention.id])} and {own.quote(mention)}"
            yield owner, "reference", f"{called}REFID={mention.id} occurs twice, at {both}"
            continue
        fault = _miscounted(own, numbered, mention.id)
        if fault:
            yield (
                owner,
                "reference",
                f"{called}{own.quote(mention)} has REFID={mention.id}, {fault}",
            )
        numbered[mention.id] = mention


def _miscounted(own: Antecedents, numbered: dict[int, NumberedMention], id: int) -> str | None:
    """A passage counts from 1; a question or key from 1 too, or on from where its passage ends."""
    if numbered:
        expected = max(numbered) + 1
        return None if id == expected else f"expected {expected}: antecedents are counted in order"
    if id == 1 or (own.before is not None and id > max(own.earlier, default=0)):
        return None
    return "expected 1: antecedents are counted from the start of the passage"


def _nearer(
    owner: str, own: Antecedents, called: str, antecedent: NumberedMention, anaphor: NumberedMention
) -> Iterator[Finding]:
    """A noun phrase of the same name between the two, of which the nearest counts."""
    found = own.between(antecedent, anaphor)
    if found is not None:
        yield (
            owner,
            WarningCode("nearer_antecedent"),
            f"{called}{own.quote(anaphor)} refers to {own.quote(antecedent)} at "
            f"{antecedent.start}, and {own.quote(found)} at {found[0]} is nearer",
        )


def _spans(layer: Layer | None) -> list[Offsets]:
    return sorted(layer.spans) if layer is not None else []


def _mentions(layer: Layer | None) -> list[NumberedMention]:
    if layer is None:
        return []
    columns = [_numbers(layer, name) for name in ("id", "ref")]
    found = [
        NumberedMention(start, end, id, ref)
        for (start, end), id, ref in zip(layer.spans, *columns, strict=True)
    ]
    return sorted(
        found, key=lambda numbered_mention: (numbered_mention.start, numbered_mention.end)
    )


def _numbers(layer: Layer, name: str) -> list[int | None]:
    """A column of numbers as long as the spans; what is no number is none."""
    column: tuple[Any, ...] = layer.columns.get(name, ())
    found = [column[index] if index < len(column) else None for index in range(len(layer.spans))]
    return [one if isinstance(one, int) and not isinstance(one, bool) else None for one in found]


# Third persons and whom they mean: by gold annotation, or the nearest person before.


THIRD_PERSONS = {
    "en": frozenset({"he", "him", "his", "she", "her"}),
    "zh": frozenset({"他", "她", "他的", "她的"}),
}
_CLITIC = {"en": ("'s", "’s", "'d", "’d", "'ll", "’ll"), "zh": ()}


def is_third_person(word: str, language: str) -> bool:
    """Whether a word is one of the pronouns that are resolved."""
    word = word.lower()
    for clitic in _CLITIC[language]:
        word = word.removesuffix(clitic)
    return word in THIRD_PERSONS[language]


def nearest_persons(
    pronouns: Sequence[Offsets], persons: Sequence[Offsets]
) -> Mapping[int, Offsets]:
    """Each pronoun's start with the nearest person that stands wholly before it."""
    ordered = sorted(persons, key=lambda span: span[1])
    ends = [end for _, end in ordered]
    found = {}
    for start, _ in pronouns:
        at = bisect_right(ends, start) - 1
        if at >= 0:
            found[start] = ordered[at]
    return found


def antecedents(
    text: str, pronouns: Sequence[Offsets], mentions: Layer, language: str
) -> Mapping[int, Offsets]:
    """Each pronoun's start with its annotated antecedent; chains of pronouns are followed."""
    ids = mentions.columns.get("id", (None,) * len(mentions.spans))
    refs = mentions.columns.get("ref", (None,) * len(mentions.spans))
    place = {id: index for index, id in enumerate(ids) if id is not None}
    found = {}
    for start, end in pronouns:
        for index, (first, last) in enumerate(mentions.spans):
            if refs[index] is None or not first <= start < end <= last:
                continue
            target = place.get(refs[index])
            seen = {index}
            while target is not None and target not in seen and refs[target] is not None:
                first, last = mentions.spans[target]
                if not is_third_person(text[first:last], language):
                    break
                seen.add(target)
                target = place.get(refs[target])
            if target is not None:
                found[start] = mentions.spans[target]
            break
    return found


# Who refers to whom, proposed by rule: each anaphor means the nearest phrase before it that fits.


RULE = "nearest-2"
_THINGS = {"en": frozenset({"it", "its", "itself"}), "zh": frozenset({"它", "牠"})}
_SEVERAL = {
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
_PERSON_DEFINITE = re.compile(r"[这那這]位")
_PLURAL_END = re.compile(r"(?:[^s\W]s|people|children|men|women)$", re.IGNORECASE)
_HAN_PLURAL = re.compile(r"[们們]$|^[两兩三四五六七八九十几幾]|^(?:许多|許多|一些|很多|不少|各)")
_SINGULAR = frozenset({"a", "an", "this", "that", "one", "each", "every"})


def proposed_mentions(text: str, layers: Layers, language: str) -> Layer | None:
    """A mention layer over the noun phrases; none where there are no phrases or entities.

    he and 他 mean the nearest person's name, it and 它 the nearest thing, they and 它们 the nearest
    plural, and a definite description (the rider, 这位骑手) the nearest phrase with its noun.
    """
    np, ne = layers.get("np"), layers.get("ne")
    if np is None or ne is None:
        return None
    types = dict(zip(ne.spans, ne.columns.get("type", ()), strict=False))
    before: list[_Candidate] = []
    means: dict[Offsets, Offsets] = {}
    for span in sorted(np.spans):
        phrase = _candidate(text, span, types.get(span), language)
        found = next((one for one in reversed(before) if _fits(phrase, one)), None)
        if found is not None:
            means[span] = found.span
        before.append(phrase)
    numbers = {span: index for index, span in enumerate(sorted(set(means.values())), 1)}
    spans = tuple(sorted({*means, *numbers}))
    return Layer(
        spans=spans,
        source=f"readmark-{language}-{RULE}",
        columns={
            "id": tuple(numbers.get(span) for span in spans),
            "ref": tuple(numbers[means[span]] if span in means else None for span in spans),
        },
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A noun phrase as an anaphor and as an antecedent."""

    span: Offsets
    means: str | None
    """What it refers to: a person, a thing, several, or a phrase with the same noun."""
    type: str | None
    noun: str
    is_name: bool
    is_plural: bool


def _candidate(text: str, span: Offsets, type: str | None, language: str) -> _Candidate:
    phrase = text[slice(*span)]
    means = _meaning(text, span, type, language)
    if language == "zh":
        noun = _DEFINITE["zh"].sub("", phrase, count=1)
        plural = _HAN_PLURAL.search(phrase) is not None
    else:
        words = phrase.lower().split()
        noun = words[-1] if words else ""
        plural = words[:1] != [] and words[0] not in _SINGULAR
        plural = plural and (_PLURAL_END.search(noun) is not None or "and" in words)
    name = type == "PERSON" and means is None and _may_be_name(phrase, language)
    return _Candidate(span, means, type, noun, name, plural)


def _meaning(text: str, span: Offsets, type: str | None, language: str) -> str | None:
    phrase = text[slice(*span)]
    if _is_anaphor(phrase, language):
        return "person"
    first = phrase if language == "zh" else (phrase.lower().split() or [""])[0]
    if first in _THINGS[language]:
        return None if _NO_REFERENT.match(text, span[0]) else "thing"
    if first in _SEVERAL[language]:
        return "several"
    if language == "zh" and type == "PERSON" and _PERSON_DEFINITE.match(phrase):
        return "this person"
    return "noun" if _DEFINITE[language].match(phrase) else None


def _fits(anaphor: _Candidate, before: _Candidate) -> bool:
    """Whether an anaphor may refer to a phrase before it."""
    match anaphor.means:
        case "person":
            return before.is_name
        case "thing":
            return (
                before.type not in ("PERSON", "TIME", "NUM")
                and before.means in (None, "noun")
                and not before.is_plural
                and before.noun not in _NO_NAMES
            )
        case "several":
            return before.is_plural and before.means in (None, "noun")
        case "this person":
            return before.is_name or _same_noun(anaphor.noun, before.noun)
        case "noun":
            return before.means in (None, "noun") and _same_noun(anaphor.noun, before.noun)
    return False


def _same_noun(noun: str, before: str) -> bool:
    """Equal, or in Chinese what a longer phrase ends in: 风筝 of 一只风筝."""
    return before.endswith(noun) if is_han(noun[-1:]) else before == noun


def _may_be_name(phrase: str, language: str) -> bool:
    """English names end in a capital word; "a retired teacher" is a person and no name."""
    return language != "en" or phrase.split()[-1][:1].isupper()


def _is_anaphor(phrase: str, language: str) -> bool:
    """Whether a phrase is a pronoun or begins with one: he, his wrist, 他, 他的手."""
    if language == "zh":  # 他们 is another word
        return is_third_person(phrase[:1], "zh") and phrase[1:2] not in ("们", "們")
    first = phrase.split()[0] if phrase.split() else ""
    return is_third_person(first, language)

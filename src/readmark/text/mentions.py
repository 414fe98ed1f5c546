"""Third persons and whom they mean: by gold annotation, or the nearest person before.

The five English pronouns are Deep Read's (he, him, his, she, her), the four Chinese ones those of
the bilingual corpus document (他, 她, 他的, 她的); 他 and 的 may be two words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from readmark.corpus.values import Layer, Offsets

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
    place = {id: at for at, id in enumerate(ids) if id is not None}
    found = {}
    for start, end in pronouns:
        for at, (first, last) in enumerate(mentions.spans):
            if refs[at] is None or not first <= start < end <= last:
                continue
            target = place.get(refs[at])
            seen = {at}
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

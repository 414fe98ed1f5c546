"""Pronouns of the third person and whom they mean: by annotation, or the nearest person before.

The two ways of Deep Read, as section 5 of "Design and Development of a Bilingual Reading
Comprehension Corpus" describes them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from readmark.core.records import Layer, Offsets

THIRD_PERSONS = {
    "en": frozenset({"he", "him", "his", "she", "her"}),
    "zh": frozenset({"他", "她", "他的", "她的"}),
}
"""The five pronouns, and the four Chinese ones, that the document resolves."""
_CLITICS = {"en": ("'s", "’s", "'d", "’d", "'ll", "’ll"), "zh": ()}


def is_third_person(word: str, language: str) -> bool:
    """Whether a word is one of the pronouns that are resolved."""
    word = word.lower()
    for clitic in _CLITICS[language]:
        word = word.removesuffix(clitic)
    return word in THIRD_PERSONS[language]


def nearest_persons(
    pronouns: Sequence[Offsets], persons: Sequence[Offsets]
) -> Mapping[int, Offsets]:
    """Each pronoun's start with the nearest person that ends before it."""
    ordered = sorted(persons, key=lambda span: span[1])
    ends = [end for _, end in ordered]
    nearest = {}
    for start, _ in pronouns:
        index = bisect_right(ends, start) - 1
        if index >= 0:
            nearest[start] = ordered[index]
    return nearest


def annotated_persons(
    text: str, pronouns: Sequence[Offsets], mentions: Layer, language: str
) -> Mapping[int, Offsets]:
    """Each pronoun's start with its annotated antecedent; chains of pronouns are followed."""
    ids = mentions.columns.get("id", (None,) * len(mentions.spans))
    refs = mentions.columns.get("ref", (None,) * len(mentions.spans))
    index_of = {id: index for index, id in enumerate(ids) if id is not None}
    persons = {}
    for pronoun, pronoun_end in pronouns:
        for index, (start, end) in enumerate(mentions.spans):
            if refs[index] is None or not start <= pronoun < pronoun_end <= end:
                continue
            target = index_of.get(refs[index])
            visited = {index}
            while target is not None and target not in visited and refs[target] is not None:
                start, end = mentions.spans[target]
                if not is_third_person(text[start:end], language):
                    break
                visited.add(target)
                target = index_of.get(refs[target])
            if target is not None:
                persons[pronoun] = mentions.spans[target]
            break
    return persons

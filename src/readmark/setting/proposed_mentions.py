"""Who refers to whom, proposed by rule: a pronoun means the nearest person before it.

The rule of "Deep Read: A Reading Comprehension System" on the noun phrases of a text, so that
people have something to correct; it knows he, she, his, her, 他 and 她 and nothing else.
"""

from __future__ import annotations

import msgspec

from readmark.corpus.annotation import OWN
from readmark.corpus.values import Layer, Layers, Offsets, Passage, RecordKey
from readmark.text.mentions import is_third_person, nearest_persons

RULE = "nearest-person-1"


def with_mentions(passage: Passage, language: str, *, force: bool = False) -> Passage:
    """The passage with a proposed mention layer under its key; one of other makers is kept."""
    key = passage.key or RecordKey()
    there = key.layers.get("mention")
    if there is not None and not (force or there.source.startswith(OWN)):
        return passage
    layer = proposed_mentions(passage.text, passage.layers, language)
    if layer is None or _corrected(there, layer, force):
        return passage
    layers = {**key.layers, "mention": layer}
    return msgspec.structs.replace(passage, key=msgspec.structs.replace(key, layers=layers))


def _corrected(there: Layer | None, now: Layer, force: bool) -> bool:
    """Whether a layer says that the rule made it and is not what the rule makes: people's work."""
    return there is not None and not force and there.source == now.source and there != now


def proposed_mentions(text: str, layers: Layers, language: str) -> Layer | None:
    """A mention layer over the noun phrases; none where there are no phrases or entities."""
    np, ne = layers.get("np"), layers.get("ne")
    if np is None or ne is None:
        return None
    types = dict(zip(ne.spans, ne.columns.get("type", ()), strict=False))
    pronouns = [span for span in np.spans if _is_anaphor(text[slice(*span)], language)]
    persons = [
        span
        for span in np.spans
        if types.get(span) == "PERSON"
        and span not in set(pronouns)
        and _may_be_name(text[slice(*span)], language)
    ]
    means = nearest_persons(pronouns, persons)
    numbers = {span: at for at, span in enumerate(sorted(set(means.values())), 1)}
    rows: dict[Offsets, tuple[int | None, int | None]] = {
        span: (number, None) for span, number in numbers.items()
    }
    for span in pronouns:
        if span[0] in means:
            rows[span] = None, numbers[means[span[0]]]
    spans = tuple(sorted(rows))
    return Layer(
        spans=spans,
        source=f"readmark-{language}-{RULE}",
        columns={
            "id": tuple(rows[span][0] for span in spans),
            "ref": tuple(rows[span][1] for span in spans),
        },
    )


def _may_be_name(phrase: str, language: str) -> bool:
    """English names end in a capital word; "a retired teacher" is a person and no name."""
    return language != "en" or phrase.split()[-1][:1].isupper()


def _is_anaphor(phrase: str, language: str) -> bool:
    """Whether a phrase is a pronoun or begins with one: he, his wrist, 他, 他的手."""
    if language == "zh":  # 他们 is another word
        return is_third_person(phrase[:1], "zh") and phrase[1:2] != "们"
    first = phrase.split()[0] if phrase.split() else ""
    return is_third_person(first, language)

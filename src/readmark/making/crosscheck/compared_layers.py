"""Which layers two annotators' files are compared in, and in which sorts of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

import msgspec

from readmark.core.errors import UsageError, did_you_mean
from readmark.core.records import Passage
from readmark.making.crosscheck.items import ANSWER_SENTENCE
from readmark.making.crosscheck.texts import QUESTION, SORTS_OF_TEXT, parts_of
from readmark.settling import AdjudicationHeader

LAYERS = ("sentence", "token", "np", "ne", "mention", ANSWER_SENTENCE)
"""What can be compared, in the order in which it is annotated: each rests on those before it."""

ComparedLayers = Mapping[str, Sequence[str]]
"""The layers to compare, each with the sorts of text in which it is."""


def layers_to_compare(
    pairs: Iterable[tuple[Passage, Passage]], names: Sequence[str] = ()
) -> tuple[ComparedLayers, list[tuple[str, str, str]]]:
    """The layers that both annotators have, by sort of text, and those that only one has.

    The latter are layer, sort of text, and "a" or "b". A layer in ``names`` is compared in all
    texts, even where one annotator has none of it.
    """
    for name in names:
        if name not in LAYERS:
            raise UsageError(f"{name!r} is not compared; {did_you_mean(name, LAYERS)}")
    if names:
        return {name: SORTS_OF_TEXT for name in LAYERS if name in names}, []
    in_a: set[tuple[str, str]] = set()
    in_b: set[tuple[str, str]] = set()
    for a, b in pairs:
        in_a.update(_layers_and_sorts(a))
        in_b.update(_layers_and_sorts(b))
    compared: dict[str, tuple[str, ...]] = {}
    only_in_one = []
    for name, sort in product(LAYERS, SORTS_OF_TEXT):
        if (name, sort) in in_a & in_b:
            compared[name] = (*compared.get(name, ()), sort)
        elif (name, sort) in in_a | in_b:
            only_in_one.append((name, sort, "a" if (name, sort) in in_a else "b"))
    return compared, only_in_one


def _layers_and_sorts(passage: Passage) -> Iterator[tuple[str, str]]:
    for part in parts_of(passage):
        for name in part.layers:
            yield name, part.sort
    if any(question.key and question.key.sentences for question in passage.questions):
        yield ANSWER_SENTENCE, QUESTION


def stated_layers(header: AdjudicationHeader) -> ComparedLayers | None:
    """The layers that an adjudication file says were compared; None where it does not say."""
    try:
        return msgspec.convert(header.fields.get("layers"), dict[str, list[str]])
    except msgspec.ValidationError:
        return None

"""What is compared: the layers that both annotators have, in the sorts of text that have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from readmark.corpus.errors import UsageError, did_you_mean
from readmark.corpus.values import Passage
from readmark.setting.adjudication import AdjudicationHeader
from readmark.setting.crosscheck.texts import KEY, PASSAGE, QUESTION, parts_of

ANSWER_SENTENCE = "answer_sentence"
COMPARED = ("sentence", "token", "np", "ne", "mention", ANSWER_SENTENCE)
"""What is compared, in the order in which it is annotated: each rests on those before it."""
SORTS_OF_TEXT = (PASSAGE, QUESTION, KEY)
Scope = Mapping[str, Sequence[str]]
"""What is compared: layers, each with the sorts of text in which it is."""
EVERYTHING: Scope = dict.fromkeys(COMPARED, SORTS_OF_TEXT)


def layers_to_compare(
    pairs: Iterable[tuple[Passage, Passage]], asked: Sequence[str] = ()
) -> tuple[Scope, list[tuple[str, str, str]]]:
    """The layers that both annotators have, by sort of text; those that one alone has.

    The latter are told as layer, sort of text, and "a" or "b". A layer that is asked for is
    compared in all texts, even where one annotator has none of it.
    """
    for name in asked:
        if name not in COMPARED:
            raise UsageError(f"{name!r} is not compared; {did_you_mean(name, COMPARED)}")
    if asked:
        return {name: SORTS_OF_TEXT for name in COMPARED if name in asked}, []
    first: set[tuple[str, str]] = set()
    second: set[tuple[str, str]] = set()
    for one, other in pairs:
        first.update(_there(one))
        second.update(_there(other))
    both = {
        name: tuple(sort for sort in SORTS_OF_TEXT if (name, sort) in first & second)
        for name in COMPARED
    }
    lone = [
        (name, sort, "a" if (name, sort) in first else "b")
        for name in COMPARED
        for sort in SORTS_OF_TEXT
        if (name, sort) in first ^ second
    ]
    return {name: sorts for name, sorts in both.items() if sorts}, lone


def scope_of(header: AdjudicationHeader) -> Scope | None:
    """What an adjudication file says was compared; None where it does not say."""
    try:
        return msgspec.convert(header.fields.get("layers"), dict[str, list[str]])
    except msgspec.ValidationError:
        return None


def _there(passage: Passage) -> Iterator[tuple[str, str]]:
    for part in parts_of(passage):
        for name in part.layers:
            yield name, part.sort
    if any(question.key and question.key.sentences for question in passage.questions):
        yield ANSWER_SENTENCE, QUESTION

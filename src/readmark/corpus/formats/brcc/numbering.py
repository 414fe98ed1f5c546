"""The numbers of questions: those of their parallel ids, so that both sides count alike."""

from __future__ import annotations

from collections.abc import Mapping

from readmark.corpus.formats.brcc.container import FURTHEST, SIDES
from readmark.corpus.formats.losses import Losses
from readmark.corpus.values import Passage, Question

Numbered = list[tuple[int, Question]]
"""The questions of one side with their numbers, which grow."""


def numbered(shared: str, pair: Mapping[str, Passage], losses: Losses) -> dict[str, Numbered]:
    """The questions of each side; equal parallel ids get equal numbers."""
    first, *rest = pair
    found = {first: _own(shared, pair[first])}
    for side in rest:
        found[side] = _like(found[first], pair[side])
        _tell_alone(found[first], found[side], side, losses)
        _tell_alone(found[side], found[first], first, losses)
        if [one for _, one in found[side]] != list(pair[side].questions):
            losses.add("questions were put into the order of the other side", pair[side].id)
    for questions in found.values():
        for number, one in questions:
            if one.parallel not in (None, f"{shared}-{number}"):
                losses.cannot_hold("parallel ids of questions but for their number", one.id)
    return found


def _label(question: Question) -> str:
    return question.id if question.parallel is None else question.parallel


def _own(shared: str, passage: Passage) -> Numbered:
    """Numbers by the parallel ids where they are the passage's with a number, else in order."""
    numbers: list[int] = []
    for question in passage.questions:
        said = _label(question).removeprefix(f"{shared}-")
        number = int(said) if said.isascii() and said.isdigit() and len(said) < 5 else 0
        last = numbers[-1] if numbers else 0
        if not last < number <= last + FURTHEST or str(number) != said:
            return list(enumerate(passage.questions, 1))
        numbers.append(number)
    return list(zip(numbers, passage.questions, strict=True))


def _like(first: Numbered, passage: Passage) -> Numbered:
    """Numbers of the questions on the other side; further ones are counted on."""
    known = {_label(one): number for number, one in first}
    last = max(known.values(), default=0)
    found: Numbered = []
    for question in passage.questions:
        number = known.pop(_label(question), None)
        if number is None:
            last += 1
            number = last
        found.append((number, question))
    return sorted(found, key=lambda one: one[0])


def _tell_alone(one: Numbered, other: Numbered, side: str, losses: Losses) -> None:
    numbers = {number for number, _ in other}
    for number, question in one:
        if number not in numbers:
            losses.add(f"questions without one on the {SIDES[side]} side", question.id)

"""The numbers of questions in a file: those of their parallel ids, so that both sides agree."""

from __future__ import annotations

from collections.abc import Mapping

from readmark.comprehension.brcc.container import FURTHEST, SIDES
from readmark.core.records import Passage, Question
from readmark.formats.losses import Losses

NumberedQuestions = list[tuple[int, Question]]
"""The questions of one side with their numbers, which grow."""


def numbered(
    shared: str, pair: Mapping[str, Passage], losses: Losses
) -> dict[str, NumberedQuestions]:
    """The questions of each side; equal parallel ids get equal numbers."""
    first_side, *other_sides = pair
    first = _numbered(shared, pair[first_side])
    by_side = {first_side: first}
    for side in other_sides:
        second = by_side[side] = _numbered_like(first, pair[side])
        _report_unpaired(first, second, side, losses)
        _report_unpaired(second, first, first_side, losses)
        if [question for _, question in second] != list(pair[side].questions):
            losses.add("questions were put into the order of the other side", pair[side].id)
    for questions in by_side.values():
        for number, question in questions:
            if question.parallel not in (None, f"{shared}-{number}"):
                losses.cannot_store("parallel ids of questions but for their number", question.id)
    return by_side


def _label(question: Question) -> str:
    return question.id if question.parallel is None else question.parallel


def _numbered(shared: str, passage: Passage) -> NumberedQuestions:
    """Numbers from parallel ids such as ``shared-3`` if all have one, else in order."""
    numbers: list[int] = []
    for question in passage.questions:
        digits = _label(question).removeprefix(f"{shared}-")
        number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 5 else 0
        last = numbers[-1] if numbers else 0
        if not last < number <= last + FURTHEST or str(number) != digits:
            return list(enumerate(passage.questions, 1))
        numbers.append(number)
    return list(zip(numbers, passage.questions, strict=True))


def _numbered_like(first: NumberedQuestions, passage: Passage) -> NumberedQuestions:
    """Numbers of the questions on the other side; further ones are counted on."""
    numbers = {_label(question): number for number, question in first}
    last = max(numbers.values(), default=0)
    second: NumberedQuestions = []
    for question in passage.questions:
        number = numbers.pop(_label(question), None)
        if number is None:
            last += 1
            number = last
        second.append((number, question))
    return sorted(second, key=lambda pair: pair[0])


def _report_unpaired(
    questions: NumberedQuestions, others: NumberedQuestions, other_side: str, losses: Losses
) -> None:
    numbers = {number for number, _ in others}
    for number, question in questions:
        if number not in numbers:
            losses.add(f"questions without one on the {SIDES[other_side]} side", question.id)

"""The options of a question, and the one that scores best."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.comprehension.draws import draw
from readmark.core.errors import DataError
from readmark.core.records import Unit


def options_of(unit: Unit) -> tuple[str, ...]:
    """The options of a question, which must have some."""
    options: tuple[str, ...] = unit.item.options
    if not options:
        raise DataError("the question has no options to choose from")
    return options


def best_option(unit: Unit, scores: Sequence[float]) -> int:
    """The index of the option with the highest score."""
    options = options_of(unit)
    # Ties are drawn by the words, so that no place among the options is favoured.
    return max(
        range(len(options)), key=lambda index: (scores[index], draw(f"{unit.id} {options[index]}"))
    )

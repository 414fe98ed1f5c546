"""Which option a row's key means: by label, text, letter or number, as its column has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from readmark.formats.members import Fault, is_integer, unexpected

KEYS = {
    "answer": 0,
    "answerKey": 0,
    "answer_key": 0,
    "label": 0,
    "answer_index": 0,
    "answer_idx": 0,
    "correct_answer_id": 0,
    "correct_option": 0,
    "correct_answer": 0,
    "correct_answer_num": 1,
}
"""Columns that give the right option, and what the first option is numbered there."""
_NUMBERS = frozenset({"answer_index", "answer_idx", "correct_answer_id", "correct_answer_num"})
"""Those that hold numbers by their names: 3 is the third there, though an option may read 3."""

Ways = Mapping[str, int]
"""The ways in which a key can be read, and the index of the option that each gives."""
Habit = Callable[[str], frozenset[str]]
"""The ways that a column is read in where there is no doubt, in all of a file."""


def keyed_option(
    key: Any, options: Sequence[str], labels: Sequence[str], column: str, id: str, habit: Habit
) -> str | None:
    """The right option's text; None where the key is withheld.

    One that may be read in two ways is read as the other rows of the file are, else refused.
    """
    if is_withheld(key):
        return None
    ways = ways_of(key, options, labels, column)
    name = f"{id or 'the row'}: {column}"
    if not ways:
        expected = f"one of {len(options)} options, by text, letter or number from {KEYS[column]}"
        raise Fault("", unexpected(name, key, expected))
    if _agree(ways, options):
        return options[next(iter(ways.values()))]
    usual = [way for way in ways if way in habit(column)]
    if len(usual) == 1:
        return options[ways[usual[0]]]
    meanings = " and ".join(f"the {way} of option {index + 1}" for way, index in ways.items())
    raise Fault("", f"{name} is {key!r}, which is {meanings}; no other row tells which is meant")


def habits(rows: Iterable[tuple[str, Ways, Sequence[str]]]) -> dict[str, frozenset[str]]:
    """The ways that each column is read in where there is only one.

    A row is the column of its key, the ways to read it, and the options.
    """
    unambiguous: dict[str, set[str]] = {}
    for column, ways, options in rows:
        if len(ways) == 1 and _agree(ways, options):
            unambiguous.setdefault(column, set()).update(ways)
    return {column: frozenset(ways) for column, ways in unambiguous.items()}


def is_withheld(key: Any) -> bool:
    """Whether no value is given: null, no text, or -1."""
    return key is None or key == "" or (is_integer(key) and key < 0)


def ways_of(key: Any, options: Sequence[str], labels: Sequence[str], column: str) -> Ways:
    """Each way in which a key gives an option; a label, or a number in its column, goes first."""
    spelt = str(key).strip() if isinstance(key, str) or is_integer(key) else ""
    is_number = spelt.isascii() and spelt.isdigit() and len(spelt) < 10
    number = int(spelt) - KEYS[column] if is_number else -1
    numbered = {"number": number} if 0 <= number < len(options) else {}
    if column in _NUMBERS and numbered:
        return numbered
    if spelt in labels:
        return {"label": labels.index(spelt)}
    if not isinstance(key, str):
        return numbered
    ways: dict[str, int] = {}
    texts = [option.strip() for option in options]
    if spelt in texts:
        ways["text"] = texts.index(spelt)
    if len(spelt) == 1 and "A" <= spelt.upper() <= "Z":
        index = ord(spelt.upper()) - ord("A")
        if index < len(options):
            ways["letter"] = index
    return {**ways, **numbered}


def _agree(ways: Ways, options: Sequence[str]) -> bool:
    """Whether all ways lead to one option."""
    return len({options[index] for index in ways.values()}) == 1

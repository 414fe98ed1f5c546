"""Which option a row's key means: by label, text, letter or number, as its column has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from readmark.corpus.formats.members import Fault, is_whole, unexpected

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
"""Columns that tell the right option, and what the first is numbered by there."""
NUMBERS = frozenset({"answer_index", "answer_idx", "correct_answer_id", "correct_answer_num"})
"""Those that hold numbers by their names: 3 is the third there, though an option may read 3."""

Ways = Mapping[str, int]
"""The ways in which a key can be read, and the place of the option that each gives."""
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
        own = f"one of {len(options)} options, by text, letter or number from {KEYS[column]}"
        raise Fault("", unexpected(name, key, own))
    if _is_plain(ways, options):
        return options[next(iter(ways.values()))]
    left = [way for way in ways if way in habit(column)]
    if len(left) == 1:
        return options[ways[left[0]]]
    told = " and ".join(f"the {way} of option {at + 1}" for way, at in ways.items())
    raise Fault("", f"{name} is {key!r}, which is {told}; no other row tells which is meant")


def habits(rows: Iterable[tuple[str, Ways, Sequence[str]]]) -> dict[str, frozenset[str]]:
    """The ways that each column is read in where there is but one; rows are of ``key_ways``."""
    found: dict[str, set[str]] = {}
    for column, ways, options in rows:
        if len(ways) == 1 and _is_plain(ways, options):
            found.setdefault(column, set()).update(ways)
    return {column: frozenset(ways) for column, ways in found.items()}


def is_withheld(key: Any) -> bool:
    """Whether nothing is told: null, no text, or -1."""
    return key is None or key == "" or (is_whole(key) and key < 0)


def ways_of(key: Any, options: Sequence[str], labels: Sequence[str], column: str) -> Ways:
    """Each way in which a key gives an option; a label, or a number in its column, goes first."""
    spelt = str(key).strip() if isinstance(key, str) or is_whole(key) else ""
    digits = spelt.isascii() and spelt.isdigit()
    number = int(spelt) - KEYS[column] if digits and len(spelt) < 10 else -1
    numbered = {"number": number} if 0 <= number < len(options) else {}
    if column in NUMBERS and numbered:
        return numbered
    if spelt in labels:
        return {"label": labels.index(spelt)}
    if not isinstance(key, str):
        return numbered
    ways: dict[str, int] = {}
    texts = [one.strip() for one in options]
    if spelt in texts:
        ways["text"] = texts.index(spelt)
    if len(spelt) == 1 and "A" <= spelt.upper() <= "Z":
        at = ord(spelt.upper()) - ord("A")
        if at < len(options):
            ways["letter"] = at
    return {**ways, **numbered}


def _is_plain(ways: Ways, options: Sequence[str]) -> bool:
    return len({options[at] for at in ways.values()}) == 1

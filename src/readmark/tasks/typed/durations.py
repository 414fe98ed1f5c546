"""Lengths of time as people type them, as XML Schema writes them."""

from __future__ import annotations

import re
from decimal import Decimal

from readmark.tasks.typed.numbers import as_number, leading_number, without_about
from readmark.tasks.typed.words import not_a

_UNITS = {
    "Y": "years?|年",
    "M": "months?|个?月",
    "W": "weeks?|周|个?星期",
    "D": "days?|天|日",
    "H": "hours?|hrs?|h|个?小时|钟头",
    "m": "minutes?|mins?|min|m|分钟|分",
    "S": "seconds?|secs?|s|秒钟?",
}
"""XML Schema's letter of each unit, and its names; minutes are ``m``, to tell them from months."""
_SMALLER = {"Y": ("M", 12), "W": ("D", 7), "D": ("H", 24), "H": ("m", 60), "m": ("S", 60)}
"""The next smaller unit, and how many of it make one. A month has no fixed number of days."""
_AN_XML_DURATION = re.compile(r"p(?=[\dt])(?:\d+[ymwd])*(?:t(?:\d+[hms])+)?")
_A_DURATION = ("a length of time such as 2 hours", "时长，如两小时")


def read_duration(text: str, words: str) -> str:
    """XML Schema's duration with the parts that were typed: 2 hours is PT2H, not PT120M.

    ``words`` are the text as `plain_words` has it; the text itself is for messages.
    """
    if _AN_XML_DURATION.fullmatch(words):
        return words.upper()
    amounts = _amounts(text, words)
    for unit, (smaller, size) in _SMALLER.items():
        # Only seconds have decimals in XML Schema: half an hour is 30 minutes.
        fraction = amounts.get(unit, Decimal()) % 1
        if fraction:
            amounts[unit] -= fraction
            amounts[smaller] = amounts.get(smaller, Decimal()) + fraction * size
    if "W" in amounts:  # XML Schema has no weeks
        amounts["D"] = amounts.get("D", Decimal()) + 7 * amounts.pop("W")
    if not amounts or amounts.get("M", Decimal()) % 1:
        raise not_a(*_A_DURATION, text)

    parts = {unit: f"{as_number(value)}{unit.upper()}" for unit, value in amounts.items() if value}
    if not parts:
        return "PT0S"
    days = "".join(parts.get(unit, "") for unit in "YMD")
    clock = "".join(parts.get(unit, "") for unit in "HmS")
    return f"P{days}T{clock}" if clock else f"P{days}"


def _amounts(text: str, words: str) -> dict[str, Decimal]:
    """How much of each unit somebody typed."""
    amounts: dict[str, Decimal] = {}
    unit, rest = "", without_about(words)
    while rest:
        if unit and rest in ("a half", "半"):  # an hour and a half, 三天半
            amounts[unit] += Decimal("0.5")
            break
        rest = re.sub(r"^an? (?!half|dozen|hundred)", "1 ", rest)
        rest = re.sub(r"^half an? |^半", "0.5 ", rest)
        number = leading_number(rest)
        if number is None or number[0] < 0:
            raise not_a(*_A_DURATION, text)
        value, rest = number
        rest = rest.strip(" -")
        for unit, names in _UNITS.items():
            match = re.match(rf"(?:{names})(?![a-z])", rest)
            is_metres = match is not None and match[0] == "m" and "H" not in amounts  # 5 m
            if match and not is_metres and unit not in amounts:  # not "2 hours 3 hours"
                amounts[unit] = value
                rest = re.sub(r"^(?:[ ,，]|and\b)+", "", rest[match.end() :])
                break
        else:
            raise not_a(*_A_DURATION, text)
    return amounts

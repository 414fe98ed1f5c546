"""Numbers and dates as a spreadsheet shows them, as far as their number format is plain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_(.)|\*(.)|\[[^\]]*\]')
_NUMBER = re.compile(
    r"(?P<before>[^#0,.%?]*)(?P<digits>[#0,?]+)(?P<point>\.[#0?]+)?(?P<after>[^#0?]*)"
)
_DATE = re.compile(
    r'"[^"]*"|\\.|\[[^\]]*\]|am/pm|a/p|上午/下午|yyyy|yy|e|m{1,5}|d{1,4}|h{1,2}|s{1,2}(?:\.0+)?|.',
    re.IGNORECASE,
)
_PRIVATE = 0xE000
"""The first of the characters that Unicode leaves to private use."""
_PLAIN_DATES = ("mm-dd-yy", "m/d/yy h:mm")
"""Formats that every country shows in its own way: written as ISO 8601 here."""
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def shown(value: object, format: str = "General") -> str:
    """A value that is no text in a number format; whole numbers have no fraction."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return _number(value, format.split(";")[0])
    if isinstance(value, timedelta):
        seconds = round(value.total_seconds())
        return f"{seconds // 3600}:{seconds % 3600 // 60:02}:{seconds % 60:02}"
    if isinstance(value, (date, time)):
        return _date(value, format.split(";")[0])
    return str(value)


def _number(value: float, format: str) -> str:
    """By its format, or as it is where the format is not a plain one.

    Literals of the format may look like digits: while it is read, a private character stands for
    each.
    """
    literals: list[str] = []

    def hide_literal(match: re.Match[str]) -> str:
        text = match[1] if match[1] is not None else match[2] or ""
        literals.append(text)
        return chr(_PRIVATE + len(literals) - 1)

    spelt = _NUMBER.fullmatch(_LITERAL.sub(hide_literal, format))
    if spelt is None or "E" in spelt["after"].upper() or "/" in spelt["after"]:
        whole_number = isinstance(value, int) or (value.is_integer() and abs(value) < 1e15)
        return str(int(value)) if whole_number else f"{value:.15g}"
    after = spelt["after"]
    decimals = spelt["point"] or "."
    places = len(decimals) - 1
    scaled = Decimal(repr(value)) * (100 if "%" in after else 1)
    number = f"{abs(scaled):{',' if ',' in spelt['digits'].strip(',') else ''}.{places}f}"
    whole, point, fraction = number.partition(".")
    if point and "#" in decimals:
        least = decimals.rstrip("#?").count("0")
        fraction = fraction[:least] + fraction[least:].rstrip("0")
    whole = whole.rjust(spelt["digits"].count("0"), "0")
    sign = "-" if scaled < 0 and any(digit not in "0,." for digit in number) else ""
    text = f"{spelt['before']}{sign}{whole}{point if fraction else ''}{fraction}{after}"
    return "".join(
        literals[ord(character) - _PRIVATE]
        if 0 <= ord(character) - _PRIVATE < len(literals)
        else character
        for character in text
    )


def _date(value: date | time, format: str) -> str:
    """By the parts of its format; an m next to hours or seconds is minutes."""
    parts = [part for part in _DATE.findall(format) if not part.startswith("[")]
    if format not in _PLAIN_DATES and any(part[0].lower() in "ymdhs" for part in parts):
        return "".join(_date_parts(value, parts))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    return value.isoformat()


def _date_parts(value: Any, parts: Sequence[str]) -> Iterator[str]:
    lower = [part.lower() for part in parts]
    is_12_hours = any(part in ("am/pm", "a/p", "上午/下午") for part in lower)
    date_parts = [part for part in lower if part[0] in "ymdhs" or part in ("am/pm", "a/p")]
    index = -1
    for part, small in zip(parts, lower, strict=True):
        if part[0] in '"\\':
            yield part.strip('"') if part[0] == '"' else part[1:]
            continue
        if small[0] not in "ymdhse" and small not in ("am/pm", "a/p", "上午/下午"):
            yield part
            continue
        index += small[0] != "e"
        is_minutes = small in ("m", "mm") and (
            (index > 0 and date_parts[index - 1][0] == "h")
            or (index + 1 < len(date_parts) and date_parts[index + 1][0] == "s")
        )
        yield _date_part(value, small, is_12_hours=is_12_hours, is_minutes=is_minutes)


def _date_part(value: Any, part: str, *, is_12_hours: bool, is_minutes: bool) -> str:
    if part in ("am/pm", "a/p"):
        return ("AM" if value.hour < 12 else "PM")[: 1 if part == "a/p" else 2]
    if part == "上午/下午":
        return "上午" if value.hour < 12 else "下午"
    if part[0] == "h":
        hour = (value.hour % 12 or 12) if is_12_hours else value.hour
        return f"{hour:0{len(part)}}"
    if is_minutes:
        return f"{value.minute:0{len(part)}}"
    if part[0] == "s":
        return f"{value.second:0{len(part.partition('.')[0])}}"
    if part[0] in "ye":
        return f"{value.year % 100:02}" if part == "yy" else str(value.year)
    if part[0] == "m":
        name = _MONTHS[value.month - 1]
        return {3: name[:3], 4: name, 5: name[:1]}.get(len(part)) or f"{value.month:0{len(part)}}"
    day = _DAYS[value.weekday()]
    return {3: day[:3], 4: day}.get(len(part)) or f"{value.day:0{len(part)}}"

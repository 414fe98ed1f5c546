"""What statements and rules are made of: names, literals and variables, and how they are written.

A literal's type is part of it: ``true`` is not ``1`` and ``5`` is not ``5.0``; only the built-ins
compare numbers by value.
"""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Dates and times as "XML Schema Definition Language 1.1 Part 2: Datatypes" has them.


ZONELESS = 14
"""One without a zone may lie so many hours before or after the same time in UTC."""

_ZONE = r"(?P<zone>Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9]|[+-]14:00)?"
_DAY = r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
_DATE = re.compile(_DAY + _ZONE)
_MOMENT = re.compile(
    _DAY + r"T"
    r"(?:(?P<time>(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2})(?:\.(?P<part>[0-9]+))?|24:00:00(?:\.0+)?)"
    + _ZONE
)
_CYCLE = 400
"""The calendar repeats after so many years."""
_CYCLE_DAYS = datetime.timedelta(days=146_097)


@dataclass(frozen=True, slots=True)
class ZonedDate:
    """A date in a time zone, whose offset is at most 14 hours."""

    day: datetime.date
    zone: datetime.timezone

    @property
    def start(self) -> datetime.datetime:
        """Its midnight."""
        return datetime.datetime.combine(self.day, datetime.time(), self.zone)


Day = datetime.date | ZonedDate
"""A date with or without a zone (a datetime is none, though Python's is a date)."""


def date(text: str) -> Day:
    """The date that XML Schema's date writes; ValueError where it is none."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError("expected a date such as 2009-11-15 or 2009-11-15Z")
    day = datetime.date.fromisoformat(match["day"])
    zone = match["zone"]
    return day if zone is None else ZonedDate(day, _zone(zone))


def moment(text: str) -> datetime.datetime:
    """The time that XML Schema's dateTime writes; ValueError where it is none or too fine."""
    match = _MOMENT.fullmatch(text)
    if match is None:
        raise ValueError("expected a time such as 2009-11-15T13:00:00Z")
    part = (match["part"] or "").rstrip("0")
    if len(part) > 6:
        raise ValueError("only microseconds are kept")
    iso = f"{match['day']}T{match['time'] or '00:00:00'}.{part:0<6}{match['zone'] or ''}"
    value = datetime.datetime.fromisoformat(iso)
    if match["time"] is None:
        try:
            return value + datetime.timedelta(days=1)
        except OverflowError:
            raise ValueError("it is beyond the calendar") from None
    return value


def canonical(value: Day | datetime.datetime) -> str:
    """The canonical text, which keeps the zone: no zeros end a second, and Z is the zone of UTC."""
    if isinstance(value, ZonedDate):
        return value.day.isoformat() + _zone_text(value.zone.utcoffset(None))
    if isinstance(value, datetime.datetime):
        iso = value.replace(tzinfo=None).isoformat()
        if value.microsecond:
            iso = iso.rstrip("0")
        return iso + _zone_text(value.utcoffset())
    return value.isoformat()


def is_zoned(value: Day | datetime.datetime) -> bool:
    """Whether the value has a zone."""
    return isinstance(value, ZonedDate) or getattr(value, "tzinfo", None) is not None


def universal(value: Day | datetime.datetime) -> str:
    """The time in UTC as the database reads it, a date's start; one without a zone as it is."""
    if isinstance(value, ZonedDate):
        value = value.start
    elif not isinstance(value, datetime.datetime):
        value = datetime.datetime.combine(value, datetime.time())
    offset = value.utcoffset() or datetime.timedelta()
    plain, years = value.replace(tzinfo=None), 0
    if plain.year == 1:  # A zone may lead out of Python's calendar: one cycle on, and back.
        plain, years = plain + _CYCLE_DAYS, -_CYCLE
    elif plain.year == datetime.MAXYEAR:
        plain, years = plain - _CYCLE_DAYS, _CYCLE
    plain -= offset
    year = plain.year + years
    shown = f"{year:04d}" if year > 0 else f"{1 - year:04d}"
    return f"{shown}-{plain:%m-%d}{'' if year > 0 else ' (BC)'} {plain.time().isoformat()}"


def _zone(text: str) -> datetime.timezone:
    if text == "Z":
        return datetime.UTC
    minutes = int(text[1:3]) * 60 + int(text[4:])
    return datetime.timezone(datetime.timedelta(minutes=-minutes if text[0] == "-" else minutes))


def _zone_text(offset: datetime.timedelta | None) -> str:
    if offset is None:
        return ""
    if not offset:
        return "Z"
    hours, minutes = divmod(abs(offset) // datetime.timedelta(minutes=1), 60)
    return f"{'-' if offset < datetime.timedelta() else '+'}{hours:02d}:{minutes:02d}"


Value = bool | int | float | str | datetime.date | ZonedDate | datetime.datetime

LARGEST = 2**126
"""Integers lie below this, which the database counts in."""
KEYWORDS = frozenset(
    {":if", ":if-not", ":then", ":rule", ":comment", ":default", ":probability", ":theory"}
)
"""Words of the rule notation, which no bare name may be."""


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """An entity, a class or a property: ``Game-1``, ``nfl:gameDate`` or a full IRI."""

    text: str


@dataclass(frozen=True, slots=True, order=True)
class Variable:
    """``?g`` is ``Variable("g")``."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A typed value, equal to another of the same type and the same canonical text.

    A string may be in a language, ``"chat"@fr``, and is then another than in none.
    """

    value: Value
    language: str = ""

    @property
    def kind(self) -> str:
        """bool, int, float, str, date or datetime; of a string in a language, such as str@fr."""
        name = "date" if isinstance(self.value, ZonedDate) else type(self.value).__name__
        return f"{name}@{self.language}" if self.language else name

    @property
    def lexical(self) -> str:
        """The canonical text of the value, without its type."""
        value = self.value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float):
            return _float_text(value)
        if isinstance(value, datetime.date | ZonedDate):
            return canonical(value)
        return str(value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Literal):
            return NotImplemented
        return self.kind == other.kind and self.lexical == other.lexical

    def __hash__(self) -> int:
        return hash((self.kind, self.lexical))

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Literal):
            return NotImplemented
        return (self.kind, self.lexical) < (other.kind, other.lexical)


Term = Name | Literal | Variable

TOKEN = re.compile(
    r"""(?P<space>(?:\s+|;[^\n]*)+)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<string>"(?:[^"\\]|\\.)*"(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*)?)
    |(?P<iri><(?:[^<>\s\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>)
    |(?P<variable>\?[\w.-]+)
    |(?P<word>[^\s()"<>?;][^\s()"<>;]*)""",
    re.VERBOSE | re.DOTALL,
)
"""One token of the parenthesised notation, which statements, queries and rules share."""

_LONGEST = 1_000
_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TERMS_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:Z|[+-][0-9]{2}:[0-9]{2})?")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(?:Z|[+-][0-9]{2}:[0-9]{2})?")
_SPECIAL = {"INF": float("inf"), "-INF": float("-inf"), "NaN": float("nan")}
_BARE = re.compile(r"""[^\s()"<>?;\\][^\s()"<>;\\]*""")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


def term_of(token: str) -> Term:
    """The term that a token other than a parenthesis writes; ValueError says what is wrong."""
    first = token[0]
    if first == "?":
        return Variable(token[1:])
    if first == '"':
        text, _, language = token.rpartition('"')
        try:
            return Literal(_whole_text(json.loads(text + '"', strict=False)), language[1:].lower())
        except json.JSONDecodeError as wrong:
            raise ValueError(f"{_short(token)} is no string: {wrong.msg}") from None
    if first == "<":
        iri = _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), token[1:-1])
        return Name(_whole_text(iri))
    value = _bare_value(token)
    return Name(token) if value is None else Literal(value)


def written(term: Term) -> str:
    """The token that :func:`term_of` reads back as this term."""
    if isinstance(term, Variable):
        return f"?{term.text}"
    if isinstance(term, Literal):
        if isinstance(term.value, str):
            tag = f"@{term.language}" if term.language else ""
            return json.dumps(term.value, ensure_ascii=False) + tag
        return term.lexical
    text = term.text
    plain = "://" not in text and text not in KEYWORDS and not _is_value(text)
    if plain and _BARE.fullmatch(text):
        return text
    return f"<{_escaped(text)}>"


def value_json(term: Name | Literal) -> str | int | float | bool:
    """Numbers and truth values as they are, everything else as the notation writes it.

    JSON has no INF and no NaN, which are therefore written too.
    """
    if isinstance(term, Literal) and isinstance(term.value, bool | int | float):
        return term.value if math.isfinite(term.value) else written(term)
    return written(term)


def bindings_json(bindings: Mapping[str, Name | Literal]) -> dict[str, Any]:
    """The values of variables."""
    return {name: value_json(value) for name, value in bindings.items()}


def whole_number(text: str) -> int:
    """The integer of a text of digits; ValueError where it is too large to be counted with."""
    if len(text) > _LONGEST or abs(value := int(text)) >= LARGEST:
        raise ValueError("integers are below 2 to the power of 126")
    return value


def real_number(text: str) -> float:
    """The number of a text that is one; ValueError where it is beyond what is kept."""
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError("it is beyond the greatest number that is kept")
    if value == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
        raise ValueError("it is nearer to 0 than any number that is kept")
    return value


def _whole_text(text: str) -> str:
    if _SURROGATE.search(text):
        raise ValueError("half of a surrogate pair is no character")
    return text


def _bare_value(token: str) -> Value | None:
    if token in ("true", "false"):
        return token == "true"
    if token in _SPECIAL:
        return _SPECIAL[token]
    try:
        if _INTEGER.fullmatch(token):
            return whole_number(token)
        if _FLOAT.fullmatch(token):
            return real_number(token)
        if _TERMS_DATE.fullmatch(token):
            return date(token)
        if _TIME.fullmatch(token):
            return moment(token)
    except ValueError as wrong:
        raise ValueError(f"{_short(token)} is no value: {_short(str(wrong), 80)}") from None
    return None


def _is_value(text: str) -> bool:
    try:
        return _bare_value(text) is not None
    except ValueError:
        return True


def _float_text(value: float) -> str:
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "INF" if value > 0 else "-INF"
    return repr(value)


def _escaped(text: str) -> str:
    return "".join(f"\\U{ord(one):08X}" if one in '<>\\"' or one.isspace() else one for one in text)


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"

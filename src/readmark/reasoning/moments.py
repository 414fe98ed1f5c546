"""Dates and times as "XML Schema Definition Language 1.1 Part 2: Datatypes" has them.

A value keeps its zone: ``12:00:00Z`` and ``13:00:00+01:00`` are equal in time, and two values. A
date in a zone starts at that zone's midnight. The years are 1 to 9999.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

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
    found = _DATE.fullmatch(text)
    if found is None:
        raise ValueError("expected a date such as 2009-11-15 or 2009-11-15Z")
    day = datetime.date.fromisoformat(found["day"])
    zone = found["zone"]
    return day if zone is None else ZonedDate(day, _zone(zone))


def moment(text: str) -> datetime.datetime:
    """The time that XML Schema's dateTime writes; ValueError where it is none or too fine."""
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise ValueError("expected a time such as 2009-11-15T13:00:00Z")
    part = (found["part"] or "").rstrip("0")
    if len(part) > 6:
        raise ValueError("only microseconds are kept")
    told = f"{found['day']}T{found['time'] or '00:00:00'}.{part:0<6}{found['zone'] or ''}"
    value = datetime.datetime.fromisoformat(told)
    if found["time"] is None:
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
        told = value.replace(tzinfo=None).isoformat()
        if value.microsecond:
            told = told.rstrip("0")
        return told + _zone_text(value.utcoffset())
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
    told = f"{year:04d}" if year > 0 else f"{1 - year:04d}"
    return f"{told}-{plain:%m-%d}{'' if year > 0 else ' (BC)'} {plain.time().isoformat()}"


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

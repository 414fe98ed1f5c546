"""Dates and times as "XML Schema Definition Language 1.1 Part 2: Datatypes" writes them.

A date may have a time zone there, which Python's has not.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

ZONELESS = 14
"""Hours by which a time without a zone may be before or after the same time in UTC."""

_ZONE = r"(?P<zone>Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9]|[+-]14:00)?"
_DAY = r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
_DATE = re.compile(_DAY + _ZONE)
_MOMENT = re.compile(
    _DAY + r"T"
    r"(?:(?P<time>(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2})(?:\.(?P<part>[0-9]+))?|24:00:00(?:\.0+)?)"
    + _ZONE
)
_CYCLE = 400  # years after which the Gregorian calendar repeats
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
"""A date with or without a zone, but no datetime, although Python's are dates."""


def read_date(text: str) -> Day:
    """The date that XML Schema's date writes; ValueError if the text is none."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError("expected a date such as 2009-11-15 or 2009-11-15Z")
    day = datetime.date.fromisoformat(match["day"])
    zone = match["zone"]
    return day if zone is None else ZonedDate(day, _read_zone(zone))


def read_moment(text: str) -> datetime.datetime:
    """The time that XML Schema's dateTime writes; ValueError if it is none or too fine."""
    match = _MOMENT.fullmatch(text)
    if match is None:
        raise ValueError("expected a time such as 2009-11-15T13:00:00Z")
    fraction = (match["part"] or "").rstrip("0")
    if len(fraction) > 6:
        raise ValueError("only microseconds are kept")
    iso = f"{match['day']}T{match['time'] or '00:00:00'}.{fraction:0<6}{match['zone'] or ''}"
    moment = datetime.datetime.fromisoformat(iso)
    if match["time"] is None:  # 24:00:00 is midnight of the next day.
        try:
            return moment + datetime.timedelta(days=1)
        except OverflowError:
            raise ValueError("it is beyond the calendar") from None
    return moment


def canonical_text(value: Day | datetime.datetime) -> str:
    """The canonical text. It keeps the zone: UTC is Z, and no second ends in zeros."""
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


def universal_text(value: Day | datetime.datetime) -> str:
    """The time in UTC as the database reads it. A date is its start; without a zone it stays."""
    if isinstance(value, ZonedDate):
        value = value.start
    elif not isinstance(value, datetime.datetime):
        value = datetime.datetime.combine(value, datetime.time())
    offset = value.utcoffset() or datetime.timedelta()
    # In the first and the last year a zone may lead out of Python's calendar, so the sum is done
    # a cycle away from them.
    moment, years = value.replace(tzinfo=None), 0
    if moment.year == 1:
        moment, years = moment + _CYCLE_DAYS, -_CYCLE
    elif moment.year == datetime.MAXYEAR:
        moment, years = moment - _CYCLE_DAYS, _CYCLE
    moment -= offset
    year = moment.year + years
    era = ""
    if year <= 0:  # The database counts 1 BC before the year 1, as people do.
        year, era = 1 - year, " (BC)"
    return f"{year:04d}-{moment:%m-%d}{era} {moment.time().isoformat()}"


def _read_zone(text: str) -> datetime.timezone:
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

"""Days, months and years as people type them, and as texts have them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from readmark.tasks.categories.values import MONTHS
from readmark.tasks.typed.words import UnreadValue, not_a, plain_words
from readmark.text.chinese_numbers import number_of

Month = tuple[int | None, int | None]
"""A year and a month, of which one may not be said: "the August repair"."""

_MONTH = "|".join((*(f"{month[:3]}(?:{month[3:]})?" for month in MONTHS), "sept"))
_MONTH_STEMS = [month[:3] for month in MONTHS]
COUNTING = "0-9零〇一二三四五六七八九十"
"""The characters of days, months, hours and minutes, as a class of a regular expression."""
DATE = re.compile(
    r"(?P<y0>\d{4})[-/.](?P<m0>\d{1,2})[-/.](?P<d0>\d{1,2})(?![\d-])"
    rf"|(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?: of |[ -])(?P<m1>{_MONTH})\b\.?"
    r"(?:(?:,? |-)(?P<y1>\d{4})\b)?"
    rf"|\b(?P<m2>{_MONTH})\b\.? (?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b"
    r"(?:,? (?P<y2>\d{4})\b)?"
    rf"|(?:(?P<y3>[{COUNTING}]{{4}})年)?(?P<m3>[{COUNTING}]{{1,3}})月(?P<d3>[{COUNTING}]{{1,3}})[日号]?"
    r"|(?<!\d)(?P<a4>\d{1,2})[-/.](?P<b4>\d{1,2})[-/.](?P<y4>\d{4})(?!\d)",
)
"""A date in plain words; the letter of a group says its part, ``a`` and ``b`` a day or a month."""
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_BEFORE_DATE = re.compile(rf"^(?:on )?(?:{_WEEKDAY},? )?(?:the )?|^[于在](?:公元)?|^公元")
_AFTER_DATE = re.compile(rf"[, ]*\(?(?:\b{_WEEKDAY}|(?:星期|周|礼拜)[一二三四五六日天])\)?$")
_YEAR = re.compile(r"(?<![\d.,])(?:1[0-9]|20)\d\d(?![\d,.]\d|\d)|[零〇一二三四五六七八九]{4}(?=年)")
_MONTH_OR_YEAR = re.compile(
    rf"\b(?P<m0>{_MONTH})\b\.?(?:,? (?:of )?(?P<y0>\d{{4}})\b)?"
    rf"|(?:(?P<y1>[{COUNTING}]{{4}})年)?(?P<m1>[{COUNTING}]{{1,3}})月(?:份)?(?![{COUNTING}])"
    rf"|(?P<y2>[{COUNTING}]{{4}})年|(?<!\d)(?P<y3>(?:1[0-9]|20)\d\d)(?!\d)"
)
_A_DATE = ("a date such as 10 August 2021 or 2021-08-10", "日期，如 2021年8月10日")


def read_date(text: str, words: str, document: str) -> str:
    """The date that somebody typed; without a year, the one that ``document`` leaves no doubt of.

    ``words`` are the text as `plain_words` has it; the text itself is for messages.
    """
    words = _AFTER_DATE.sub("", _BEFORE_DATE.sub("", words))
    words = re.sub(r"[ t]00:00:00$", "", words)  # as spreadsheets write a day
    match = DATE.fullmatch(words)
    if match is None:
        raise not_a(*_A_DATE, text)
    return day_of(text, match, document).isoformat()


def read_year(text: str, words: str) -> int:
    """The year that somebody typed."""
    year = re.sub("^(?:in |the year |公元)+", "", words).removesuffix("年")
    if re.fullmatch(r"\d{4}|[零〇一二三四五六七八九]{4}", year):
        return small_number(year)
    raise not_a("a year such as 2021", "年份，如 2021", text)


def day_of(text: str, match: re.Match[str], document: str) -> datetime.date:
    """The day of a match of `DATE` in a text."""
    year, month, day = _parts(text, match)
    if year is None:
        year = _year_in(document, month, day)
    if year is None:
        raise UnreadValue(f"“{text}” has no year: add it", f"“{text}”没有年份：请补上")
    try:
        return datetime.date(year, month, day)
    except ValueError:
        raise not_a("a day of the calendar", "日历上的日期", text) from None


def _parts(text: str, match: re.Match[str]) -> tuple[int | None, int, int]:
    """The year, month and day of a match of `DATE`."""
    parts = {name[0]: value for name, value in match.groupdict().items() if value is not None}
    year = small_number(parts["y"]) if "y" in parts else None
    if "a" in parts:
        a, b = int(parts["a"]), int(parts["b"])
        if a <= 12 and b <= 12 and a != b:
            raise UnreadValue(
                f"“{text}” may be two dates: write the month as a word",
                f"“{text}”可能是两个日期：请写成几月几日",
            )
        return (year, b, a) if a > 12 else (year, a, b)
    return year, _month_number(parts["m"]), small_number(parts["d"])


def _month_number(month: str) -> int:
    if month[:3] in _MONTH_STEMS:
        return _MONTH_STEMS.index(month[:3]) + 1
    return small_number(month)


def small_number(text: str) -> int:
    """The number in digits or Chinese numerals; 0 where there is none."""
    return int(number_of(text) or 0)


def _year_in(document: str, month: int, day: int) -> int | None:
    """The year that a document leaves no doubt about: of this day, else the only one it names."""
    words = plain_words(document)
    years = {small_number(match[0]) for match in _YEAR.finditer(words)}
    years_of_day = set()
    for match in DATE.finditer(words):
        try:
            year, *month_and_day = _parts("", match)
        except UnreadValue:
            continue
        if year is not None:
            years.add(year)
            if month_and_day == [month, day]:
                years_of_day.add(year)
    candidates = years_of_day or years
    return candidates.pop() if len(candidates) == 1 else None


def dates_in(text: str, document: str = "") -> Iterator[str]:
    """The dates in a text, such as a description; years may be those of the document."""
    for match in DATE.finditer(plain_words(text)):
        try:
            yield day_of(match[0], match, document).isoformat()
        except UnreadValue:
            continue


def months_in(text: str) -> Iterator[Month]:
    """The months and years in a description that names no day."""
    for match in _MONTH_OR_YEAR.finditer(plain_words(text)):
        year = match["y0"] or match["y1"] or match["y2"] or match["y3"]
        month = match["m0"] or match["m1"]
        yield small_number(year) if year else None, _month_number(month) if month else None

"""Values as people type them, read by the datatype that the ontology asks for.

Numbers, dates, times, durations and yes or no, in English and Chinese: ``2,900``, ``两千九百``,
``10 August 2021``, ``三月五日``, ``是``. What is no value of the type is an ``UnreadValue``.
"""

from __future__ import annotations

import datetime
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal

from readmark.tasks.categories.values import COUNTS, MONTHS
from readmark.tasks.reasoning.ontology import FRACTIONS, INTEGERS, TEXTS, literal_fits
from readmark.tasks.reasoning.terms import Literal
from readmark.text.chinese_numbers import NUMERALS, number_of
from readmark.text.script import simplified

TypedValue = str | int | float | bool


class UnreadValue(ValueError):
    """Words that are no value of the type; ``chinese`` says the same as the message."""

    def __init__(self, message: str, chinese: str) -> None:
        super().__init__(message)
        self.chinese = chinese


def read_value(
    text: str, type: str, *, units: Sequence[str] = (), document: str = ""
) -> TypedValue:
    """The value of an XML Schema datatype that a person typed, as answers hold it.

    ``units`` are the ones that the ontology has for the property; another one is refused. A date
    without a year takes it from the ``document``, where that leaves no choice.
    """
    if type in TEXTS or type == "Literal":
        return json.dumps(text.strip().strip('"“”'), ensure_ascii=False)
    words = _plain(text)
    if type in INTEGERS:
        return _whole(text, words, type, units)
    if type in FRACTIONS:
        return _number(text, words, units, is_whole=False)
    if type == "boolean":
        return _truth(text, words)
    if type == "date":
        return _date(text, words, document)
    if type == "dateTime":
        return _moment(text, words, document)
    if type == "time":
        return json.dumps(_time(text, words))
    if type == "duration":
        return json.dumps(_duration(text, words))
    if type == "gYear":
        return _year(text, words)
    return json.dumps(text.strip(), ensure_ascii=False)


def read_shape(text: str) -> TypedValue | None:
    """The number or full date that words are by their form alone; None for everything else.

    This is for questions whose ontology is not known.
    """
    words = _plain(text)
    if re.fullmatch(rf"{_GROUPED}(?:\.\d+)?", words):
        return _as_number(Decimal(_ungrouped(words)))
    try:
        return _date(text, words, "")
    except UnreadValue:
        return None


def _plain(text: str) -> str:
    """One width, script, case and spacing; no quotation marks and no full stop around it."""
    folded = simplified(unicodedata.normalize("NFKC", text)).casefold()
    return " ".join(folded.split()).strip(" \"'“”‘’。").removesuffix(".").replace("\u2212", "-")


def _unread(text: str, english: str, chinese: str) -> UnreadValue:
    shown = text if len(text) <= 40 else f"{text[:39]}…"
    return UnreadValue(f"“{shown}” is not {english}", f"“{shown}”不是{chinese}")


# Numbers.


_GROUPED = r"(?:\d{1,3}(?:[, '\u2019]\d{3})+|\d+)"
_DIGITS = re.compile(rf"(?P<sign>[+-]?)(?P<digits>{_GROUPED}(?:\.\d+)?|\.\d+)(?:st|nd|rd|th)?")
_CHINESE = re.compile(rf"第?(?P<negative>负)?(?P<number>[{NUMERALS}.]+)")
_SCALES = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
_ORDINALS = {
    word: number
    for number, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
        ],
        1,
    )
}
_ABOUT = re.compile(r"(?:about|approximately|around|roughly|approx\.?|circa|大约|约|the)\s*")
_CURRENCY = re.compile(r"[$€£¥]\s*")
_UNIT = re.compile(r"[^\W\d_][^\d,;:?!()]*|[%°][^\d,;:?!()]*|-[a-z]+")
_A_WHOLE = ("a whole number such as 2900", "整数，如 2900")
_A_NUMBER = ("a number such as 2900 or 2.5", "数字，如 2900 或 2.5")
_PERCENT = ("%", "percent", "per cent")
_NO_UNIT = frozenset(
    ["or", "and", "to", "than", "of", "at", "past", "per", "plus", "minus", "half"]
)
"""Words after a number that say more than a unit: "5 or 6", "more than"."""


def _whole(text: str, words: str, type: str, units: Sequence[str]) -> int:
    value = _number(text, words, units, is_whole=True)
    if not isinstance(value, int) or not literal_fits(Literal(value), type):
        least = INTEGERS[type][0]
        above = f" of {least} or more" if least is not None and isinstance(value, int) else ""
        raise _unread(text, f"a whole number{above}", _A_WHOLE[1])
    return value


def _number(text: str, words: str, units: Sequence[str], *, is_whole: bool) -> int | float:
    expected = _A_WHOLE if is_whole else _A_NUMBER
    words = _CURRENCY.sub("", _ABOUT.sub("", words, count=1), count=1)
    names = {_unit_name(_plain(unit)) for unit in units}
    known = next((name for name in names if _unit_name(words).endswith(name)), "")
    if known:  # before the number is read: 5千克 is five kilograms, not five thousand grams
        words = _unit_name(words).removesuffix(known)
    found = _leading_number(words)
    if found is None:
        raise _unread(text, *expected)
    value, rest = found
    unit = rest.strip(" -").removesuffix("个") if known else rest.strip(" -").removeprefix("个")
    if unit and units and not known and _UNIT.fullmatch(unit):
        raise UnreadValue(
            f"“{text}” is in {unit}: give the number in {units[0]}",
            f"“{text}”的单位是“{unit}”：请用{units[-1]}表示",
        )
    if unit and (known or not _is_unit(unit) or _is_prefixed(words, unit)):
        raise _unread(text, *expected)
    if unit in _PERCENT and not units and not is_whole:
        raise _unread(text, *expected)  # 5% may be 5 or 0.05
    return _as_number(value)


def _is_unit(words: str) -> bool:
    """Whether words after a number can be its unit, where the ontology does not say which."""
    is_phrase = bool(_NO_UNIT & set(words.split())) or bool(re.search(f"[{NUMERALS}]", words))
    return bool(_UNIT.fullmatch(words)) and not is_phrase


def _is_prefixed(words: str, unit: str) -> bool:
    """Whether 千 before a unit may belong to it: 5千米 is 5 km and 5,000 m."""
    return words.removesuffix(unit)[-1:] in ("千", "百", "万") and unit[:1] in "克米瓦卡帕赫伏"


def _unit_name(unit: str) -> str:
    return unit if len(unit) < 3 else unit.removesuffix("s")


def _as_number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def _ungrouped(digits: str) -> str:
    return re.sub(r"[, '\u2019]", "", digits)


def _leading_number(words: str) -> tuple[Decimal, str] | None:
    """The number that words begin with, and what comes after it."""
    if (match := _DIGITS.match(words)) and not re.match(rf"[{NUMERALS}]", words[match.end() :]):
        value = Decimal(match["sign"] + _ungrouped(match["digits"]))
        rest = words[match.end() :]
        if re.match(r"[.,'\u2019]\d", rest):
            return None  # 2,90 or 1.2.3
        if scale := re.match(rf" ?({'|'.join(_SCALES)})\b", rest):
            return value * _SCALES[scale[1]], rest[scale.end() :]
        return value, rest
    if (match := _CHINESE.match(words)) and (number := number_of(match["number"])) is not None:
        value = Decimal(repr(number))
        return -value if match["negative"] else value, words[match.end() :]
    return _number_in_words(words)


def _number_in_words(words: str) -> tuple[Decimal, str] | None:
    total = current = 0
    end = before = 0
    is_number = False
    for match in re.finditer(r"[a-z]+", words):
        word = match[0]
        if words[before : match.start()].strip(" -,"):
            break
        before = match.end()
        if word in _ORDINALS:
            current, is_number, end = current + _ORDINALS[word], True, match.end()
            break
        if word in COUNTS:
            current += COUNTS[word]
        elif word in _SCALES and word == "hundred":
            current = (current or 1) * 100
        elif word in _SCALES:
            total, current = total + (current or 1) * _SCALES[word], 0
        elif word in ("a", "and") and (is_number or word == "a"):
            continue  # "a hundred and five"; it ends here unless a number goes on
        else:
            break
        is_number, end = True, match.end()
    return (Decimal(total + current), words[end:]) if is_number else None


# Yes and no.


_TRUE = frozenset(
    ["yes", "y", "true", "right", "correct", "1", "是", "是的", "对", "对的", "有", "真", "真的"]
)
_FALSE = frozenset(
    [
        "no",
        "n",
        "false",
        "wrong",
        "incorrect",
        "0",
        "否",
        "不是",
        "不",
        "不对",
        "没有",
        "没",
        "无",
        "假",
    ]
)


def _truth(text: str, words: str) -> bool:
    if words in _TRUE or words in _FALSE:
        return words in _TRUE
    raise _unread(text, "yes or no", "“是”或“否”")


# Dates and times.


_MONTH = "|".join(f"{month[:3]}(?:{month[3:]}|t?[.]?)" for month in MONTHS)
_HAN = "0-9零〇一二三四五六七八九十廿"
_DATE = re.compile(
    r"(?P<y0>\d{4})[-/.](?P<m0>\d{1,2})[-/.](?P<d0>\d{1,2})(?![\d-])"
    rf"|(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m1>{_MONTH})\b(?:,? (?P<y1>\d{{4}})\b)?"
    rf"|\b(?P<m2>{_MONTH}) (?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y2>\d{{4}})\b)?"
    rf"|(?:(?P<y3>[{_HAN}]{{4}})年)?(?P<m3>[{_HAN}]{{1,3}})月(?P<d3>[{_HAN}]{{1,3}})[日号]?"
    r"|(?<!\d)(?P<a4>\d{1,2})[-/.](?P<b4>\d{1,2})[-/.](?P<y4>\d{4})(?!\d)",
)
_WEEKDAY = re.compile(
    r"^(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?)?(?:the )?"
)
_YEAR = re.compile(r"(?<![\d.,])(?:1[0-9]|20)\d\d(?![\d,.]\d|\d)|[零〇一二三四五六七八九]{4}(?=年)")
_A_DATE = ("a date such as 10 August 2021 or 2021-08-10", "日期，如 2021年8月10日")


def _date(text: str, words: str, document: str) -> str:
    words = re.sub(r"[ t]00:00:00$", "", _WEEKDAY.sub("", words))  # as spreadsheets write a day
    match = _DATE.fullmatch(words)
    if match is None:
        raise _unread(text, *_A_DATE)
    return _day(text, match, document).isoformat()


def _day(text: str, match: re.Match[str], document: str) -> datetime.date:
    year, month, day = _parts(text, match)
    if year is None:
        year = _year_in(document, month, day)
    if year is None:
        raise UnreadValue(f"“{text}” has no year: add it", f"“{text}”没有年份：请补上")
    try:
        return datetime.date(year, month, day)
    except ValueError:
        raise _unread(text, "a day of the calendar", "日历上的日期") from None


def _parts(text: str, match: re.Match[str]) -> tuple[int | None, int, int]:
    parts = {name[0]: value for name, value in match.groupdict().items() if value is not None}
    year = _han_number(parts["y"]) if "y" in parts else None
    if "a" in parts:
        a, b = int(parts["a"]), int(parts["b"])
        if a <= 12 and b <= 12 and a != b:
            raise UnreadValue(
                f"“{text}” may be two dates: write the month as a word",
                f"“{text}”可能是两个日期：请写成几月几日",
            )
        return (year, b, a) if a > 12 else (year, a, b)
    month = parts["m"]
    if month[:3].isalpha() and month.isascii():
        return year, [name[:3] for name in MONTHS].index(month[:3]) + 1, int(parts["d"])
    return year, _han_number(month), _han_number(parts["d"])


def _han_number(text: str) -> int:
    return int(number_of(text.replace("廿", "二十")) or 0)


def _year_in(document: str, month: int, day: int) -> int | None:
    """The year that a document leaves no doubt about: of this day, else the only one it names."""
    words = _plain(document)
    same_day, years = set(), {_han_number(match[0]) for match in _YEAR.finditer(words)}
    for match in _DATE.finditer(words):
        try:
            year, *rest = _parts("", match)
        except UnreadValue:
            continue
        if year is not None:
            years.add(year)
            if rest == [month, day]:
                same_day.add(year)
    certain = same_day or years
    return certain.pop() if len(certain) == 1 else None


_CLOCK = re.compile(
    r"(?P<h>\d{1,2})(?:[:.](?P<m>\d{2})(?:[:.](?P<s>\d{2}))?)? ?(?P<half>a\.?m\.?|p\.?m)?"
    rf"|(?P<part>凌晨|早上|上午|中午|下午|晚上|傍晚)?(?P<ch>[{_HAN}两]{{1,3}})[点时]"
    rf"(?:(?P<cm>[{_HAN}]{{1,3}})分?|(?P<point>半|一刻|三刻|整))?"
)
_A_TIME = ("a time such as 14:30 or 2:30 pm", "时间，如 14:30 或下午两点半")


def _time(text: str, words: str) -> str:
    match = _CLOCK.fullmatch(re.sub(r"^(?:at|um) ", "", words).removesuffix(" o'clock"))
    if match is None or (match["h"] and not match["m"] and not match["half"]):
        raise _unread(text, *_A_TIME)
    if match["h"]:
        hour, minute, second = int(match["h"]), int(match["m"] or 0), int(match["s"] or 0)
        is_late, is_early = (match["half"] or "")[:1] == "p", (match["half"] or "")[:1] == "a"
    else:
        hour, second = _han_number(match["ch"]), 0
        minute = {"半": 30, "一刻": 15, "三刻": 45}.get(match["point"] or "", 0)
        minute = _han_number(match["cm"]) if match["cm"] else minute
        part = match["part"] or ""
        is_late, is_early = part in ("下午", "晚上", "傍晚"), part in ("凌晨", "早上", "上午")
    if (is_late or is_early) and hour > 12 and match["half"]:
        raise _unread(text, *_A_TIME)
    hour = hour + 12 if is_late and hour < 12 else 0 if is_early and hour == 12 else hour
    try:
        return datetime.time(hour, minute, second).isoformat()
    except ValueError:
        raise _unread(text, *_A_TIME) from None


def _moment(text: str, words: str, document: str) -> str:
    match = _DATE.search(words)
    if match is None:
        raise _unread(text, "a date with a time, such as 10 August 2021 14:30", "带时间的日期")
    rest = f"{words[: match.start()]} {words[match.end() :]}"
    clock = re.sub(r"\b(?:on|at|the)\b|[,，]|^\s*t(?=\d)", " ", rest).strip()
    if not clock:
        raise UnreadValue(f"“{text}” has no time: add it", f"“{text}”没有时间：请补上")
    day = _day(text, match, document)
    return f"{day.isoformat()}T{_time(text, ' '.join(clock.split()))}"


_SPANS = {
    "Y": ("years?|年"),
    "M": ("months?|个?月"),
    "W": ("weeks?|周|个?星期"),
    "D": ("days?|天|日"),
    "H": ("hours?|hrs?|h|个?小时|钟头"),
    "m": ("minutes?|mins?|min|分钟|分"),
    "S": ("seconds?|secs?|s|秒钟?"),
}


def _duration(text: str, words: str) -> str:
    """XML Schema's duration with the parts that were typed: 2 hours is PT2H, not PT120M."""
    if re.fullmatch(r"p(?=[\dt])(?:\d+[ymwd])*(?:t(?:\d+[hms])+)?", words):
        return words.upper()
    parts: dict[str, int | float] = {}
    rest = words
    while rest:
        found = _leading_number(rest)
        if found is None:
            raise _unread(text, "a length of time such as 2 hours", "时长，如两小时")
        value, rest = found
        rest = rest.strip(" -")
        for sign, names in _SPANS.items():
            if match := re.match(rf"(?:{names})(?![a-z])", rest):
                parts[sign] = _as_number(value)
                rest = re.sub(r"^(?:[ ,，]|and\b)+", "", rest[match.end() :])
                break
        else:
            raise _unread(text, "a length of time such as 2 hours", "时长，如两小时")
    if "W" in parts:
        parts["D"] = parts.get("D", 0) + 7 * parts.pop("W")
    day = "".join(f"{parts[sign]}{sign}" for sign in "YMD" if sign in parts)
    clock = "".join(f"{parts[sign]}{sign.upper()}" for sign in "HmS" if sign in parts)
    return f"P{day}" + (f"T{clock}" if clock else "")


def _year(text: str, words: str) -> int:
    number = words.removesuffix("年")
    if re.fullmatch(r"\d{4}|[零〇一二三四五六七八九]{4}", number):
        return _han_number(number)
    raise _unread(text, "a year such as 2021", "年份，如 2021")


def dates_in(text: str, document: str = "") -> Iterator[str]:
    """The dates in a text, such as a description; years may be those of the document."""
    for match in _DATE.finditer(_plain(text)):
        try:
            yield _day(match[0], match, document).isoformat()
        except UnreadValue:
            continue

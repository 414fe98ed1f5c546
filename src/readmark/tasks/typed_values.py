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
from readmark.tasks.reasoning.datatypes import FRACTIONS, INTEGERS, TEXTS, literal_fits
from readmark.tasks.reasoning.terms import Literal
from readmark.text.chinese_numbers import NUMERALS, number_of, with_percent_signs
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


_FORMAL = str.maketrans(
    dict(zip("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千", strict=True))
    | {"廿": "二十", "卅": "三十", "\u2212": "-"}
)
"""Numerals of contracts and calendars as everyday ones; the minus sign as a hyphen."""


def _plain(text: str) -> str:
    """One width, script, case and spacing; no quotation marks and no punctuation around it."""
    fractions = re.sub(r"(\d*) ?([¼½¾])", _with_fraction, text)
    folded = simplified(unicodedata.normalize("NFKC", fractions)).casefold().translate(_FORMAL)
    words = " ".join(folded.split()).strip(" \"'“”‘’。,;!?，；！？").removesuffix(".")
    return re.sub(r"^[\u2012-\u2014](?=[\d.])", "-", words)  # a dash before a number is a minus


def _with_fraction(match: re.Match[str]) -> str:
    return f"{match[1] or 0}.{str(unicodedata.numeric(match[2]))[2:]}"


def _unread(text: str, english: str, chinese: str) -> UnreadValue:
    shown = text if len(text) <= 40 else f"{text[:39]}…"
    return UnreadValue(f"“{shown}” is not {english}", f"“{shown}”不是{chinese}")


# Numbers.


_GROUPED = r"(?:\d{1,3}(?:[, '\u2019]\d{3})+|\d+)"
_DIGITS = re.compile(rf"(?P<sign>[+-]?)(?P<digits>{_GROUPED}(?:\.\d+)?|\.\d+)(?:st|nd|rd|th)?")
_DIGIT = "零〇一二三四五六七八九"
_CHINESE = re.compile(rf"第?(?P<negative>负)?(?P<number>[{NUMERALS}.]+)")
_SCALES = {
    "dozen": 12,
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
_ABOUT = re.compile(
    r"(?:(?:about|approximately|around|roughly|approx\.?|circa|ca\.|exactly|only|just|after|the|[~≈])\s*"
    r"|大约|大概|约|整整|一共|总共|共有?|仅|只有)+"
)
"""Words before a number that leave it as it is; "over" and "nearly" do not."""
_MINUS = re.compile(r"(?:minus |negative |零下)(?=\S)")
_CURRENCY = re.compile(r"[$€£¥]\s*")
_UNIT = re.compile(r"[^\W\d_][^\d,;:?!()]*|[%°][^\d,;:?!()]*|-[a-z]+")
_A_WHOLE = ("a whole number such as 2900", "整数，如 2900")
_A_NUMBER = ("a number such as 2900 or 2.5", "数字，如 2900 或 2.5")
_PERCENT = ("%", "percent", "per cent")
_NO_WIDE_UNIT = ("几", "多", "余", "来", "成", "打", "半")
"""What after a numeral makes it another number: 十几, 二十多人, 三成."""
_SEVERAL = re.compile(rf"(?<![{_DIGIT}两])[一二两三四五六七八九]{{2}}(?![{_DIGIT}])")
"""Three or four: 三四个. A year has four of these."""
_LETTERS = ("k", "m", "mn", "mio", "mil", "bn", "b", "tn")
"""What may be thousands or millions, or metres or minutes."""
_NO_UNIT = frozenset(
    [
        "odd",
        "something",
        "ish",
        "or",
        "and",
        "to",
        "than",
        "of",
        "at",
        "past",
        "per",
        "plus",
        "minus",
        "half",
        "halves",
        "thirds",
        "fourths",
        "fifths",
        "sixths",
        "eighths",
        "tenths",
        *(*COUNTS, *_ORDINALS, *_SCALES),
    ]
)
"""Words after a number that say more than a unit: "5 or 6", "two thirds", "5 thousand two"."""


def _whole(text: str, words: str, type: str, units: Sequence[str]) -> int:
    value = _number(text, words, units, is_whole=True)
    if not isinstance(value, int) or not literal_fits(Literal(value), type):
        least = INTEGERS[type][0]
        above = f" of {least} or more" if least is not None and isinstance(value, int) else ""
        raise _unread(text, f"a whole number{above}", _A_WHOLE[1])
    return value


def _number(text: str, words: str, units: Sequence[str], *, is_whole: bool) -> int | float:
    expected = _A_WHOLE if is_whole else _A_NUMBER
    words = _CURRENCY.sub("", _without_about(words), count=1)
    names = {_unit_name(_plain(unit)) for unit in units}
    if names & set(_PERCENT):
        words = with_percent_signs(words)
        names |= set(_PERCENT)
    is_negative = _MINUS.match(words) is not None
    words = _MINUS.sub("", words, count=1)
    known = next((name for name in names if _unit_name(words).endswith(name)), "")
    if known:  # before the number is read: 5千克 is five kilograms, not five thousand grams
        words = _unit_name(words).removesuffix(known)
    found = _leading_number(words)
    if found is None:
        raise _unread(text, *expected)
    value, rest = found
    unit = rest.strip(" -").removesuffix("个") if known else rest.strip(" -").removeprefix("个")
    if unit.startswith(_NO_WIDE_UNIT) or unit.endswith("半"):
        raise _unread(text, *expected)
    if unit == "quarters" and not is_whole:
        raise _unread(text, *expected)
    if unit and units and not known and _UNIT.fullmatch(unit):
        raise UnreadValue(
            f"“{text}” is in {unit}: give the number in {units[0]}",
            f"“{text}”的单位是“{unit}”：请用{units[-1]}表示",
        )
    if unit and (known or not _is_unit(unit) or _is_prefixed(words, unit)):
        raise _unread(text, *expected)
    if unit in _PERCENT and not units and not is_whole:
        raise _unread(text, *expected)  # 5% may be 5 or 0.05
    return _as_number(-value if is_negative else value)


def _without_about(words: str) -> str:
    about = _ABOUT.match(words)
    return words if about is None else words[about.end() :]


def _is_unit(words: str) -> bool:
    """Whether words after a number can be its unit, where the ontology does not say which."""
    is_phrase = bool(_NO_UNIT & set(re.split("[ -]", words)))
    is_phrase = is_phrase or bool(re.search(f"[{NUMERALS}]", words))
    return bool(_UNIT.fullmatch(words)) and not is_phrase and words not in _LETTERS


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
    if scale := re.match(rf"half an? ({'|'.join(_SCALES)})\b", words):
        return Decimal(_SCALES[scale[1]]) / 2, words[scale.end() :]
    found = _number_in_digits(words) or _number_in_chinese(words) or _number_in_words(words)
    if found is None:
        return None
    value, rest = found
    if half := re.match(r" and a half\b|个?半", rest):
        value, rest = value + Decimal("0.5").copy_sign(value), rest[half.end() :]
    last = 1
    while scale := re.match(rf" ?({'|'.join(_SCALES)})\b", rest):  # 5 hundred thousand
        if _SCALES[scale[1]] <= last:
            return None
        last = _SCALES[scale[1]]
        value, rest = value * last, rest[scale.end() :]
    return value, rest


def _number_in_digits(words: str) -> tuple[Decimal, str] | None:
    match = _DIGITS.match(words)
    if match is None or re.match(rf"[{NUMERALS}]|[.,'\u2019]\d", words[match.end() :]):
        return None  # 2万, 2,90 or 1.2.3
    return Decimal(match["sign"] + _ungrouped(match["digits"])), words[match.end() :]


def _number_in_chinese(words: str) -> tuple[Decimal, str] | None:
    match = _CHINESE.match(words)
    number = number_of(match["number"]) if match is not None else None
    if match is None or number is None or _SEVERAL.search(match["number"]):
        return None
    value, rest = Decimal(repr(number)), words[match.end() :]
    if (point := re.match(f"点([{_DIGIT}]+)(?![分{NUMERALS}])", rest)) and value == int(value):
        digits = "".join(str(int(number_of(sign) or 0)) for sign in point[1])
        value, rest = Decimal(f"{int(value)}.{digits}"), rest[point.end() :]
    return -value if match["negative"] else value, rest


def _number_in_words(words: str) -> tuple[Decimal, str] | None:
    """A number that is spelt out; None for words of numbers that are none: "one two"."""
    total = group = end = before = 0
    last = ""
    for match in re.finditer(r"[a-z]+", words):
        word = match[0]
        if words[before : match.start()].strip(" -,"):
            break
        before = match.end()
        count = COUNTS.get(word, _ORDINALS.get(word))
        if count is not None:
            if last in ("", "hundred", "scale") or (last == "tens" and 0 < count < 10):
                group += count
            elif last in ("tens", "teens") and 10 <= group <= 20 and count >= 10:
                group = 100 * group + count  # nineteen eighty-seven
            else:
                return None
            last = "ones" if count < 10 else "teens" if count < 20 else "tens"
        elif word == "hundred":
            if last in ("hundred", "scale"):
                return None
            group, last = (group or 1) * 100, "hundred"
        elif word in _SCALES:
            if last == "scale" or (total and total % (1000 * _SCALES[word])):
                return None
            total, group, last = total + (group or 1) * _SCALES[word], 0, "scale"
        elif word == ("and" if last else "a"):
            continue  # "a hundred and five"; it ends here unless a number goes on
        else:
            break
        end = match.end()
        if word in _ORDINALS:
            break
    return (Decimal(total + group), words[end:]) if last else None


# Yes and no.


_TRUE = frozenset(
    [
        "yes",
        "y",
        "yeah",
        "yep",
        "true",
        "right",
        "correct",
        "1",
        "√",
        "✓",
        "是",
        "是的",
        "对",
        "对的",
        "没错",
        "正确",
        "有",
        "有的",
        "真",
        "真的",
    ]
)
_FALSE = frozenset(
    [
        "no",
        "n",
        "nope",
        "false",
        "wrong",
        "incorrect",
        "0",
        "×",
        "✗",
        "否",
        "不",
        "不是",
        "不是的",
        "不对",
        "错",
        "错误",
        "没有",
        "没",
        "无",
        "假",
        "并非",
    ]
)
_ANSWER = re.compile(
    r"(?P<word>yes|no)(?:,| (?=(?:it|he|she|they|there|this|that|we|nobody|nothing)\b)).*"
    r"|(?P<wide>是的?|不是|没有|没错|否|对|不对)[，,].*"
)
"""Yes or no and then why: "Yes, it was", 是的，计划过; not "no doubt"."""


def _truth(text: str, words: str) -> bool:
    answer = _ANSWER.fullmatch(words)
    word = words if answer is None else answer["word"] or answer["wide"]
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise _unread(text, "yes or no", "“是”或“否”")


# Dates and times.


_MONTH = "|".join((*(f"{month[:3]}(?:{month[3:]})?" for month in MONTHS), "sept"))
_HAN = "0-9零〇一二三四五六七八九十"
_DATE = re.compile(
    r"(?P<y0>\d{4})[-/.](?P<m0>\d{1,2})[-/.](?P<d0>\d{1,2})(?![\d-])"
    rf"|(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?: of |[ -])(?P<m1>{_MONTH})\b\.?"
    r"(?:(?:,? |-)(?P<y1>\d{4})\b)?"
    rf"|\b(?P<m2>{_MONTH})\b\.? (?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b"
    r"(?:,? (?P<y2>\d{4})\b)?"
    rf"|(?:(?P<y3>[{_HAN}]{{4}})年)?(?P<m3>[{_HAN}]{{1,3}})月(?P<d3>[{_HAN}]{{1,3}})[日号]?"
    r"|(?<!\d)(?P<a4>\d{1,2})[-/.](?P<b4>\d{1,2})[-/.](?P<y4>\d{4})(?!\d)",
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_BEFORE_DATE = re.compile(rf"^(?:on )?(?:{_WEEKDAY},? )?(?:the )?|^[于在](?:公元)?|^公元")
_AFTER_DATE = re.compile(rf"[, ]*\(?(?:\b{_WEEKDAY}|(?:星期|周|礼拜)[一二三四五六日天])\)?$")
_YEAR = re.compile(r"(?<![\d.,])(?:1[0-9]|20)\d\d(?![\d,.]\d|\d)|[零〇一二三四五六七八九]{4}(?=年)")
_A_DATE = ("a date such as 10 August 2021 or 2021-08-10", "日期，如 2021年8月10日")


def _date(text: str, words: str, document: str) -> str:
    words = _AFTER_DATE.sub("", _BEFORE_DATE.sub("", words))
    words = re.sub(r"[ t]00:00:00$", "", words)  # as spreadsheets write a day
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
    return int(number_of(text) or 0)


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


_EARLY = ("a", "in the morning", "凌晨", "清晨", "早晨", "早上", "上午")
_LATE = ("p", "in the afternoon", "in the evening", "下午", "傍晚")
_NIGHT = ("at night", "晚上", "夜里", "夜晚", "深夜", "半夜")
_WIDE_PART = "|".join(word for word in (*_EARLY, *_LATE, *_NIGHT, "中午") if not word.isascii())
_DIGITAL = re.compile(
    rf"(?P<wide>{_WIDE_PART})?(?P<h>\d{{1,2}})(?:[:.](?P<m>\d{{2}})(?:[:.](?P<s>\d{{2}}))?)?"
    r"(?P<clock> o'clock)?(?: ?(?:(?P<half>[ap])\.?m\.?|(?P<part>in the \w+|at night)))?"
)
_SPOKEN = re.compile(
    rf"(?P<wide>{_WIDE_PART})?(?P<h>[{_HAN}两]{{1,3}})(?P<clock>[点时])"
    rf"(?:(?P<m>[{_HAN}]{{1,3}})分?|(?P<point>半|一刻|三刻|整))?"
)
_NAMED = {"noon": 12, "midday": 12, "中午": 12, "正午": 12, "midnight": 0, "午夜": 0}
_A_TIME = ("a time such as 14:30 or 2:30 pm", "时间，如 14:30 或下午两点半")


def _time(text: str, words: str) -> str:
    words = re.sub(r"^at ", "", words)
    if words in _NAMED:
        return datetime.time(_NAMED[words]).isoformat()
    match = _DIGITAL.fullmatch(words) or _SPOKEN.fullmatch(words)
    if match is None:
        raise _unread(text, *_A_TIME)
    parts = match.groupdict()
    minute, second = _han_number(parts["m"] or ""), int(parts.get("s") or 0)
    minute = {"半": 30, "一刻": 15, "三刻": 45}.get(parts.get("point") or "", minute)
    part = parts["wide"] or parts.get("half") or parts.get("part") or ""
    hour = _hour(_han_number(parts["h"]), part)
    # 2:30 as people write it; 02:30 and 2:30:00 are times of a day of 24 hours.
    is_short = match.re is _DIGITAL and len(parts["h"]) == 1 and parts["m"] and not parts["s"]
    if not part and (parts["clock"] or is_short) and hour is not None and 0 < hour < 12:
        raise UnreadValue(
            f"“{text}” may be in the morning or in the afternoon: add which, or write 14:30",
            f"“{text}”可能是上午或下午：请写明，或写成 14:30",
        )
    is_bare = not (part or parts["m"] or parts["clock"])
    if hour is None or is_bare:
        raise _unread(text, *_A_TIME)
    try:
        return datetime.time(hour, minute, second).isoformat()
    except ValueError:
        raise _unread(text, *_A_TIME) from None


def _hour(hour: int, part: str) -> int | None:
    """The hour of the day, by the part of the day; None for one that the part does not have."""
    if part in _EARLY:
        if hour == 12:
            return 0 if part in ("a", "凌晨") else None
        return hour if hour < 12 else None
    if part in _LATE:
        return hour + 12 if hour < 12 else hour if hour == 12 or part in ("下午", "傍晚") else None
    if part in _NIGHT:
        late = hour + 12 if 6 <= hour < 12 else hour if hour > 18 else None
        early = hour if hour < 6 and part not in ("晚上", "夜晚") else None
        return 0 if hour == 12 else late if late is not None else early
    if part == "中午":
        return hour if hour in (11, 12) else hour + 12 if hour in (1, 2) else None
    return hour if not part else None


def _moment(text: str, words: str, document: str) -> str:
    match = _DATE.search(words)
    if match is None:
        raise _unread(text, "a date with a time, such as 10 August 2021 14:30", "带时间的日期")
    rest = f"{words[: match.start()]} {words[match.end() :]}"
    clock = " ".join(re.sub(r"[,，]|^\s*t(?=\d)", " ", rest).split())
    clock = re.sub(r"^(?:(?:on|at|the)(?: |$))+| (?:on|at)$", "", clock)
    if not clock:
        raise UnreadValue(f"“{text}” has no time: add it", f"“{text}”没有时间：请补上")
    day = _day(text, match, document)
    return f"{day.isoformat()}T{_time(text, clock)}"


_SPANS = {
    "Y": ("years?|年"),
    "M": ("months?|个?月"),
    "W": ("weeks?|周|个?星期"),
    "D": ("days?|天|日"),
    "H": ("hours?|hrs?|h|个?小时|钟头"),
    "m": ("minutes?|mins?|min|m|分钟|分"),
    "S": ("seconds?|secs?|s|秒钟?"),
}
_SMALLER = {"Y": ("M", 12), "W": ("D", 7), "D": ("H", 24), "H": ("m", 60), "m": ("S", 60)}
"""The next smaller part, and how many of it make one."""
_A_DURATION = ("a length of time such as 2 hours", "时长，如两小时")


def _duration(text: str, words: str) -> str:
    """XML Schema's duration with the parts that were typed: 2 hours is PT2H, not PT120M."""
    if re.fullmatch(r"p(?=[\dt])(?:\d+[ymwd])*(?:t(?:\d+[hms])+)?", words):
        return words.upper()
    parts: dict[str, Decimal] = {}
    sign, rest = "", _without_about(words)
    while rest:
        if sign and rest in ("a half", "半"):  # an hour and a half, 三天半
            parts[sign] += Decimal("0.5")
            break
        rest = re.sub(r"^half an? |^半", "0.5 ", re.sub(r"^an? (?!half|dozen|hundred)", "1 ", rest))
        found = _leading_number(rest)
        if found is None or found[0] < 0:
            raise _unread(text, *_A_DURATION)
        value, rest = found
        rest = rest.strip(" -")
        for sign, names in _SPANS.items():
            match = re.match(rf"(?:{names})(?![a-z])", rest)
            if match and (match[0] != "m" or "H" in parts):  # 5 m may be metres
                parts[sign] = value
                rest = re.sub(r"^(?:[ ,，]|and\b)+", "", rest[match.end() :])
                break
        else:
            raise _unread(text, *_A_DURATION)
    for sign in ("Y", "W", "D", "H", "m"):
        # A part of a year or an hour is told in months or minutes; only seconds have decimals.
        share = parts.get(sign, Decimal()) % 1
        smaller, size = _SMALLER[sign]
        if share:
            parts[sign] -= share
            parts[smaller] = parts.get(smaller, Decimal()) + share * size
    if "W" in parts:
        parts["D"] = parts.get("D", Decimal()) + 7 * parts.pop("W")
    if not parts or parts.get("M", Decimal()) % 1:
        raise _unread(text, *_A_DURATION)
    shown = {sign: f"{_as_number(value)}{sign.upper()}" for sign, value in parts.items() if value}
    day = "".join(shown.get(sign, "") for sign in "YMD")
    clock = "".join(shown.get(sign, "") for sign in "HmS")
    return f"P{day}" + (f"T{clock}" if clock else "") if shown else "PT0S"


def _year(text: str, words: str) -> int:
    number = re.sub("^(?:in |the year |公元)+", "", words).removesuffix("年")
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


Month = tuple[int | None, int | None]
"""A year and a month, of which one may not be said: "the August repair"."""
_MONTH_ONLY = re.compile(
    rf"\b(?P<m0>{_MONTH})\b\.?(?:,? (?:of )?(?P<y0>\d{{4}})\b)?"
    rf"|(?:(?P<y1>[{_HAN}]{{4}})年)?(?P<m1>[{_HAN}]{{1,3}})月(?:份)?(?![{_HAN}])"
    rf"|(?P<y2>[{_HAN}]{{4}})年|(?<!\d)(?P<y3>(?:1[0-9]|20)\d\d)(?!\d)"
)


def months_in(text: str) -> Iterator[Month]:
    """The months and years in a description that names no day."""
    for match in _MONTH_ONLY.finditer(_plain(text)):
        year, month = match["y0"] or match["y1"] or match["y2"] or match["y3"], match["m1"]
        number = _han_number(month) if month else None
        if match["m0"]:
            number = [name[:3] for name in MONTHS].index(match["m0"][:3]) + 1
        yield (_han_number(year) if year else None), number

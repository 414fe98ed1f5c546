"""Times of day as people type them, alone or with a date."""

from __future__ import annotations

import datetime
import re

from readmark.tasks.typed.dates import COUNTING, DATE, day_of, small_number
from readmark.tasks.typed.words import UnreadValue, not_a

_MORNING = ("a", "in the morning", "凌晨", "清晨", "早晨", "早上", "上午")
_AFTERNOON = ("p", "in the afternoon", "in the evening", "下午", "傍晚")
_NIGHT = ("at night", "晚上", "夜里", "夜晚", "深夜", "半夜")
_NOON = "中午"
_CHINESE_PART = "|".join(
    part for part in (*_MORNING, *_AFTERNOON, *_NIGHT, _NOON) if not part.isascii()
)
_DIGITAL = re.compile(
    rf"(?P<chinese>{_CHINESE_PART})?"
    r"(?P<h>\d{1,2})(?:[:.](?P<m>\d{2})(?:[:.](?P<s>\d{2}))?)?"
    r"(?P<clock> o'clock)?(?: ?(?:(?P<half>[ap])\.?m\.?|(?P<part>in the \w+|at night)))?"
)
_SPOKEN = re.compile(
    rf"(?P<chinese>{_CHINESE_PART})?(?P<h>[{COUNTING}两]{{1,3}})(?P<clock>[点时])"
    rf"(?:(?P<m>[{COUNTING}]{{1,3}})分?|(?P<quarter>半|一刻|三刻|整))?"
)
_QUARTERS = {"半": 30, "一刻": 15, "三刻": 45, "整": 0}
_NAMED = {"noon": 12, "midday": 12, "中午": 12, "正午": 12, "midnight": 0, "午夜": 0}
_A_TIME = ("a time such as 14:30 or 2:30 pm", "时间，如 14:30 或下午两点半")


def read_time(text: str, words: str) -> str:
    """The time of day that somebody typed; one that may be in either half of the day is refused.

    ``words`` are the text as `plain_words` has it; the text itself is for messages.
    """
    words = re.sub(r"^at ", "", words)
    if words in _NAMED:
        return datetime.time(_NAMED[words]).isoformat()
    match = _DIGITAL.fullmatch(words) or _SPOKEN.fullmatch(words)
    if match is None:
        raise not_a(*_A_TIME, text)
    groups = match.groupdict()
    part = groups["chinese"] or groups.get("half") or groups.get("part") or ""
    hour = _hour_of_day(small_number(groups["h"]), part)
    if quarter := groups.get("quarter"):
        minute = _QUARTERS[quarter]
    else:
        minute = small_number(groups["m"] or "")
    second = int(groups.get("s") or 0)

    # 2:30 as people write it; 02:30 and 2:30:00 are times of a day of 24 hours.
    is_short = match.re is _DIGITAL and len(groups["h"]) == 1 and groups["m"] and not groups["s"]
    if not part and (groups["clock"] or is_short) and hour is not None and 0 < hour < 12:
        raise UnreadValue(
            f"“{text}” may be in the morning or in the afternoon: add which, or write 14:30",
            f"“{text}”可能是上午或下午：请写明，或写成 14:30",
        )
    is_bare_number = not (part or groups["m"] or groups["clock"])
    if hour is None or is_bare_number:
        raise not_a(*_A_TIME, text)
    try:
        return datetime.time(hour, minute, second).isoformat()
    except ValueError:
        raise not_a(*_A_TIME, text) from None


def _hour_of_day(hour: int, part: str) -> int | None:
    """The hour of the day, by the part of the day; None for one that the part does not have."""
    if part in _MORNING:
        if hour == 12:
            return 0 if part in ("a", "凌晨") else None
        return hour if hour < 12 else None
    if part in _AFTERNOON:
        if hour < 12:
            return hour + 12
        return hour if hour == 12 or part in ("下午", "傍晚") else None
    if part in _NIGHT:
        if hour == 12:
            return 0
        if hour < 6:
            return hour if part not in ("晚上", "夜晚") else None
        if hour < 12:
            return hour + 12
        return hour if hour > 18 else None
    if part == _NOON:
        if hour in (1, 2):
            return hour + 12
        return hour if hour in (11, 12) else None
    return None if part else hour


def read_moment(text: str, words: str, document: str) -> str:
    """The date and time that somebody typed, in whatever order."""
    match = DATE.search(words)
    if match is None:
        raise not_a("a date with a time, such as 10 August 2021 14:30", "带时间的日期", text)
    rest = f"{words[: match.start()]} {words[match.end() :]}"
    clock = " ".join(re.sub(r"[,，]|^\s*t(?=\d)", " ", rest).split())
    clock = re.sub(r"^(?:(?:on|at|the)(?: |$))+| (?:on|at)$", "", clock)
    if not clock:
        raise UnreadValue(f"“{text}” has no time: add it", f"“{text}”没有时间：请补上")
    day = day_of(text, match, document)
    return f"{day.isoformat()}T{read_time(text, clock)}"

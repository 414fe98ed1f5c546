"""Numbers as Chinese texts write them: in digits, in numerals or in both, and percentages."""

from __future__ import annotations

import math
import re

NUMERALS = "0-9零〇一二两三四五六七八九十百千万亿"
"""The characters that numbers are made of, as a class of a regular expression."""

_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
_SCALED = re.compile(r"(\d+(?:\.\d+)?)([十百千万亿]+)")
_PERCENT = re.compile(rf"百分之([{NUMERALS}]+)")
_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_GREAT = {"万": 10_000, "亿": 100_000_000}
"""Powers that multiply what is read before them: 三千万 is 3000 × 10,000. 一亿两千万 is a sum."""


def number_of(text: str) -> float | None:
    """The number in digits or Chinese numerals; None for what is not a number."""
    if text.startswith("-"):
        size = number_of(text[1:])
        return None if size is None else -size
    if text.isascii():
        return float(text) if _DECIMAL.fullmatch(text) else None
    if (scaled := _SCALED.fullmatch(text)) is not None:  # 2.5百万
        powers = (_POWERS.get(sign) or _GREAT[sign] for sign in scaled[2])
        return float(scaled[1]) * math.prod(powers)
    yi = wan = section = digit = 0  # the parts of 三亿两千万五百六: multiplied by 亿, by 万, below
    for sign in text:
        if sign in _DIGITS:
            digit = digit * 10 + _DIGITS[sign] if digit else _DIGITS[sign]  # 一九九八
        elif sign in _POWERS:
            section += (digit or 1) * _POWERS[sign]  # 十五 needs no 一
            digit = 0
        elif sign == "万":
            wan = ((wan + section + digit) or 1) * _GREAT[sign]
            section = digit = 0
        elif sign == "亿":
            before = wan + section + digit
            yi = yi + before * _GREAT[sign] if before else (yi or 1) * _GREAT[sign]  # 亿亿
            wan = section = digit = 0
        elif sign.isdigit():
            digit = digit * 10 + int(sign)
        else:
            return None
    if len(text) > 1 and digit < 10:  # 一百五 is 150, 一百零五 is 105
        power = _POWERS.get(text[-2]) or _GREAT.get(text[-2])
        digit *= power // 10 if power else 1
    return yi + wan + section + digit


def with_percent_signs(text: str) -> str:
    """A text whose 百分之五 is 5%."""
    return _PERCENT.sub(lambda match: f"{number_of(match[1]):.10g}%", text)

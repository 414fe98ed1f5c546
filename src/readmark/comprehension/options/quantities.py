"""Quantities in Chinese, however they are written, and what follows from two of them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from readmark.core.arrays import Floats
from readmark.text.chinese_numbers import NUMERALS, number_of

_N = rf"[{NUMERALS}]{{1,15}}(?:\.[0-9]{{1,9}})?"
_DIGIT = "[1-9一二三四五六七八九]"
_QUANTITY = re.compile(
    rf"差(?P<short>{_N}|一刻)分?钟?(?:到|就)?(?P<next>{_N})点"
    rf"|(?P<longer>{_N})个半(?:小时|钟头)|(?P<hours>{_N}|半)个?多?(?:小时|钟头)"
    rf"|(?P<minutes>{_N})分钟|(?P<quarters>{_N})刻钟"
    rf"|(?!一点(?![钟半{NUMERALS}]))(?P<hour>{_N})(?:点钟?过?|[:：](?=\d\d))(?P<part>半|一刻|三刻|{_N})?分?"
    r"|(?:星期|周|礼拜)(?P<day>[一二三四五六日天])"
    rf"|(?P<whole>{_N})[块元]钱?(?P<tenths>{_DIGIT}(?![十百千万0-9]))?|(?P<dimes>{_N})[毛角]"
    rf"|(?P<discount>{_N})折|(?P<number>{_N})"
)
_PARTS = {"半": 30.0, "一刻": 15.0, "三刻": 45.0}
_DIAL = 12 * 60  # minutes: whether it is morning or evening is rarely said
_EARLIER = re.compile("差|还有|提前|早|前")
_LATER = re.compile("晚|推迟|迟到|后|再过|过了|还要|还得")
_SUM = re.compile("一共|总共|加|多(?!少)|大|又|再")
_DIFFERENCE = re.compile("差|(?<!多)少|便宜|减|小|优惠|找|剩")
_DAYS = {"大后天": 3, "后天": 2, "明天": 1, "昨天": -1, "前天": -2}
_AROUND = 6
"""Characters around a duration in which it is said whether it is added."""
_FEW = 30
"""From more quantities than this nearly everything follows, so nothing is derived."""

_STATED = 0.3
"""What an option counts that the text has; 1 is added where a likely stretch has it."""
_FOLLOWS = 1.2
"""What an option counts that follows from quantities of the text."""


class OptionQuantity(NamedTuple):
    """A quantity of a text or an option, and where it begins and ends."""

    kind: str
    """clock, duration, day, money, discount or number"""
    value: float
    start: int
    end: int


def quantities(text: str) -> list[OptionQuantity]:
    """The quantities of a text: times in minutes, days from Monday, money in yuan."""
    in_order = []
    for match in _QUANTITY.finditer(text):
        part = {name: value for name, value in match.groupdict().items() if value is not None}
        read = {name: _PARTS.get(value) or number_of(value) or 0.0 for name, value in part.items()}
        match next(iter(part)):
            case "short":
                kind, value = "clock", read["next"] * 60 - read["short"]
            case "hour":
                kind, value = "clock", read["hour"] * 60 + read.get("part", 0.0)
            case "longer":
                kind, value = "duration", read["longer"] * 60 + 30
            case "hours":
                kind, value = "duration", 30.0 if part["hours"] == "半" else read["hours"] * 60
            case "minutes" | "quarters" as name:
                kind, value = "duration", read[name] * (1 if name == "minutes" else 15)
            case "day":
                kind, value = "day", float(min("一二三四五六日天".index(part["day"]), 6))
            case "whole":
                kind, value = "money", read["whole"] + read.get("tenths", 0.0) / 10
            case "dimes":
                kind, value = "money", read["dimes"] / 10
            case name:
                kind, value = name, read[name]
        if kind == "clock":
            value %= _DIAL
        in_order.append(OptionQuantity(kind, value, *match.span()))
    return in_order


def equal_quantities(text: str, near: Floats, options: Sequence[str]) -> list[float]:
    """How much a text has of options that are quantities, or of what follows from its own.

    A quantity of the text counts by how near the likely stretches it is. Zeros where more than
    one option is no quantity.
    """
    of_options = [_sole_quantity(option) for option in options]
    if len(options) - of_options.count(None) < max(2, len(options) - 1):
        return [0.0] * len(options)
    of_text = quantities(text)
    derived = _derived(text, of_text) if len(of_text) <= _FEW else []
    nearest = float(near.max(initial=0.0)) or 1.0
    figures = []
    for quantity in of_options:
        if quantity is None:
            figures.append(0.0)
            continue
        stated = [
            _STATED + float(near[other.start]) / nearest
            for other in of_text
            if math.isclose(other.value, quantity.value)
            and (quantity.kind == other.kind or "number" in (quantity.kind, other.kind))
        ]
        follows = any(
            math.isclose(value, quantity.value) and quantity.kind in kinds
            for kinds, value in derived
        )
        figures.append(max([*stated, _FOLLOWS if follows else 0.0]))
    return figures


def _sole_quantity(option: str) -> OptionQuantity | None:
    """The quantity that an option is; None if it has two, or says much else."""
    in_option = quantities(option)
    if len(in_option) != 1 or in_option[0].end - in_option[0].start < 0.4 * len(option):
        return None
    return in_option[0]


def _derived(text: str, of_text: Sequence[OptionQuantity]) -> list[tuple[tuple[str, ...], float]]:
    """What follows from two quantities where a word between or around them asks for it.

    Each value is with the kinds of quantity that it may be.
    """
    derived: list[tuple[tuple[str, ...], float]] = []
    for kind, value, start, end in of_text:
        around = text[max(0, start - _AROUND) : end + _AROUND]
        for other in of_text:
            if kind == "duration" and other.kind == "clock":
                for sign, cue in ((-1, _EARLIER), (1, _LATER)):
                    if cue.search(around):
                        derived.append((("clock",), (other.value + sign * value) % _DIAL))
            elif kind == "discount" and other.kind in ("money", "number"):
                whole = 10 if value < 10 else 100  # 八折 and 85折: what is still paid
                derived.append((("money", "number"), other.value * value / whole))
            elif (
                kind == other.kind
                and other.start < start
                and kind in ("money", "number", "duration")
            ):
                if _SUM.search(text):
                    derived.append(((kind, "number"), other.value + value))
                if _DIFFERENCE.search(text):
                    derived.append(((kind, "number"), abs(other.value - value)))
        if kind == "day":
            for name, days in _DAYS.items():
                if name in text:
                    derived += [(("day",), (value + sign * days) % 7) for sign in (-1, 1)]
    return derived

"""The words that carry no content, and the words that hint at a time, a cause, a place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files

_LISTS = tomllib.loads(
    (files("readmark.models.evidence") / "data" / "function_words.toml").read_text(encoding="utf-8")
)

FUNCTION: Mapping[str, frozenset[str]] = {
    language: frozenset(_LISTS[language].split()) for language in ("en", "zh")
}
ENDS_FOCUS = frozenset(_LISTS["ends_focus"].split())

_NUMERALS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    "sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|"
    "hundreds?|thousands?|millions?|billions?|half|third|quarter|dozens?|percent|twice|once"
)
_CALENDAR = (
    "january|february|march|april|june|july|august|september|october|november|december|"
    "(?:mon|tues|wednes|thurs|fri|satur|sun)day|years?|century|centuries|decades?|months?|weeks?|"
    "days?|hours?|minutes?|today|yesterday|tomorrow|spring|summer|autumn|winter|morning|evening|"
    "night|ago|bc|ad"
)
CUES: Mapping[str, re.Pattern[str]] = {
    "quantity": re.compile(
        rf"^(?!(?:1\d|20)\d\d$)\d|^(?:{_NUMERALS})$|^[零〇一二三四五六七八九十百千万亿两]+"
    ),
    "time": re.compile(
        rf"^(?:1\d|20)\d\d$|^(?:{_CALENDAR})$|[年月日]$|世纪|时期|时代|朝$|[早晚夜]|[春夏秋冬]"
    ),
    "cause": re.compile(
        "^(?:because|since|due|caus(?:e[sd]?|ing)|results?|resulted|reasons?|therefore|thus|led|"
        "leads?|order)$|^(?:因为|由于|因此|所以|为了|原因|导致|因|使得|以致|故|因而)$"
    ),
    "place": re.compile(".[市省县区国州岛洲镇村路街山河湖海港站部院宫寺]$"),
}
"""What the spelling of a word alone hints at, in either language."""

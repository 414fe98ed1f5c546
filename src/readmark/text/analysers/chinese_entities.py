"""Which entity a Chinese noun phrase contains, by the guidelines of the BRCC document.

Names come from the tags, occupations, measures and times from data/zh.toml; a
duration is TIME, an age or a frequency NUM.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from readmark.text.analysers.tables import endings, table, words

_LABELS: dict[str, str] = table("zh")["labels"]
_FEMALE = endings("zh", "person", "female")
_MALE = endings("zh", "person", "male")
_OCCUPATIONS = words("zh", "person", "occupations")
_ENDINGS = endings("zh", "person", "occupation_endings")
_NO_OCCUPATIONS = words("zh", "person", "no_occupations")
_TIMES = words("zh", "time", "words")
_TIME_UNITS = endings("zh", "time", "units")
_PLACES = endings("zh", "location", "endings")
_BODIES = endings("zh", "organization", "endings")
_COUNTED = words("zh", "number", "units") | words("zh", "number", "age")
_FREQUENCY = endings("zh", "number", "frequency")
_AGE = endings("zh", "number", "age")
_VAGUE = endings("zh", "number", "vague")

_DIGITS = r"0-9０-９零〇一二两兩三四五六七八九十百千万萬亿億几数"
_NUMERAL = re.compile(rf"(?<!第)[{_DIGITS}][{_DIGITS}.．,，]*多?[{_DIGITS}]*")
_PERCENT = re.compile(r"[%％‰]|百分之|分之")
_DURATION = re.compile(rf"[{_DIGITS}半每整][{_DIGITS}]*多?个?多?(?:{'|'.join(_TIME_UNITS)})")
_COUNTING = frozenset({"m", "mq", "mg", "q", "t", "TIME", "b", "x"})  # 三 of 三亚 counts nothing
_DIGIT = re.compile(f"[{_DIGITS}]")
_HEADS = re.compile(f"[{_DIGITS}]+多?人")
_NOT_PLACES = ("语", "文", "话", "人")  # 英国英语, 法国人: contain a country's name, name none


def entity_type(phrase: Sequence[str], tags: Sequence[str]) -> str | None:
    """The type of the entity that a phrase of words contains, or None."""
    text = "".join(
        word if tag in _COUNTING or _HEADS.fullmatch(word) else _DIGIT.sub("〓", word)
        for word, tag in zip(phrase, tags, strict=True)
    )
    named = {_LABELS.get(tag) for tag in tags}
    if _is_occupation(phrase[-1], tags[-1]) or ("PERSON" in named and phrase[-1] != "人"):
        return "PERSON"
    numeral = _NUMERAL.search(text)
    if numeral is not None and text.endswith(_AGE + _FREQUENCY):
        return "NUM"
    if numeral is not None and any(unit in text[numeral.end() :] for unit in _AGE):
        return "NUM"
    if "TIME" in named or any(word in _TIMES for word in phrase) or _DURATION.search(text):
        return "TIME"
    counted = numeral is not None and numeral.start() == 0
    if counted or phrase[-1].endswith(_NOT_PLACES):
        return "NUM" if _is_number(text, numeral) else None
    last = _LABELS.get(tags[-1])
    if last in ("LOCATION", "ORGANIZATION"):
        return last
    if tags[-1] == "nz" and len(phrase[-1]) > 2:
        if phrase[-1].endswith(_PLACES):
            return "LOCATION"
        if phrase[-1].endswith(_BODIES):
            return "ORGANIZATION"
    for type in ("LOCATION", "ORGANIZATION"):
        if type in named:
            return type
    return "NUM" if _is_number(text, numeral) else None


def gender_of(name: str, following: str) -> str | None:
    """What a title after or inside a name says of the person's gender."""
    if name.endswith(_FEMALE) or following in _FEMALE:
        return "female"
    return "male" if name.endswith(_MALE) or following in _MALE else None


def _is_occupation(word: str, tag: str) -> bool:
    if word in _OCCUPATIONS:
        return True
    return (
        tag[:1] == "n"
        and len(word) > 1
        and word.removesuffix("们").endswith(_ENDINGS)
        and word not in _NO_OCCUPATIONS
    ) or word.removesuffix("们") in _OCCUPATIONS


def _is_number(text: str, numeral: re.Match[str] | None) -> bool:
    if _PERCENT.search(text):
        return True
    if numeral is None:
        return False
    rest = text[numeral.end() :]
    if rest.startswith(_VAGUE):
        return False
    if numeral[0] == "一":  # 一场比赛 says "a", 一公里 says how far
        return rest in _COUNTED
    return True

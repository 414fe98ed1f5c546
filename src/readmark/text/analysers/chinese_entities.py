"""The entity that a Chinese noun phrase contains, and the gender of a name.

The guidelines are in section 4.4 of "Design and Development of a Bilingual Reading Comprehension
Corpus": a phrase has the type of what it contains, and an occupation is a PERSON.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from readmark.text.analysers.word_tables import table, table_endings, table_words

_LABELS: dict[str, str] = table("zh")["labels"]
_FEMALE = table_endings("zh", "person", "female")
_MALE = table_endings("zh", "person", "male")
OCCUPATIONS = table_words("zh", "person", "occupations")
_OCCUPATION_ENDINGS = table_endings("zh", "person", "occupation_endings")
_NO_OCCUPATIONS = table_words("zh", "person", "no_occupations")
_TIMES = table_words("zh", "time", "words")
_TIME_UNITS = table_endings("zh", "time", "units")
_PLACES = table_endings("zh", "location", "endings")
_BODIES = table_endings("zh", "organization", "endings")
_COUNTED = table_words("zh", "number", "units") | table_words("zh", "number", "age")
_FREQUENCY = table_endings("zh", "number", "frequency")
_AGE = table_endings("zh", "number", "age")
_VAGUE = table_endings("zh", "number", "vague")
MEASURES = frozenset((*_TIME_UNITS, *_COUNTED, *_AGE, *_FREQUENCY)) | frozenset(
    "年月日号號点點分秒时"
)
"""Words that a number counts, in simplified and traditional characters."""

NUMERALS = r"0-9０-９零〇一二两兩三四五六七八九十百千万萬亿億几数"
_NUMERAL = re.compile(rf"(?<!第)[{NUMERALS}][{NUMERALS}.．,，]*多?[{NUMERALS}]*")
_PERCENT = re.compile(r"[%％‰]|百分之|分之")
_DURATION = re.compile(rf"[{NUMERALS}半每整][{NUMERALS}]*多?个?多?(?:{'|'.join(_TIME_UNITS)})")
_DIGIT = re.compile(f"[{NUMERALS}]")
_NO_DIGIT = "〓"
_HEADS = re.compile(f"[{NUMERALS}]+多?人")
_COUNTING = frozenset({"m", "mq", "mg", "q", "t", "TIME", "b", "x"})
"""Tags of words whose numerals count: 三 of 三亚, a city, counts nothing."""
_NOT_PLACES = ("语", "文", "话", "人")
"""Endings of words that contain a country's name and name none: 英国英语, 法国人."""


def entity_type(phrase: Sequence[str], tags: Sequence[str]) -> str | None:
    """The type of the entity that a phrase of words contains, or None."""
    text = "".join(
        word if tag in _COUNTING or _HEADS.fullmatch(word) else _DIGIT.sub(_NO_DIGIT, word)
        for word, tag in zip(phrase, tags, strict=True)
    )
    last_word, last_tag = phrase[-1], tags[-1]
    labels = {_LABELS.get(tag) for tag in tags}
    if _is_occupation(last_word, last_tag) or ("PERSON" in labels and last_word != "人"):
        return "PERSON"
    numeral = _NUMERAL.search(text)
    if numeral is not None and text.endswith(_AGE + _FREQUENCY):
        return "NUM"
    if numeral is not None and any(unit in text[numeral.end() :] for unit in _AGE):
        return "NUM"
    if "TIME" in labels or any(word in _TIMES for word in phrase) or _DURATION.search(text):
        return "TIME"
    is_counted = numeral is not None and numeral.start() == 0
    if is_counted or last_word.endswith(_NOT_PLACES):
        return "NUM" if _is_number(text, numeral) else None
    last_label = _LABELS.get(last_tag)
    if last_label in ("LOCATION", "ORGANIZATION"):
        return last_label
    if last_tag == "nz" and len(last_word) > 2:  # another name: its ending says of what
        if last_word.endswith(_PLACES):
            return "LOCATION"
        if last_word.endswith(_BODIES):
            return "ORGANIZATION"
    for label in ("LOCATION", "ORGANIZATION"):
        if label in labels:
            return label
    return "NUM" if _is_number(text, numeral) else None


def gender_of(name: str, following: str) -> str | None:
    """What a title after or inside a name says of the person's gender."""
    if name.endswith(_FEMALE) or following in _FEMALE:
        return "female"
    return "male" if name.endswith(_MALE) or following in _MALE else None


def _is_occupation(word: str, tag: str) -> bool:
    singular = word.removesuffix("们")
    if word in OCCUPATIONS or singular in OCCUPATIONS:
        return True
    is_noun = tag[:1] == "n" and len(word) > 1
    return is_noun and singular.endswith(_OCCUPATION_ENDINGS) and word not in _NO_OCCUPATIONS


def _is_number(text: str, numeral: re.Match[str] | None) -> bool:
    """Whether a phrase says a specific number, as the guidelines ask."""
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

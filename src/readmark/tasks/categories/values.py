"""Values of marks: what an annotator gives, or what the marked words say."""

from __future__ import annotations

import re
from typing import Any

from readmark.core.errors import did_you_mean
from readmark.core.records import Offsets
from readmark.tasks.reasoning.datatypes import FRACTIONS, literal_fits
from readmark.tasks.reasoning.terms import Literal, Name, term_of
from readmark.text.chinese_numbers import NUMERALS, number_of
from readmark.works import MarkAttribute

_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
COUNTS = {word: value for value, word in enumerate(_ONES)} | {
    ten + (f"-{_ONES[one]}" if one else ""): 10 * at + one
    for at, ten in enumerate(_TENS, 2)
    for one in range(10)
}
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH = "|".join(f"{month[:3]}(?:{month[3:]}|[.])?" for month in MONTHS)
_INTEGER = re.compile(
    rf"(?<![\w.,-])-?(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?![\w]|[.,]\d)"
    rf"|\b(?:{'|'.join(sorted(COUNTS, key=len, reverse=True))})\b"
    rf"|[{NUMERALS}]+",
    re.IGNORECASE,
)
_REAL = re.compile(r"(?<![\w.,])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|[.,]\d)")
_DATE = re.compile(
    r"(?P<iso>\d{4}-\d\d-\d\d)"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<month>{_MONTH}),?\s+(?P<year>\d{{4}})"
    rf"|(?P<month2>{_MONTH})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year2>\d{{4}})"
    r"|(?P<year3>\d{4})\s*年\s*(?P<month3>\d{1,2})\s*月\s*(?P<day3>\d{1,2})\s*日",
    re.IGNORECASE,
)


def value_of(attribute: MarkAttribute, value: Any) -> Name | Literal:
    """The term that an annotator's value is; ValueError says what is wrong."""
    choices = [str(choice) for choice in attribute.choices]
    if choices and str(value) not in choices:
        raise ValueError(f"{value!r} is none of the choices; {did_you_mean(str(value), choices)}")
    if attribute.type == "string":
        return Literal(str(value))
    spelt = {True: "true", False: "false"}.get(value) if isinstance(value, bool) else str(value)
    term = term_of(spelt or " ") if (spelt or "").strip() else Literal("")
    if isinstance(term, Name | Literal) and fits(attribute, term):
        return term
    raise ValueError(f"{value!r} is no {attribute.type}")


def fits(attribute: MarkAttribute, term: Name | Literal) -> bool:
    """Whether a term can be the value of an attribute."""
    kinds = {"integer": "integer", "number": FRACTIONS[0], "boolean": "boolean", "date": "date"}
    choices = {str(choice) for choice in attribute.choices}
    if attribute.type == "name":
        return isinstance(term, Name) and (not choices or term.text in choices)
    if not isinstance(term, Literal) or (choices and term.lexical not in choices):
        return False
    return literal_fits(term, kinds.get(attribute.type, "string")) and not term.language


def value_in_words(attribute: MarkAttribute, words: str) -> tuple[Literal, Offsets] | None:
    """The only value that words say, and where in them; None where they say none, or several."""
    if attribute.type == "string":
        return Literal(words), (0, len(words))
    readers = {"integer": (_INTEGER, _integer), "number": (_REAL, _real), "date": (_DATE, _date)}
    if attribute.type not in readers:
        return None
    pattern, read = readers[attribute.type]
    found = [(value, match.span()) for match in pattern.finditer(words) if (value := read(match))]
    if len(found) != 1 or not fits(attribute, found[0][0]):
        return None
    return found[0]


def _integer(match: re.Match[str]) -> Literal | None:
    text = match[0].lower()
    if text in COUNTS:
        return Literal(COUNTS[text])
    number = number_of(text.replace(",", ""))
    return Literal(int(number)) if number is not None and number == int(number) else None


def _real(match: re.Match[str]) -> Literal:
    text = match[0].replace(",", "")
    return Literal(float(text) if "." in text else int(text))


def _date(match: re.Match[str]) -> Literal | None:
    parts = {name.rstrip("23"): value for name, value in match.groupdict().items() if value}
    text = parts.get("iso", "")
    if not text:
        month = parts["month"].lower()[:3]
        number = int(month) if month.isdecimal() else [one[:3] for one in MONTHS].index(month) + 1
        text = f"{parts['year']}-{number:02d}-{int(parts['day']):02d}"
    try:
        term = term_of(text)
    except ValueError:
        return None
    return term if isinstance(term, Literal) else None

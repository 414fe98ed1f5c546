"""XML Schema's datatypes: which there are, and which literals are values of each."""

from __future__ import annotations

import datetime

from readmark.tasks.reasoning.dates import ZonedDate
from readmark.tasks.reasoning.terms import Literal, Name

INTEGERS: dict[str, tuple[int | None, int | None]] = {
    "integer": (None, None),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
    "long": (-(2**63), 2**63 - 1),
    "int": (-(2**31), 2**31 - 1),
    "short": (-(2**15), 2**15 - 1),
    "byte": (-128, 127),
    "unsignedLong": (0, 2**64 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedByte": (0, 255),
}
"""Whole numbers with their bounds."""
FRACTIONS = ("double", "float", "decimal")
TEXTS = ("string", "normalizedString", "token", "anyURI", "language")


def datatype(name: Name) -> str | None:
    """The local name of an XML Schema datatype (or rdfs:Literal); None for a class."""
    prefix, _, local = name.text.partition(":")
    return local if prefix == "xsd" or name.text == "rdfs:Literal" else None


def is_in_bounds(value: int, type: str) -> bool:
    """Whether an integer lies within the bounds of one of :data:`INTEGERS`."""
    least, most = INTEGERS[type]
    return (least is None or value >= least) and (most is None or value <= most)


def literal_fits(literal: Literal, type: str) -> bool:
    """Whether a literal is a value of a datatype; an unknown datatype takes anything."""
    value = literal.value
    # Python's booleans are integers, and its datetimes are dates.
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if type in INTEGERS:
        return is_number and isinstance(value, int) and is_in_bounds(value, type)
    if type in FRACTIONS:
        return is_number
    if type == "boolean":
        return isinstance(value, bool)
    if type == "dateTime":
        return isinstance(value, datetime.datetime)
    if type == "date":
        is_time = isinstance(value, datetime.datetime)
        return isinstance(value, datetime.date | ZonedDate) and not is_time
    if type in TEXTS:
        return isinstance(value, str)
    return True

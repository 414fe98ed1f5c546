"""Names and literals as RDF terms, and back."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, TypeVar

from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.names import XSD
from readmark.tasks.reasoning.datatypes import FRACTIONS, INTEGERS, is_in_bounds
from readmark.tasks.reasoning.dates import read_date, read_moment
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.terms import Literal, Name, Value, real_number, whole_number

if TYPE_CHECKING:
    import pyoxigraph

BLANK = "_:"
"""What the names of blank nodes begin with."""

# What "XML Schema Definition Language 1.1 Part 2: Datatypes" lets the values look like.
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_SPECIAL_FRACTIONS = {"INF": "inf", "+INF": "inf", "-INF": "-inf", "NaN": "nan"}
_SPACES = " \t\r\n"
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DOUBLE = re.compile(_DECIMAL.pattern + r"(?:[eE][+-]?[0-9]+)?")

_DATATYPES = {
    "bool": "boolean",
    "int": "integer",
    "float": "double",
    "date": "date",
    "datetime": "dateTime",
}
"""The datatype that a literal is written with, by its kind."""
_T = TypeVar("_T")


def literal_of(term: pyoxigraph.Literal, *, file: str, line: int) -> Literal:
    """The typed value of an RDF literal; one that its datatype does not have is an error."""
    type = term.datatype.value
    text = term.value
    if not type.startswith(XSD):
        return Literal(text, (term.language or "").lower())
    local = type[len(XSD) :]
    try:
        return Literal(_value(text, local))
    except (ValueError, KeyError) as error:
        shown = text if len(text) <= 40 else text[:39] + "…"
        reason = f": {error}" if isinstance(error, _NotKept) else ""
        message = f"{shown!r} is no xsd:{local} that can be kept{reason}"
        raise DataError(message, file=file, where=line) from None


class _NotKept(ValueError):
    """Why a text that its datatype allows cannot be kept as a value."""


def _value(text: str, type: str) -> Value:
    if type in INTEGERS:
        integer = _kept(whole_number, _matching(_INTEGER, text))
        if not is_in_bounds(integer, type):
            raise ValueError
        return integer
    if type == "decimal":
        text = _matching(_DECIMAL, text)
        number = _kept(real_number, text)
        if Decimal(repr(number)) != Decimal(text):
            raise _NotKept("it has more digits than are kept")
        return number
    stripped = text.strip(_SPACES)
    if type in FRACTIONS:
        special = _SPECIAL_FRACTIONS.get(stripped)
        return float(special) if special else _kept(real_number, _matching(_DOUBLE, text))
    if type == "boolean":
        return _BOOLEANS[stripped]
    if type == "date":
        return _kept(read_date, stripped)
    if type == "dateTime":
        return _kept(read_moment, stripped)
    return text


def _matching(form: re.Pattern[str], text: str) -> str:
    """The text without the spaces around it; ValueError if it has not the form."""
    match = form.fullmatch(text.strip(_SPACES))
    if match is None:
        raise ValueError
    return match[0]


def _kept(read: Callable[[str], _T], text: str) -> _T:
    try:
        return read(text)
    except ValueError as error:
        raise _NotKept(str(error)) from None


def node_of(
    term: Name | Literal, namespaces: Namespaces
) -> pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal:
    """The RDF term of a name or literal."""
    require("pyoxigraph")
    import pyoxigraph

    if isinstance(term, Name):
        if term.text.startswith(BLANK):
            return pyoxigraph.BlankNode(term.text[len(BLANK) :])
        try:
            return pyoxigraph.NamedNode(namespaces.expand(term))
        except ValueError as error:
            raise DataError(f"the name {term.text!r} is no IRI: {error}") from None
    if isinstance(term.value, str):
        return pyoxigraph.Literal(term.value, language=term.language or None)
    datatype = pyoxigraph.NamedNode(XSD + _DATATYPES[term.kind])
    return pyoxigraph.Literal(term.lexical, datatype=datatype)

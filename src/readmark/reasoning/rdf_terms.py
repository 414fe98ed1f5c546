"""Names and literals as RDF terms, and back.

Whole numbers, fractions, truth values, dates, moments and texts keep their type, texts their
language. What is written against XML Schema's rules, or cannot be kept as it is, is an error. A
literal of any other datatype is read as its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, TypeVar

from readmark.corpus.errors import DataError
from readmark.reasoning.moments import date, moment
from readmark.reasoning.namespaces import XSD, Namespaces
from readmark.reasoning.ontology import FRACTIONS, INTEGERS
from readmark.reasoning.terms import Literal, Name, Value, real_number, whole_number

if TYPE_CHECKING:
    import pyoxigraph

_T = TypeVar("_T")

BLANK = "_:"
"""What the names of blank nodes begin with."""

_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_FRACTION = {"INF": "inf", "+INF": "inf", "-INF": "-inf", "NaN": "nan"}
_SPACES = " \t\r\n"
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DOUBLE = re.compile(_DECIMAL.pattern + r"(?:[eE][+-]?[0-9]+)?")
_WRITTEN = {
    "bool": "boolean",
    "int": "integer",
    "float": "double",
    "date": "date",
    "datetime": "dateTime",
}


def literal_of(term: pyoxigraph.Literal, *, file: str, line: int) -> Literal:
    """The typed value of an RDF literal; one that its datatype does not have is an error."""
    type = term.datatype.value
    text = term.value
    if not type.startswith(XSD):
        return Literal(text, (term.language or "").lower())
    local = type[len(XSD) :]
    try:
        return Literal(_value(text, local))
    except (ValueError, KeyError) as wrong:
        shown = text if len(text) <= 40 else text[:39] + "…"
        why = f": {wrong}" if isinstance(wrong, _Unkept) else ""
        said = f"{shown!r} is no xsd:{local} that can be kept{why}"
        raise DataError(said, file=file, where=line) from None


class _Unkept(ValueError):
    """Why a value that its datatype has is none that is kept."""


def _value(text: str, type: str) -> Value:
    if type in INTEGERS:
        text = _matching(_INTEGER, text)
        value = _kept(whole_number, text)
        least, most = INTEGERS[type]
        if (least is not None and value < least) or (most is not None and value > most):
            raise ValueError
        return value
    if type == "decimal":
        text = _matching(_DECIMAL, text)
        number = _kept(real_number, text)
        if Decimal(repr(number)) != Decimal(text):
            raise _Unkept("it has more digits than are kept")
        return number
    if type in FRACTIONS:
        special = _FRACTION.get(text.strip(_SPACES))
        return float(special) if special else _kept(real_number, _matching(_DOUBLE, text))
    if type == "boolean":
        return _TRUTH[text.strip(_SPACES)]
    if type == "date":
        return _kept(date, text.strip(_SPACES))
    if type == "dateTime":
        return _kept(moment, text.strip(_SPACES))
    return text


def _matching(form: re.Pattern[str], text: str) -> str:
    """The text without the spaces around it, in a form that XML Schema gives its datatype."""
    found = form.fullmatch(text.strip(_SPACES))
    if found is None:
        raise ValueError
    return found[0]


def _kept(value: Callable[[str], _T], text: str) -> _T:
    try:
        return value(text)
    except ValueError as wrong:
        raise _Unkept(str(wrong)) from None


def node_of(
    term: Name | Literal, namespaces: Namespaces
) -> pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal:
    """The RDF term of a name or literal."""
    import pyoxigraph

    if isinstance(term, Name):
        if term.text.startswith(BLANK):
            return pyoxigraph.BlankNode(term.text[len(BLANK) :])
        try:
            return pyoxigraph.NamedNode(namespaces.expand(term))
        except ValueError as wrong:
            raise DataError(f"the name {term.text!r} is no IRI: {wrong}") from None
    if isinstance(term.value, str):
        return pyoxigraph.Literal(term.value, language=term.language or None)
    return pyoxigraph.Literal(
        term.lexical, datatype=pyoxigraph.NamedNode(XSD + _WRITTEN[term.kind])
    )

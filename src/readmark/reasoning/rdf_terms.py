"""Names and literals as RDF terms, and back.

Whole numbers, fractions, truth values, dates, moments and texts keep their type. A literal of any
other datatype, or with a language tag, is read as its text.
"""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from readmark.corpus.errors import DataError
from readmark.reasoning.namespaces import XSD, Namespaces
from readmark.reasoning.ontology import FRACTIONS, INTEGERS
from readmark.reasoning.terms import Literal, Name, Value

if TYPE_CHECKING:
    import pyoxigraph

BLANK = "_:"
"""What the names of blank nodes begin with."""

_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_FRACTION = {"INF": "inf", "+INF": "inf", "-INF": "-inf", "NaN": "nan"}
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
        return Literal(text)
    local = type[len(XSD) :]
    try:
        return Literal(_value(text, local))
    except (ValueError, KeyError):
        shown = text if len(text) <= 40 else text[:39] + "…"
        said = f"{shown!r} is no xsd:{local} that can be kept"
        raise DataError(said, file=file, where=line) from None


def _value(text: str, type: str) -> Value:
    if type in INTEGERS:
        if not text.strip().lstrip("+-").isdecimal() or not text.isascii():
            raise ValueError
        value = int(text)
        least, most = INTEGERS[type]
        if (least is not None and value < least) or (most is not None and value > most):
            raise ValueError
        return value
    if type in FRACTIONS:
        return float(_FRACTION.get(text.strip(), text))
    if type == "boolean":
        return _TRUTH[text.strip()]
    if type == "date":
        return datetime.date.fromisoformat(text.strip())
    if type == "dateTime":
        if "T" not in text:
            raise ValueError
        return datetime.datetime.fromisoformat(text.strip())
    return text


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
        return pyoxigraph.Literal(term.value)
    return pyoxigraph.Literal(
        term.lexical, datatype=pyoxigraph.NamedNode(XSD + _WRITTEN[term.kind])
    )

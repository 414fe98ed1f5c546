"""Which literals are values of a datatype of XML Schema."""

from __future__ import annotations

import pytest

from readmark.tasks.reasoning.datatypes import datatype, literal_fits
from readmark.tasks.reasoning.terms import Literal, Name, Value


@pytest.mark.parametrize(
    ("value", "type", "fits"),
    [
        (5, "nonNegativeInteger", True),
        (-1, "nonNegativeInteger", False),
        (True, "integer", False),
        (5.0, "integer", False),
        (5, "double", True),
        (True, "double", False),
        (True, "boolean", True),
        (1, "boolean", False),
        ("x", "string", True),
        (5, "string", False),
        ("x", "gYear", True),
    ],
)
def test_which_literals_a_datatype_has(value: Value, type: str, fits: bool) -> None:
    assert literal_fits(Literal(value), type) is fits


def test_datatypes_and_classes_are_told_apart() -> None:
    assert datatype(Name("xsd:date")) == "date"
    assert datatype(Name("rdfs:Literal")) == "Literal"
    assert datatype(Name("NFLGame")) is None

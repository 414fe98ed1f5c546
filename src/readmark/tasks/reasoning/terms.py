"""What statements and rules are made of: names, literals and variables, and how they are written.

A literal's type is part of it: ``true`` is not ``1`` and ``5`` is not ``5.0``; only the built-ins
compare numbers by value.
"""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readmark.core.errors import DataError
from readmark.tasks.reasoning.dates import ZonedDate, canonical_text, read_date, read_moment

Value = bool | int | float | str | datetime.date | ZonedDate | datetime.datetime

LARGEST = 2**126
"""Integers lie below this, since the database counts in 128 bits."""
KEYWORDS = frozenset(
    {":if", ":if-not", ":then", ":rule", ":comment", ":default", ":probability", ":theory"}
)
"""Words of the rule notation; no bare name may be one."""


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """An entity, a class or a property: ``Game-1``, ``nfl:gameDate`` or a full IRI."""

    text: str


@dataclass(frozen=True, slots=True, order=True)
class Variable:
    """``?g`` is ``Variable("g")``."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A typed value, equal to another of the same type and the same canonical text.

    A string may be in a language: ``"chat"@fr`` is not equal to ``"chat"``.
    """

    value: Value
    language: str = ""

    @property
    def kind(self) -> str:
        """bool, int, float, str, date or datetime; str@fr for a string in French."""
        name = "date" if isinstance(self.value, ZonedDate) else type(self.value).__name__
        return f"{name}@{self.language}" if self.language else name

    @property
    def lexical(self) -> str:
        """The canonical text of the value, without its type."""
        value = self.value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float):
            return _float_text(value)
        if isinstance(value, datetime.date | ZonedDate):
            return canonical_text(value)
        return str(value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Literal):
            return NotImplemented
        return self.kind == other.kind and self.lexical == other.lexical

    def __hash__(self) -> int:
        return hash((self.kind, self.lexical))

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Literal):
            return NotImplemented
        return (self.kind, self.lexical) < (other.kind, other.lexical)


Term = Name | Literal | Variable

TOKEN = re.compile(
    r"""(?P<space>(?:\s+|;[^\n]*)+)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<string>"(?:[^"\\]|\\.)*"(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*)?)
    |(?P<iri><(?:[^<>\s\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>)
    |(?P<variable>\?[\w.-]+)
    |(?P<word>[^\s()"<>?;][^\s()"<>;]*)""",
    re.VERBOSE | re.DOTALL,
)
"""One token of the parenthesised notation, which statements, queries and rules share."""

_MOST_DIGITS = 1_000  # Python refuses to convert texts of more than 4,300 digits
_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE][+-]?[0-9]+)?")
# What looks like a date or a time is one or an error, never a name: 2011-02-29 is a mistake.
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:Z|[+-][0-9]{2}:[0-9]{2})?")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(?:Z|[+-][0-9]{2}:[0-9]{2})?")
_SPECIAL = {"INF": float("inf"), "-INF": float("-inf"), "NaN": float("nan")}
_BARE = re.compile(r"""[^\s()"<>?;\\][^\s()"<>;\\]*""")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


def term_of(token: str) -> Term:
    """The term that a token other than a parenthesis writes; ValueError says what is wrong."""
    first = token[0]
    if first == "?":
        return Variable(token[1:])
    if first == '"':
        text, _, language = token.rpartition('"')
        try:
            value = json.loads(text + '"', strict=False)
        except json.JSONDecodeError as wrong:
            raise ValueError(f"{_short(token)} is no string: {wrong.msg}") from None
        _require_whole_characters(value)
        return Literal(value, language[1:].lower())
    if first == "<":
        iri = _ESCAPE.sub(lambda escape: chr(int(escape[1] or escape[2], 16)), token[1:-1])
        _require_whole_characters(iri)
        return Name(iri)
    bare_value = _bare_value(token)
    return Name(token) if bare_value is None else Literal(bare_value)


def written(term: Term) -> str:
    """The token that :func:`term_of` reads back as this term."""
    if isinstance(term, Variable):
        return f"?{term.text}"
    if isinstance(term, Literal):
        if isinstance(term.value, str):
            tag = f"@{term.language}" if term.language else ""
            return json.dumps(term.value, ensure_ascii=False) + tag
        return term.lexical
    text = term.text
    # A bare name must not read as a keyword or a value, nor look like a full IRI.
    is_bare = "://" not in text and text not in KEYWORDS and not _is_value(text)
    if is_bare and _BARE.fullmatch(text):
        return text
    return f"<{_escaped(text)}>"


def ground(term: Term) -> Name | Literal:
    """The term, which is not a variable; a DataError if it is one."""
    if isinstance(term, Variable):
        raise DataError(f"?{term.text} has no value")
    return term


def value_json(term: Name | Literal) -> str | int | float | bool:
    """Numbers and truth values as they are, everything else as the notation writes it.

    JSON has no INF and no NaN, so the notation writes them too.
    """
    if isinstance(term, Literal) and isinstance(term.value, bool | int | float):
        return term.value if math.isfinite(term.value) else written(term)
    return written(term)


def bindings_json(bindings: Mapping[str, Name | Literal]) -> dict[str, Any]:
    """The values of variables, as :func:`value_json` gives them."""
    return {name: value_json(value) for name, value in bindings.items()}


def whole_number(text: str) -> int:
    """The integer of a text of digits; ValueError if it is too large to count with."""
    if len(text) > _MOST_DIGITS or abs(value := int(text)) >= LARGEST:
        raise ValueError("integers are below 2 to the power of 126")
    return value


def real_number(text: str) -> float:
    """The number that a text writes; ValueError if no float is near it."""
    value = float(text)
    if math.isinf(value):
        raise ValueError("it is beyond the greatest number that is kept")
    if value == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
        raise ValueError("it is nearer to 0 than any number that is kept")
    return value


def _require_whole_characters(text: str) -> None:
    if _SURROGATE.search(text):
        raise ValueError("half of a surrogate pair is no character")


def _bare_value(token: str) -> Value | None:
    """The number, truth value, date or time that a bare token is; None for a name."""
    if token in ("true", "false"):
        return token == "true"
    if token in _SPECIAL:
        return _SPECIAL[token]
    try:
        if _INTEGER.fullmatch(token):
            return whole_number(token)
        if _FLOAT.fullmatch(token):
            return real_number(token)
        if _DATE.fullmatch(token):
            return read_date(token)
        if _TIME.fullmatch(token):
            return read_moment(token)
    except ValueError as wrong:
        raise ValueError(f"{_short(token)} is no value: {_short(str(wrong), 80)}") from None
    return None


def _is_value(text: str) -> bool:
    """Whether a name would be read as a value, or as one with a fault such as 2011-02-29."""
    try:
        return _bare_value(text) is not None
    except ValueError:
        return True


def _float_text(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "INF" if value > 0 else "-INF"
    return repr(value)


def _escaped(text: str) -> str:
    return "".join(
        f"\\U{ord(character):08X}" if character in '<>\\"' or character.isspace() else character
        for character in text
    )


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"

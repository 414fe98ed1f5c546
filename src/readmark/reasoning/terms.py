"""What statements and rules are made of: names, literals and variables, and how they are written.

A literal's type is part of it: ``true`` is not ``1`` and ``5`` is not ``5.0``; only the built-ins
compare numbers by value.
"""

from __future__ import annotations

import datetime
import json
import re
from dataclasses import dataclass

from readmark.reasoning.moments import ZonedDate, canonical, date, moment

Value = bool | int | float | str | datetime.date | ZonedDate | datetime.datetime

LARGEST = 2**126
"""Integers lie below this, which the database counts in."""
KEYWORDS = frozenset(
    {":if", ":if-not", ":then", ":rule", ":comment", ":default", ":probability", ":theory"}
)
"""Words of the rule notation, which no bare name may be."""


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

    A string may be in a language, ``"chat"@fr``, and is then another than in none.
    """

    value: Value
    language: str = ""

    @property
    def kind(self) -> str:
        """bool, int, float, str, date or datetime; of a string in a language, such as str@fr."""
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
            return canonical(value)
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

_LONGEST = 1_000
_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE][+-]?[0-9]+)?")
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
            return Literal(_whole_text(json.loads(text + '"', strict=False)), language[1:].lower())
        except json.JSONDecodeError as wrong:
            raise ValueError(f"{_short(token)} is no string: {wrong.msg}") from None
    if first == "<":
        iri = _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), token[1:-1])
        return Name(_whole_text(iri))
    value = _bare_value(token)
    return Name(token) if value is None else Literal(value)


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
    plain = "://" not in text and text not in KEYWORDS and not _is_value(text)
    if plain and _BARE.fullmatch(text):
        return text
    return f"<{_escaped(text)}>"


def whole_number(text: str) -> int:
    """The integer of a text of digits; ValueError where it is too large to be counted with."""
    if len(text) > _LONGEST or abs(value := int(text)) >= LARGEST:
        raise ValueError("integers are below 2 to the power of 126")
    return value


def real_number(text: str) -> float:
    """The number of a text that is one; ValueError where it is beyond what is kept."""
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError("it is beyond the greatest number that is kept")
    if value == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
        raise ValueError("it is nearer to 0 than any number that is kept")
    return value


def _whole_text(text: str) -> str:
    if _SURROGATE.search(text):
        raise ValueError("half of a surrogate pair is no character")
    return text


def _bare_value(token: str) -> Value | None:
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
            return date(token)
        if _TIME.fullmatch(token):
            return moment(token)
    except ValueError as wrong:
        raise ValueError(f"{_short(token)} is no value: {_short(str(wrong), 80)}") from None
    return None


def _is_value(text: str) -> bool:
    try:
        return _bare_value(text) is not None
    except ValueError:
        return True


def _float_text(value: float) -> str:
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "INF" if value > 0 else "-INF"
    return repr(value)


def _escaped(text: str) -> str:
    return "".join(f"\\U{ord(one):08X}" if one in '<>\\"' or one.isspace() else one for one in text)


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"

"""What statements and rules are made of: names, literals and variables, and how they are written.

A literal's type is part of it: ``true`` is not ``1`` and ``5`` is not ``5.0``; only the built-ins
compare numbers by value.
"""

from __future__ import annotations

import datetime
import json
import re
from dataclasses import dataclass

Value = bool | int | float | str | datetime.date | datetime.datetime

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
    """A typed value, equal to another of the same type and the same canonical text."""

    value: Value

    @property
    def kind(self) -> str:
        """bool, int, float, str, date or datetime."""
        return type(self.value).__name__

    @property
    def lexical(self) -> str:
        """The canonical text of the value, without its type."""
        value = self.value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float):
            return _float_text(value)
        if isinstance(value, datetime.date):
            return value.isoformat()
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
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<iri><(?:[^<>\s\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>)
    |(?P<variable>\?[\w.-]+)
    |(?P<word>[^\s()"<>?;][^\s()"<>;]*)""",
    re.VERBOSE | re.DOTALL,
)
"""One token of the parenthesised notation, which statements, queries and rules share."""

_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(?:Z|[+-][0-9]{2}:[0-9]{2})?")
_SPECIAL = {"INF": float("inf"), "-INF": float("-inf"), "NaN": float("nan")}
_BARE = re.compile(r"""[^\s()"<>?;\\][^\s()"<>;\\]*""")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


def term_of(token: str) -> Term:
    """The term that a token other than a parenthesis writes; ValueError says what is wrong."""
    first = token[0]
    if first == "?":
        return Variable(token[1:])
    if first == '"':
        try:
            return Literal(json.loads(token, strict=False))
        except json.JSONDecodeError as wrong:
            raise ValueError(f"{_short(token)} is no string: {wrong.msg}") from None
    if first == "<":
        return Name(_ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), token[1:-1]))
    value = _bare_value(token)
    return Name(token) if value is None else Literal(value)


def written(term: Term) -> str:
    """The token that :func:`term_of` reads back as this term."""
    if isinstance(term, Variable):
        return f"?{term.text}"
    if isinstance(term, Literal):
        if isinstance(term.value, str):
            return json.dumps(term.value, ensure_ascii=False)
        return term.lexical
    text = term.text
    plain = "://" not in text and text not in KEYWORDS and not _is_value(text)
    if plain and _BARE.fullmatch(text):
        return text
    return f"<{_escaped(text)}>"


def _bare_value(token: str) -> Value | None:
    if token in ("true", "false"):
        return token == "true"
    if token in _SPECIAL:
        return _SPECIAL[token]
    try:
        if _INTEGER.fullmatch(token):
            return int(token)
        if _FLOAT.fullmatch(token):
            return float(token)
        if _DATE.fullmatch(token):
            return datetime.date.fromisoformat(token)
        if _MOMENT.fullmatch(token):
            return datetime.datetime.fromisoformat(token)
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

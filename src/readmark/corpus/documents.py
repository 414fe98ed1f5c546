"""The values that reading tasks are made of: documents, queries, and answers with their excerpts.

A query is a graph with variables; an answer binds values to them ("The DARPA Machine Reading
Program", section 3). Values are the tokens of the graph notation: ``Game-1``, ``5``, ``"ten"``.
"""

from __future__ import annotations

import decimal
import functools
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from readmark.corpus.values import Layers, RecordKey, Value

ANNOTATIONS = ("complete", "incomplete", "query-driven")
"""Whether what is not in the gold of a document is wrong, or only not judged."""


_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE][+-]?[0-9]+)?")
"""A number of the graph notation."""
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]+(?:Z|[+-][0-9]{2}:[0-9]{2})?)?")
_WORDS = frozenset({"true", "false", "INF", "-INF", "NaN"})
_WRITTEN_OUT = 400
"""How many places a number may have to be written without an exponent."""

NAMESPACES = "namespaces"
"""The field of a document that has the prefixes of its task's ontology."""
VARIABLES = "variables"
"""The field of a query that names the variables whose values make the answer, if not all do."""


def asked_of(fields: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The variables that a query with these fields asks for; None for all of them."""
    names = fields.get(VARIABLES)
    return tuple(map(str, names)) if isinstance(names, (list, tuple)) else None


class Excerpt(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A stretch of a document, in code points, with what stands there."""

    document: str
    start: int
    end: int
    quote: str


class Solution(Value, frozen=True):
    """One answer: a value for each variable of the query, with where it was read.

    ``mentions`` says by what words the document calls each entity, its equivalence class.
    """

    values: dict[str, str | int | float | bool]
    inferred: bool | None = None
    excerpts: tuple[Excerpt, ...] = ()
    mentions: dict[str, tuple[str, ...]] = {}
    probability: float | None = None
    derivation: str | None = None
    """How it was found, as indented lines: rules, what they rest on, down to the excerpts."""
    by: str | None = None
    """Who added or judged it, where that was after the annotation."""
    why: str | None = None

    @property
    def bound(self) -> tuple[tuple[str, str], ...]:
        """Variables with their values' tokens, sorted: what tells one answer from another.

        Numbers of one value have one token: 5, 5.0 and 5e0 are the same answer.
        """
        return tuple(sorted((name, plain(token(value))) for name, value in self.values.items()))

    def of(self, names: Sequence[str] | None) -> Solution:
        """The answer with the values of these variables only; of all when none is named."""
        if names is None or set(self.values) <= set(names):
            return self
        values = {name: value for name, value in self.values.items() if name in names}
        return msgspec.structs.replace(self, values=values)


class Solutions(Value, frozen=True):
    """All the answers to a query on a document: a candidate's, a person's, or the gold."""

    solutions: tuple[Solution, ...]
    annotator: str | None = None

    @property
    def text(self) -> str:
        """The answers in a line: ``?G = Game-1, ?N = 5; ...``."""
        told = (
            ", ".join(f"?{name} = {value}" for name, value in one.bound) for one in self.solutions
        )
        return "; ".join(told)


class QueryKey(Value, frozen=True):
    """The gold answers to a query on a document, and what was judged to be none."""

    solutions: tuple[Solution, ...] = ()
    rejected: tuple[Solution, ...] = ()
    out_of_bounds: tuple[Solution, ...] = ()
    """Right, but beyond what the phase asks for: neither wanted nor wrong."""
    annotation: str = "complete"
    layers: Layers = {}
    fields: dict[str, Any] = {}


class Query(Value, frozen=True):
    """A query on a document: the graph for machines, the text for people."""

    id: str
    graph: str
    query: str | None = None
    """The id that the query has on every document."""
    text: str | None = None
    property: str | None = None
    layers: Layers = {}
    fields: dict[str, Any] = {}
    key: QueryKey | None = None


class Document(Value, frozen=True):
    """A text, exactly as given, with the queries on it."""

    text: str
    id: str = ""
    language: str | None = None
    title: str | None = None
    dateline: str | None = None
    genre: str | None = None
    topic: str | None = None
    split: str | None = None
    layers: Layers = {}
    fields: dict[str, Any] = {}
    queries: tuple[Query, ...] = ()
    key: RecordKey | None = None


def token(value: str | int | float | bool) -> str:
    """A value as the graph notation writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"
    return str(value)


def is_value(text: str) -> bool:
    """Whether a token is a number, a truth value, a date or a string, and so no entity."""
    if text[:1] == '"' or text in _WORDS or _NUMBER.fullmatch(text):
        return True
    return bool(_DATE.fullmatch(text))


@functools.lru_cache(maxsize=2**14)
def plain(text: str) -> str:
    """A value's token; numbers of one value have one, whatever zeros or exponent they have."""
    if not _NUMBER.fullmatch(text):
        return text
    exact = decimal.Context(prec=len(text) + 1)
    try:
        number = decimal.Decimal(text, exact).normalize(exact)
    except decimal.DecimalException:
        return text  # an exponent beyond all measure
    if not number:
        return "0"
    return f"{number:f}" if abs(number.adjusted()) <= _WRITTEN_OUT else str(number)


def excerpt_fault(excerpt: Excerpt, text: str) -> str | None:
    """What is wrong with an excerpt of a document with this text; None when nothing is."""
    start, end = excerpt.start, excerpt.end
    if not 0 <= start < end <= len(text):
        return f"[{start}, {end}] is no stretch of the document, which has {len(text)} code points"
    if text[start:end] != excerpt.quote:
        return f"[{start}, {end}] reads {_short(text[start:end])}, not {_short(excerpt.quote)}"
    return None


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")

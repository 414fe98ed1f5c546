"""The values that reading tasks are made of: documents, queries, and answers with their excerpts.

A query is a graph with variables; an answer binds values to them ("The DARPA Machine Reading
Program", section 3). Values are the tokens of the graph notation: ``Game-1``, ``5``, ``"ten"``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from readmark.corpus.values import Layers, RecordKey, Value

ANNOTATIONS = ("complete", "incomplete", "query-driven")
"""Whether what is not in the gold of a document is wrong, or only not judged."""


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
    by: str | None = None
    """Who added or judged it, where that was after the annotation."""
    why: str | None = None

    @property
    def bound(self) -> tuple[tuple[str, str], ...]:
        """Variables with their values' tokens, sorted: what tells one answer from another."""
        return tuple(sorted((name, token(value)) for name, value in self.values.items()))

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

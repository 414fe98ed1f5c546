"""What reading tasks are made of: documents, queries on them, and answers with their excerpts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from readmark.core.records import Layers, RecordKey, Value
from readmark.core.spans import Excerpt
from readmark.tasks.value_tokens import plain, token

ANNOTATIONS = ("complete", "incomplete", "query-driven")
"""Whether what is not in the gold of a document is wrong, or only not judged."""
NAMESPACES = "namespaces"
"""The field of a document that has the prefixes of its task's ontology."""
VARIABLES = "variables"
"""The field of a query that names the variables whose values make the answer, if not all do."""

ROLE = "property_role"
"""The field of a query that says of what role its properties are, by the ontology."""
TARGET, INFERRED, UNKNOWN = "target", "inferred", "unknown"
"""Read from text; inferred, or given as input; the ontology could not be read."""


def asked_of(fields: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The variables that a query with these fields asks for; None for all of them."""
    names = fields.get(VARIABLES)
    return tuple(map(str, names)) if isinstance(names, (list, tuple)) else None


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
        """Variables with their values' tokens, sorted: what makes answers different.

        Numbers of one value have one token: 5, 5.0 and 5e0 are the same answer.
        """
        return tuple(sorted((name, plain(token(value))) for name, value in self.values.items()))

    @property
    def text(self) -> str:
        """The answer in a line: ``?G = Game-1, ?N = 5``."""
        return ", ".join(f"?{name} = {value}" for name, value in self.bound)

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
        return "; ".join(solution.text for solution in self.solutions)


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

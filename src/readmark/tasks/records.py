"""Names and IRIs: ``nfl:gameDate`` and ``Game-1`` stand for IRIs by prefixes and a default.

A name expands to one IRI, and every IRI comes back as a name that expands to it again.
"""

from __future__ import annotations

import decimal
import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec

from readmark.core.records import Layers, RecordKey, Value
from readmark.core.spans import Excerpt

# The values that reading tasks are made of: documents, queries, and answers with their excerpts.


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


RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
PROV = "http://www.w3.org/ns/prov#"
OA = "http://www.w3.org/ns/oa#"
MRQ = "urn:readmark:query#"
"""The built-ins of queries and rule bodies, such as ``mrq:lessThanOrEqualTo``."""
RM = "urn:readmark:terms#"
"""What no vocabulary has: roles of properties, probabilities, parts of statements."""
DOCUMENT = "urn:readmark:document:"
DEFAULT = "urn:readmark:names#"

STANDARD = {
    "rdf": RDF,
    "rdfs": RDFS,
    "owl": OWL,
    "xsd": XSD,
    "prov": PROV,
    "oa": OA,
    "mrq": MRQ,
    "rm": RM,
}
SHORT = {"type": RDF + "type", "sameAs": OWL + "sameAs"}
"""Bare names that every domain has."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
ILLEGAL = re.compile(r"[\x00-\x20<>\"{}|\\^`\x7f-\x9f]")
"""What no IRI may hold."""
_PLANES = "".join(f"{chr(index << 16)}-{chr((index << 16) + 0xFFFD)}" for index in range(1, 14))
_UNSAFE = re.compile(
    r"[^A-Za-z0-9!$&'()*+,./:;=?@_~\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    + _PLANES
    + "\U000e1000-\U000efffd-]"
)
"""What is not kept as it is: all but the characters of "RFC 3987", less the percent sign."""
_BARE = re.compile(r"""[^\s()"<>?;\\][^\s()"<>;\\]*""")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_HALF_ENCODED = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ENCODED = re.compile(r"(?:%[0-9A-F]{2})+")


@dataclass(frozen=True)
class NameSpelling:
    """Prefixes with their IRIs, and the IRI that bare names are in."""

    prefixes: Mapping[str, str] = field(default_factory=dict)
    default: str = DEFAULT

    @cached_property
    def known(self) -> dict[str, str]:
        """Every prefix; the standard ones mean the same everywhere."""
        return {**{name: iri for name, iri in self.prefixes.items() if name}, **STANDARD}

    @cached_property
    def _own(self) -> list[tuple[str, str]]:
        """The prefixes that are not standard, those of the longest IRIs first."""
        own = [item for item in self.known.items() if item[0] not in STANDARD]
        return sorted(own, key=lambda one: (-len(one[1]), one[0]))

    def iri_of(self, text: str) -> str:
        """The IRI that a name stands for."""
        prefix, colon, local = text.partition(":")
        if colon:
            if prefix in self.known:
                return self.known[prefix] + escaped(local)
            if _SCHEME.match(text) and not (ILLEGAL.search(text) or _HALF_ENCODED.search(text)):
                return text
        return SHORT.get(text) or self.default + escaped(text)

    def name_of(self, iri: str) -> str:
        """The shortest name of an IRI: bare, with a prefix, or the IRI itself."""
        for text in self._candidates(iri):
            if text and not text.startswith("?") and self.iri_of(text) == iri:
                return text
        return iri

    def _candidates(self, iri: str) -> Iterator[str]:
        """Spellings of an IRI; standard ones come first, so that each name has but one."""
        yield from (text for text, full in SHORT.items() if full == iri)
        spaces = (*STANDARD.items(), ("", self.default), *self._own)
        for prefix, space in spaces:
            if iri.startswith(space):
                local = unescaped(iri[len(space) :])
                yield f"{prefix}:{local}" if prefix else local


@functools.lru_cache(maxsize=2**14)
def spell(token: str, default: str, prefixes: tuple[tuple[str, str], ...]) -> str:
    """A value's token; names that stand for one IRI have one."""
    if token.startswith(('"', "_:")) or not token or is_value(token):
        return token
    is_iri = token.startswith("<") and token.endswith(">")
    text = _ESCAPE.sub(lambda one: chr(int(one[1] or one[2], 16)), token[1:-1]) if is_iri else token
    spelling = NameSpelling(dict(prefixes), default)
    name = spelling.name_of(spelling.iri_of(text))
    if _BARE.fullmatch(name) and "://" not in name and not is_value(name):
        return name
    odd = (f"\\U{ord(one):08X}" if one in '<>\\"' or one.isspace() else one for one in name)
    return f"<{''.join(odd)}>"


def respell(one: Solution, namespaces: Mapping[str, str]) -> Solution:
    """An answer with one spelling for each entity; ``namespaces`` has the bare names' under ''."""
    if not namespaces:
        return one
    default = namespaces.get("", DEFAULT)
    prefixes = tuple((name, iri) for name, iri in namespaces.items() if name)
    values = {
        name: spell(value, default, prefixes) if isinstance(value, str) else value
        for name, value in one.values.items()
    }
    mentions: dict[str, tuple[str, ...]] = {}
    for entity, words in one.mentions.items():
        name = spell(entity, default, prefixes)
        mentions[name] = tuple(dict.fromkeys((*mentions.get(name, ()), *words)))
    if values == one.values and mentions == one.mentions:
        return one
    return msgspec.structs.replace(one, values=values, mentions=mentions)


def escaped(text: str) -> str:
    """A text as the end of an IRI: what no IRI may hold is percent-encoded."""
    return _UNSAFE.sub(lambda one: "".join(f"%{byte:02X}" for byte in one[0].encode()), text)


def unescaped(text: str) -> str:
    """What :func:`escaped` was given."""
    return _ENCODED.sub(
        lambda one: bytes.fromhex(one[0].replace("%", "")).decode("utf-8", "replace"), text
    )


def document_iri(id: str) -> str:
    """The IRI of a document of a task."""
    return DOCUMENT + escaped(id)


def document_id(iri: str) -> str | None:
    """The document that an IRI stands for; None when it is of another sort."""
    return unescaped(iri[len(DOCUMENT) :]) if iri.startswith(DOCUMENT) else None

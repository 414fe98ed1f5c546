"""Names and IRIs as terms: ``nfl:gameDate`` and ``Game-1`` by prefixes and a default."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.corpus.iris import (
    DEFAULT,
    DOCUMENT,
    ILLEGAL,
    MRQ,
    OA,
    OWL,
    PROV,
    RDF,
    RDFS,
    RM,
    SHORT,
    STANDARD,
    XSD,
    Spelling,
    document_id,
    document_iri,
    escaped,
    unescaped,
)
from readmark.reasoning.terms import Name

__all__ = [
    "DEFAULT",
    "DOCUMENT",
    "ILLEGAL",
    "MRQ",
    "OA",
    "OWL",
    "PROV",
    "RDF",
    "RDFS",
    "RM",
    "SHORT",
    "STANDARD",
    "XSD",
    "Namespaces",
    "document_id",
    "document_iri",
    "escaped",
    "unescaped",
]


@dataclass(frozen=True)
class Namespaces(Spelling):
    """Prefixes with their IRIs, and the IRI that bare names are in."""

    def expand(self, name: Name) -> str:
        """The IRI of a name."""
        return self.iri_of(name.text)

    def compact(self, iri: str) -> Name:
        """The shortest name of an IRI: bare, with a prefix, or the IRI itself."""
        return Name(self.name_of(iri))

    def same(self, one: Name, other: Name) -> bool:
        """Whether two names stand for one IRI."""
        return one == other or self.expand(one) == self.expand(other)

    def canonical(self, name: Name) -> Name:
        """The name that an RDF file with the same IRI would be read as."""
        return self.compact(self.expand(name))

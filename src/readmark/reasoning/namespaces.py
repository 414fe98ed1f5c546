"""Names and IRIs: ``nfl:gameDate`` and ``Game-1`` stand for IRIs by prefixes and a default.

A name expands to one IRI, and every IRI comes back as a name that expands to it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from readmark.reasoning.terms import Name

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
_PLANES = "".join(f"{chr(at << 16)}-{chr((at << 16) + 0xFFFD)}" for at in range(1, 14))
_UNSAFE = re.compile(
    r"[^A-Za-z0-9!$&'()*+,./:;=?@_~\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    + _PLANES
    + "\U000e1000-\U000efffd-]"
)
"""What is not kept as it is: all but the characters of "RFC 3987", less the percent sign."""
_ENCODED = re.compile(r"(?:%[0-9A-F]{2})+")


@dataclass(frozen=True)
class Namespaces:
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
        own = [one for one in self.known.items() if one[0] not in STANDARD]
        return sorted(own, key=lambda one: (-len(one[1]), one[0]))

    def expand(self, name: Name) -> str:
        """The IRI of a name."""
        text = name.text
        prefix, colon, local = text.partition(":")
        if colon:
            if prefix in self.known:
                return self.known[prefix] + escaped(local)
            if _SCHEME.match(text) and not ILLEGAL.search(text):
                return text
        return SHORT.get(text) or self.default + escaped(text)

    def compact(self, iri: str) -> Name:
        """The shortest name of an IRI: bare, with a prefix, or the IRI itself."""
        for text in self._candidates(iri):
            if text and not text.startswith("?") and self.expand(Name(text)) == iri:
                return Name(text)
        return Name(iri)

    def same(self, one: Name, other: Name) -> bool:
        """Whether two names stand for one IRI."""
        return one == other or self.expand(one) == self.expand(other)

    def canonical(self, name: Name) -> Name:
        """The name that an RDF file with the same IRI would be read as."""
        return self.compact(self.expand(name))

    def _candidates(self, iri: str) -> Iterator[str]:
        """Spellings of an IRI; standard ones come first, so that each name has but one."""
        yield from (text for text, full in SHORT.items() if full == iri)
        spaces = (*STANDARD.items(), ("", self.default), *self._own)
        for prefix, space in spaces:
            if iri.startswith(space):
                local = unescaped(iri[len(space) :])
                yield f"{prefix}:{local}" if prefix else local


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

"""Names and IRIs: ``nfl:gameDate`` and ``Game-1`` stand for IRIs by prefixes and a default.

A name expands to one IRI, and every IRI comes back as a name that expands to it again.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from readmark.tasks.records import Solution
from readmark.tasks.value_tokens import is_value

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
    def _declared(self) -> list[tuple[str, str]]:
        """The prefixes that are not standard, those of the longest IRIs first."""
        declared = [pair for pair in self.known.items() if pair[0] not in STANDARD]
        return sorted(declared, key=lambda pair: (-len(pair[1]), pair[0]))

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
        spaces = (*STANDARD.items(), ("", self.default), *self._declared)
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
    text = _ESCAPE.sub(_character, token[1:-1]) if is_iri else token
    spelling = NameSpelling(dict(prefixes), default)
    name = spelling.name_of(spelling.iri_of(text))
    if _BARE.fullmatch(name) and "://" not in name and not is_value(name):
        return name
    characters = (
        f"\\U{ord(each):08X}" if each in '<>\\"' or each.isspace() else each for each in name
    )
    return f"<{''.join(characters)}>"


def _character(escape: re.Match[str]) -> str:
    return chr(int(escape[1] or escape[2], 16))


def respell(solution: Solution, namespaces: Mapping[str, str]) -> Solution:
    """An answer with one spelling for each entity; ``namespaces`` has the bare names' under ''."""
    if not namespaces:
        return solution
    default = namespaces.get("", DEFAULT)
    prefixes = tuple((name, iri) for name, iri in namespaces.items() if name)
    values = {
        name: spell(value, default, prefixes) if isinstance(value, str) else value
        for name, value in solution.values.items()
    }
    mentions: dict[str, tuple[str, ...]] = {}
    for entity, words in solution.mentions.items():
        name = spell(entity, default, prefixes)
        mentions[name] = tuple(dict.fromkeys((*mentions.get(name, ()), *words)))
    if values == solution.values and mentions == solution.mentions:
        return solution
    return msgspec.structs.replace(solution, values=values, mentions=mentions)


def escaped(text: str) -> str:
    """A text as the end of an IRI: what no IRI may hold is percent-encoded."""
    return _UNSAFE.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), text)


def unescaped(text: str) -> str:
    """What `escaped` was given."""
    return _ENCODED.sub(
        lambda match: bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "replace"), text
    )


def document_iri(id: str) -> str:
    """The IRI of a document of a task."""
    return DOCUMENT + escaped(id)


def document_id(iri: str) -> str | None:
    """The document that an IRI stands for; None when it is of another sort."""
    return unescaped(iri[len(DOCUMENT) :]) if iri.startswith(DOCUMENT) else None

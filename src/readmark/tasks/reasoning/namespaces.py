"""Names and IRIs as terms: ``nfl:gameDate`` and ``Game-1`` by prefixes and a default."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from readmark.tasks.names import NameSpelling
from readmark.tasks.reasoning.terms import Name


@dataclass(frozen=True)
class Namespaces(NameSpelling):
    """Prefixes with their IRIs, and the IRI that bare names are in."""

    def expand(self, name: Name) -> str:
        """The IRI of a name."""
        return self.iri_of(name.text)

    def compact(self, iri: str) -> Name:
        """The shortest name of an IRI: bare, with a prefix, or the IRI itself."""
        return Name(self.name_of(iri))

    def canonical(self, name: Name) -> Name:
        """The name that an RDF file with the same IRI would be read as."""
        if name not in self._canonical_names:
            self._canonical_names[name] = self.compact(self.expand(name))
        return self._canonical_names[name]

    @cached_property
    def _canonical_names(self) -> dict[Name, Name]:
        return {}

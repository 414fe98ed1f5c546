"""What annotating did to layers: how many were added, replaced and kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from readmark.core.errors import ReadmarkError


@dataclass(slots=True)
class Annotation:
    """Counts of records and texts, and of layers by name: the members of the JSON document."""

    analysers: dict[str, str]
    """Languages and the signature of each one's analyser."""
    layers: tuple[str, ...]
    records: int = 0
    units: int = 0
    texts: int = 0
    analysed: int = 0
    """Texts that went through the analyser; the others had every layer, or stood twice."""
    added: dict[str, int] = field(default_factory=dict)
    replaced: dict[str, int] = field(default_factory=dict)
    """Existing layers that were made anew and differ, which happens by force alone."""
    kept: dict[str, int] = field(default_factory=dict)
    """All existing layers that were left as they are, including the next two."""
    corrected: dict[str, int] = field(default_factory=dict)
    """Layers that name this analyser and are not what it makes: people's work."""
    otherwise: dict[str, int] = field(default_factory=dict)
    """Layers that another version of our analyser made, or the same with other settings."""

    def add(self, batch: Annotation) -> None:
        """Add the counts of a batch; on a cluster each node must have the same analyser."""
        for language, signature in batch.analysers.items():
            first = self.analysers.setdefault(language, signature)
            if signature != first:
                raise ReadmarkError(
                    f"the analyser is not the same everywhere: {first} here, {signature} on a node"
                )
        for name in ("records", "units", "texts", "analysed"):
            setattr(self, name, getattr(self, name) + getattr(batch, name))
        for name in ("added", "replaced", "kept", "corrected", "otherwise"):
            for layer, number in getattr(batch, name).items():
                count(getattr(self, name), layer, number)


def count(counts: dict[str, int], layer: str, number: int = 1) -> None:
    """Add to the count of a layer."""
    counts[layer] = counts.get(layer, 0) + number


def counts_in_words(counts: Mapping[str, int]) -> str:
    """Counts by layer, as the result prints them."""
    return ", ".join(f"{layer} {number}" for layer, number in counts.items())

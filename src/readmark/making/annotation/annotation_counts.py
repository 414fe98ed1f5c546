"""What annotating did to layers: how many were added, replaced and kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from readmark.core.errors import ReadmarkError


@dataclass(slots=True)
class Annotation:
    """Layers counted by name, and texts analysed."""

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
    """Layers that were there and have changed: only with --force."""
    kept: dict[str, int] = field(default_factory=dict)
    """All layers that were there and stayed, including the next two."""
    corrected: dict[str, int] = field(default_factory=dict)
    """Layers that name this analyser and are not what it makes: people's work."""
    otherwise: dict[str, int] = field(default_factory=dict)
    """Layers that another version of our analyser made, or the same with other settings."""

    def add(self, batch: Annotation) -> None:
        """Count the records that follow; an analyser that is another one elsewhere is refused."""
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


def count(counts: dict[str, int], name: str, more: int = 1) -> None:
    """Add to the count of a layer."""
    counts[name] = counts.get(name, 0) + more


def counts_in_words(counts: Mapping[str, int]) -> str:
    """Counts by layer, as a line of the result."""
    return ", ".join(f"{name} {count}" for name, count in counts.items())

"""Layers for the texts of some records: each text is analysed once, with what it lacks."""

from __future__ import annotations

from collections.abc import Callable

from readmark.core.records import Layer, Layers
from readmark.hooks import Analyser
from readmark.making.annotation.annotation_counts import Annotation, count
from readmark.text.analysers.registry import ANALYSER_PREFIX, known_layers

AnalyserOf = Callable[[str], Analyser]
"""Gives the analyser of a language."""


class BatchLayers:
    """Collects what the texts of some records need, analyses them, and gives their layers."""

    def __init__(
        self, analyser_of: AnalyserOf, names: tuple[str, ...], force: bool, counts: Annotation
    ) -> None:
        self._analyser_of = analyser_of
        self._names = names
        self._force = force
        self._counts = counts
        self._needed: dict[tuple[str, str], set[str]] = {}
        """Names of layers by language and text."""
        self._layers: dict[tuple[str, str], Layers] = {}

    def need(self, language: str, text: str, layers: Layers) -> Layers:
        """Note what a text needs; its layers stay as they are."""
        self._needed.setdefault((language, text), set()).update(self._to_analyse(language, layers))
        return layers

    def analyse(self) -> None:
        """Analyse every text once, together with those that need the same layers."""
        groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for (language, text), needed in self._needed.items():
            if needed:
                groups.setdefault((language, known_layers(needed)), []).append(text)
        for (language, names), texts in groups.items():
            self._counts.analysed += len(texts)
            analyses = self._analyser_of(language).analyse(texts, names)
            for text, analysis in zip(texts, analyses, strict=True):
                self._layers[language, text] = analysis.layers

    def layers(self, language: str, text: str, layers: Layers) -> Layers:
        """A text's layers with those that were missing; by force, with all that were named."""
        counts = self._counts
        counts.texts += 1
        to_analyse = self._to_analyse(language, layers)
        analysed = {name: self._layers[language, text][name] for name in to_analyse}
        added: Layers = {}
        for name in self._names:
            existing = layers.get(name)
            if existing is None or self._force:
                if name in analysed and self._fits(name, layers, analysed):
                    added[name] = analysed[name]
                    if existing == analysed[name]:
                        count(counts.kept, name)
                    else:
                        count(counts.added if existing is None else counts.replaced, name)
                continue
            count(counts.kept, name)
            if name in analysed and existing.source == analysed[name].source:
                # Analysis is repeatable: what differs from it has been corrected.
                new = analysed[name]
                if (existing.spans, existing.columns) != (new.spans, new.columns):
                    count(counts.corrected, name)
            elif not _is_by_others(existing):
                count(counts.otherwise, name)
        return {**layers, **added}

    def _to_analyse(self, language: str, layers: Layers) -> list[str]:
        """What is to be analysed: what is missing, and what may have been corrected."""
        if self._force:
            return list(self._names)
        signature = self._analyser_of(language).signature()
        names = {
            name for name in self._names if name not in layers or layers[name].source == signature
        }
        if "ne" in names and "ne" not in layers and "np" in layers:
            # Entities are over noun phrases: ours do not fit over those of others.
            names = names - {"ne"} if _is_by_others(layers["np"]) else names | {"np"}
        return list(known_layers(names)) if names else []

    def _fits(self, name: str, layers: Layers, analysed: Layers) -> bool:
        """Whether entities lie over the noun phrases that the text keeps."""
        np = layers.get("np")
        return name != "ne" or np is None or self._force or analysed["np"].spans == np.spans


def _is_by_others(layer: Layer) -> bool:
    return not layer.source.startswith(ANALYSER_PREFIX)

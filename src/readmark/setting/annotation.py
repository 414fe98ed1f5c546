"""Annotating a test: the layers of an analyser stored once, beside the texts that they lie over.

Layers that somebody else made (by hand, another analyser) are kept unless ``force`` says not to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import msgspec

from readmark.corpus.problems import Report
from readmark.corpus.test import Placed, Test
from readmark.corpus.values import PAPER_LAYERS, Layer, Layers
from readmark.text.analysers import Analyser, known_layers

BATCH = 64
"""Records whose texts are analysed together; a text that stands twice in them is analysed once."""

OWN = "readmark-"
"""How the sources of our own layers begin: they are made anew."""


@dataclass(slots=True)
class Annotation:
    """What annotating did: layers added and kept, each by name, and texts analysed."""

    analyser: str
    layers: tuple[str, ...]
    records: int = 0
    units: int = 0
    texts: int = 0
    analysed: int = 0
    """Texts that went through the analyser; the others had every layer, or stood twice."""
    added: dict[str, int] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)


Watch = Callable[[Annotation], None]


def annotated(
    test: Test,
    analyser: Analyser,
    layers: Sequence[str] = PAPER_LAYERS,
    *,
    keys: bool = False,
    force: bool = False,
    watch: Watch | None = None,
) -> tuple[Test, Annotation]:
    """The test with layers on its passages and questions, made as its records are read.

    ``keys`` annotates published keys too. The second value counts along while records are read.
    """
    asked = known_layers(layers)
    done = Annotation(analyser.signature(), asked)

    def stream(report: Report) -> Iterator[Placed]:
        records = test.stream(report)
        while batch := list(islice(records, BATCH)):
            work = _Batch(analyser, asked, force, done)
            for _, record in batch:
                _visit(record, keys, work.need)
            work.run()
            for place, record in batch:
                done.records += 1
                done.units += len(record.questions)
                yield place, _visit(record, keys, work.layers)
            if watch is not None:
                watch(done)

    return replace(test, stream=stream), done


class _Batch:
    """The texts of some records: first what each needs, then what the analyser found."""

    def __init__(
        self, analyser: Analyser, asked: tuple[str, ...], force: bool, done: Annotation
    ) -> None:
        self._analyser = analyser
        self._asked = asked
        self._force = force
        self._done = done
        self._needed: dict[str, set[str]] = {}
        self._found: dict[str, Layers] = {}

    def need(self, text: str, layers: Layers) -> Layers:
        """Note what a text needs; its layers stay as they are."""
        self._needed.setdefault(text, set()).update(self._missing(layers))
        return layers

    def run(self) -> None:
        """Analyse every text once, together with those that need the same."""
        groups: dict[tuple[str, ...], list[str]] = {}
        for text, needed in self._needed.items():
            if needed:
                groups.setdefault(known_layers(needed), []).append(text)
        for names, texts in groups.items():
            self._done.analysed += len(texts)
            for text, analysis in zip(texts, self._analyser.analyse(texts, names), strict=True):
                self._found[text] = analysis.layers

    def layers(self, text: str, layers: Layers) -> Layers:
        """A text's layers with those that were missing."""
        missing = self._missing(layers)
        self._done.texts += 1
        for name in self._asked:
            counts = self._done.added if name in missing else self._done.kept
            counts[name] = counts.get(name, 0) + 1
        found = {name: self._found[text][name] for name in missing}
        return {**layers, **found}

    def _missing(self, layers: Layers) -> list[str]:
        return [name for name in self._asked if self._force or not self._stays(name, layers)]

    def _stays(self, name: str, layers: Layers) -> bool:
        if _by_others(layers.get(name)):
            return True
        # Entities lie over phrases: over somebody else's, ours would not.
        return name == "ne" and _by_others(layers.get("np"))


def _by_others(layer: Layer | None) -> bool:
    return layer is not None and not layer.source.startswith(OWN)


def _visit(record: Any, keys: bool, over: Callable[[str, Layers], Layers]) -> Any:
    """A record with the layers of each of its texts replaced by what ``over`` makes of them."""
    changed: dict[str, Any] = {
        "questions": tuple(_question(question, keys, over) for question in record.questions)
    }
    if hasattr(record, "text"):
        changed["layers"] = over(record.text, record.layers)
    return msgspec.structs.replace(record, **changed)


def _question(question: Any, keys: bool, over: Callable[[str, Layers], Layers]) -> Any:
    changed: dict[str, Any] = {"layers": over(question.text, question.layers)}
    key = question.key
    if keys and key is not None and hasattr(key, "published"):
        changed["key"] = msgspec.structs.replace(key, published=tuple(_phrases(key, over)))
    return msgspec.structs.replace(question, **changed)


def _phrases(key: Any, over: Callable[[str, Layers], Layers]) -> Iterable[Any]:
    for phrase in key.published:
        yield msgspec.structs.replace(phrase, layers=over(phrase.text, phrase.layers))
